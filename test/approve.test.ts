import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { lifetimeOfFile } from './support/clean-up.ts'
import { type Service, startService } from './support/service.ts'
import {
  type ApprovalBody,
  approvals,
  edge,
  ended,
  outputOf,
  startWaiting,
  type Waiting
} from './support/waiting-flows.ts'

/** Webhook → Approve → a Return by each way. */
const APPROVED = {
  name: 'Approved',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'link', type: 'parser', fields: { template: '{$approve.ask}' } },
    { id: 'ask', type: 'approve', fields: { question: 'Refund {total} €?' } },
    { id: 'answer', type: 'return' }
  ],
  edges: [
    edge('webhook-1.data', 'link.data'),
    edge('webhook-1.data', 'ask.data'),
    edge('ask.approve', 'answer.data'),
    edge('ask.reject', 'answer.data'),
    edge('ask.timed_out', 'answer.data')
  ]
}

const life = lifetimeOfFile()

let started: Promise<Service> | undefined

/** One for all: each test has flows of its own. */
function shared(): Promise<Service> {
  started ??= startService(life, { plugins: ['call.ts'] })
  return started
}

describe('an Approve', () => {
  it('lists its question and goes on by the answer, once', async () => {
    const service = await shared()
    const flow = await service.createFlow(APPROVED)
    const run = await startWaiting(service, flow)
    const [open] = await approvals(service, `?status=open&flow_id=${flow.id}`)
    const { id, created_at, ...facts } = open!
    assert.deepEqual(facts, {
      run_id: run.id,
      flow_id: flow.id,
      node: 'ask',
      question: 'Refund 20 €?',
      choices: ['Approve', 'Reject'],
      expires_at: null,
      status: 'open',
      test: false,
      answer: null
    })
    assert.ok(Date.parse(String(created_at)) > 0)
    assert.deepEqual([run.waiting[0]!.approval_id, run.waiting[0]!.question], [id, 'Refund 20 €?'])

    const answer = (body: object) => service.post(`/api/v1/approvals/${id}`, body)
    const wrong = await answer({ choice: 'Perhaps' })
    assert.match(problemOf(wrong, 422, 'unknown_choice').detail, /"Approve", "Reject"/)
    problemOf(await answer({ choice: 'Approve', comment: 'x'.repeat(4001) }), 422, 'invalid_request')
    problemOf(
      await service.post('/api/v1/approvals/nobody', { choice: 'Approve' }),
      404,
      'approval_not_found'
    )
    const done = await answer({ choice: 'Reject', comment: 'Too late.' })
    assert.deepEqual([done.status, done.json().status], [200, 'answered'])
    assert.match(problemOf(await answer({ choice: 'Approve' }), 409, 'approval_closed').detail, /"Reject" by/)

    const after = await ended(service, run.id)
    const { at, by, ...output } = after.output as Record<string, unknown>
    assert.deepEqual(output, { data: { total: 20 }, choice: 'Reject', comment: 'Too late.' })
    assert.ok(typeof by === 'string' && Date.parse(String(at)) > 0)
    assert.deepEqual(await approvals(service, `?status=open&flow_id=${flow.id}`), [])
    assert.equal((await approvals(service, `?status=answered&flow_id=${flow.id}`)).length, 1)
  })

  it('leaves what its run has printed to be read meanwhile, once', async () => {
    const service = await shared()
    const flow = await service.createFlow({
      name: 'Says and asks',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'before', type: 'parser', fields: { template: 'before' } },
        { id: 'say', type: 'chat-output' },
        { id: 'ask', type: 'approve', fields: { question: 'On?' } },
        { id: 'after', type: 'parser', fields: { template: 'after' } },
        { id: 'close', type: 'chat-output' }
      ],
      edges: [
        edge('webhook-1.data', 'before.data'),
        edge('before.parsed_text', 'say.text'),
        edge('webhook-1.data', 'ask.data'),
        edge('ask.approve', 'after.data'),
        edge('after.parsed_text', 'close.text')
      ]
    })
    const printed = async () =>
      (await service.get(`/api/v1/flows/${flow.id}/messages`))
        .json<{ messages: { text: string; run_id: string }[] }>()
        .messages.map(({ text, run_id }) => [text, run_id])
    const run = await startWaiting(service, flow)
    assert.deepEqual(await printed(), [['before', run.id]])
    const id = run.waiting[0]!.approval_id
    assert.equal((await service.post(`/api/v1/approvals/${id}`, { choice: 'Approve' })).status, 200)
    assert.equal((await ended(service, run.id)).status, 'succeeded')
    assert.deepEqual(await printed(), [
      ['before', run.id],
      ['after', run.id]
    ])
  })

  it('is answered at its link without a key: by a form, never by a GET', async () => {
    const service = await shared()
    const flow = await service.createFlow(APPROVED)
    const run = await startWaiting(service, flow)
    const url = String(outputOf(run, 'link')!.parsed_text)
    const path = url.slice(service.address.length)
    assert.ok(path.startsWith('/approve/'), url)
    const read = () => service.get(path, { key: null })
    const page = await read()
    assert.match(page.text, /Refund 20 €\?/)
    assert.match(page.text, /<button name="choice" value="Approve"/)
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'.*form-action 'self'/)
    assert.equal((await service.readRun(run.id)).status, 'waiting')

    const send = (form: string) =>
      service.request('POST', path, {
        body: Buffer.from(form),
        key: null,
        headers: { 'content-type': 'application/x-www-form-urlencoded' }
      })
    assert.equal((await send('choice=Perhaps')).status, 422)
    const sent = await send('choice=Approve&by=%3Cb%3EAnn&comment=Fine')
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, path])
    const after = await read()
    assert.match(after.text, /<bdi>&#60;b&#62;Ann<\/bdi> decided this/)
    assert.match(after.text, /<strong><bdi>Approve<\/bdi><\/strong>/)
    assert.ok(!after.text.includes('<form'))
    assert.equal((await send('choice=Reject')).status, 409)
    const { output } = await ended(service, run.id)
    assert.deepEqual([(output as ApprovalBody).choice, (output as ApprovalBody).by], ['Approve', '<b>Ann'])
    assert.equal((await service.get(`${path}x`, { key: null })).status, 404)
  })

  it('is seen by who may read its flow, and answered by who may start it', async () => {
    const service = await shared()
    const flow = await service.createFlow(APPROVED)
    const other = await service.createFlow({ ...APPROVED, name: 'Other' })
    const [run] = [await startWaiting(service, flow), await startWaiting(service, other)]
    const reader = await service.createKey({ rights: ['read'], flow: flow.id })
    const seen = await approvals(service, '', reader.key)
    assert.deepEqual(
      seen.map(({ run_id }) => run_id),
      [run!.id]
    )
    const path = `/api/v1/approvals/${seen[0]!.id}`
    problemOf(await service.post(path, { choice: 'Approve' }, { key: reader.key }), 403, 'forbidden')
    const answer = await service.get(`/api/v1/runs/${run!.id}`, { key: reader.key })
    assert.equal((answer.json().waiting as ApprovalBody[])[0]!.approve_url, undefined)
    const elsewhere = await service.createKey({ rights: ['trigger'], flow: other.id })
    problemOf(
      await service.post(path, { choice: 'Approve' }, { key: elsewhere.key }),
      404,
      'approval_not_found'
    )
    const approver = await service.createKey({ rights: ['trigger'], flow: flow.id, name: 'Boss' })
    assert.equal((await service.post(path, { choice: 'approve' }, { key: approver.key })).status, 204)
    assert.equal(((await ended(service, run!.id)).output as ApprovalBody).by, 'Boss')
  })

  it('leaves by timed_out when its time is over, and takes no answer then', async () => {
    const service = await shared()
    const fields = { question: 'Now?', timeout: '0.05s' }
    const nodes = APPROVED.nodes.map((node) => (node.id === 'ask' ? { ...node, fields } : node))
    const flow = await service.createFlow({ ...APPROVED, nodes })
    const run = (await service.run(flow.slug, '{}')) as Waiting
    assert.equal((run.output as ApprovalBody).choice, null)
    const [over] = await approvals(service, `?status=over&flow_id=${flow.id}`)
    problemOf(
      await service.post(`/api/v1/approvals/${over!.id}`, { choice: 'Approve' }),
      409,
      'approval_closed'
    )
  })

  it('answers who waits for the end of the run at once: it may be they who are asked', async () => {
    const service = await shared()
    const flow = await service.createFlow(APPROVED)
    const run = await service.post(`/api/v1/run/${flow.id}`, { input: { total: 1 } })
    assert.deepEqual([run.status, run.json().status], [202, 'waiting'])
    const test = await service.post(`/api/v1/flows/${flow.id}/test`, { input: { total: 1 } })
    assert.deepEqual([test.status, test.json().status], [202, 'waiting'])
    const [asked] = await approvals(service, `?flow_id=${flow.id}`)
    assert.deepEqual([asked!.test, asked!.run_id], [true, test.json().id])
    const headers = { prefer: 'wait=1' }
    assert.equal((await service.webhook(flow.slug, '{"total":1}', { headers })).json().status, 'waiting')
  })

  it('answers who waits for the end of a run that waits for another one, or for an item', async () => {
    const service = await shared()
    const asking = await service.createFlow(APPROVED)
    const calling = await service.createFlow({
      name: 'Calling',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'call', type: 'run-flow', fields: { flow: asking.slug } }
      ],
      edges: [edge('webhook-1.data', 'call.data')]
    })
    const each = await service.createFlow({
      name: 'Each',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'each', type: 'for-each' },
        { id: 'ask', type: 'approve', parent: 'each', fields: { question: 'This one?' } }
      ],
      edges: [
        edge('webhook-1.data', 'each.items'),
        edge('each.item', 'ask.data'),
        edge('ask.approve', 'each.result')
      ]
    })
    const answers = await Promise.all([
      service.post(`/api/v1/run/${calling.id}`, { input: { total: 1 } }),
      service.post(`/api/v1/run/${each.id}`, { input: [1, 2] })
    ])
    for (const answer of answers) assert.deepEqual([answer.status, answer.json().status], [202, 'waiting'])
  })

  it('is open again after a restart', async (t) => {
    const first = await startService(t)
    const flow = await first.createFlow(APPROVED)
    const run = await startWaiting(first, flow)
    await first.stop()
    const next = await startService(t, { home: first.home })
    const path = new URL(String(run.waiting[0]!.approve_url)).pathname
    assert.match((await next.get(path, { key: null })).text, /<form/)
    const [open] = await approvals(next, '?status=open')
    assert.equal((await next.post(`/api/v1/approvals/${open!.id}`, { choice: 'Approve' })).status, 200)
    assert.equal((await ended(next, run.id)).status, 'succeeded')
  })
})
