import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import type { Lifetime } from '../support/clean-up.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import { type Service, shiftedClock, startService } from '../support/service.ts'
import { makePhone, sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser(), serviceWithPast)

const GOOD = '{"order_id":7,"customer":"Ann"}'
const BAD = '{"order_id":8}'
const HOUR = 3_600_000
/** How long each bar stands for that is shown of a day. */
const BAR = HOUR / 2

const bars = (page: Page, tone: string) =>
  page.getByRole('slider', { name: /^Runs over time/ }).locator(`rect[data-tone="${tone}"]`)
const count = (page: Page, words: string) =>
  page.locator('[data-count]', { hasText: new RegExp(`^${words}$`) })

const idsShown = (page: Page) =>
  page.locator('[data-run]').evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.run))

/** Until list and plots, which are asked for apart, show all four. */
async function settled(page: Page): Promise<void> {
  await count(page, '4 runs').waitFor()
  await page.getByRole('button', { name: 'Succeeded 3' }).waitFor()
}

/**
 * Two good runs five hours before a good and a bad one, which are in the bar before that of now and less than an hour old.
 * Its clock stands ten minutes before the end of a bar when it begins: whatever half hour strikes while the tests go on,
 * what belongs into one bar is in one.
 */
async function serviceWithPast(lifetime: Lifetime): Promise<Service> {
  const { clock, advance } = shiftedClock()
  advance(-(Date.now() % BAR) - BAR / 3)
  advance(-5 * HOUR)
  const service = await startService(lifetime, { clock })
  const flow = await service.createFlow(ordersFlow())
  for (const body of [GOOD, GOOD]) await service.run(flow.slug, body)
  advance(5 * HOUR)
  for (const body of [GOOD, BAD]) await service.run(flow.slug, body)
  return service
}

describe('the plots of runs', () => {
  it('are read and used by keyboard, as a table, by clicks and by dragging, and stand alone on a phone', async (t) => {
    const { page, goTo } = await shared(t)
    await goTo('/runs')
    await settled(page)
    const slider = page.getByRole('slider', { name: /^Runs over time/ })
    const isAt = (bar: number) => slider.and(page.locator(`[aria-valuenow="${bar}"]`)).waitFor()
    const isAtNewest = async () =>
      /1 failed, 1 succeeded/.test((await slider.getAttribute('aria-valuetext'))!)
    await slider.focus()
    await page.keyboard.press('End')
    let bar = Number(await slider.getAttribute('aria-valuemax'))
    await isAt(bar)
    while (!(await isAtNewest())) {
      await page.keyboard.press('ArrowLeft')
      bar -= 1
      await isAt(bar)
    }
    await page.keyboard.press('Enter')
    await count(page, '2 runs').waitFor()
    await page.getByRole('button', { name: 'Show the numbers as a table' }).click()
    await page.getByRole('columnheader', { name: 'p99' }).waitFor()
    const table = page.getByRole('table').filter({ hasText: 'p99' })
    assert.ok((await table.locator('tbody tr').count()) >= 1)
    await page.getByRole('button', { name: 'Show the plots' }).click()
    await table.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show runs of any time' }).click()
    await settled(page)

    await comesTo(page, () => bars(page, 'succeeded').count(), 2)
    await comesTo(page, () => bars(page, 'failed').count(), 1)
    const old = (await bars(page, 'succeeded').first().boundingBox())!
    await page.mouse.move(old.x + old.width / 2, old.y)
    await page.getByText('2 succeeded').waitFor()
    await page.mouse.down()
    await page.mouse.up()
    await count(page, '2 runs').waitFor()
    await page.waitForURL(/since=.*&until=/)
    await page.getByRole('button', { name: 'Show runs of any time' }).click()
    await count(page, '4 runs').waitFor()
    await page.getByRole('button', { name: 'Failed 1' }).click()
    await count(page, '1 run').waitFor()

    await goTo('/runs')
    await settled(page)
    const plot = (await page.getByRole('slider', { name: /^Runs over time/ }).boundingBox())!
    const y = plot.y + 40
    await page.mouse.move(plot.x + 80, y)
    await page.mouse.down()
    await page.mouse.move(plot.x + plot.width - 1, y, { steps: 4 })
    await page.mouse.up()
    await page.waitForURL(/since=.*&until=/)
    await count(page, '4 runs').waitFor()

    await makePhone(t, page)
    await page.getByRole('slider', { name: /^Runs over time/ }).waitFor()
    assert.equal(await page.getByRole('slider').count(), 1)
    await page.getByText('without tests', { exact: true }).waitFor()
    await page.getByText('Duration', { exact: true }).first().click()
    await page.getByRole('slider', { name: /^Duration of runs/ }).waitFor()
  })
})

describe('the filter by time', () => {
  it('takes quick ranges and moments that somebody types', async (t) => {
    const { service, page, goTo } = await shared(t)
    const listed = (await service.get('/api/v1/runs?limit=4')).json<{ runs: { id: string }[] }>()
    const ids = listed.runs.map(({ id }) => id)
    await goTo('/runs')
    await settled(page)
    await page.getByRole('button', { name: 'Time: Any time' }).click()
    await page.getByRole('button', { name: 'Last hour' }).click()
    await comesTo(page, () => idsShown(page), ids.slice(0, 2))
    await page.waitForURL(/range=1h/)
    await page.getByRole('button', { name: 'Time: Last hour' }).click()
    const until = new Date(Date.now() - HOUR)
    const local = new Date(until.getTime() - until.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    await page.getByLabel('Until').fill(local)
    await page.getByRole('button', { name: 'Show this time' }).click()
    await comesTo(page, () => idsShown(page), ids.slice(2))
    await page.waitForURL((url) => !url.searchParams.has('range'))
  })
})

describe('plots and list', () => {
  // Last: it adds to what the others look at.
  it('follow what happens, also while somebody looks elsewhere', async (t) => {
    const { service, page, goTo } = await shared(t)
    await goTo('/runs?range=1h')
    await count(page, '2 runs').waitFor()
    await service.run('orders', BAD)
    await page.getByRole('button', { name: 'Failed 2' }).waitFor()
    await count(page, '3 runs').waitFor()
    await goTo('/flows')
    await page.getByRole('link', { name: 'Runs of Orders: the last one: 1 failed' }).waitFor()
    await service.run('orders', BAD)
    await page.getByRole('link', { name: 'Runs of Orders: the last 2: 2 failed' }).waitFor()
    await goTo('/runs?range=1h')
    await page.getByRole('button', { name: 'Failed 3' }).waitFor()
    await count(page, '4 runs').waitFor()
  })
})
