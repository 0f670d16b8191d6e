import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { FileMissing, type FilePlace } from './file-place.ts'

type MakePlace = (test: TestContext) => Promise<FilePlace> | FilePlace

export const newName = (): string => randomBytes(16).toString('hex')

/** What must hold wherever files lie. */
export function filePlaceContract(place: string, make: MakePlace): void {
  describe(`files in ${place}`, () => {
    it('gives back what was written, whole and in parts', async (t) => {
      const files = await make(t)
      const bytes = randomBytes(2_500_000)
      const name = newName()
      await files.write(name, Readable.from(partsOf(bytes, 65_536)))
      assert.ok((await buffer(await files.read(name))).equals(bytes), 'all of them')
      for (const [first, last] of [
        [0, 9],
        [1_048_575, 1_048_576],
        [5, 2_400_000],
        [2_499_999, 2_499_999]
      ] as const)
        assert.ok(
          (await buffer(await files.read(name, { first, last }))).equals(bytes.subarray(first, last + 1)),
          `bytes ${first} to ${last}`
        )
    })

    it('keeps a file of no bytes', async (t) => {
      const files = await make(t)
      const name = newName()
      await files.write(name, Readable.from([]))
      assert.equal((await buffer(await files.read(name))).length, 0)
    })

    it('says of bytes that are not there that they are missing', async (t) => {
      const files = await make(t)
      await assert.rejects(files.read(newName()), FileMissing)
    })

    it('removes what there is, and nothing else', async (t) => {
      const files = await make(t)
      const [one, other] = [newName(), newName()]
      await files.write(one, Readable.from([Buffer.from('one')]))
      await files.write(other, Readable.from([Buffer.from('other')]))
      await files.remove(one)
      await files.remove(one)
      await assert.rejects(files.read(one), FileMissing)
      assert.equal(String(await buffer(await files.read(other))), 'other')
    })

    it('names all that was written, and when', async (t) => {
      const files = await make(t)
      const names = [newName(), newName(), newName()].sort()
      // A file system may be a few milliseconds behind the clock, an object store tells whole seconds.
      const before = Date.now() - 2_000
      for (const name of names) await files.write(name, Readable.from([Buffer.from(name)]))
      const found = await Array.fromAsync(files.names())
      assert.deepEqual(found.map(({ name }) => name).sort(), names)
      for (const { writtenAt } of found) assert.ok(writtenAt >= before && writtenAt <= Date.now() + 2_000)
    })

    it('leaves nothing of a write that was cut off', async (t) => {
      const files = await make(t)
      const name = newName()
      await assert.rejects(files.write(name, cutOff()), /the sender has gone/)
      await assert.rejects(files.read(name), FileMissing)
      assert.deepEqual(await Array.fromAsync(files.names()), [])
    })
  })
}

async function* cutOff(): AsyncGenerator<Uint8Array> {
  yield randomBytes(1_500_000)
  throw new Error('the sender has gone')
}

function* partsOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
