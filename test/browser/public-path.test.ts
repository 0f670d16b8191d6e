import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiClient, type FlowBody } from '../support/api-client.ts'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { Editor } from '../support/editor.ts'
import { startPathProxy } from '../support/path-proxy.ts'
import { startService } from '../support/service.ts'

const browser = testBrowser()

describe('the page below a path of the public address', () => {
  // A browser sees the same of a proxy that passes the path on: what the service makes of it is in test/public-path.test.ts.
  it('is used as anywhere', async (t) => {
    const proxy = await startPathProxy(t, { path: '/flows', strips: true })
    const service = await startService(t, { env: { MILLRACE_PUBLIC_URL: proxy.url } })
    proxy.leadsTo(service.address)
    const client = new ApiClient(t, proxy.url, service.key)
    const page = await browser.open(t, client, { path: '', key: null, fresh: true })
    const elsewhere: string[] = []
    page.on('response', (answer) => {
      // The page that was opened first asks these two before anybody has signed in.
      const isBefore = answer.status() === 401 && /\/(?:session|events)$/.test(answer.url())
      if (answer.status() >= 400 && !isBefore) elsewhere.push(`${answer.status()} ${answer.url()}`)
    })
    await page.goto(`${proxy.url}/sign-in?token=${service.signInToken}`)
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await page.waitForURL(/\/flows\/flows\/[^/]+$/)
    await page.locator('[data-node="webhook-1"]').waitFor()
    await page.reload()
    const editor = new Editor(page, service, (await service.get('/api/v1/flows/orders')).json<FlowBody>())
    const webhook = await editor.inspect('webhook-1')
    const endpoint = webhook.getByLabel('Endpoint', { exact: true })
    await comesTo(page, () => endpoint.textContent(), `${proxy.url}/api/v1/webhook/orders`)
    await page.goto(`${proxy.url}/runs`)
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor()
    assert.deepEqual(elsewhere, [])
  })
})
