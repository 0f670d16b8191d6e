import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BYTES_NAME } from './file-place.ts'
import { NewNames } from './new-names.ts'

it('names of the same moments share a folder, and all of them fill every folder', () => {
  const names = new NewNames()
  const given = Array.from({ length: 64 * 2_000 }, () => names.next())
  assert.equal(new Set(given).size, given.length)
  assert.ok(given.every((name) => BYTES_NAME.test(name)))
  const folders = given.map((name) => name.slice(0, 2))
  assert.equal(new Set(folders.slice(0, 64)).size, 1)
  assert.ok(new Set(folders).size > 240, 'each of 256 is begun with about 8 times')
})
