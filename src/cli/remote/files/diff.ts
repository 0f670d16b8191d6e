import { createTwoFilesPatch } from 'diff'
import { filesOf } from '../../../flow-files/folder.ts'
import type { Command } from '../../command.ts'
import { AnswerIsNo } from '../../command-error.ts'
import type { Remote } from '../remote.ts'
import { folderOf, placementOf, readSet } from './folder-set.ts'
import { pulledFiles } from './pull.ts'

interface Difference {
  readonly file: string
  /** What a push would do. */
  readonly action: 'create' | 'change' | 'delete'
  readonly patch: string
}

/** What a push would change, line by line; ends with 1 where anything differs. */
export async function diff({ operands, options }: Command<'diff'>, remote: Remote): Promise<void> {
  const { api, screen } = remote
  const local = filesOf(await readSet(folderOf(operands.folder, remote), remote))
  const { files: there, isWhole } = await pulledFiles(api, placementOf(options))
  const isTold = (file: string) =>
    (local.has(file) || options.delete) && (isWhole || file.split('/').at(-1) !== 'connections.yaml')
  const files = [...new Set([...there.keys(), ...local.keys()])].filter(isTold).toSorted()
  const differences = files.flatMap((file) => difference(file, there.get(file), local.get(file)) ?? [])
  if (screen.isJson) screen.json({ files: differences })
  else for (const { patch } of differences) screen.print(painted(patch, remote))
  if (differences.length > 0) throw new AnswerIsNo()
  if (!screen.isJson) screen.note('Nothing differs.')
}

function difference(
  file: string,
  before: string | undefined,
  after: string | undefined
): Difference | undefined {
  if (before === after) return undefined
  const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'change'
  const was = before === undefined ? '/dev/null' : `service/${file}`
  const is = after === undefined ? '/dev/null' : `folder/${file}`
  return { file, action, patch: createTwoFilesPatch(was, is, before ?? '', after ?? '', '', '') }
}

function painted(patch: string, { screen }: Remote): string {
  const lines = patch.split('\n').filter((line) => !line.startsWith('==='))
  return lines
    .map((line) => {
      if (line.startsWith('+++') || line.startsWith('---')) return screen.paint('strong', line)
      const tone = line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : undefined
      return screen.paint(tone, line)
    })
    .join('\n')
}
