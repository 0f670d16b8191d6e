import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BYTES_NAME, FileMissing, type FilePlace, type WrittenName } from './file-place.ts'

/** As many folders as the first two digits of a name: no folder gets too long to be listed. */
const DIGITS_OF_FOLDER = 2

/** Files for the owner's eyes only, below a folder that is there. */
export function createFolderPlace(folder: string): FilePlace {
  const folders = new Map<string, Promise<void>>()
  const digitsOf = (name: string) => name.slice(0, DIGITS_OF_FOLDER)
  const pathOf = (name: string) => join(folder, digitsOf(name), name)
  return {
    write: async (name, bytes) => {
      const digits = digitsOf(name)
      const path = join(folder, digits)
      let made = folders.get(digits)
      if (made === undefined) {
        made = makeFolderIn(folder, path)
        folders.set(digits, made)
      }
      try {
        await made
        await writeNew(pathOf(name), bytes)
        await syncFolder(path)
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
async function makeFolderIn(above: string, path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await syncFolder(above)
}

/** Durable when it resolves, but for its name; nothing is left of it where it rejects. */
async function writeNew(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
  try {
    for await (const part of bytes) await writeAll(file, part)
    await file.datasync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** A disk that is nearly full takes a part. */
export async function writeAll(file: FileHandle, part: Uint8Array): Promise<void> {
  let at = 0
  while (at < part.length) at += (await file.write(part, at)).bytesWritten
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
