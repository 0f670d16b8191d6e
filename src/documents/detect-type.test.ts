import assert from 'node:assert/strict'
import { it } from 'node:test'
import { detectType } from './detect-type.ts'
import { madePdf } from './made-documents.test-kit.ts'

const typeOf = (content: string | Uint8Array, filename = '') =>
  detectType({ bytes: Buffer.from(content as string), filename, contentType: '' })

it('a text that tells of PDF is a text, and a PDF behind other bytes is a PDF', async () => {
  const pdf = madePdf([['x']])
  assert.equal(await typeOf('Every file of this format begins with %PDF-1.7.'), 'text')
  assert.equal(await typeOf('mark,name\n%PDF-,PDF\n', 'marks.csv'), 'csv')
  assert.equal(await typeOf('From: a@a.example\nSubject: %PDF-\n\nstartxref'), 'eml')
  for (const before of ['', '\ufeff', '\r\n ', 'HTTP/1.1 200 OK\r\n\r\n'])
    assert.equal(await typeOf(Buffer.concat([Buffer.from(before), pdf])), 'pdf')
  assert.equal(await typeOf('%PDF-1.7 that was cut off'), 'pdf')
})
