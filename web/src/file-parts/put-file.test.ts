import assert from 'node:assert/strict'
import { it } from 'node:test'
import { putFile } from './put-file.ts'

const file = { file: `file_${'a'.repeat(22)}`, filename: 'My photo!.png', content_type: 'image/png', size: 7 }
const START = { from: 0, to: 0 }

/** The caret is `|`, a selection is between two of them. */
function put(text: string): string {
  const from = text.indexOf('|')
  if (from < 0) return putFile(text, file, { from: text.length, to: text.length })
  const to = text.lastIndexOf('|')
  const plain = text.replaceAll('|', '')
  return putFile(plain, file, { from, to: to === from ? from : to - 1 })
}

it('takes the place of what is selected, and stands where a value is missing', () => {
  assert.deepEqual(JSON.parse(put('{"photo": |null|, "a": 1}')), { photo: file, a: 1 })
  assert.deepEqual(JSON.parse(put('{"photo": |}')), { photo: file })
  assert.deepEqual(JSON.parse(put('[1, |]')), [1, file])
})

it('is a further key or item otherwise, named after the file', () => {
  assert.deepEqual(JSON.parse(put('{"a": |1}')), { a: 1, my_photo: file })
  assert.deepEqual(JSON.parse(put('{"my_photo": 1|}')), { my_photo: 1, my_photo_2: file })
  assert.deepEqual(JSON.parse(put('[1]')), [1, file])
  assert.deepEqual(JSON.parse(put('')), { my_photo: file })
  const nameless = JSON.parse(putFile('{}', { ...file, filename: '2024.pdf' }, START))
  assert.deepEqual(Object.keys(nameless), ['file'])
})

it('keeps every digit, and text that is no JSON', () => {
  assert.match(put('{"id": 12345678901234567890}'), /12345678901234567890/)
  assert.ok(put('not json |yet').startsWith('not json {'))
  assert.ok(put('"text"').startsWith('"text"{'))
})
