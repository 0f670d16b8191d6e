import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiClient, type FlowBody } from './support/api-client.ts'
import { ordersFlow } from './support/documents.ts'
import { serviceOfFile } from './support/service.ts'

interface PlanBody {
  readonly done: boolean
  readonly valid: boolean
  readonly plan: string
  readonly flows: readonly {
    slug: string
    context: string
    action: string
    id: string | null
    version: number | null
    changes: string | null
    edited: { author: string } | null
  }[]
  readonly contexts: readonly { path: string; action: string; changes: readonly string[] }[]
  readonly connections: readonly { name: string; action: string; changes: readonly string[] }[]
  readonly missing: readonly {
    name: string
    context: string
    kinds: readonly string[]
    flows: readonly string[]
  }[]
  readonly errors: readonly { code: string; path: string; message: string }[]
}

const shared = serviceOfFile()

const orders = (slug: string, changes: object = {}) => ordersFlow({ name: slug, slug, ...changes })

/** Orders with another template. */
function printing(slug: string, template: string, changes: object = {}) {
  const flow = orders(slug, changes)
  const nodes = flow.nodes.map((node) =>
    node.id === 'parser-1' ? { ...node, fields: { mode: 'Parser', template } } : node
  )
  return { ...flow, nodes }
}

function send(client: ApiClient, body: object, query = '') {
  return client.request('POST', `/api/v1/push${query}`, { body })
}

async function push(client: ApiClient, body: object, query = ''): Promise<PlanBody> {
  const answer = await send(client, body, query)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<PlanBody>()
}

async function refused(client: ApiClient, body: object, code: string, status = 422): Promise<PlanBody> {
  const answer = await send(client, body)
  const problem = answer.json<PlanBody & { code: string }>()
  assert.deepEqual([answer.status, problem.code], [status, code], answer.text)
  return problem
}

const dry = (client: ApiClient, body: object) => push(client, body, '?dry_run=true')
const actions = ({ flows }: PlanBody) => Object.fromEntries(flows.map(({ slug, action }) => [slug, action]))
const live = async (client: ApiClient, slug: string) =>
  (await client.get(`/api/v1/flows/${slug}`)).json<FlowBody>()

describe('a push', () => {
  it('makes what is not there, changes what differs, and does the same thing once', async (t) => {
    const service = await shared(t)
    const first = await push(service, { flows: [orders('push-a'), orders('push-b')] })
    assert.deepEqual(actions(first), { 'push-a': 'create', 'push-b': 'create' })
    assert.ok(
      first.done && first.valid && first.flows.every(({ id, version }) => id !== null && version === 1)
    )

    const sent = { flows: [printing('push-a', 'Now {order_id}'), orders('push-b')] }
    const planned = await dry(service, sent)
    assert.deepEqual(
      planned.flows.map(({ slug, action, changes, version }) => [slug, action, changes, version]),
      [
        ['push-a', 'change', 'Parser: template', 1],
        ['push-b', 'unchanged', null, 1]
      ]
    )
    assert.equal(planned.done, false)
    assert.equal((await live(service, 'push-a')).version, 1)

    const done = await push(service, { ...sent, plan: planned.plan })
    assert.deepEqual([done.flows[0]!.version, done.plan], [2, planned.plan])
    const again = await push(service, sent)
    assert.deepEqual(actions(again), { 'push-a': 'unchanged', 'push-b': 'unchanged' })
    assert.equal((await live(service, 'push-a')).version, 2)
    const { versions } = (await service.get(`/api/v1/flows/${done.flows[0]!.id}/versions`)).json<{
      versions: { origin: string; changes: string }[]
    }>()
    assert.deepEqual([versions[0]!.origin, versions[0]!.changes], ['pushed', 'Parser: template'])
  })

  it('gives back what a pull gave, and changes nothing by it', async (t) => {
    const service = await shared(t)
    await push(service, {
      flows: [orders('trip-a', { context: '/trip/eu' })],
      contexts: [{ path: '/trip', variables: { big: 1 } }]
    })
    const pulled = (await service.get('/api/v1/pull?context=/trip')).json<object>()
    const plan = await push(service, { context: '/trip', delete: true, ...pulled })
    assert.deepEqual(actions(plan), { 'trip-a': 'unchanged' })
    assert.deepEqual(
      plan.contexts.map(({ path, action }) => [path, action]),
      [
        ['/trip', 'unchanged'],
        ['/trip/eu', 'unchanged']
      ]
    )
    const order = (await service.get('/api/v1/pull')).json<object>()
    assert.ok((await push(service, order)).flows.every(({ action }) => action === 'unchanged'))
  })

  it('does nothing at all where anything is not valid', async (t) => {
    const service = await shared(t)
    const broken = printing('all-b', '{unclosed')
    const body = { flows: [orders('all-a', { context: '/all-new' }), broken, orders('all-a')] }
    const problem = await refused(service, body, 'push_invalid')
    assert.deepEqual(
      problem.errors.map(({ code, path }) => [code, path]),
      [
        ['template_syntax', '/flows/1/nodes/1/fields/template'],
        ['duplicate_slug', '/flows/2/slug']
      ]
    )
    assert.equal((await service.get('/api/v1/flows/all-a')).status, 404)
    assert.equal((await service.get('/api/v1/contexts/%2Fall-new')).status, 404)
    const planned = await dry(service, body)
    assert.deepEqual([planned.valid, planned.errors], [false, problem.errors])
  })

  it('leaves what was not sent alone, unless it is to be deleted', async (t) => {
    const service = await shared(t)
    await push(service, {
      flows: [orders('del-a', { context: '/del' }), orders('del-b', { context: '/del' })]
    })
    const left = { context: '/del', flows: [orders('del-a', { context: '/del' })] }
    assert.deepEqual(actions(await push(service, left)), { 'del-a': 'unchanged' })
    const plan = await push(service, { ...left, delete: true })
    assert.deepEqual(actions(plan), { 'del-a': 'unchanged', 'del-b': 'delete' })
    assert.equal((await service.get('/api/v1/flows/del-b')).status, 404)
  })

  it('takes flows that run each other, and refuses them where they would not end', async (t) => {
    const service = await shared(t)
    const calling = (slug: string, flow: string) => ({
      ...orders(slug),
      nodes: ['run-1', 'run-2'].map((id) => ({
        id,
        type: 'run-flow',
        position: { x: 0, y: 0 },
        fields: { flow }
      })),
      edges: []
    })
    await push(service, { flows: [calling('calls-a', 'calls-b'), orders('calls-b')] })
    const problem = await refused(
      service,
      { flows: [calling('calls-a', 'calls-b'), calling('calls-b', 'calls-a')] },
      'push_invalid'
    )
    assert.equal(problem.errors[0]!.code, 'flow_loop')
  })

  it('keeps a draft that somebody edits, which is behind then', async (t) => {
    const service = await shared(t)
    const [flow] = (await push(service, { flows: [orders('draft-a')] })).flows
    const draft = { ...printing('draft-a', 'Mine {order_id}'), revision: 0 }
    await service.request('PUT', `/api/v1/flows/${flow!.id}/draft`, { body: draft })
    const plan = await push(service, { flows: [printing('draft-a', 'Theirs {order_id}')] })
    assert.ok(plan.flows[0]!.edited !== null)
    const kept = (await service.get(`/api/v1/flows/${flow!.id}/draft`)).json<{
      behind: boolean
      nodes: { fields: object }[]
    }>()
    assert.deepEqual(
      [kept.behind, kept.nodes[1]!.fields],
      [true, { mode: 'Parser', template: 'Mine {order_id}' }]
    )
  })

  it('is refused where somebody has changed what it was planned for', async (t) => {
    const service = await shared(t)
    await push(service, { flows: [orders('plan-a')] })
    const sent = { flows: [printing('plan-a', 'Planned {order_id}')] }
    const { plan } = await dry(service, sent)
    const now = await live(service, 'plan-a')
    const saved = await service.request('PUT', `/api/v1/flows/${now.id}`, {
      body: { ...printing('plan-a', 'Between'), version: 1 }
    })
    assert.equal(saved.status, 200, saved.text)
    await refused(service, { ...sent, plan }, 'push_conflict', 409)
    // Without a plan what was sent is what is meant.
    assert.equal((await push(service, sent)).flows[0]!.version, 3)
  })

  it('is one of several that come at once', async (t) => {
    const service = await shared(t)
    const bodies = ['x', 'y', 'z'].map((letter) => ({
      flows: ['once-a', 'once-b'].map((slug) => printing(slug, `${letter} {order_id}`))
    }))
    const answers = await Promise.all(bodies.map((body) => send(service, body)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200]
    )
    const printed = await Promise.all(
      ['once-a', 'once-b'].map(
        async (slug) => JSON.stringify(await live(service, slug)).match(/[xyz] \{order_id\}/)?.[0]
      )
    )
    assert.equal(new Set(printed).size, 1)
  })

  it('tells of slugs that belong to other flows', async (t) => {
    const service = await shared(t)
    await push(service, { flows: [orders('taken-a')] })
    const elsewhere = { context: '/staging', flows: [orders('taken-a', { context: '/staging' })] }
    const problem = await refused(service, elsewhere, 'push_invalid')
    assert.deepEqual([problem.errors[0]!.code, problem.errors[0]!.path], ['slug_taken', '/flows/0/slug'])
    assert.match(problem.errors[0]!.message, /--prefix/)
    const outside = await refused(
      service,
      { context: '/staging', flows: [orders('other-a')] },
      'push_invalid'
    )
    assert.equal(outside.errors[0]!.code, 'outside_scope')
    const [flow] = (await push(service, { flows: [orders('former-a')] })).flows
    await service.request('POST', `/api/v1/flows/${flow!.id}/slug`, { body: { slug: 'later-a' } })
    assert.equal(
      (await refused(service, { flows: [orders('former-a')] }, 'push_invalid')).errors[0]!.code,
      'slug_taken'
    )
    // In the same tree a flow moves.
    const moved = await push(service, { flows: [orders('taken-a', { context: '/elsewhere' })] })
    assert.deepEqual([moved.flows[0]!.action, moved.flows[0]!.changes], ['change', 'Context'])
  })

  it('makes and changes contexts and connections, and names those that are missing', async (t) => {
    const service = await shared(t)
    const request = {
      id: 'api-1',
      type: 'api-request',
      position: { x: 0, y: 0 },
      fields: { connection: 'shop', url: '/x' }
    }
    const bank = { ...request, id: 'api-2', fields: { connection: 'bank', url: '/y' } }
    const sent = {
      context: '/set',
      flows: [orders('set-a', { context: '/set', nodes: [request, bank], edges: [] })],
      contexts: [{ path: '/set', variables: { id: 1 }, default_auth: 'None' }],
      connections: [
        { name: 'shop', kind: 'http', context: '/set', settings: { base_url: 'https://shop.example' } },
        {
          name: 'bank',
          kind: 'http',
          context: '/set',
          settings: { base_url: 'https://bank.example', auth: 'bearer' }
        }
      ]
    }
    const exact = JSON.stringify(sent).replace('"id":1}', '"id":12345678901234567890}')
    const made = await service.request('POST', '/api/v1/push', {
      body: Buffer.from(exact),
      headers: { 'content-type': 'application/json' }
    })
    assert.equal(made.status, 200, made.text)
    const plan = made.json<PlanBody>()
    assert.deepEqual(
      plan.connections.map(({ name, action }) => [name, action]),
      [
        ['shop', 'create'],
        ['bank', 'missing']
      ]
    )
    assert.deepEqual(plan.missing, [{ name: 'bank', context: '/set', kinds: ['http'], flows: ['set-a'] }])
    assert.match((await service.get('/api/v1/contexts/%2Fset')).text, /"id":12345678901234567890/)

    const [shop] = sent.connections
    const changed = {
      ...sent,
      contexts: [{ path: '/set', variables: { id: 2 } }],
      connections: [{ ...shop!, settings: { base_url: 'https://shop.example/v2' } }]
    }
    const left = await push(service, { ...changed, settings: false })
    assert.deepEqual([left.contexts[0]!.action, left.connections[0]!.action], ['differs', 'differs'])
    const brought = await push(service, changed)
    assert.deepEqual(
      [brought.contexts[0]!.action, brought.contexts[0]!.changes],
      ['change', ['default_auth', 'variables.id']]
    )
    assert.deepEqual(
      [brought.connections[0]!.action, brought.connections[0]!.changes],
      ['change', ['base_url']]
    )
    assert.deepEqual(actions(await dry(service, changed)), { 'set-a': 'unchanged' })
  })

  it('keeps secrets that no file holds, and takes none', async (t) => {
    const service = await shared(t)
    const sign = (secret: object) => ({
      ...orders('sign-a'),
      nodes: [
        {
          id: 'webhook-1',
          type: 'webhook',
          position: { x: 0, y: 0 },
          fields: { auth: 'Signature', ...secret }
        }
      ],
      edges: []
    })
    const problem = await refused(
      service,
      { flows: [sign({ signing_secret: 'x'.repeat(32) })] },
      'push_invalid'
    )
    assert.deepEqual(
      [problem.errors[0]!.code, problem.errors[0]!.path],
      ['secret_in_file', '/flows/0/nodes/0/fields/signing_secret']
    )
  })

  it('reaches as far as the key does', async (t) => {
    const service = await shared(t)
    await push(service, { flows: [orders('bound-a'), orders('bound-b', { context: '/bound' })] })
    const bound = new ApiClient(
      t,
      service.address,
      (await service.createKey({ rights: ['read', 'write'], context: '/bound' })).key
    )
    const inside = { context: '/bound', flows: [printing('bound-b', 'New', { context: '/bound' })] }
    await refused(bound, { flows: [orders('bound-a')] }, 'forbidden', 403)
    await refused(bound, { ...inside, flows: [orders('bound-c', { context: '/other' })] }, 'forbidden', 403)
    const taken = await refused(
      bound,
      { ...inside, flows: [orders('bound-a', { context: '/bound' })] },
      'push_invalid'
    )
    assert.equal(taken.errors[0]!.code, 'slug_taken')
    const below = await refused(
      bound,
      { ...inside, flows: [orders('bound-d', { context: '/bound/new' })] },
      'push_invalid'
    )
    assert.equal(below.errors[0]!.code, 'unknown_context')
    const told = await push(bound, {
      ...inside,
      delete: true,
      connections: [{ name: 'shop', kind: 'http', context: '/bound' }]
    })
    assert.deepEqual([actions(told), told.connections], [{ 'bound-b': 'change' }, []])
    assert.equal(
      (await bound.get('/api/v1/pull?context=/bound')).json<{ connections: null }>().connections,
      null
    )
    const reader = new ApiClient(t, service.address, (await service.createKey({ rights: ['read'] })).key)
    assert.equal((await send(reader, { flows: [] })).status, 403)
  })
})
