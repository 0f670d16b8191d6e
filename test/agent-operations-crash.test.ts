import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { cleanUp } from './support/clean-up.ts'
import { type Answer, startMisbehavingServer } from './support/misbehaving-server.ts'
import { MODEL_KEY, startModelProvider } from './support/model-provider/model-provider.ts'
import { pets } from './support/pets-api.ts'

const env = { MILLRACE_API_KEY: CHILD_KEY, MILLRACE_EGRESS_ALLOW: '127.0.0.1' }
const OWNER = { type: 'integer', minimum: 1 }

/** Operations of an API, with the fields that are left to the model typed by their schema. */
const TOOLS = [
  {
    id: 'list-pets',
    fields: { operation: 'GET /owners/{owner}/pets', parameters: { owner: '{owner}', tags: '{tags?}' } },
    tool: {
      arguments: {
        type: 'object',
        properties: { owner: OWNER, tags: { type: 'array', items: { type: 'string' } } },
        required: ['owner']
      }
    }
  },
  {
    id: 'add-pet',
    fields: {
      operation: 'addPet',
      parameters: { owner: '{owner}' },
      body: { name: '{name}', age: '{age}', is_tame: '{tame}' }
    },
    tool: {
      ask_first: false,
      arguments: {
        type: 'object',
        properties: {
          owner: OWNER,
          name: { type: 'string' },
          age: { type: 'integer' },
          tame: { type: 'boolean' }
        },
        required: ['owner', 'name']
      }
    }
  },
  {
    id: 'feed-pet',
    fields: { operation: 'feedPet', parameters: { id: '{id}' } },
    tool: { ask_first: false, fields: ['body'], arguments: { properties: { id: { type: 'integer' } } } }
  }
].map((tool) => ({ ...tool, type: 'api-operation', fields: { connection: 'pets', ...tool.fields } }))

/** What the model calls, one after the other; the second does not fit. */
const CALLS = [
  ['list-pets', { owner: 7, tags: ['shy', 'old'] }],
  ['add-pet', { owner: 7, name: 'Rex', age: 'three' }],
  ['add-pet', { owner: 7, name: 'Rex', age: 3, tame: true }],
  ['feed-pet', { id: 12, body: { what: 'fish & rice', extras: { grams: 20 } } }]
] as const

it('an agent that calls operations of an API, killed between any two calls, calls none twice', async (t) => {
  const json: Answer = (response, { method }) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify({ done: method }))
  const api = await startMisbehavingServer({
    answers: { '/owners/7/pets': json, '/pets/12/meals': json }
  })
  cleanUp(t, () => api.stop())
  // What came of a call has been told when the next question is asked; the first time nobody answers that.
  let asked = Promise.withResolvers<void>()
  const turns = new Set<number>()
  const models = await startModelProvider(t, {
    reply: ({ body, gone }) => {
      const done = (JSON.stringify(body).match(/"role":"tool"/g) ?? []).length
      if (done > 0 && !turns.has(done)) {
        turns.add(done)
        asked.resolve()
        return { before: () => gone }
      }
      const next = CALLS[done]
      return next === undefined
        ? { pieces: ['Fed.'] }
        : { calls: [{ id: `c${done}`, name: next[0], arguments: next[1] }] }
    }
  })
  let service = await spawnService(t, { env })
  const client = await service.client(CHILD_KEY)
  await client.post('/api/v1/connections', {
    name: 'models',
    kind: 'openai-compatible',
    settings: { base_url: models.baseUrl('openai-compatible') },
    secrets: { api_key: MODEL_KEY }
  })
  const settings = { base_url: api.origin }
  const made = await client.post('/api/v1/connections', { name: 'pets', kind: 'http', settings })
  const document = `/api/v1/connections/${made.json<{ id: string }>().id}/document`
  assert.equal((await client.request('PUT', document, { body: pets() })).status, 200)
  const { slug } = await client.createFlow({
    name: 'Pets',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      {
        id: 'agent-1',
        type: 'agent',
        fields: { connection: 'models', model: 'large', prompt: 'Add Rex and feed him.' }
      },
      ...TOOLS
    ],
    edges: [
      { from: 'webhook-1.data', to: 'agent-1.data' },
      ...TOOLS.map(({ id }) => ({ from: `${id}.tools`, to: 'agent-1.tools' }))
    ]
  })
  const id = await client.start(slug, {})
  for (const _ of CALLS) {
    await asked.promise
    asked = Promise.withResolvers()
    await service.end('SIGKILL')
    service = await spawnService(t, { env, home: service.home })
  }
  const run = await (await service.client(CHILD_KEY)).waitForRun(id)
  assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
  const { text, steps } = run.steps.find(({ node }) => node === 'agent-1')!.outputs as unknown as {
    readonly text: string
    readonly steps: readonly { readonly calls: readonly { status: string; error?: { code: string } }[] }[]
  }
  assert.equal(text, 'Fed.')
  assert.deepEqual(
    steps.flatMap(({ calls }) => calls.map(({ status, error }) => error?.code ?? status)),
    ['succeeded', 'tool_arguments_invalid', 'succeeded', 'succeeded']
  )
  assert.deepEqual(
    api.requests.map(({ method, path, query, body }) => `${method} ${path}?${query} ${body}`),
    [
      'GET /owners/7/pets?tags=shy&tags=old ',
      'POST /owners/7/pets? {"name":"Rex","age":3,"is_tame":true}',
      'POST /pets/12/meals? what=fish%20%26%20rice&extras[grams]=20'
    ]
  )
  const keys = api.requests.map(({ headers }) => headers['idempotency-key'])
  assert.equal(new Set(keys).size, 3, 'each call has a key of its own')
  const [first] = models.calls
  const offered = first!.body.tools as readonly {
    readonly function: { readonly name: string; readonly parameters: { readonly properties: object } }
  }[]
  assert.deepEqual(
    offered.map((tool) => [tool.function.name, Object.keys(tool.function.parameters.properties)]),
    [
      ['list-pets', ['owner', 'tags']],
      ['add-pet', ['owner', 'name', 'age', 'tame']],
      ['feed-pet', ['id', 'body']]
    ]
  )
})
