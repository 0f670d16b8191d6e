import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readMail } from './mail.ts'

it('a mail of more attachments than anybody sends makes no file for each', async () => {
  const attached = '--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nx\r\n'
  const mailOf = (count: number) =>
    Buffer.from(
      `From: ann@example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${attached.repeat(count)}--b--\r\n`
    )
  const { data } = await readMail(mailOf(1_000))
  assert.equal((data.attachments as unknown[]).length, 1_000)
  await assert.rejects(readMail(mailOf(1_001)), { code: 'document_too_large', message: /1001 attachments/ })
})
