import assert from 'node:assert/strict'
import { it } from 'node:test'
import { givenBytes, readBytes } from './given-bytes.ts'

const files = { open: () => assert.fail('no file is opened') }
const file = { file: `file_${'a'.repeat(22)}`, filename: 'a.png', content_type: 'image/png', size: 3 }

it('knows a file and Base64, and nothing else', () => {
  assert.deepEqual(givenBytes(file), { filename: 'a.png', contentType: 'image/png', source: file })
  const told = { base64: 'QUJD', filename: 'b.txt', content_type: 'text/plain' }
  assert.deepEqual(givenBytes(told), {
    filename: 'b.txt',
    contentType: 'text/plain',
    source: { base64: 'QUJD' }
  })
  assert.deepEqual(givenBytes({ base64: 'QUJD' })?.contentType, 'application/octet-stream')
  for (const value of [null, 'QUJD', 7, [file], { base64: 7 }, { file: 'a.txt' }, {}, undefined])
    assert.equal(givenBytes(value), undefined)
})

it('reads Base64 of either alphabet and in lines, no more than it may, and nothing that is none', async () => {
  const read = async (base64: string, most = 100) => readBytes(givenBytes({ base64 })!, files, most)
  assert.deepEqual([...(await read('_-8\n='))], [255, 239])
  await assert.rejects(read('ä'), { code: 'invalid_base64' })
  await assert.rejects(read('A'.repeat(200)), { code: 'file_too_large' })
})
