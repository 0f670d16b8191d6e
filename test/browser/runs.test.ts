import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { ApiClient } from '../support/api-client.ts'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { anythingFlow, callFlow, ordersFlow } from '../support/documents.ts'
import { startOutside } from '../support/outside.ts'
import { sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser(), { plugins: ['call.ts'] })

const GOOD = '{"order_id":7,"customer":"Ann"}'
const BAD = '{"order_id":8}'

const rows = (page: Page) => page.locator('[data-run]')
const row = (page: Page, id: string) => page.locator(`[data-run="${id}"]`)
const count = (page: Page, words: string) =>
  page.locator('[data-count]', { hasText: new RegExp(`^${words}$`) })
const idsShown = (page: Page) =>
  rows(page).evaluateAll((elements) =>
    elements
      .map((element) => (element as HTMLElement).dataset)
      .toSorted((a, b) => Number(a.index) - Number(b.index))
      .map(({ run }) => run)
  )
/** The rows that are drawn stand where they are in the whole list. */
const areInPlace = (page: Page, ids: readonly string[]) =>
  rows(page).evaluateAll(
    (elements, ids) =>
      elements.length > 0 &&
      elements
        .map((element) => (element as HTMLElement).dataset)
        .every(({ run, index }) => run === ids[Number(index)]),
    ids
  )

/** Does something in the page when the address tells of a search, and the page itself does not know of it yet. */
const atTheSearch = (page: Page, act: () => void) =>
  page.evaluate(`{
    const replace = history.replaceState
    history.replaceState = (...given) => {
      replace.apply(history, given)
      if (!location.search.includes('q=')) return
      history.replaceState = replace
      queueMicrotask(${act})
    }
  }`)

/** Many runs at once, a few requests at a time. */
async function fill(service: ApiClient, flow: string, bodies: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  const queue = bodies.values()
  const send = async () => {
    for (const body of queue) ids.push(await service.start(flow, body))
  }
  await Promise.all(Array.from({ length: 24 }, send))
  return ids
}

const numbered = (many: number) => Array.from({ length: many }, (_, n) => `{"n":${n}}`)

describe('the list of runs', () => {
  // First: there are no runs yet.
  it('shows new runs, and what becomes of them, without a refresh', async (t) => {
    const { service, page, goTo } = await shared(t)
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    await goTo('/runs')
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
    const id = await service.start(flow.slug)
    await row(page, id).getByText('In progress').waitFor()
    const call = await outside.next()
    call.answer()
    await row(page, id).getByText('Succeeded').waitFor()
    await row(page, id).getByRole('link', { name: 'Call' }).click()
    await page.waitForURL(`**/runs/${id}`)
  })

  it('stays where it is under a reader, says how many runs are new, and is walked through by keys', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    await fill(service, flow.slug, numbered(60))
    await goTo(`/flows/${flow.slug}/runs`)
    await count(page, '60 runs').waitFor()
    const listed = await service.get(`/api/v1/runs?flow_id=${flow.id}&limit=60`)
    const before = listed.json<{ runs: { id: string }[] }>().runs.map(({ id }) => id)
    await rows(page).nth(2).hover()
    const pointedAt = await service.start(flow.slug)
    await page.getByRole('button', { name: '1 new run' }).waitFor()
    assert.ok(await areInPlace(page, before))
    await page.mouse.move(5, 5)
    await row(page, pointedAt).waitFor()
    await page.locator('#main').evaluate((main) => main.scrollTo({ top: 900 }))
    // The page hears of it with the next frame: rows at the top are not drawn any more.
    await page.locator('[data-index="1"]').waitFor({ state: 'detached' })
    const far = [await service.start(flow.slug), await service.start(flow.slug)]
    await page.getByRole('button', { name: '2 new runs' }).click()
    for (const id of far) await row(page, id).waitFor()
    await count(page, '63 runs').waitFor()

    const first = await page.locator('[data-index="0"]').getAttribute('data-run')
    const focusedAt = (index: number) => page.locator(`[data-index="${index}"]:focus`).waitFor()
    await page.getByLabel('Choose all rows').focus()
    await page.keyboard.press('Tab')
    await focusedAt(0)
    await page.keyboard.press('ArrowDown')
    await focusedAt(1)
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await focusedAt(2)
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('3 chosen').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('3 chosen').waitFor({ state: 'detached' })
    await page.keyboard.press('End')
    await focusedAt(62)
    await page.keyboard.press('Home')
    await focusedAt(0)
    await page.keyboard.press('Control+a')
    await page.getByText('63 chosen').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/runs/${first}`)
  })

  it('filters by state, flow and words, and keeps that in the address', async (t) => {
    const { service, page, goTo } = await shared(t)
    const shop = await service.createFlow(ordersFlow({ name: 'Shop' }))
    const other = await service.createFlow(anythingFlow())
    const good = await service.run(shop.slug, '{"order_id":7,"customer":"Filippa"}')
    const bad = await service.run(shop.slug, BAD)
    const any = await service.run(other.slug, '{"customer":"Filippa"}')
    const all = [any.id, bad.id, good.id]
    await goTo('/runs')
    await row(page, any.id).waitFor()
    await comesTo(page, async () => (await idsShown(page)).slice(0, 3), all)
    await page.getByRole('combobox', { name: 'Flow' }).click()
    await page.getByRole('option', { name: 'Shop' }).click()
    await count(page, '2 runs').waitFor()
    await comesTo(page, () => idsShown(page), [bad.id, good.id])
    await row(page, good.id).getByText('order_id: 7 · customer: Filippa', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await count(page, '1 run').waitFor()
    await comesTo(page, () => idsShown(page), [bad.id])
    await row(page, bad.id)
      .getByText(/^parser-1: \{customer\}/)
      .waitFor()
    await goTo('/settings')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.goBack()
    await count(page, '1 run').waitFor()
    await comesTo(page, () => idsShown(page), [bad.id])
    await goTo('/runs')
    await row(page, any.id).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.insertText('filippa')
    await page.waitForURL(/q=filippa/)
    await count(page, '2 runs').waitFor()
    await comesTo(page, () => idsShown(page), [any.id, good.id])
    await page.getByRole('combobox', { name: 'Flow' }).click()
    await page.getByRole('option', { name: 'Shop' }).click()
    await count(page, '1 run').waitFor()
    await comesTo(page, () => idsShown(page), [good.id])
    await page.waitForURL(/flow=.*q=filippa/)
    await page.getByLabel('Search runs').fill('nobody of that name')
    await page.getByRole('heading', { name: 'No run matches' }).waitFor()
    await page.getByRole('button', { name: 'Show all runs' }).click()
    await row(page, any.id).waitFor()
    await comesTo(page, async () => (await idsShown(page)).slice(0, 3), all)
  })

  it('keeps what is typed on when a search begins, and a state chosen in the same moment', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.run('orders', BAD)
    await goTo('/runs')
    await atTheSearch(page, () => {
      const field = document.querySelector<HTMLInputElement>('input[aria-label="Search runs"]')!
      const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
      setValue.call(field, 'filippa')
      field.dispatchEvent(new Event('input', { bubbles: true }))
      const seen = new Set<string>()
      Object.assign(window, { seen })
      const look = () => {
        seen.add(field.value)
        if (!location.search.includes('q=filippa')) requestAnimationFrame(look)
      }
      look()
    })
    await page.getByLabel('Search runs').fill('fil')
    await page.waitForURL(/q=filippa/)
    const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])
    assert.deepEqual(seen, ['filippa'])

    await goTo('/runs')
    await page.getByRole('button', { name: /^Failed \d/ }).waitFor()
    await atTheSearch(page, () => {
      const buttons = [...document.querySelectorAll('button')]
      buttons.find(({ textContent }) => textContent.startsWith('Failed'))!.click()
    })
    await page.getByLabel('Search runs').fill('fil')
    await page.waitForURL(/state=failed/)
    await page.waitForURL(/state=failed.*q=fil/)
  })

  it('follows a filter too: what comes to match appears', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    await goTo('/runs?state=failed')
    await page.locator('[data-count]').waitFor()
    const good = await service.run(flow.slug, GOOD)
    const bad = await service.run(flow.slug, BAD)
    await row(page, bad.id).waitFor()
    assert.equal(await row(page, good.id).count(), 0)
    await goTo('/runs?q=zebra')
    await page.getByRole('heading', { name: 'No run matches' }).waitFor()
    const found = await service.run(flow.slug, '{"order_id":9,"customer":"Zebra"}')
    await row(page, found.id).waitFor()
    await comesTo(page, () => idsShown(page), [found.id])
  })

  it('of one flow holds only its own, marks tests, and shows them alone or leaves them out', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const real = await service.run(flow.slug, GOOD)
    await goTo(`/flows/${flow.id}/runs`)
    await page.getByRole('heading', { name: `Runs of ${flow.name}` }).waitFor()
    await count(page, '1 run').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Flow' }).count(), 0)
    await service.run('orders', GOOD)
    const answer = await service.post(`/api/v1/flows/${flow.id}/test`, { input: JSON.parse(GOOD) })
    const { id } = answer.json<{ id: string }>()
    await row(page, id).getByText('Test', { exact: true }).waitFor()
    assert.equal(await row(page, real.id).getByText('Test', { exact: true }).count(), 0)
    await comesTo(page, () => idsShown(page), [id, real.id])
    const choose = async (words: string) => {
      await page.getByRole('combobox', { name: 'Tests' }).click()
      await page.getByRole('option', { name: words }).click()
    }
    await choose('Without tests')
    await count(page, '1 run').waitFor()
    await comesTo(page, () => idsShown(page), [real.id])
    await choose('Tests only')
    await comesTo(page, () => idsShown(page), [id])
    await row(page, id).getByRole('link').click()
    await page.locator('header').first().getByText('Test', { exact: true }).waitFor()
    await page.getByText('a draft of version 1').waitFor()
  })
})
