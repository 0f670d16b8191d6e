import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sampleFile } from '../../store/contract/subject.test-kit.ts'
import { downloadHeaders } from './download-headers.ts'

const headersOf = (given: Parameters<typeof sampleFile>[0]) =>
  downloadHeaders({ ...sampleFile(given), createdAt: 0 })

it('sends what a browser might run as bytes, and always as a download', () => {
  const rows: [stored: string, sent: string][] = [
    ['image/png', 'image/png'],
    ['application/pdf', 'application/pdf'],
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', ''],
    ['text/html', 'application/octet-stream'],
    ['text/plainhtml', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['IMAGE/SVG+XML; charset=utf-8', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['application/vnd.ms-x+xml', 'application/octet-stream'],
    ['text/javascript', 'application/octet-stream']
  ]
  for (const [contentType, sent] of rows) {
    const headers = headersOf({ contentType })
    assert.equal(headers['content-type'], sent === '' ? contentType : sent)
    assert.match(headers['content-disposition']!, /^attachment(?:;|$)/)
    assert.match(headers['content-security-policy']!, /^sandbox;/)
  }
})

it('tells any name in a header', () => {
  const rows: [filename: string, told: string][] = [
    ['', 'attachment'],
    ['a b.pdf', `attachment; filename="a b.pdf"; filename*=UTF-8''a%20b.pdf`],
    [
      'Ännchen (1).pdf',
      `attachment; filename="Annchen (1).pdf"; filename*=UTF-8''%C3%84nnchen%20%281%29.pdf`
    ],
    ['a"b\\c%.txt', `attachment; filename="a_b_c_.txt"; filename*=UTF-8''a%22b%5Cc%25.txt`],
    ['発票.pdf', `attachment; filename="__.pdf"; filename*=UTF-8''%E7%99%BA%E7%A5%A8.pdf`]
  ]
  for (const [filename, told] of rows) assert.equal(headersOf({ filename })['content-disposition'], told)
})
