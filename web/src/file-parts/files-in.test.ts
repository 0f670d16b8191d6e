import assert from 'node:assert/strict'
import { it } from 'node:test'
import { filesIn, filesInText, isOfFiles } from './files-in.ts'

const ID = `file_${'a'.repeat(22)}`
const OTHER = `file_${'b'.repeat(22)}`
const photo = { file: ID, filename: 'photo.png', content_type: 'image/png', size: 7 }
const scan = { ...photo, file: OTHER, filename: 'scan.pdf' }

it('finds files wherever they are, each once, in their order', () => {
  assert.deepEqual(filesIn({ a: [photo, { b: scan }], again: photo, no: { file: 'x' } }), [photo, scan])
  assert.deepEqual(filesIn('text'), [])
})

it('shows ten of many, and looks at no more than it has to', () => {
  const many = Array.from({ length: 40 }, (_, at) => ({
    ...photo,
    file: `file_${String(at).padStart(22, '0')}`
  }))
  assert.equal(filesIn(many).length, 10)
  assert.deepEqual(filesIn([...Array.from({ length: 2_000_000 }, () => 1), photo]), [])
})

it('reads texts that are JSON, and knows those that are nothing but files', () => {
  assert.deepEqual(filesInText(JSON.stringify({ photo })), [photo])
  assert.deepEqual(filesInText(`{"photo": "${ID}`), [])
  assert.equal(isOfFiles(JSON.stringify(photo)), true)
  assert.equal(isOfFiles(JSON.stringify([photo, scan])), true)
  assert.equal(isOfFiles(JSON.stringify([photo, 1])), false)
  assert.equal(isOfFiles(JSON.stringify({ photo })), false)
  assert.equal(isOfFiles('hello'), false)
})
