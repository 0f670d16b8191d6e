import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { Client } from 'pg'
import type { ApiClient } from './support/api-client.ts'
import { CHILD_KEY, type ChildService, spawnService } from './support/child-service.ts'
import { cleanUp } from './support/clean-up.ts'
import { startMisbehavingServer } from './support/misbehaving-server.ts'
import { MODEL_KEY, startModelProvider } from './support/model-provider/model-provider.ts'
import { sharedPostgres } from './support/postgres.ts'

const postgres = sharedPostgres()

const env = { MILLRACE_API_KEY: CHILD_KEY }

const FLOW = {
  name: 'Answer an order',
  slug: 'answer-an-order',
  nodes: [
    { id: 'order', type: 'webhook', fields: {} },
    {
      id: 'customer',
      type: 'sql',
      fields: {
        connection: 'crm',
        query:
          'with asked as (insert into asked values (:idempotency_key)) select name from customers where id = :id',
        parameters: { id: '{customer}' }
      }
    },
    {
      id: 'stock',
      type: 'api-request',
      fields: { connection: 'shop', method: 'POST', url: '/stock' }
    },
    {
      id: 'answer',
      type: 'language-model',
      fields: { connection: 'models', model: 'small', prompt: 'Answer {name}.' }
    },
    { id: 'chat', type: 'chat-output', fields: {} }
  ],
  edges: [
    { from: 'order.data', to: 'customer.data' },
    { from: 'customer.rows', to: 'stock.data' },
    { from: 'stock.body', to: 'answer.data' },
    { from: 'answer.text', to: 'chat.text' }
  ]
}

it('a process that dies inside a call to others repeats that one step, with the same key', async (t) => {
  const database = await openDatabase(t)
  const stock = Promise.withResolvers<void>()
  const shop = await startMisbehavingServer({
    answers: {
      // The first one is never answered.
      '/stock': (response) => {
        stock.resolve()
        if (shop.requests.length > 1)
          response.setHeader('content-type', 'application/json').end('{"name":"Ann"}')
      }
    }
  })
  cleanUp(t, () => shop.stop())
  const models = await startModelProvider(t)
  const begunAnswer = Promise.withResolvers<void>()
  models.answer(
    {
      pieces: ['Dear ', 'nobody'],
      before: (piece) => {
        if (piece === 0) return undefined
        begunAnswer.resolve()
        return new Promise(() => {})
      }
    },
    { pieces: ['Dear ', 'Ann'] }
  )

  let service = await spawnService(t, { env })
  const restart = async (): Promise<ApiClient> => {
    await service.end('SIGKILL')
    service = await spawnService(t, { env, home: service.home })
    return service.client(CHILD_KEY)
  }
  const client = await prepare(service, {
    database: database.url,
    shop: shop.origin,
    models: models.baseUrl('openai')
  })

  await database.lock()
  const id = await client.start(FLOW.slug, { customer: 7 })
  await database.somebodyWaits()
  await service.end('SIGKILL')
  await database.unlock()
  await restart()
  await stock.promise
  await restart()
  await begunAnswer.promise
  const again = await restart()
  const run = await again.waitForRun(id)

  assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
  assert.equal(
    (run.steps.find(({ node }) => node === 'answer')!.outputs as { text: string }).text,
    'Dear Ann'
  )
  assert.deepEqual(await database.asked(), [`${id}/customer`])
  assert.deepEqual(
    shop.requests.map(({ headers }) => headers['idempotency-key']),
    [`${id}/stock`, `${id}/stock`]
  )
  assert.deepEqual(
    models.calls.map(({ headers }) => headers['idempotency-key']),
    [`${id}/answer`, `${id}/answer`]
  )
})

async function prepare(
  service: ChildService,
  at: { readonly database: string; readonly shop: string; readonly models: string }
): Promise<ApiClient> {
  const client = await service.client(CHILD_KEY)
  const { hostname: host, port, username: user, pathname } = new URL(at.database)
  const connections = [
    {
      name: 'crm',
      kind: 'postgres',
      settings: { host, port: Number(port), user, database: pathname.slice(1) }
    },
    { name: 'shop', kind: 'http', settings: { base_url: at.shop } },
    { name: 'models', kind: 'openai', settings: { base_url: at.models }, secrets: { api_key: MODEL_KEY } }
  ]
  for (const connection of connections) {
    const made = await client.post('/api/v1/connections', connection)
    assert.equal(made.status, 201, made.text)
  }
  await client.createFlow(FLOW)
  return client
}

/** A database with one customer, and a way to make whoever asks for them wait. */
async function openDatabase(t: TestContext) {
  const url = await postgres.emptyDatabase()
  const client = new Client({ connectionString: url })
  await client.connect()
  cleanUp(t, () => client.end())
  await client.query('create table customers (id int, name text); create table asked (key text)')
  await client.query(`insert into customers values (7, 'Ann')`)
  return {
    url,
    lock: () => client.query('begin; lock table customers in access exclusive mode'),
    unlock: () => client.query('rollback'),
    async somebodyWaits() {
      const waiting =
        'select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())'
      while ((await client.query(waiting)).rowCount === 0) await turnOfTheLoop()
    },
    asked: async () => (await client.query('select key from asked')).rows.map(({ key }) => key)
  }
}
