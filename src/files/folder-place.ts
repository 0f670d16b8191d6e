import { constants } from 'node:fs'
import { mkdir, open, opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BYTES_NAME, FileMissing, type FilePlace, type WrittenName } from './file-place.ts'
import { GroupSync } from './group-sync.ts'
import type { HeldBytes } from './held-bytes.ts'
import { heldByFiles, writeParts } from './write-parts.ts'

/** As many folders as the first two digits of a name: no folder gets too long to be listed. */
const DIGITS_OF_FOLDER = 2

interface Folder {
  readonly made: Promise<void>
  readonly names: GroupSync
}

/** Files for the owner's eyes only, below a folder that is there. */
export function createFolderPlace(folder: string): FilePlace {
  const folders = new Map<string, Folder>()
  const held = heldByFiles()
  const above = new GroupSync(() => syncFolder(folder))
  const digitsOf = (name: string) => name.slice(0, DIGITS_OF_FOLDER)
  const pathOf = (name: string) => join(folder, digitsOf(name), name)
  const folderOf = (digits: string) => {
    const known = folders.get(digits)
    if (known !== undefined) return known
    const path = join(folder, digits)
    const made = { made: makeFolder(path, above), names: new GroupSync(() => syncFolder(path)) }
    folders.set(digits, made)
    return made
  }
  return {
    write: async (name, bytes) => {
      const digits = digitsOf(name)
      try {
        const { made, names } = folderOf(digits)
        await made
        await writeNew(pathOf(name), bytes, { names, held })
      } catch (error) {
        // Somebody may have taken the folder away.
        folders.delete(digits)
        throw error
      }
    },
    read: async (name, range) => {
      const file = await open(pathOf(name)).catch((error) => {
        throw isAbsent(error) ? new FileMissing(name, error) : error
      })
      return file.createReadStream(range === undefined ? {} : { start: range.first, end: range.last })
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    names: () => namesIn(folder)
  }
}

/** Durable when it resolves: without the folder, files in it are lost too. One that is there may be so new that it is not durable yet. */
async function makeFolder(path: string, above: GroupSync): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await above.wait()
}

/** Durable when it resolves, with its name; nothing is left of it where it rejects. */
async function writeNew(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { names, held }: { readonly names: GroupSync; readonly held: HeldBytes }
): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
  // The name can be made durable while the bytes come.
  const named = names.wait()
  named.catch(() => {})
  try {
    await writeParts(file, bytes, held)
    await file.datasync()
    await named
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** The name of a new file is durable only with its folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function* namesIn(folder: string): AsyncIterable<WrittenName> {
  for (const digits of await entriesOf(folder)) {
    for (const name of await entriesOf(join(folder, digits))) {
      if (!BYTES_NAME.test(name)) continue
      const found = await stat(join(folder, digits, name)).catch(() => undefined)
      if (found !== undefined) yield { name, writtenAt: found.mtimeMs }
    }
  }
}

async function entriesOf(path: string): Promise<string[]> {
  const names: string[] = []
  try {
    for await (const { name } of await opendir(path)) names.push(name)
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
  return names
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
