import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { builtInComponents } from '../src/components/built-in.ts'
import { isNeeded } from '../src/connections/kinds/connection-kind.ts'
import { kindOf } from '../src/connections/kinds/kinds.ts'
import { cleanUp } from './support/clean-up.ts'
import { makeContext, startWith } from './support/contexts.ts'
import { pets } from './support/pets-api.ts'
import { startService } from './support/service.ts'

interface Field {
  readonly kind: string
  readonly kinds?: readonly string[]
}

/** What a component needs besides its connection in order to begin. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'api-request': { url: '/orders' },
  'api-operation': { operation: 'listPets', parameters: { owner: 1 } },
  sql: { query: 'select 1' },
  'send-email': { to: 'ann@example.org', subject: 'Hello', text: 'Hello' },
  'send-webhook': {},
  'language-model': { model: 'any', prompt: 'Hello' },
  agent: { model: 'any', prompt: 'Hello' },
  'mcp-call': { tool: 'add' },
  'mcp-tools': {}
}

/** Who takes tools. */
const ANYBODY = { id: 'agent-1', type: 'agent', fields: { connection: 'models', model: 'any' } }

/** A port of this machine, which the guard refuses, and how many have knocked there. */
async function listen(t: TestContext): Promise<{ port: number; knocks: () => number }> {
  let knocks = 0
  const server = createServer((socket) => {
    knocks++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUp(t, () => void server.close())
  return { port: (server.address() as AddressInfo).port, knocks: () => knocks }
}

/** Each component with each kind of connection that leads somewhere on a network. */
const WAYS = builtInComponents.flatMap(({ type, trigger, fields = {} }) => {
  // A trigger is called and calls nobody.
  if (trigger !== undefined) return []
  const field = Object.entries(fields as Record<string, Field>).find(([, { kind }]) => kind === 'connection')
  return (field?.[1].kinds ?? []).flatMap((kind) =>
    kind === 'sqlite' ? [] : [{ type, kind, name: field![0] }]
  )
})

describe('the guard', () => {
  it('stands before every component that reaches outside', async (t) => {
    const { port, knocks } = await listen(t)
    const service = await startService(t)
    await makeContext(service, '/team', {})
    // Somebody who does not administer the root cannot open the networks of this machine.
    const { key } = await service.createKey({
      rights: ['admin', 'read', 'write', 'trigger'],
      context: '/team'
    })
    assert.ok(WAYS.length >= 5, JSON.stringify(WAYS))
    for (const { type, kind, name } of WAYS) {
      const made = await service.request('POST', '/api/v1/connections', {
        key,
        body: { name: `${type}-${kind}`, kind, context: '/team', ...addressOf(kind, port) }
      })
      assert.equal(made.status, 201, made.text)
      if (type === 'api-operation') {
        const path = `/api/v1/connections/${made.json<{ id: string }>().id}/document`
        assert.equal((await service.request('PUT', path, { key, body: pets() })).status, 200)
      }
      assert.ok(FIELDS[type], `say what ${type} needs in order to begin`)
      const flow = await service.createFlow({
        name: `${type} by ${kind}`,
        context: '/team',
        nodes: [
          { id: 'webhook-1', type: 'webhook', fields: {} },
          { id: 'out', type, fields: { ...FIELDS[type], [name]: `${type}-${kind}` } },
          ...(type === 'mcp-tools' ? [ANYBODY] : [])
        ],
        edges:
          type === 'mcp-tools'
            ? [
                { from: 'webhook-1.data', to: 'agent-1.data' },
                { from: 'out.tools', to: 'agent-1.tools' }
              ]
            : [{ from: 'webhook-1.data', to: 'out.data' }]
      })
      const { status, error } = await service.run(flow.id, { order_id: 7 })
      assert.deepEqual(
        [status, error?.code],
        ['failed', 'egress_refused'],
        `${type} by ${kind}: ${error?.message}`
      )
      assert.match(error!.message, /127\.0\.0\.1.*MILLRACE_EGRESS_ALLOW.*"admin" for the root/)
      const trial = await service.request(
        'POST',
        `/api/v1/connections/${made.json<{ id: string }>().id}/test`,
        { key }
      )
      assert.equal(trial.json<{ ok: boolean }>().ok, false, trial.text)
    }
    assert.equal(knocks(), 0, 'no packet leaves for a refused address')
  })

  it('stands before what components of plugins are given', async (t) => {
    const { port, knocks } = await listen(t)
    const component = (type: string, call: string) => `context.component({
      type: '${type}', title: 'T', inputs: { data: { title: 'Data', type: 'any' } },
      run: async (step) => ({ done: await ${call} })
    })`
    const service = await startWith(t, {
      'out.mjs': `export default async (context) => {
        ${component('by-fetch', `step.fetch('http://127.0.0.1:${port}/')`)}
        ${component('by-request', `step.request('http://localhost:${port}/')`)}
      }`
    })
    for (const type of ['by-fetch', 'by-request']) {
      const flow = await service.createFlow({
        name: type,
        context: '/out',
        nodes: [
          { id: 'webhook-1', type: 'webhook', fields: {} },
          { id: 'out', type, fields: {} }
        ],
        edges: [{ from: 'webhook-1.data', to: 'out.data' }]
      })
      assert.equal((await service.run(flow.id)).error?.code, 'egress_refused', type)
    }
    assert.equal(knocks(), 0)
  })
})

/** Settings and secrets that lead to this port, whatever the kind calls them. */
function addressOf(kind: string, port: number) {
  const facts = kindOf(kind)!
  const known: Record<string, unknown> = {
    base_url: `http://127.0.0.1:${port}/v1`,
    url: `http://127.0.0.1:${port}/`,
    host: '127.0.0.1',
    port,
    database: 'd',
    user: 'u',
    from: 'shop@example.org'
  }
  const names = Object.keys(facts.settings.properties).filter(
    (name) => name in known && (kind !== 'http' || name !== 'user')
  )
  const settings = Object.fromEntries(names.map((name) => [name, known[name]]))
  const needed = Object.entries(facts.secrets).filter(([, secret]) => isNeeded(facts, secret, settings))
  return {
    settings,
    secrets: Object.fromEntries(needed.map(([name]) => [name, 'whsec_Y2FuYXJ5MDEyMzQ1Njc4OWFiY2RlZjAxMjM=']))
  }
}
