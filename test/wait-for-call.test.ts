import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { childrenOf } from './support/child-flows.ts'
import { lifetimeOfFile } from './support/clean-up.ts'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'
import { edge, ended, outputOf, startWaiting, type Waiting } from './support/waiting-flows.ts'

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

const life = lifetimeOfFile()

let started: Promise<Service> | undefined

/** One for all: each test has flows of its own. */
function shared(): Promise<Service> {
  started ??= startService(life, { plugins: ['call.ts'] })
  return started
}

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

  it('reads forms and bytes as a webhook does, and keeps the address for one that cannot be read', async () => {
    const service = await shared()
    const flow = await service.createFlow(CALLED)
    const form = 'multipart/form-data; boundary=B'
    const part = (more: string, value: string) =>
      `--B\r\nContent-Disposition: form-data; name=${more}\r\n\r\n${value}\r\n`
    const file = { filename: 'a.txt', content_type: 'text/plain', size: 2 }
    const sent: [type: string, body: string | Buffer, data: unknown][] = [
      ['application/x-www-form-urlencoded', 'a=1&a=2&b=x+y', { a: ['1', '2'], b: 'x y' }],
      ['text/plain; charset=iso-8859-1', Buffer.from([0xfc]), { payload: 'ü' }],
      [
        form,
        `${part('a', '1')}${part('b; filename="../a.txt"', 'hi')}--B--\r\n`,
        { a: '1', b: { base64: 'aGk=', ...file } }
      ],
      [
        'application/pdf',
        Buffer.alloc(700_000),
        {
          payload: {
            base64: Buffer.alloc(700_000).toString('base64'),
            filename: 'payload.pdf',
            content_type: 'application/pdf',
            size: 700_000
          }
        }
      ],
      ['application/octet-stream', '{"a":1}', { a: 1 }]
    ]
    for (const [type, body, data] of sent) {
      const run = await startWaiting(service, flow)
      const path = String(run.waiting[0]!.resume_url).slice(service.address.length)
      const call = (bytes: string | Buffer) =>
        service.request('POST', path, {
          body: Buffer.from(bytes),
          headers: { 'content-type': type },
          key: null
        })
      if (type === form) problemOf(await call(part('a', '1')), 400, 'form_invalid')
      const answer = await call(body)
      assert.equal(answer.status, 202, answer.text)
      assert.deepEqual((await ended(service, run.id)).output, data, type)
    }
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

  it('takes a call that comes before a run that was cancelled, and is retried, waits for it again', async (t) => {
    const service = await shared()
    const outside = await startOutside(t)
    const [first, ...others] = CALLED.nodes
    const busy = { id: 'busy', type: 'call', fields: { url: outside.url() } }
    const flow = await service.createFlow({
      ...CALLED,
      nodes: [{ ...first, fields: { concurrency: 1 } }, ...others, busy],
      edges: [...CALLED.edges, edge('webhook-1.data', 'busy.data')]
    })
    const id = await service.start(flow.slug)
    ;(await outside.next()).answer()
    const waits = async () => ((await service.readRun(id)) as Waiting).waiting?.length
    await eventually(waits, 1)
    const path = String(outputOf(await service.readRun(id), 'address')!.parsed_text)
    await service.post(`/api/v1/runs/${id}/cancel`)
    assert.equal((await ended(service, id)).status, 'cancelled')
    const other = await service.start(flow.slug)
    const held = await outside.next()
    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
    // It goes on when the other one ends.
    assert.notEqual((await service.readRun(id)).status, 'waiting')
    const call = () => service.post(path.slice(service.address.length), { paid: true }, { key: null })
    assert.equal((await call()).status, 202)
    problemOf(await call(), 410, 'wait_over')
    held.answer()
    assert.deepEqual((await ended(service, id)).output, { paid: true })
    await service.post(`/api/v1/runs/${other}/cancel`)
  })

  it('takes a call to an item that comes before the retried run has got to it again', async (t) => {
    const service = await shared()
    const outside = await startOutside(t)
    const inner = {
      name: 'Inner',
      nodes: [
        { id: 'each', type: 'for-each', fields: { failures: 'collect', concurrency: 2 } },
        { id: 'address', type: 'parser', parent: 'each', fields: { template: '{$resume.call-1}' } },
        { id: 'call-1', type: 'wait-for-call', parent: 'each' },
        { id: 'in', type: 'webhook' },
        { id: 'out', type: 'return' }
      ],
      edges: [
        edge('in.data', 'each.items'),
        edge('each.item', 'address.data'),
        edge('address.parsed_text', 'call-1.data'),
        edge('call-1.data', 'each.result'),
        edge('each.results', 'out.data')
      ]
    }
    const { slug } = await service.createFlow(inner)
    const flow = await service.createFlow({
      name: 'Outer',
      nodes: [
        { id: 'webhook-1', type: 'webhook', fields: { concurrency: 1 } },
        { id: 'inner', type: 'run-flow', fields: { flow: slug } },
        { id: 'busy', type: 'call', fields: { url: outside.url() } },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        edge('webhook-1.data', 'inner.data'),
        edge('webhook-1.data', 'busy.data'),
        edge('inner.data', 'answer.data')
      ]
    })
    const id = await service.start(flow.slug, [{}, {}])
    ;(await outside.next()).answer()
    const itemsOf = async (): Promise<RunBody[]> => {
      const [called] = await childrenOf(service, id)
      return called === undefined ? [] : childrenOf(service, called.id)
    }
    const waitingItems = async () => (await itemsOf()).filter(({ status }) => status === 'waiting').length
    await eventually(waitingItems, 2)
    const paths = await Promise.all(
      (await itemsOf()).map(async (item) => {
        const address = outputOf(await service.readRun(item.id), 'address')!.parsed_text
        return String(address).slice(service.address.length)
      })
    )
    const call = (path: string) => service.post(path, { to: paths.indexOf(path) }, { key: null })
    await service.post(`/api/v1/runs/${id}/cancel`)
    assert.equal((await ended(service, id)).status, 'cancelled')
    const cancelledItems = async () => (await itemsOf()).filter(({ status }) => status === 'cancelled').length
    await eventually(cancelledItems, 2)
    problemOf(await call(paths[0]!), 410, 'wait_over')
    const other = await service.start(flow.slug, [])
    const held = await outside.next()
    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
    for (const path of paths) {
      assert.equal((await call(path)).status, 202)
      problemOf(await call(path), 410, 'wait_over')
    }
    held.answer()
    const done = await ended(service, id)
    const got = (done.output as { to: number }[]).map(({ to }) => to)
    assert.deepEqual([done.status, got.toSorted()], ['succeeded', [0, 1]])
    assert.equal((await ended(service, other)).status, 'succeeded')
    assert.equal((await itemsOf()).length, 2)
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
