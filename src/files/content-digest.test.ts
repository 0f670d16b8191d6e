import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { contentDigestOf } from './content-digest.test-kit.ts'
import { ContentDigest, heldByDigests } from './content-digest.ts'

function digestInParts(bytes: Uint8Array, size: number): Promise<string> {
  const digest = new ContentDigest(heldByDigests())
  for (let at = 0; at < bytes.length; at += size) digest.update(bytes.subarray(at, at + size))
  return digest.end()
}

it('is of the bytes alone, in whatever parts they come', async () => {
  for (const length of [0, 1, 16_383, 16_384, 262_143, 262_144, 262_145, 1_000_000]) {
    const bytes = randomBytes(length)
    const right = contentDigestOf(bytes)
    for (const size of [7_001, 65_536, 262_144, 1_000_000]) {
      assert.equal(await digestInParts(bytes, size), right, `${length} bytes in parts of ${size}`)
    }
  }
})

it('tells contents apart that have a byte or the end of a piece for their difference', async () => {
  const bytes = randomBytes(600_000)
  const other = Buffer.from(bytes)
  other[599_999]! ^= 1
  const digests = [bytes, other, bytes.subarray(0, 524_288), bytes.subarray(0, 262_144)].map(contentDigestOf)
  assert.equal(new Set(digests).size, 4)
})

it('digests many at once that stop in the middle, each as if it were alone', async () => {
  const bytes = randomBytes(250_000)
  const right = contentDigestOf(bytes)
  const held = heldByDigests()
  const digests = Array.from({ length: 300 }, () => new ContentDigest(held))
  for (const digest of digests) digest.update(bytes.subarray(0, 200_000))
  assert.equal(held.isFull, false, 'what would be too much is digested where it comes')
  for (const digest of digests) digest.update(bytes.subarray(200_000))
  assert.deepEqual(new Set(await Promise.all(digests.map((digest) => digest.end()))), new Set([right]))
  held.keep(33_554_431)
  assert.equal(held.isFull, false, 'what they kept is let go')
})
