import { randomUUID } from 'node:crypto'
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { kindOfFile } from '../../../flow-files/file-names.ts'
import type { FiledConnection, FiledContext } from '../../../flow-files/flow-text.ts'
import { type FiledFlow, filesOf, readFolder } from '../../../flow-files/folder.ts'
import { contextInFolder, flowsInFolder, type Placement } from '../../../flow-files/placed.ts'
import { readFlowFolder } from '../../../startup/flow-folder/read-flow-folder.ts'
import { makeFolder } from '../../../store/sqlite/file/make-folder.ts'
import type { Command } from '../../command.ts'
import { AnswerIsNo, CommandError } from '../../command-error.ts'
import { fileFault } from '../../file-fault.ts'
import type { Api } from '../api.ts'
import { harmless } from '../print/width.ts'
import type { Remote } from '../remote.ts'
import { folderOf, placementOf } from './folder-set.ts'

interface Pulled {
  readonly flows: readonly FiledFlow[]
  readonly connections: readonly FiledConnection[] | null
  readonly contexts: readonly FiledContext[]
}

interface FileChange {
  readonly file: string
  readonly action: 'create' | 'change' | 'delete' | 'absent'
  readonly text: string
}

/** Brings a folder to what a service has. */
export async function pull({ operands, options }: Command<'pull'>, remote: Remote): Promise<void> {
  const { api, screen } = remote
  const folder = folderOf(operands.folder, remote)
  const { files: wanted, isWhole } = await pulledFiles(api, placementOf(options))
  const changes = await changesIn(folder, wanted, { isWhole, isDeleting: options.delete })
  const done = changes.filter(({ action }) => action !== 'absent')
  if (!options.check) {
    await assertTwoNames(folder, [...wanted.keys()])
    await assertInside(folder, done)
    for (const change of done) await apply(folder, change)
  }
  if (screen.isJson)
    screen.json({ done: !options.check, files: changes.map(({ file, action }) => ({ file, action })) })
  else tell(changes, wanted.size, remote)
  if (options.check && done.length > 0) throw new AnswerIsNo()
}

/** The files that a service would be written to. `isWhole`: the key is told of connections. */
export async function pulledFiles(
  api: Api,
  placement: Placement
): Promise<{ files: Map<string, string>; isWhole: boolean }> {
  const { flows, connections, contexts } = await api.call<Pulled>('/api/v1/pull', { query: { ...placement } })
  const inside = (path: string) => contextInFolder(path, placement)!
  const set = {
    flows: flowsInFolder(flows, placement),
    connections: (connections ?? []).map((each) => ({ ...each, context: inside(each.context) })),
    contexts: contexts.map((each) => ({ ...each, path: inside(each.path) }))
  }
  const files = filesOf(set)
  for (const path of files.keys()) assertOwnName(path)
  return { files, isWhole: connections !== null }
}

/** What a service calls its flows and contexts decides where is written: a name such as `../x` would lead out of the folder. */
function assertOwnName(path: string): void {
  const kind = kindOfFile(path)
  if (kind !== undefined && !('fault' in kind)) return
  throw new CommandError(
    `The service has something that would be the file "${harmless(path)}", which no folder of flows has. Nothing was written.`
  )
}

/** A file that says the same in other words, with comments perhaps, stays as it is. */
async function changesIn(
  folder: string,
  wanted: ReadonlyMap<string, string>,
  { isWhole, isDeleting }: { isWhole: boolean; isDeleting: boolean }
): Promise<FileChange[]> {
  const { files } = await readFlowFolder(folder).catch((error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { files: [] }
    throw new CommandError(`The folder ${folder} cannot be read: ${fileFault(error)}.`)
  })
  const there = new Map(files.map((file) => [ownName(file.path), file]))
  const changes: FileChange[] = []
  for (const [file, text] of wanted) {
    const before = there.get(file)
    if (before === undefined) changes.push({ file, action: 'create', text })
    else if (before.text !== text && !saysTheSame(before, text))
      changes.push({ file: before.path, action: 'change', text })
  }
  for (const [name, { path }] of there) {
    const kind = kindOfFile(path)
    if (wanted.has(name) || kind === undefined || 'fault' in kind) continue
    if (kind.kind === 'flow' || (kind.kind === 'connections' && isWhole))
      changes.push({ file: path, action: isDeleting ? 'delete' : 'absent', text: '' })
  }
  return changes
}

function ownName(path: string): string {
  return path.replace(/\.yml$/i, '.yaml')
}

function saysTheSame(file: { path: string; text: string }, text: string): boolean {
  const { faults, ...set } = readFolder([file])
  return faults.length === 0 && [...filesOf(set).values()][0] === text
}

/** As the system would have it: a team reads the folder, unless the mask of the process denies it. */
const FOR_ALL = 0o777

/** Where a disk takes two names for one, the second file would take the place of the first. */
async function assertTwoNames(folder: string, paths: readonly string[]): Promise<void> {
  const byName = Map.groupBy(paths, (path) => path.toLowerCase())
  const folders = Map.groupBy(new Set(paths.map(dirname)), (path) => path.toLowerCase())
  const twins = [...byName.values(), ...folders.values()].find(({ length }) => length > 1)
  if (twins === undefined || !(await foldsNames(folder))) return
  throw new CommandError(
    `${twins.join(' and ')} are one name on this disk. Rename one of the contexts, or pull to a disk that tells them apart.`
  )
}

/** A folder in it may be a link that leads elsewhere. */
async function assertInside(folder: string, changes: readonly FileChange[]): Promise<void> {
  const top = await realpath(folder).catch(() => folder)
  for (const path of new Set(changes.map(({ file }) => dirname(file)))) {
    const real = await realpathOf(join(folder, path))
    if (`${real}${sep}`.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)) continue
    throw new CommandError(
      `${join(folder, path)} is a link that leads out of the folder. Take it away, or pull to another folder. Nothing was written.`
    )
  }
}

/** Of what is there of it. */
async function realpathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    return join(await realpathOf(dirname(path)), basename(path))
  }
}

async function foldsNames(folder: string): Promise<boolean> {
  makeFolder(folder, FOR_ALL)
  const probe = join(folder, `.millrace-${process.pid}-a`)
  await writeFile(probe, '')
  const isFound = await stat(`${probe.slice(0, -1)}A`).then(
    () => true,
    () => false
  )
  await rm(probe)
  return isFound
}

/** Whole or not at all, and in the place of a link, never through it. */
async function apply(folder: string, { file, action, text }: FileChange): Promise<void> {
  const path = join(folder, file)
  if (action === 'delete') return rm(path)
  try {
    makeFolder(dirname(path), FOR_ALL)
    // Of a pull that was killed one may be left, and in a container all have the same number.
    const beside = `${path}.${randomUUID()}.part`
    await writeFile(beside, text, { flag: 'wx' })
    await rename(beside, path)
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${fileFault(error)}.`)
  }
}

const SIGNS = { create: '+', change: '~', delete: '-', absent: '?' } as const

function tell(changes: readonly FileChange[], count: number, { screen }: Remote): void {
  for (const { file, action } of changes) screen.print(`${SIGNS[action]} ${file}\n`)
  const absent = changes.filter(({ action }) => action === 'absent').length
  if (absent > 0)
    screen.note(
      `${absent === 1 ? 'A file is' : `${absent} files are`} of nothing that the service has (?). --delete removes them.`
    )
  const changed = changes.length - absent
  screen.note(
    changed === 0 ? `All ${count} files are as the service has them.` : `${changed} of ${count} files differ.`
  )
}
