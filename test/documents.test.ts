import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bombPdf, madePdf } from '../src/documents/made-documents.test-kit.ts'
import type { FileValue } from '../src/flows/file-value.ts'
import type { RunBody } from './support/api-client.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

type Ended = RunBody & { readonly output: unknown }

const reads = (type: string, input: string, output: string, fields: object = {}) => ({
  name: 'Reads',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'read', type, fields },
    { id: 'answer', type: 'return' }
  ],
  edges: [
    { from: 'webhook-1.data', to: `read.${input}` },
    { from: `read.${output}`, to: 'answer.data' }
  ]
})

describe('documents in flows', () => {
  it('are read as a webhook brings them', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(reads('extract-text', 'file', 'data'))
    const options = { headers: { 'content-type': 'application/pdf' } }
    const run = (await service.run(slug, Buffer.from(madePdf([['Invoice 7']])), options)) as Ended
    assert.deepEqual(
      [run.status, run.output],
      ['succeeded', { type: 'pdf', pages: ['Invoice 7'] }],
      JSON.stringify(run.error)
    )
  })

  it('give what is attached to a mail on as files', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(reads('extract-text', 'file', 'data'))
    const mail =
      'From: a@b.example\r\nSubject: Hi\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\nx\n1\n'
    const answer = await service.post(`/api/v1/run/${slug}`, { input: mail })
    const { output } = answer.json<{ output: { type: string; attachments: FileValue[] } }>()
    assert.equal(output.type, 'eml')
    const bytes = await service.get(`/api/v1/files/${output.attachments[0]!.file}`)
    assert.equal(bytes.text, 'x\n1\n')
  })

  it('that are bombs fail their step alone, while the service answers', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(reads('extract-text', 'file', 'text'))
    const options = { headers: { 'content-type': 'application/pdf' } }
    const ended = service.run(slug, Buffer.from(bombPdf()), options)
    assert.equal((await service.get('/livez')).status, 200)
    // Its own limit is as long as an answer waits.
    const run = await service.waitForRun((await ended).id)
    assert.equal(run.status, 'failed')
    assert.ok(['document_too_large', 'document_timeout'].includes(run.error!.code), run.error!.code)
    const html = await service.createFlow(reads('html', 'data', 'data', { values: { title: 'h1' } }))
    const after = await service.post(`/api/v1/run/${html.slug}`, { input: '<h1>Up' })
    assert.deepEqual(after.json<Ended>().output, { title: 'Up' })
  })
})
