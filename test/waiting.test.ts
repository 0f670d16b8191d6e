import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import { lifetimeOfFile } from './support/clean-up.ts'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'

type Waiting = RunBody & {
  readonly output: unknown
  readonly waiting: readonly Record<string, unknown>[]
}

const edge = (from: string, to: string) => ({ from, to })

/** Webhook → Parser that prints the address → Wait for call → Return; what is late leaves elsewhere. */
const CALLED = {
  name: 'Called',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'address', type: 'parser', fields: { template: '{$resume.call-1}' } },
    { id: 'call-1', type: 'wait-for-call' },
    { id: 'answer', type: 'return' },
    { id: 'late', type: 'parser', fields: { mode: 'Stringify' } }
  ],
  edges: [
    edge('webhook-1.data', 'address.data'),
    edge('address.parsed_text', 'call-1.data'),
    edge('call-1.data', 'answer.data'),
    edge('call-1.timed_out', 'late.data')
  ]
}

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

/** Starts a run and comes back when it waits. */
async function startWaiting(service: Service, flow: FlowBody, body = '{"total":20}'): Promise<Waiting> {
  const events = await service.events(flow.id)
  const id = await service.start(flow.slug, body)
  await events.until(({ event, data }) => event === 'run.waiting' && data.run_id === id)
  events.close()
  return (await service.readRun(id)) as Waiting
}

const life = lifetimeOfFile()
let started: Promise<Service> | undefined

/** One for all: each test has flows of its own. */
function shared(): Promise<Service> {
  started ??= startService(life, { plugins: ['call.ts'] })
  return started
}

const outputOf = ({ steps }: RunBody, node: string) => steps.find((step) => step.node === node)!.outputs

const ended = async (service: Service, id: string) => (await service.waitForRun(id)) as Waiting

describe('a Delay', () => {
  it('is cancelled at once, also in the moment in which its run comes to wait', async () => {
    const service = await shared()
    const flow = await service.createFlow({
      name: 'Later',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'later', type: 'delay', fields: { for: '1h' } }
      ],
      edges: [edge('webhook-1.data', 'later.data')]
    })
    // A wait is written in a few milliseconds: some of these come before it, some after, and many in between.
    for (let turns = 0; turns < 24; turns++) {
      const id = await service.start(flow.slug, '{}')
      for (let turn = 0; turn < turns; turn++) await turnOfTheLoop()
      const since = performance.now()
      assert.equal((await service.post(`/api/v1/runs/${id}/cancel`)).status, 200)
      assert.ok(performance.now() - since < 5_000, `it took ${performance.now() - since} ms`)
      assert.equal((await service.readRun(id)).status, 'cancelled')
    }
  })

  it('ends by the clock, or when somebody wakes it', async () => {
    const service = await shared()
    const nodes = (fields: object) => [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'later', type: 'delay', fields },
      { id: 'answer', type: 'return' }
    ]
    const edges = [edge('webhook-1.data', 'later.data'), edge('later.data', 'answer.data')]
    const short = await service.createFlow({ name: 'Short', nodes: nodes({ for: '0.02s' }), edges })
    const quick = (await service.run(short.slug, '{"a":1}')) as Waiting
    assert.deepEqual([quick.status, quick.output, quick.waiting], ['succeeded', { a: 1 }, []])

    const long = await service.createFlow({ name: 'Long', nodes: nodes({ until: '{at}' }), edges })
    const waits = await startWaiting(service, long, '{"at":"9999-01-01"}')
    assert.deepEqual(
      waits.waiting.map(({ node, kind, until }) => ({ node, kind, until })),
      [{ node: 'later', kind: 'time', until: '9999-01-01T00:00:00.000Z' }]
    )
    assert.equal(waits.status, 'waiting')
    const wake = (node: string) => service.post(`/api/v1/runs/${waits.id}/wake`, { node })
    problemOf(await wake('answer'), 409, 'not_waiting')
    assert.equal((await wake('later')).status, 200)
    assert.equal((await ended(service, waits.id)).status, 'succeeded')
    problemOf(await wake('later'), 409, 'not_waiting')

    const past = (await service.run(long.slug, '{"at":"2020-01-01"}')) as Waiting
    assert.deepEqual(
      [past.status, past.error?.node, past.error?.code],
      ['failed', 'later', 'wait_not_to_come']
    )
    const refused = await service.post('/api/v1/flows', {
      name: 'Past',
      nodes: nodes({ until: '2020-01-01' }),
      edges
    })
    assert.match(problemOf(refused, 422, 'flow_invalid').errors![0]!.message, /in the past/)
  })
})

describe('a Wait for call', () => {
  it('takes one call at the address that the run has given out', async () => {
    const service = await shared()
    const flow = await service.createFlow(CALLED)
    const run = await startWaiting(service, flow)
    const url = String(outputOf(run, 'address')!.parsed_text)
    assert.ok(url.startsWith(`${service.address}/api/v1/resume/${run.id}.call-1.`), url)
    assert.equal(run.waiting[0]!.resume_url, url)
    const path = url.slice(service.address.length)
    const call = (body: string, more: object = {}) =>
      service.request('POST', path, { body: Buffer.from(body), key: null, ...more })

    problemOf(await service.get(path, { key: null }), 405, 'method_not_allowed')
    problemOf(await service.post(`${path.slice(0, -2)}xx`, {}, { key: null }), 404, 'link_not_found')
    const first = await call('{"paid":12345678901234567890}', {
      headers: { 'idempotency-key': 'k1', 'x-from': 'bank' }
    })
    assert.deepEqual([first.status, first.json().run_id], [202, run.id])
    assert.equal(first.headers.get('location'), `/api/v1/runs/${run.id}`)
    const answered = await ended(service, run.id)
    assert.equal(answered.status, 'succeeded')
    assert.match(JSON.stringify(outputOf(answered, 'call-1')!.request), /"method":"POST".*"x-from":"bank"/)
    const { text } = await service.get(`/api/v1/runs/${run.id}`)
    assert.match(text, /"output":\{"paid":12345678901234567890\}/)

    assert.match(problemOf(await call('{}'), 410, 'wait_over').detail, /ended/)
    const again = await call('{"paid":12345678901234567890}', { headers: { 'idempotency-key': 'k1' } })
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [202, 'true'])
    problemOf(await call('{}', { headers: { 'idempotency-key': 'k1' } }), 422, 'idempotency_key_reused')
  })

  it('takes what is not JSON as text, and is over when somebody goes on without it', async () => {
    const service = await shared()
    const flow = await service.createFlow(CALLED)
    const [one, two] = [await startWaiting(service, flow), await startWaiting(service, flow)]
    const pathOf = (run: Waiting) => String(run.waiting[0]!.resume_url).slice(service.address.length)
    const answer = await service.request('POST', pathOf(one), {
      body: Buffer.from('status=paid'),
      key: null,
      headers: { prefer: 'wait=30' }
    })
    assert.deepEqual([answer.status, answer.json().status], [202, 'succeeded'])
    assert.deepEqual(((await service.readRun(one.id)) as Waiting).output, { payload: 'status=paid' })

    assert.equal((await service.post(`/api/v1/runs/${two.id}/wake`, { node: 'call-1' })).status, 200)
    const late = await ended(service, two.id)
    assert.deepEqual(
      [late.status, outputOf(late, 'call-1')],
      ['succeeded', { timed_out: outputOf(late, 'address')!.parsed_text }]
    )
    problemOf(await service.post(pathOf(two), {}, { key: null }), 410, 'wait_over')
  })

  it('goes on with a call at once, also while another branch is busy', async (t) => {
    const service = await shared()
    const outside = await startOutside(t)
    const calling = (id: string) => ({ id, type: 'call', fields: { url: outside.url() } })
    const flow = await service.createFlow({
      ...CALLED,
      nodes: [...CALLED.nodes, calling('busy'), calling('after')],
      edges: [...CALLED.edges, edge('webhook-1.data', 'busy.data'), edge('call-1.data', 'after.data')]
    })
    const id = await service.start(flow.slug)
    const busy = await outside.next()
    const stepOf = async (node: string) =>
      (await service.readRun(id)).steps.find((step) => step.node === node)
    await eventually(async () => (await stepOf('call-1'))?.status, 'waiting')
    const path = String((await stepOf('address'))!.outputs!.parsed_text).slice(service.address.length)
    assert.equal((await service.post(path, { paid: true }, { key: null })).status, 202)
    const after = await outside.next()
    assert.equal((await stepOf('busy'))?.status, 'in progress')
    for (const call of [after, busy]) call.answer()
    assert.deepEqual((await ended(service, id)).output, { paid: true })
  })

  it('keeps a call that comes before the run waits for it', async () => {
    const service = await shared()
    // The address is sent while the run is held up by a Delay before its wait.
    const flow = await service.createFlow({
      ...CALLED,
      nodes: [...CALLED.nodes, { id: 'before', type: 'delay', fields: { for: '1h' } }],
      edges: [
        edge('webhook-1.data', 'address.data'),
        edge('webhook-1.data', 'before.data'),
        edge('before.data', 'call-1.data'),
        edge('call-1.data', 'answer.data')
      ]
    })
    const run = await startWaiting(service, flow)
    const path = String(outputOf(run, 'address')!.parsed_text).slice(service.address.length)
    const headers = { 'idempotency-key': 'k' }
    assert.equal((await service.post(path, { early: true }, { key: null, headers })).status, 202)
    problemOf(await service.post(path, {}, { key: null }), 410, 'wait_over')
    assert.equal(
      (await service.post(path, { early: true }, { key: null, headers })).status,
      202,
      'the same call'
    )
    assert.equal((await service.post(`/api/v1/runs/${run.id}/wake`, { node: 'before' })).status, 200)
    const done = await ended(service, run.id)
    assert.deepEqual([done.status, done.output], ['succeeded', { early: true }])
  })

  it('has an address of its own in every item of a For each', async () => {
    const service = await shared()
    const flow = await service.createFlow({
      name: 'Each',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'each', type: 'for-each', fields: { concurrency: 5 } },
        { id: 'address', type: 'parser', parent: 'each', fields: { template: '{$resume.call-1}' } },
        { id: 'call-1', type: 'wait-for-call', parent: 'each' },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        edge('webhook-1.data', 'each.items'),
        edge('each.item', 'address.data'),
        edge('address.parsed_text', 'call-1.data'),
        edge('call-1.data', 'each.result'),
        edge('each.results', 'answer.data')
      ]
    })
    const events = await service.events(flow.id)
    const id = await service.start(flow.slug, '[{"n":0},{"n":1}]')
    const waiting = new Set<unknown>()
    await events.until(({ event, data }) => {
      if (event === 'run.waiting') waiting.add(data.run_id)
      return waiting.size === 3
    })
    events.close()
    const { runs } = (await service.get(`/api/v1/runs?parent=${id}`)).json<{
      runs: { id: string; parent: { index: number } }[]
    }>()
    for (const { id: item, parent } of runs) {
      const { waiting: waits } = (await service.readRun(item)) as Waiting
      const url = String(waits[0]!.resume_url)
      assert.ok(url.includes(item))
      const path = url.slice(service.address.length)
      assert.equal((await service.post(path, { paid: parent.index }, { key: null })).status, 202)
    }
    assert.deepEqual((await ended(service, id)).output, [{ paid: 0 }, { paid: 1 }])
  })

  it('is named at saving: another node, or none, is a fault', async () => {
    const service = await shared()
    const [first, , ...others] = CALLED.nodes
    const asking = { id: 'address', type: 'parser', fields: { template: '{$resume.call-2}' } }
    const refused = await service.post('/api/v1/flows', { ...CALLED, nodes: [first, asking, ...others] })
    const { errors } = problemOf(refused, 422, 'flow_invalid')
    assert.deepEqual(
      errors!.map(({ code, path }) => [code, path]),
      [['unknown_wait', '/nodes/1/fields/template']]
    )
  })
})

interface ApprovalBody {
  readonly id: string
  readonly [member: string]: unknown
}

async function approvals(service: Service, query: string, key?: string): Promise<ApprovalBody[]> {
  const answer = await service.get(`/api/v1/approvals${query}`, key === undefined ? {} : { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ approvals: ApprovalBody[] }>().approvals
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

describe('what waits below a run that was cancelled', () => {
  it('takes no call and no answer, also where its flow has no place left', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const asked = await service.createFlow({
      name: 'Asked',
      nodes: [
        { id: 'webhook-1', type: 'webhook', fields: { concurrency: 1 } },
        { id: 'which', type: 'switch', fields: { value: '{which}', cases: ['busy'] } },
        { id: 'busy', type: 'call', fields: { url: outside.url() } },
        { id: 'ask', type: 'approve', fields: { question: 'Pay?' } },
        { id: 'call-1', type: 'wait-for-call' }
      ],
      edges: [
        edge('webhook-1.data', 'which.data'),
        edge('which.busy', 'busy.data'),
        edge('which.default', 'ask.data'),
        edge('which.default', 'call-1.data')
      ]
    })
    const { slug } = await service.createFlow({
      name: 'Asking',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'run-1', type: 'run-flow', fields: { flow: asked.slug } }
      ],
      edges: [edge('webhook-1.data', 'run-1.data')]
    })
    const events = await service.events(asked.id)
    const id = await service.start(slug, '{"which":"ask"}')
    await events.until(({ event }) => event === 'run.waiting')
    events.close()
    const [open] = await approvals(service, `?status=open&flow_id=${asked.id}`)
    const child = (await service.readRun(String(open!.run_id))) as Waiting
    await service.start(asked.slug, '{"which":"busy"}')
    const busy = await outside.next()

    assert.equal((await service.post(`/api/v1/runs/${id}/cancel`)).status, 200)
    const answer = await service.post(`/api/v1/approvals/${open!.id}`, { choice: 'Approve' })
    problemOf(answer, 409, 'approval_closed')
    const address = child.waiting.find(({ resume_url }) => typeof resume_url === 'string')!.resume_url
    const path = String(address).slice(service.address.length)
    problemOf(await service.post(path, {}, { key: null }), 410, 'wait_over')
    await eventually(async () => (await service.readRun(child.id)).status, 'cancelled')
    assert.deepEqual(await approvals(service, `?status=open&flow_id=${asked.id}`), [])
    busy.answer()
  })
})
