import assert from 'node:assert/strict'
import { it } from 'node:test'
import { threadMs } from '../../../test/support/thread-ms.ts'
import { filenameOf } from './answer-filename.ts'

it('calls an answer as it says, or by the end of its address', () => {
  const rows: [disposition: string | undefined, url: string, name: string][] = [
    ['attachment; filename="invoice 7.pdf"', 'https://a/x', 'invoice 7.pdf'],
    ['attachment; filename=invoice.pdf', 'https://a/x', 'invoice.pdf'],
    ['attachment; filename="say \\"hi\\".txt"', 'https://a/x', 'say "hi".txt'],
    [`attachment; filename="x.pdf"; filename*=UTF-8''na%C3%AFve.pdf`, 'https://a/x', 'naïve.pdf'],
    [`attachment; filename*=UTF-8''%FF`, 'https://a/y.png', 'y.png'],
    ['inline', 'https://a/files/my%20photo.png?size=2', 'my photo.png'],
    [undefined, 'https://a/%FF', 'response'],
    [undefined, 'https://a/', 'response']
  ]
  for (const [disposition, url, name] of rows) assert.equal(filenameOf(disposition, url), name)
})

it('takes time in proportion to what a server sends', () => {
  const since = threadMs()
  filenameOf(`;filename=${'"\\'.repeat(50_000)}${' ;'.repeat(50_000)}`, 'https://a/x')
  filenameOf(`${';'.repeat(50_000)}${' '.repeat(50_000)}`, 'https://a/x')
  assert.ok(threadMs() - since < 2_000)
})
