import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fileIdsIn } from './file-ids.ts'
import { FILE_ID } from './file-value.ts'

const id = (last: string) => `file_${'A'.repeat(22 - last.length)}${last}`

it('finds the ids of a payload, each once', () => {
  const payload = { ä: { file: id('1') }, list: [{ file: id('2') }, { file: id('1'), filename: 'x' }] }
  const ids = fileIdsIn(Buffer.from(JSON.stringify(payload)))
  assert.deepEqual(ids, [id('1'), id('2')])
  for (const each of ids) assert.match(each, FILE_ID)
})

it('finds none in what only looks like one', () => {
  for (const text of [
    '{"file":"file_short"}',
    `{"file":"file_${'A'.repeat(23)}"}`,
    `file_${'A'.repeat(22)}`,
    `{"file":"\\u0066ile_${'A'.repeat(22)}"}`,
    ''
  ])
    assert.deepEqual(fileIdsIn(Buffer.from(text)), [], text)
})

it('finds no more than a thousand', () => {
  const many = Array.from({ length: 1_500 }, (_, index) => id(String(index)))
  assert.equal(fileIdsIn(Buffer.from(JSON.stringify(many))).length, 1_000)
})
