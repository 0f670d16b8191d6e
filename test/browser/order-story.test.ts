import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { startMisbehavingServer } from '../support/misbehaving-server.ts'
import { startModelProvider } from '../support/model-provider/model-provider.ts'
import { ORDER_FLOW, openCustomers, prepareOrderFlow } from '../support/order-flow.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { sharedPage } from '../support/shared-page.ts'

const browser = testBrowser()
const shared = sharedPage(browser)
const postgres = sharedPostgres()

it('an order is looked up, the shop is asked, and the answer streams into the Playground', async (t) => {
  const { service, page, goTo } = await shared(t)
  const database = await openCustomers(t, await postgres.emptyDatabase())
  const shop = await startMisbehavingServer({
    answers: {
      '/stock': (response, { body }) => {
        const [{ name }] = JSON.parse(body)
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ name, left: 3 }))
      }
    }
  })
  cleanUp(t, () => shop.stop())
  const models = await startModelProvider(t)
  const goOn = Promise.withResolvers<void>()
  models.answer({ pieces: ['Dear ', 'Ann'], before: (piece) => (piece === 1 ? goOn.promise : undefined) })
  const flow = await prepareOrderFlow(service, {
    database: database.url,
    shop: shop.origin,
    models: models.baseUrl('openai')
  })

  await goTo(`/flows/${flow.id}/playground`)
  await page.getByRole('heading', { name: ORDER_FLOW.name, level: 1 }).waitFor()
  const id = await service.start(ORDER_FLOW.slug, { customer: 7 })
  const log = page.getByRole('log')
  await log.getByText('Dear', { exact: true }).waitFor()
  goOn.resolve()
  await log.getByText('Dear Ann', { exact: true }).waitFor()
  const { status } = await service.waitForRun(id)
  assert.equal(status, 'succeeded')
  assert.equal(
    await log.getByText('Dear Ann', { exact: true }).count(),
    1,
    'the stream and the message are one text'
  )
  assert.equal(models.calls.length, 1)
})
