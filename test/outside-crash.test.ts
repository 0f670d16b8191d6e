import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ApiClient } from './support/api-client.ts'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { cleanUp } from './support/clean-up.ts'
import { eventually } from './support/eventually.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startMisbehavingServer } from './support/misbehaving-server.ts'
import { startModelProvider } from './support/model-provider/model-provider.ts'
import { ORDER_FLOW, openCustomers, prepareOrderFlow } from './support/order-flow.ts'
import { sharedPostgres } from './support/postgres.ts'

const postgres = sharedPostgres()

const env = { MILLRACE_API_KEY: CHILD_KEY }

interface Approvals {
  readonly approvals: readonly { readonly id: string; readonly question: string }[]
}

const SCHEMA = {
  type: 'object',
  properties: { answer: { type: 'string' }, sure: { type: 'boolean' } },
  required: ['answer', 'sure']
}

/** Order → SQL → API → Language Model by a schema → If-Else → Approve → mail. */
const DECIDED_FLOW = {
  ...ORDER_FLOW,
  nodes: [
    ...ORDER_FLOW.nodes
      .filter(({ id }) => id !== 'chat')
      .map((node) => (node.id === 'answer' ? { ...node, fields: { ...node.fields, schema: SCHEMA } } : node)),
    { id: 'sure', type: 'if-else', fields: { left: '{sure}', operator: 'is true' } },
    { id: 'ask', type: 'approve', fields: { question: 'Send "{answer}"?' } },
    {
      id: 'mail',
      type: 'send-email',
      fields: { connection: 'mail', to: 'ann@mail.example', text: '{data.answer}' }
    }
  ],
  edges: [
    ...ORDER_FLOW.edges.filter(({ to }) => to !== 'chat.text'),
    { from: 'answer.data', to: 'sure.data' },
    { from: 'sure.false', to: 'ask.data' },
    { from: 'ask.approve', to: 'mail.data' }
  ]
}

it('a process that dies between any two steps, or inside one, repeats no more than that one, with the same key', async (t) => {
  const database = await openCustomers(t, await postgres.emptyDatabase())
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
  // The first one has arrived, and nobody is told so.
  const mail: MailServer = await startMailServer(t, {
    tls: 'none',
    beforeTaken: () => (mail.mails.length === 1 ? new Promise(() => {}) : undefined)
  })
  const models = await startModelProvider(t)
  const begunAnswer = Promise.withResolvers<void>()
  models.answer(
    {
      pieces: ['{"answer":', '"Dear nobody"'],
      before: (piece) => {
        if (piece === 0) return undefined
        begunAnswer.resolve()
        return new Promise(() => {})
      }
    },
    { pieces: ['{"answer":"Dear Ann",', '"sure":false}'] }
  )

  let service = await spawnService(t, { env })
  const restart = async (): Promise<ApiClient> => {
    await service.end('SIGKILL')
    service = await spawnService(t, { env, home: service.home })
    return service.client(CHILD_KEY)
  }
  const client = await service.client(CHILD_KEY)
  const places = { database: database.url, shop: shop.origin, models: models.baseUrl('openai') }
  await prepareOrderFlow(client, places, DECIDED_FLOW)
  const settings = { host: '127.0.0.1', port: mail.port, from: 'orders@shop.example' }
  await client.post('/api/v1/connections', { name: 'mail', kind: 'smtp', settings })

  await database.lock()
  const id = await client.start(ORDER_FLOW.slug, { customer: 7 })
  await database.somebodyWaits()
  await service.end('SIGKILL')
  await database.unlock()
  await restart()
  await stock.promise
  await restart()
  await begunAnswer.promise
  await restart()
  const opened = async () =>
    (await (await service.client(CHILD_KEY)).get('/api/v1/approvals?status=open')).json<Approvals>().approvals
  const isOne = ({ length }: readonly unknown[]) => length === 1
  await eventually(opened, isOne)
  const asking = await restart()
  const [question] = await eventually(opened, isOne)
  assert.equal(question!.question, 'Send "Dear Ann"?')
  await asking.post(`/api/v1/approvals/${question!.id}`, { choice: 'Approve' })
  await mail.took(1)
  const run = await (await restart()).waitForRun(id)

  assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
  assert.deepEqual(await database.asked(), [`${id}/customer`])
  assert.deepEqual(
    shop.requests.map(({ headers }) => headers['idempotency-key']),
    [`${id}/stock`, `${id}/stock`]
  )
  assert.deepEqual(
    models.calls.map(({ headers }) => headers['idempotency-key']),
    [`${id}/answer`, `${id}/answer`]
  )
  assert.deepEqual(
    mail.mails.map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]?.trim()),
    [`<${id}.mail@shop.example>`, `<${id}.mail@shop.example>`]
  )
})
