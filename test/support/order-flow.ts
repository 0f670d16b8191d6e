import assert from 'node:assert/strict'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { Client } from 'pg'
import type { ApiClient, FlowBody } from './api-client.ts'
import { cleanUp, type Lifetime } from './clean-up.ts'
import { MODEL_KEY } from './model-provider/model-provider.ts'

/** A flow that calls everybody: an order comes in, a database and an API are asked, and a model writes the answer. */
export const ORDER_FLOW = {
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

/** Makes the flow, with connections that lead to these addresses. */
export async function prepareOrderFlow(
  client: ApiClient,
  at: { readonly database: string; readonly shop: string; readonly models: string },
  flow: Parameters<ApiClient['createFlow']>[0] = ORDER_FLOW
): Promise<FlowBody> {
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
  return client.createFlow(flow)
}

/** A database with one customer, and a way to make whoever asks for them wait. */
export async function openCustomers(t: Lifetime, url: string) {
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
