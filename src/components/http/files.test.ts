import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import type { FileValue } from '../../plugin-api.ts'
import { testFiles } from '../step-files.test-kit.ts'
import { startCalls } from './api-request.test-kit.ts'

const post = { url: '/echo', method: 'POST' }
const NOBODYS = {
  file: `file_${'x'.repeat(22)}`,
  filename: 'x.pdf',
  content_type: 'application/pdf',
  size: 7
}

describe('a file as the body of a request', () => {
  it('is sent as it is, with its type and its length, whichever way the body names it', async (t) => {
    const files = await testFiles(t)
    const { echoed } = await startCalls(t, {}, files)
    const photo = await files.add('bytes', { filename: 'a.png', contentType: 'image/png' })
    const ways: [fields: object, data: unknown][] = [
      [{ body: '{photo}' }, { photo }],
      [{ body: '{photo}', body_type: 'Binary' }, { photo }],
      [{}, photo]
    ]
    for (const [fields, data] of ways) {
      const { body, headers } = await echoed({ ...post, ...fields }, data)
      const told = [body, headers['content-type'], headers['content-length'], headers['transfer-encoding']]
      assert.deepEqual(told, ['bytes', 'image/png', '5', undefined])
    }
    const { body } = await echoed({ ...post, body: '{photo}', body_type: 'JSON' }, { photo })
    assert.deepEqual(JSON.parse(body), photo, 'whoever says JSON means the value')
  })

  it('is a part of a form, beside texts and beside another', async (t) => {
    const files = await testFiles(t)
    const { echoed } = await startCalls(t, {}, files)
    const scans = [
      await files.add('one', { filename: 'a"1.txt' }),
      await files.add('two', { filename: '2.txt' })
    ]
    const { body, headers } = await echoed(
      { ...post, body_type: 'Multipart', body: { id: '{id}', scan: '{scans}' } },
      { id: 7, scans }
    )
    const boundary = /boundary=(.*)/.exec(headers['content-type']!)![1]
    const part = (name: string, content: string) => [
      `--${boundary}`,
      `Content-Disposition: form-data; name="scan"; filename="${name}"`,
      'Content-Type: text/plain',
      '',
      content
    ]
    const text = [
      `--${boundary}`,
      'Content-Disposition: form-data; name="id"',
      '',
      '7',
      ...part('a%221.txt', 'one'),
      ...part('2.txt', 'two'),
      `--${boundary}--`,
      ''
    ].join('\r\n')
    assert.equal(body, text)
    assert.equal(headers['content-length'], String(text.length))
  })

  it('is sent once more where a redirect asks for it', async (t) => {
    const files = await testFiles(t)
    const { ask, server } = await startCalls(t, {}, files)
    const photo = await files.add('bytes')
    const url = `/redirect?status=307&to=${encodeURIComponent(server.url('/echo'))}`
    const { body } = await ask({ ...post, url }, photo)
    assert.equal((body as { body: string }).body, 'bytes')
  })

  it('is not sent where the step may not open it', async (t) => {
    const files = await testFiles(t)
    const { failure, server } = await startCalls(t, {}, files)
    for (const fields of [{}, { body_type: 'Multipart', body: { it: '{data}' } }]) {
      const data = 'body' in fields ? { data: NOBODYS } : NOBODYS
      assert.equal((await failure({ ...post, ...fields }, data)).code, 'file_not_found')
    }
    assert.equal(server.requests.length, 0)
  })
})

describe('an answer that is no text', () => {
  const LONG = Buffer.concat([Buffer.from([0]), randomBytes(300_000)])
  const answers = {
    '/small.png': (response: ServerResponse) =>
      void response.setHeader('content-type', 'image/png').end(LONG.subarray(0, 65_536)),
    '/large.png': (response: ServerResponse) =>
      void response.setHeader('content-type', 'image/png').end(LONG),
    '/named': (response: ServerResponse) =>
      void response
        .writeHead(200, {
          'content-type': 'application/pdf',
          'content-disposition': 'attachment; filename="invoice 7.pdf"'
        })
        .end(LONG),
    '/untold': (response: ServerResponse) => void response.end(LONG)
  }

  it('is a file from 64 kB on, under the name that it has', async (t) => {
    const files = await testFiles(t)
    const { ask } = await startCalls(t, { answers }, files)
    const rows: [path: string, filename: string, type: string][] = [
      ['/large.png', 'large.png', 'image/png'],
      ['/named', 'invoice 7.pdf', 'application/pdf'],
      ['/untold', 'untold', '']
    ]
    for (const [url, filename, type] of rows) {
      const { body, response } = await ask({ url })
      const { file, ...about } = body as FileValue
      assert.deepEqual(about, { filename, content_type: type, size: LONG.length })
      assert.ok(LONG.equals(await (await files.open(file)).bytes(LONG.length)), url)
      assert.deepEqual(response.body, body)
    }
    const { body } = await ask({ url: '/small.png' })
    assert.deepEqual(body, {
      base64: LONG.subarray(0, 65_536).toString('base64'),
      content_type: 'image/png',
      size: 65_536
    })
  })

  it('has the limit of files, and not that of answers', async (t) => {
    const files = await testFiles(t)
    const { ask, failure } = await startCalls(t, { answers }, files)
    const { body } = await ask({ url: '/large.png', max_bytes: 100 })
    assert.equal((body as FileValue).size, LONG.length)
    assert.equal((await failure({ url: '/small.png', max_bytes: 100 })).code, 'response_too_large')
    const endless = await failure({ url: '/endless', response_type: 'Binary' })
    assert.deepEqual([endless.code, endless.retryable], ['file_too_large', false])
  })

  it('is nothing where it is cut off', async (t) => {
    const files = await testFiles(t)
    const cut = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': LONG.length })
      response.write(LONG.subarray(0, 200_000), () => response.destroy())
    }
    const { failure } = await startCalls(t, { answers: { '/cut': cut } }, files)
    assert.equal((await failure({ url: '/cut' })).code, 'upstream_cut_off')
  })
})
