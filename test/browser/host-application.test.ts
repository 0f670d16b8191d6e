import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { flowIn } from '../support/contexts.ts'
import { createHost } from '../support/host.ts'

const browser = testBrowser()

describe('the page in somebody’s own application', () => {
  it('stays below the prefix, with its addresses, its session and its live events', async (t) => {
    // A browser opens connections ahead of its requests, and Node takes one that was never used for one at work: without
    // this, the application would wait for it when it closes, for as long as the browser is there.
    const server = { forceCloseConnections: true as const }
    const service = await (await createHost(t, { server })).listen()
    const flow = await service.createFlow({ ...flowIn('/'), name: 'Hosted' })
    const page = await browser.open(t, service, { key: null, path: '/keys' })
    const beside: string[] = []
    page.on('request', (request) => {
      if (!new URL(request.url()).pathname.startsWith('/flows/')) beside.push(request.url())
    })
    await page.getByLabel('API key').fill(service.key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    assert.equal(page.url(), `${service.address}/keys`)

    await page.getByRole('navigation').getByRole('link', { name: 'Flows', exact: true }).click()
    await page.getByRole('link', { name: 'Runs of Hosted: none yet' }).waitFor()
    assert.equal(page.url(), `${service.address}/flows`)
    await service.run(flow.slug)
    await page.getByRole('link', { name: /^Runs of Hosted: the last one: 1/ }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Hosted', exact: true }).click()
    await page.waitForURL(`${service.address}/flows/${flow.id}`)
    assert.deepEqual(beside, [])
  })
})
