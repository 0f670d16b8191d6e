import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { cleanUp } from './support/clean-up.ts'
import { startMisbehavingServer } from './support/misbehaving-server.ts'
import { MODEL_KEY, startModelProvider } from './support/model-provider/model-provider.ts'

const env = { MILLRACE_API_KEY: CHILD_KEY }
const TOOLS = ['stock', 'price', 'reserve'] as const

it('an agent that is killed after each call goes on with what it knows, and calls nothing twice', async (t) => {
  // The first call of each is never answered: it is in flight when the process dies.
  let begun = Promise.withResolvers<void>()
  const shop = await startMisbehavingServer({
    answers: Object.fromEntries(
      TOOLS.map((tool) => [
        `/${tool}`,
        (response) => {
          const again = shop.requests.filter(({ path }) => path === `/${tool}`).length > 1
          if (!again) return begun.resolve()
          response.setHeader('content-type', 'application/json').end(`{"${tool}":true}`)
        }
      ])
    )
  })
  cleanUp(t, () => shop.stop())
  const models = await startModelProvider(t, {
    reply: ({ body }) => {
      const done = (JSON.stringify(body).match(/"role":"tool"/g) ?? []).length
      const tool = TOOLS[done]
      return tool === undefined
        ? { pieces: ['Reserved.'] }
        : { calls: [{ id: `c${done}`, name: tool, arguments: {} }] }
    }
  })
  let service = await spawnService(t, { env: { ...env, MILLRACE_EGRESS_ALLOW: '127.0.0.1' } })
  const client = await service.client(CHILD_KEY)
  const settings = { base_url: models.baseUrl('openai-compatible') }
  await client.post('/api/v1/connections', {
    name: 'models',
    kind: 'openai-compatible',
    settings,
    secrets: { api_key: MODEL_KEY }
  })
  const { slug } = await client.createFlow({
    name: 'Reserve',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      {
        id: 'agent-1',
        type: 'agent',
        fields: { connection: 'models', model: 'large', prompt: 'Reserve it.' }
      },
      ...TOOLS.map((tool) => ({
        id: tool,
        type: 'api-request',
        fields: { url: `${shop.origin}/${tool}` },
        tool: { arguments: { type: 'object', properties: {} } }
      }))
    ],
    edges: [
      { from: 'webhook-1.data', to: 'agent-1.data' },
      ...TOOLS.map((tool) => ({ from: `${tool}.tools`, to: 'agent-1.tools' }))
    ]
  })
  const id = await client.start(slug, {})
  for (let kill = 0; kill < TOOLS.length; kill++) {
    await begun.promise
    begun = Promise.withResolvers()
    await service.end('SIGKILL')
    service = await spawnService(t, {
      env: { ...env, MILLRACE_EGRESS_ALLOW: '127.0.0.1' },
      home: service.home
    })
  }
  const run = await (await service.client(CHILD_KEY)).waitForRun(id)
  assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
  assert.equal(
    (run.steps.find(({ node }) => node === 'agent-1')!.outputs as { text: string }).text,
    'Reserved.'
  )
  assert.deepEqual(
    models.calls.map(({ headers }) => headers['idempotency-key']),
    [0, 2, 4, 6].map((index) => `${id}/agent-1/${index}`),
    'the model was asked each question once'
  )
  assert.deepEqual(
    shop.requests.map(({ path, headers }) => `${path} ${headers['idempotency-key']}`),
    TOOLS.flatMap((tool, at) => Array(2).fill(`/${tool} ${id}/agent-1/${2 * at + 1}/${tool}`)),
    'only what was in flight is called again, with the same key'
  )
})
