import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Lifetime } from './support/clean-up.ts'
import { serviceOfFile } from './support/service.ts'

const start = serviceOfFile()

/** Any of them turns round what stands beside it, or cannot be seen at all. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2067\u206a-\u206f\ufeff]/u

/** A question about what a sender sent: as the API lists it, and as the page of its link shows it. */
async function asked(test: Lifetime, sent: object, name = 'Refunds', question?: string) {
  const service = await start(test)
  const flow = await service.createFlow({
    name,
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'link', type: 'parser', fields: { template: '{$approve.ask}' } },
      { id: 'ask', type: 'approve', fields: { question: question ?? 'Refund to {customer}: {total} € ?' } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'link.data' },
      { from: 'webhook-1.data', to: 'ask.data' }
    ]
  })
  const events = await service.events(flow.id)
  const id = await service.start(flow.slug, JSON.stringify(sent))
  await events.until(({ event, data }) => event === 'run.waiting' && data.run_id === id)
  events.close()
  const listed = await service.get(`/api/v1/approvals?flow_id=${flow.id}`)
  const { steps } = await service.readRun(id)
  const url = String(steps.find(({ node }) => node === 'link')!.outputs!.parsed_text)
  const path = new URL(url).pathname
  return {
    question: listed.json<{ approvals: { question: string }[] }>().approvals[0]!.question,
    input: (await service.readRun(id)).input,
    page: async () => (await service.get(path, { key: null })).text,
    answer: (form: string) =>
      service.request('POST', path, {
        body: Buffer.from(form),
        key: null,
        headers: { 'content-type': 'application/x-www-form-urlencoded' }
      })
  }
}

describe('what an approver reads', () => {
  it('is what the author asks, whatever signs of direction a sender sends', async (t) => {
    const sent = { customer: 'Ann\u202e\u200b', total: 98001 }
    const { question, page, input } = await asked(t, sent)
    assert.equal(question, 'Refund to Ann: 98001 € ?')
    assert.match(await page(), /<h1[^>]*>Refund to Ann: 98001 € \?<\/h1>/)
    assert.deepEqual(input, sent, 'the data itself is as it was sent')
  })

  it('keeps each value in its place where names are written from right to left', async (t) => {
    const { question } = await asked(t, { customer: 'أحمد', total: 98001 })
    assert.equal(question, 'Refund to \u2068أحمد\u2069: \u206898001\u2069 € ?')
  })

  it('has its first line as the author wrote it: no value pushes the rest away', async (t) => {
    const { question } = await asked(t, { customer: 'Ann: 10 € ?\n\n\n\n', total: 98001 })
    assert.equal(question, 'Refund to Ann: 10 € ? : 98001 € ?')
  })

  it('is not covered by heaps of marks', async (t) => {
    const { question } = await asked(t, { customer: `A${'\u0336'.repeat(9000)}`, total: 5 })
    assert.ok(question.length < 50, String(question.length))
  })

  it('is set apart from names of flows and people, on the page of the link', async (t) => {
    const { page, answer } = await asked(t, { customer: 'Ann', total: 1 }, 'Refunds \u202eof')
    const open = await page()
    assert.match(open, /<bdi>Refunds of<\/bdi>/)
    assert.doesNotMatch(open, UNSEEN)
    await answer(
      `choice=Reject&by=${encodeURIComponent('Bob\u202e')}&comment=${encodeURIComponent('no\u2067')}`
    )
    const closed = await page()
    assert.match(closed, /<bdi>Bob<\/bdi> decided this/)
    assert.doesNotMatch(closed, UNSEEN)
  })
})
