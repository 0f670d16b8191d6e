import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { it } from 'node:test'
import { heldByFiles, writeParts } from './write-parts.ts'

/** A file on a disk that takes at most so many bytes at once. */
function fileThatTakes(most: number) {
  const writes: Buffer[] = []
  const file = {
    writev: async (parts: readonly Uint8Array[]) => {
      const taken = Buffer.concat(parts).subarray(0, most)
      writes.push(taken)
      return { bytesWritten: taken.length, buffers: parts }
    }
  }
  return { file: file as unknown as FileHandle, writes }
}

async function* partsOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

it('gathers small parts into pieces', async () => {
  const { file, writes } = fileThatTakes(Number.POSITIVE_INFINITY)
  const bytes = randomBytes(1_000_000)
  await writeParts(file, partsOf(bytes, 65_536), heldByFiles())
  assert.ok(Buffer.concat(writes).equals(bytes))
  assert.equal(writes.length, 4)
})

it('goes on where a disk took a part, and waits for no more than some of the smallest parts', async () => {
  const { file, writes } = fileThatTakes(7)
  const bytes = randomBytes(1_000)
  await writeParts(file, partsOf(bytes, 3), heldByFiles())
  assert.ok(Buffer.concat(writes).equals(bytes))
  const tiny = fileThatTakes(Number.POSITIVE_INFINITY)
  await writeParts(tiny.file, partsOf(bytes, 1), heldByFiles())
  assert.ok(tiny.writes.every(({ length }) => length <= 64))
})

it('tells of a write that fails while more comes, and leaves none on its way', async () => {
  const failure = new Error('no space left')
  const held = Promise.withResolvers<never>()
  let [begun, ended] = [0, 0]
  const file = {
    writev: async () => {
      begun += 1
      try {
        return await held.promise
      } finally {
        ended += 1
      }
    }
  } as unknown as FileHandle
  const writing = writeParts(file, partsOf(randomBytes(1_000_000), 65_536), heldByFiles())
  held.reject(failure)
  await assert.rejects(writing, failure)
  assert.deepEqual([begun, ended], [1, 1])
})
