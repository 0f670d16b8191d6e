import type { StoredBytes } from '../store/files.ts'
import { ContentDigest, heldByDigests } from './content-digest.ts'
import { FileMissing, type FilePlace } from './file-place.ts'
import { MeasuredBytes } from './measured-bytes.ts'

interface CopyOptions {
  readonly from: FilePlace
  readonly to: FilePlace
  readonly files: Iterable<StoredBytes>
  /** Is told each time that one is done. */
  readonly onFile?: () => void
  /** Stops the copy between two files; it can go on later. */
  readonly signal?: AbortSignal
}

interface CopiedFiles {
  readonly copied: number
  /** Those that were there already, whole. */
  readonly found: number
  readonly bytes: number
  /** Names of those that are missing in the old place, or are not what they were. */
  readonly lost: readonly string[]
}

/**
 * Copies bytes under the same names. What is there already is read through: a copy that ended in the middle of a file goes on with
 * that file. No byte is taken for copied that does not have the digest under which it was stored.
 */
export async function copyFiles({ from, to, files, onFile, signal }: CopyOptions): Promise<CopiedFiles> {
  const done = { copied: 0, found: 0, bytes: 0, lost: [] as string[] }
  for (const file of files) {
    signal?.throwIfAborted()
    if (await isWhole(to, file)) done.found += 1
    else if (await copyFile(from, to, file)) done.copied += 1
    else done.lost.push(file.name)
    if (done.lost.at(-1) !== file.name) done.bytes += file.size
    onFile?.()
  }
  return done
}

/** Whether the bytes are there, and are what they were when they were stored. */
export async function isWhole(place: FilePlace, { name, digest, size }: StoredBytes): Promise<boolean> {
  try {
    const measured = measure(await place.read(name), size)
    for await (const _ of measured);
    return (await measured.measured()).digest === digest
  } catch (error) {
    if (error instanceof FileMissing || error instanceof TooLong) return false
    throw error
  }
}

async function copyFile(from: FilePlace, to: FilePlace, file: StoredBytes): Promise<boolean> {
  const { name, digest, size } = file
  // What is left of a copy that was cut off would stand in its way.
  await to.remove(name)
  try {
    const measured = measure(await from.read(name), size)
    await to.write(name, measured)
    if ((await measured.measured()).digest === digest) return true
  } catch (error) {
    if (!(error instanceof FileMissing || error instanceof TooLong)) throw error
    return false
  }
  await to.remove(name)
  return false
}

class TooLong extends Error {}

function measure(bytes: AsyncIterable<Uint8Array>, size: number): MeasuredBytes {
  const digest = new ContentDigest(heldByDigests())
  return new MeasuredBytes(bytes, { limit: size, tooLarge: () => new TooLong(), digest })
}
