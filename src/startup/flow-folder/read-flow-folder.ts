import { open, readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { messageOf } from '../../errors.ts'
import type { FileFault, FolderFile } from '../../flow-files/folder.ts'

/** A file of this size is no flow. */
const MOST_BYTES = 10 * 1024 * 1024
/** Somebody may have named the root of a disk. */
const MOST_FILES = 10_000
const MOST_LEVELS = 30

interface FilesOfFolder {
  readonly files: readonly FolderFile[]
  readonly faults: readonly FileFault[]
}

interface Walk {
  readonly top: string
  readonly files: FolderFile[]
  readonly faults: FileFault[]
}

/**
 * The YAML files of a folder and of those in it. What begins with a dot is passed over, and so is node_modules. A link leads to what is
 * in the folder, as Kubernetes mounts files, or it is told of: whoever may write here must not read what they may not see.
 */
export async function readFlowFolder(folder: string): Promise<FilesOfFolder> {
  const walk: Walk = { top: await realpath(folder), files: [], faults: [] }
  await readInto(walk, walk.top, 0)
  return walk
}

async function readInto(walk: Walk, folder: string, depth: number): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const { name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (name.startsWith('.') || name === 'node_modules') continue
    await readEntry(walk, join(folder, name), depth).catch((error) => {
      walk.faults.push(faultOf(walk, join(folder, name), `It cannot be read: ${messageOf(error)}`))
    })
  }
}

async function readEntry(walk: Walk, path: string, depth: number): Promise<void> {
  const real = await realpath(path)
  if (real !== path && !`${real}${sep}`.startsWith(`${walk.top}${sep}`)) {
    walk.faults.push(
      faultOf(walk, path, 'It is a link that leads out of the folder. Put the file itself here.')
    )
    return
  }
  const facts = await stat(real)
  if (facts.isDirectory()) {
    // A link to a folder above would never end.
    if (depth < MOST_LEVELS && real === path) await readInto(walk, path, depth + 1)
    return
  }
  if (!/\.ya?ml$/i.test(path) || !facts.isFile()) return
  if (walk.files.length >= MOST_FILES) throw new Error(`the folder has more than ${MOST_FILES} files`)
  if (facts.size > MOST_BYTES) throw new Error('it is larger than 10 MB')
  walk.files.push({ path: pathIn(walk, path), text: await textOf(real) })
}

async function textOf(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile())
  } finally {
    await file.close()
  }
}

function pathIn({ top }: Walk, path: string): string {
  return relative(top, path).split(sep).join('/')
}

function faultOf(walk: Walk, path: string, message: string): FileFault {
  return { file: pathIn(walk, path), line: 1, column: 1, message }
}
