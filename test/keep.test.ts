import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import { lifetimeOfFile } from './support/clean-up.ts'
import { makeContext, startWith } from './support/contexts.ts'
import { type Service, shiftedClock, startService } from './support/service.ts'

const life = lifetimeOfFile()
const { clock, advance } = shiftedClock()
let started: Promise<Service> | undefined

function shared(): Promise<Service> {
  started ??= startService(life, { clock })
  return started
}

/** Webhook → Keep → Return. */
function makeKeep(service: Service, fields: object, context = '/'): Promise<FlowBody> {
  return service.createFlow({
    name: 'Keep',
    context,
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'k', type: 'keep', fields },
      { id: 'r', type: 'return' }
    ],
    edges: [
      { from: 'w.data', to: 'k.data' },
      { from: 'k.data', to: 'r.data' }
    ]
  })
}

type Ended = RunBody & { readonly output: unknown }

async function keep(service: Service, fields: object, body: unknown = {}, context = '/'): Promise<Ended> {
  const flow = await makeKeep(service, fields, context)
  return (await service.run(flow.id, JSON.stringify(body))) as Ended
}

async function kept(service: Service, fields: object, body: unknown = {}, context = '/'): Promise<unknown> {
  const { status, error, output } = await keep(service, fields, body, context)
  assert.equal(status, 'succeeded', error?.message)
  return output
}

async function refused(service: Service, fields: object, body: unknown = {}): Promise<string> {
  const { status, error } = await keep(service, fields, body)
  assert.equal(status, 'failed')
  return `${error!.code}: ${error!.message}`
}

const address = (key: string, context = '/') =>
  `/api/v1/kept/value?key=${encodeURIComponent(key)}&context=${encodeURIComponent(context)}`

describe('Keep', () => {
  it('keeps the data, or a value, from one run to the next', async () => {
    const service = await shared()
    const body = { customer: 'Ann', total: 12.5, lines: [1, null] }
    assert.deepEqual(await kept(service, { operation: 'Set', key: 'last:{customer}' }, body), body)
    assert.deepEqual(await kept(service, { key: 'last:Ann' }), body)
    assert.equal(await kept(service, { operation: 'Set', key: 'total', value: '{total}' }, body), 12.5)
    assert.equal(await kept(service, { operation: 'Get', key: 'total' }), 12.5)
    assert.equal(await kept(service, { operation: 'Delete', key: 'total' }), 12.5)
    assert.equal(await kept(service, { operation: 'Delete', key: 'total' }), null)
  })

  it('keeps numbers as they were written', async () => {
    const service = await shared()
    const flow = await makeKeep(service, { operation: 'Set', key: 'long', value: '{id}' })
    await service.run(flow.id, '{"id":12345678901234567890}')
    assert.match((await service.get(address('long'))).text, /"value":12345678901234567890/)
  })

  it('gives a default with all digits of its numbers, also from a draft and a version that is restored', async () => {
    const service = await shared()
    const given = '{"id":12345678901234567890,"of":[-98765432109876543210,"{id}"]}'
    const document = (fields: string) =>
      `{"name":"Long","nodes":[{"id":"w","type":"webhook","position":{"x":0.12345678901234567890,"y":0}},
        {"id":"k","type":"keep","fields":${fields}},{"id":"r","type":"return"}],
        "edges":[{"from":"w.data","to":"k.data"},{"from":"k.data","to":"r.data"}]}`
    const send = (method: string, path: string, body: string) =>
      service.request(method, path, {
        body: Buffer.from(body),
        headers: { 'content-type': 'application/json' }
      })
    const fields = `{"key":"never","default":${given}}`
    const created = await send('POST', '/api/v1/flows', document(fields))
    assert.equal(created.status, 201, created.text)
    const flow = created.json<FlowBody>()
    assert.ok(created.text.includes(`"default":${given}`), created.text)
    const output = `"output":${given.replace('"{id}"', '7')}`
    const outputOf = async () => {
      const { id } = await service.run(flow.id, '{"id":7}')
      return (await service.get(`/api/v1/runs/${id}`)).text
    }
    assert.ok((await outputOf()).includes(output))
    const draft = await send('PUT', `/api/v1/flows/${flow.id}/draft`, document(fields))
    assert.ok(draft.text.includes(`"default":${given}`), draft.text)
    const tested = await send('POST', `/api/v1/flows/${flow.id}/test`, '{"input":{"id":7}}')
    assert.ok(tested.text.includes(output), tested.text)
    await service.post(`/api/v1/flows/${flow.id}/publish`, {})
    await service.post(`/api/v1/flows/${flow.id}/versions/1/restore`, {})
    assert.ok((await outputOf()).includes(output))
    const by = '{"key":"a","operation":"Increment","by":12345678901234567890}'
    const refused = await send('POST', '/api/v1/flows', document(by))
    assert.match(
      problemOf(refused, 422, 'flow_invalid').detail,
      /at most 15 digits, not 12345678901234567890/
    )
  })

  it('counts runs that come at the same moment, each of them once', async () => {
    const service = await shared()
    const flow = await makeKeep(service, { operation: 'Increment', key: 'seen', by: 2 })
    const runs = await Promise.all(Array.from({ length: 20 }, () => service.run(flow.id)))
    const sums = runs.map((run) => (run as Ended).output as number).sort((a, b) => a - b)
    assert.deepEqual(
      sums,
      Array.from({ length: 20 }, (_, index) => 2 * (index + 1))
    )
  })

  it('forgets when the time is over', async () => {
    const service = await shared()
    const visits = { operation: 'Increment', key: 'visits', expires_in: '1h' }
    assert.equal(await kept(service, visits), 1)
    advance(1_800_000)
    assert.equal(await kept(service, visits), 2)
    advance(1_800_000)
    assert.equal(await kept(service, visits), 1)
  })

  it('tells what is wrong: nothing kept, no number, too much, a key that is none', async () => {
    const service = await shared()
    assert.match(
      await refused(service, { key: 'never:{n}' }, { n: 7 }),
      /^kept_value_not_found: Node "k" .*Nothing is kept under "never:7"/
    )
    for (const [given, value] of [
      ['{n}', 7],
      [0, 0],
      [null, null],
      [
        { seen: [], last: '{n}' },
        { seen: [], last: 7 }
      ]
    ])
      assert.deepEqual(await kept(service, { key: 'never', default: given }, { n: 7 }), value)
    await kept(service, { operation: 'Set', key: 'word', value: 'seven' })
    assert.match(
      await refused(service, { operation: 'Increment', key: 'word' }),
      /^kept_value_not_number: .*"word"/
    )
    const large = { operation: 'Set', key: 'large' }
    assert.match(
      await refused(service, large, 'x'.repeat(300_000)),
      /^kept_value_invalid: .*"large" has 293 kB/
    )
    assert.match(await refused(service, { key: '{n}' }, { n: '' }), /^kept_value_invalid: .*The key is empty/)
  })

  it('is refused at saving without a key, or with a time that is none', async () => {
    const service = await shared()
    const document = (fields: object) => ({
      name: 'No',
      nodes: [{ id: 'k', type: 'keep', fields }],
      edges: []
    })
    for (const [fields, field] of [
      [{ key: ' ' }, 'key'],
      [{ key: '{' }, 'key'],
      [{ key: 'a', expires_in: 'soon' }, 'expires_in']
    ] as const) {
      const { errors } = problemOf(await service.post('/api/v1/flows', document(fields)), 422, 'flow_invalid')
      assert.deepEqual(
        errors?.map((error) => error.field),
        [field]
      )
    }
  })

  it('belongs to the context of the flow', async () => {
    const service = await shared()
    await makeContext(service, '/sales')
    await kept(service, { operation: 'Set', key: 'owner', value: 'root' })
    await kept(service, { operation: 'Set', key: 'owner', value: 'sales' }, {}, '/sales')
    assert.equal(await kept(service, { key: 'owner' }), 'root')
    assert.equal(await kept(service, { key: 'owner' }, {}, '/sales'), 'sales')
  })

  it('counts once for a step that is tried again, also in a component of a plugin', async (t) => {
    const plugin = `export default (context) => context.component({
      type: 'visit', title: 'Visit', retry: { attempts: 3, backoffMs: 1 },
      inputs: { data: { title: 'Data', type: 'any' } },
      outputs: { count: { title: 'Count', type: 'any' } },
      run: async ({ kept, attempt }) => {
        const first = await kept.increment('visits')
        const second = await kept.increment('visits')
        if (attempt < 3) throw new Error('not yet')
        return { count: [first, second, await kept.get('visits')] }
      }
    })`
    const service = await startWith(t, { 'visit.mjs': plugin })
    const flow = await service.createFlow({
      name: 'Visit',
      context: '/visit',
      nodes: [
        { id: 'w', type: 'webhook' },
        { id: 'v', type: 'visit' },
        { id: 'r', type: 'return' }
      ],
      edges: [
        { from: 'w.data', to: 'v.data' },
        { from: 'v.count', to: 'r.data' }
      ]
    })
    const run = (await service.run(flow.id)) as Ended
    assert.deepEqual([run.status, run.output], ['succeeded', [1, 2, 2]])
  })
})

interface ValueBody {
  readonly key: string
  readonly value?: unknown
  readonly value_start?: string
  readonly expires_at: string | null
}

describe('kept values by API', () => {
  it('are listed, read, set and deleted', async (t) => {
    const service = await startService(t)
    const put = (key: string, body: object) => service.request('PUT', address(key), { body })
    const answer = await put('order/7 ü', { value: { paid: true }, expires_in_ms: 60_000 })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.json<ValueBody>().value, { paid: true })
    assert.notEqual(answer.json<ValueBody>().expires_at, null)
    for (const key of ['order/8', 'customer/1']) await put(key, { value: 1 })

    const list = async (query: string) =>
      (await service.get(`/api/v1/kept?${query}`)).json<{ values: ValueBody[]; next: string | null }>()
    const { values, next } = await list('prefix=order/&limit=1')
    assert.deepEqual([values.map(({ key }) => key), next], [['order/7 ü'], 'order/7 ü'])
    assert.equal(values[0]!.value_start, '{"paid":true}')
    const rest = await list(`prefix=order/&after=${encodeURIComponent(next!)}`)
    assert.deepEqual([rest.values.map(({ key }) => key), rest.next], [['order/8'], null])

    assert.equal((await service.request('DELETE', address('order/8'))).status, 204)
    problemOf(await service.request('DELETE', address('order/8')), 404, 'kept_value_not_found')
    problemOf(await service.get(address('order/8')), 404, 'kept_value_not_found')
    problemOf(await put('x', { value: 1, expires_in_ms: 0 }), 422, 'invalid_request')
    problemOf(await put('x', {}), 422, 'invalid_request')
    problemOf(await put('x'.repeat(501), { value: 1 }), 422, 'kept_value_invalid')
    problemOf(await service.get(address('order/7 ü', '/nowhere')), 404, 'context_not_found')
  })

  it('are for keys of their context', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/a')
    const flow = await makeKeep(service, { key: 'x' }, '/a')
    const rights = ['read', 'write']
    const { key: ofA } = await service.createKey({ rights, context: '/a' })
    const { key: ofFlow } = await service.createKey({ rights, flow: flow.id })
    const get = (context: string, key: string) => service.get(`/api/v1/kept?context=${context}`, { key })
    assert.equal((await get('/a', ofA)).status, 200)
    problemOf(await get('/', ofA), 404, 'context_not_found')
    problemOf(await get('/a', ofFlow), 404, 'context_not_found')
    const body = { value: 1 }
    problemOf(await service.request('PUT', address('x'), { body, key: ofA }), 404, 'context_not_found')
  })
})
