import { resolve } from 'node:path'
import { type FileFault, type ReadFolder, readFolder } from '../../../flow-files/folder.ts'
import { readFlowFolder } from '../../../startup/flow-folder/read-flow-folder.ts'
import { CommandError, UsageError } from '../../command-error.ts'
import { fileFault } from '../../file-fault.ts'
import type { Remote } from '../remote.ts'

/** Options that say where a folder belongs. */
interface PlacedOptions {
  readonly context: string | undefined
  readonly prefix: string | undefined
}

export function placementOf({ context = '/', prefix = '' }: PlacedOptions) {
  if (!/^\/(?:[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*)?$/.test(context))
    throw new UsageError(`"${context}" is not the path of a context. Write one such as /staging.`)
  if (!/^(?:[a-z0-9][a-z0-9_-]*)?$/.test(prefix))
    throw new UsageError(
      `"${prefix}" cannot begin a slug. Write small letters, digits, "-" and "_", such as staging-.`
    )
  return { context, prefix }
}

export function folderOf(typed: string | undefined, { outside }: Remote): string {
  return resolve(outside.folder, typed ?? '.')
}

/** What the folder says; ends the command where a file is broken. */
export async function readSet(folder: string, { screen }: Remote): Promise<ReadFolder> {
  const { files, faults } = await readFlowFolder(folder).catch((error) => {
    throw new CommandError(`The folder ${folder} cannot be read: ${fileFault(error)}.`)
  })
  const read = readFolder(files)
  const all = [...faults, ...read.faults]
  if (all.length === 0) return read
  if (screen.isJson) screen.json({ valid: false, errors: all })
  throw invalidFiles(all)
}

/** One line for each fault, as compilers write them. */
export function invalidFiles(faults: readonly FileFault[]): UsageError {
  const lines = faults.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
  return new UsageError([...lines, 'Nothing was changed.'].join('\n'))
}
