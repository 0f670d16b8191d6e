import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { contextsOf, flowIn, makeContext, pathsOf } from './support/contexts.ts'
import { allOperations, fillPath, neededQuery, type Operation } from './support/routes.ts'
import { type Service, startService } from './support/service.ts'

const RIGHTS = ['trigger', 'read', 'write', 'admin']
/** Code made /sales, /sales/eu and /support; the others hold data. */
const CONTEXTS = [
  '/',
  '/sales',
  '/sales/eu',
  '/sales/data',
  '/sales/eu/data',
  '/support',
  '/support/data',
  '/sales2'
]

interface Company {
  readonly service: Service
  readonly flows: ReadonlyMap<string, FlowBody>
  readonly runs: ReadonlyMap<string, string>
}

/** A flow with a finished run in each context. */
async function company(t: TestContext): Promise<Company> {
  const service = await startService(t, { plugins: ['company.ts'] })
  const flows = new Map<string, FlowBody>()
  const runs = new Map<string, string>()
  for (const path of CONTEXTS) {
    if (/data|2/.test(path)) await makeContext(service, path, { variables: { secret: `secret of ${path}` } })
    const flow = await service.createFlow(flowIn(path))
    flows.set(path, flow)
    runs.set(path, (await service.run(flow.slug, '{"word":"common"}')).id)
  }
  return { service, flows, runs }
}

/** A request that would be in order if what it names were there for the key. */
/** What routes ask for before they look for the flow, by the end of their path. */
const BODIES: Readonly<Record<string, object>> = {
  chat: { text: 'x' },
  restore: { version: 1 },
  kept: { because: 'discarded' },
  sessions: { title: null },
  pause: { mode: 'hold' },
  slug: { slug: 'x' },
  wake: { node: 'n' },
  send: { body: '{}' },
  expectations: { run_id: 'r' },
  comments: { text: 'x' },
  '{comment}': { done: true },
  presence: { page: 'page-of-mine', node: null },
  rating: { run_id: 'r', rating: null },
  assistant: { connection: 'models', model: 'm', words: 'x', document: { name: 'x', nodes: [], edges: [] } }
}

function sendTo(service: Service, operation: Operation, value: string, key: string) {
  const { method, path, description } = operation
  const filled = fillPath(path, { version: '1', number: '1', node: 'n', id: value, flow: value }, 'absent')
  const body = BODIES[path.split('/').at(-1)!] ?? {}
  const address = filled + neededQuery(description)
  return service.request(method, address, ['GET', 'DELETE'].includes(method) ? { key } : { key, body })
}

const BOUND: Readonly<Record<string, readonly string[]>> = {
  '/sales': ['/sales', '/sales/eu', '/sales/data', '/sales/eu/data'],
  '/sales/eu': ['/sales/eu', '/sales/eu/data'],
  '/sales/eu/data': ['/sales/eu/data'],
  '/support/data': ['/support/data'],
  '/gone': []
}

describe('a key that is bound to a context', () => {
  for (const [bound, seen] of Object.entries(BOUND)) {
    it(`sees the flows and runs of ${bound} and below in every list, and triggers those`, async (t) => {
      const { service, flows, runs } = await company(t)
      const { key } = await service.createKey({ rights: RIGHTS, context: bound })
      const listed = (await service.get('/api/v1/flows', { key })).json<{ flows: FlowBody[] }>().flows
      assert.deepEqual(listed.map(({ context }) => context).sort(), [...seen].sort())
      for (const query of ['', '?q=common', '?status=succeeded']) {
        const answer = await service.get(`/api/v1/runs${query}`, { key })
        const ids = answer.json<{ runs: { id: string }[] }>().runs.map(({ id }) => id)
        assert.deepEqual(ids.sort(), seen.map((path) => runs.get(path)!).sort(), query)
      }
      for (const [path, { slug, id }] of flows) {
        const isSeen = seen.includes(path)
        assert.equal((await service.webhook(slug, '{}', { key })).status, isSeen ? 202 : 404, path)
        assert.equal((await service.get(`/api/v1/flows/${id}`, { key })).status, isSeen ? 200 : 404, path)
        assert.equal(
          (await service.get(`/api/v1/runs/${runs.get(path)}`, { key })).status,
          isSeen ? 200 : 404
        )
      }
    })
  }

  it('finds every route of a flow or a run beyond as if neither were there', async (t) => {
    const { service, flows, runs } = await company(t)
    const { key } = await service.createKey({ rights: RIGHTS, context: '/sales/eu' })
    const beyond = ['/', '/sales', '/sales/data', '/support/data', '/sales2']
    let checked = 0
    for (const operation of await allOperations(service)) {
      const { method, path } = operation
      const isOfRun = path.startsWith('/api/v1/runs/{id}')
      if (!isOfRun && !/\/flows\/\{id\}|\/(?:webhook|run)\/\{flow\}/.test(path)) continue
      const send = (value: string) => sendTo(service, operation, value, key)
      const absent = await send('absent')
      for (const context of beyond) {
        const answer = await send(isOfRun ? runs.get(context)! : flows.get(context)!.slug)
        assert.deepEqual([answer.status, answer.text], [404, absent.text], `${method} ${path} ${context}`)
        checked++
      }
    }
    assert.ok(checked >= 80, `only ${checked} were checked`)
  })

  it('knows its contexts and those above, with what they register, and none beside', async (t) => {
    const { service } = await company(t)
    const { key } = await service.createKey({ rights: RIGHTS, context: '/sales/eu' })
    assert.deepEqual(await pathsOf(service, key), ['/', '/sales', '/sales/eu', '/sales/eu/data'])
    const contexts = await contextsOf(service, key)
    assert.doesNotMatch(JSON.stringify(contexts), /support|sales2|sales\/data/)
    for (const { path, flows } of contexts) {
      assert.equal(flows.length > 0, ['/sales/eu', '/sales/eu/data'].includes(path), path)
    }
    for (const path of CONTEXTS) {
      const status = (await service.get(`/api/v1/components?context=${path}`, { key })).status
      const isKnown = ['/', '/sales', '/sales/eu', '/sales/eu/data'].includes(path)
      assert.equal(status, isKnown ? 200 : 404, path)
      const query = `context=${path}&kind=component&name=parser`
      assert.equal(
        (await service.get(`/api/v1/contexts/explain?${query}`, { key })).status,
        isKnown ? 200 : 404
      )
    }
  })

  it('makes, moves and deletes no context, with all rights', async (t) => {
    const { service } = await company(t)
    const { key } = await service.createKey({ rights: RIGHTS, context: '/sales' })
    const before = await contextsOf(service)
    problemOf(
      await service.post('/api/v1/contexts', { name: 'x', parent: '/sales' }, { key }),
      403,
      'forbidden'
    )
    for (const method of ['PATCH', 'DELETE']) {
      const options = method === 'PATCH' ? { key, body: { variables: {} } } : { key }
      problemOf(await service.request(method, '/api/v1/contexts/%2Fsales%2Fdata', options), 403, 'forbidden')
    }
    assert.deepEqual(await contextsOf(service), before)
  })

  it('puts no flow beyond, neither by making, saving nor restoring one', async (t) => {
    const { service, flows } = await company(t)
    const { key } = await service.createKey({ rights: RIGHTS, context: '/sales' })
    for (const context of ['/', '/support', '/support/data', '/sales2', '/nowhere']) {
      problemOf(
        await service.post('/api/v1/flows', { ...flowIn(context), slug: 'x' }, { key }),
        403,
        'forbidden'
      )
      const mine = flows.get('/sales')!
      const save = { key, body: { ...mine, context } }
      problemOf(await service.request('PUT', `/api/v1/flows/${mine.id}`, save), 403, 'forbidden')
    }
    const came = await service.saveFlow(flows.get('/support')!, { context: '/sales/data' })
    const restored = await service.post(`/api/v1/flows/${came.id}/versions/1/restore`, undefined, { key })
    problemOf(restored, 403, 'forbidden')
    assert.equal((await service.get(`/api/v1/flows/${came.id}`)).json<FlowBody>().context, '/sales/data')
    const { context: _left, ...without } = came
    const saved = await service.request('PUT', `/api/v1/flows/${came.id}`, { key, body: without })
    assert.equal(saved.json<FlowBody>().context, '/sales/data', 'left out, the context stays')
    const inside = await service.saveFlow(saved.json<FlowBody>(), { context: '/sales/eu/data' })
    assert.equal(
      (await service.post(`/api/v1/flows/${inside.id}/versions/2/restore`, undefined, { key })).status,
      200
    )
  })

  it('sees a flow from the moment in which it moves in, and no more when it moves out', async (t) => {
    const { service, flows } = await company(t)
    const { key } = await service.createKey({ rights: RIGHTS, context: '/sales/data' })
    let flow = flows.get('/support')!
    for (const [context, status] of [
      ['/sales/data', 202],
      ['/support/data', 404],
      ['/sales/data', 202]
    ] as const) {
      flow = await service.saveFlow(flow, { context })
      assert.equal((await service.webhook(flow.slug, '{}', { key })).status, status)
    }
  })
})

describe('a key that is bound to a flow', () => {
  it('leaves the flow where it is, and learns of no context by trying', async (t) => {
    const { service, flows } = await company(t)
    const shown = { type: 'chat-output', fields: {} }
    for (const [home, beyond] of [
      [
        '/sales/data',
        ['/', '/sales', '/sales/eu/data', '/support/data', '/sales2', '/nowhere', '/sales/data/x', '']
      ],
      ['/', ['/sales', '/support/data', '/nowhere']]
    ] as const) {
      const flow = flows.get(home)!
      const { key } = await service.createKey({ rights: RIGHTS, flow: flow.id })
      const save = (body: object) => service.request('PUT', `/api/v1/flows/${flow.id}`, { key, body })
      const refusals = new Set<string>()
      for (const context of [...beyond, 7, {}]) {
        const body = { ...flowIn('/', shown), ...flow, context }
        refusals.add(problemOf(await save(body), 403, 'forbidden').detail)
      }
      assert.equal(refusals.size, 1, [...refusals].join('\n'))
      assert.doesNotMatch([...refusals][0]!, /support|sales2|nowhere/)
      const { context: _left, ...without } = flow
      const saved = (await save(without)).json<FlowBody>()
      assert.deepEqual([saved.context, saved.version], [home, 2])
      assert.equal((await save(saved)).json<FlowBody>().context, home)
    }
  })

  it('does not bring it back to a context that it was moved out of', async (t) => {
    const { service, flows } = await company(t)
    const flow = await service.saveFlow(flows.get('/support/data')!, { context: '/sales/data' })
    const { key } = await service.createKey({ rights: RIGHTS, flow: flow.id })
    const restore = (version: number) =>
      service.post(`/api/v1/flows/${flow.id}/versions/${version}/restore`, undefined, { key })
    problemOf(await restore(1), 403, 'forbidden')
    assert.equal((await restore(2)).status, 200)
  })

  it('is told the same of a context that it may not know, by path or by id, and of none', async (t) => {
    const { service, flows } = await company(t)
    const { key } = await service.createKey({ rights: RIGHTS, flow: flows.get('/sales')!.id })
    const hidden = (await contextsOf(service)).find(({ path }) => path === '/support/data')!
    for (const name of [hidden.id!, hidden.path]) {
      const detailOf = async (asked: string) =>
        problemOf(
          await service.get(`/api/v1/contexts/${encodeURIComponent(asked)}`, { key }),
          404,
          'context_not_found'
        ).detail
      const absent = name.replace(/.$/, name.endsWith('z') ? 'y' : 'z')
      assert.equal((await detailOf(name)).replaceAll(name, absent), await detailOf(absent))
    }
  })
})
