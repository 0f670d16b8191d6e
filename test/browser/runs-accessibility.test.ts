import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, DESKTOP, DIALOG, PHONE, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { callFlow, ORDER, ordersFlow } from '../support/documents.ts'
import { startOutside } from '../support/outside.ts'
import { sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser(), { plugins: ['call.ts'] })

const SIZES = [
  ['at a desk', DESKTOP],
  ['on a phone', PHONE]
] as const

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function assertFits(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.getElementById('main')!.scrollWidth - innerWidth)
  assert.ok(width <= 0, `the page is ${width} px wider than the window`)
}

describe('axe finds nothing, in both themes,', () => {
  for (const [size, viewport] of SIZES) {
    it(`on the page of runs and on that of a run ${size}`, async (t) => {
      const { service, page, goTo } = await shared(t)
      await page.setViewportSize(viewport)
      const whole = viewport === DESKTOP ? 'html' : SEEN_PAGE
      const flow = await service.createFlow(ordersFlow())
      const good = await service.run(flow.slug, JSON.stringify(ORDER))
      const bad = await service.run(flow.slug, JSON.stringify({ order_id: 8 }))
      await goTo(`/flows/${flow.slug}/runs`)
      await page.locator('[data-count]', { hasText: /^2 runs$/ }).waitFor()
      await assertAccessible(page, whole)
      await page.getByLabel('Choose all rows').check()
      await page.getByText('2 chosen').waitFor()
      await page.getByRole('button', { name: 'Show the numbers as a table' }).click()
      await page.getByRole('columnheader', { name: 'p99' }).waitFor()
      await assertAccessible(page, SEEN_PAGE)
      await page.getByRole('button', { name: /^Time/ }).click()
      await page.getByRole('button', { name: 'Last hour' }).waitFor()
      await assertAccessible(page, DIALOG)
      await assertFits(page)

      await goTo(`/runs/${good.id}`)
      await page.locator('header').first().getByText('Succeeded', { exact: true }).waitFor()
      await assertAccessible(page, whole)
      await goTo(`/runs/${bad.id}`)
      await section(page, 'Why it failed').waitFor()
      await assertAccessible(page, SEEN_PAGE)
      await assertFits(page)
      await page.getByRole('button', { name: 'Edit and replay' }).click()
      await page.getByRole('textbox', { name: 'Input of the new run' }).waitFor()
      await assertAccessible(page, DIALOG)
    })
  }

  it('on a step with several attempts', async (t) => {
    const { service, page, goTo } = await shared(t)
    await page.setViewportSize(DESKTOP)
    const outside = await startOutside(t)
    const retry = { attempts: 2, backoff_ms: 40 }
    const flow = await service.createFlow(callFlow(outside.url(), { call: { retry } }))
    const id = await service.start(flow.slug, JSON.stringify(ORDER))
    for (const status of [503, 200]) (await outside.next()).answer({ shipped: true }, status)
    await service.waitForRun(id)
    await goTo(`/runs/${id}`)
    await page.locator('button[data-node="call-1"]').click()
    await section(page, 'Attempts').getByText('The other side answered 503. Try again later.').waitFor()
    await section(page, 'Output').getByText('shipped').waitFor()
    await assertAccessible(page, SEEN_PAGE)
  })
})
