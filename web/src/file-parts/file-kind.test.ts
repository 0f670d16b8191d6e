import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type FileKind, kindOf } from './file-kind.ts'

it('shows a file by its type, and by its name where the type says little', () => {
  const rows: [contentType: string, filename: string, kind: FileKind][] = [
    ['image/png', 'a.png', 'picture'],
    ['image/svg+xml', 'a.svg', 'picture'],
    ['IMAGE/JPEG; q=1', 'a', 'picture'],
    ['image/tiff', 'a.tiff', 'other'],
    ['application/pdf', 'a.pdf', 'pdf'],
    ['application/octet-stream', 'a.pdf', 'other'],
    ['text/csv; charset=utf-8', 'a', 'table'],
    ['application/vnd.ms-excel', 'a.CSV', 'table'],
    ['text/html', 'a.csv', 'text'],
    ['text/html', 'a.html', 'text'],
    ['application/ld+json', 'a', 'text'],
    ['application/json', 'a', 'text'],
    ['application/zip', 'a.zip', 'other'],
    ['', '', 'other']
  ]
  for (const [content_type, filename, kind] of rows)
    assert.equal(kindOf({ file: '', filename, content_type, size: 1 }), kind, `${content_type} ${filename}`)
})
