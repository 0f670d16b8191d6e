import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ApiClient } from './support/api-client.ts'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { cleanUp } from './support/clean-up.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startMisbehavingServer } from './support/misbehaving-server.ts'
import { startModelProvider } from './support/model-provider/model-provider.ts'
import { ORDER_FLOW, openCustomers, prepareOrderFlow } from './support/order-flow.ts'
import { sharedPostgres } from './support/postgres.ts'

const postgres = sharedPostgres()

const env = { MILLRACE_API_KEY: CHILD_KEY }

it('a process that dies inside a call to others repeats that one step, with the same key', async (t) => {
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
  const client = await service.client(CHILD_KEY)
  await prepareOrderFlow(client, {
    database: database.url,
    shop: shop.origin,
    models: models.baseUrl('openai')
  })

  await database.lock()
  const id = await client.start(ORDER_FLOW.slug, { customer: 7 })
  await database.somebodyWaits()
  await service.end('SIGKILL')
  await database.unlock()
  await restart()
  await stock.promise
  await restart()
  await begunAnswer.promise
  const mailed = await beginMail(await service.client(CHILD_KEY), mail)
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
  assert.equal((await again.waitForRun(mailed)).status, 'succeeded')
  assert.deepEqual(
    mail.mails.map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]?.trim()),
    [`<${mailed}.mail@shop.example>`, `<${mailed}.mail@shop.example>`]
  )
})

/** Resolves when the server has the mail, to the run that sends it. */
async function beginMail(client: ApiClient, mail: MailServer): Promise<string> {
  const settings = { host: '127.0.0.1', port: mail.port, from: 'orders@shop.example' }
  await client.post('/api/v1/connections', { name: 'mail', kind: 'smtp', settings })
  const fields = { connection: 'mail', to: 'ann@mail.example', text: 'Hello' }
  const { slug } = await client.createFlow({
    name: 'Mail',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'mail', type: 'send-email', fields }
    ],
    edges: [{ from: 'webhook-1.data', to: 'mail.data' }]
  })
  const id = await client.start(slug, {})
  await mail.took(1)
  return id
}
