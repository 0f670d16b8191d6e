import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { FlowBody, RunBody } from '../support/api-client.ts'
import { assertAccessible, DIALOG, testBrowser } from '../support/browser.ts'
import { writeCode } from '../support/code-area.ts'
import { comesTo } from '../support/comes-to.ts'
import { anythingFlow, callFlow, ordersFlow } from '../support/documents.ts'
import { startOutside } from '../support/outside.ts'
import type { Service } from '../support/service.ts'
import { makePhone, sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser(), { plugins: ['call.ts'] })

const GOOD = '{"order_id":7,"customer":"Ann"}'
const BAD = '{"order_id":8}'

const count = (page: Page, words: string) =>
  page.locator('[data-count]', { hasText: new RegExp(`^${words}$`) })
const act = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Chosen runs' }).getByRole('button', { name, exact: true }).click()
/** A dialog takes the focus a moment after it is there; what is typed before that goes elsewhere. */
const write = async (page: Page, name: string, text: string) => {
  await page.locator('[role="dialog"]:focus-within').waitFor()
  await writeCode(page.getByRole('textbox', { name }), text)
}
const listed = async (service: Service, flow: FlowBody) =>
  (await service.get(`/api/v1/runs?limit=500&flow_id=${flow.id}`)).json<{ runs: RunBody[] }>().runs

describe('chosen runs', () => {
  it('are retried, those that cannot be are left out with the reason, and each says how it is doing', async (t) => {
    const { service, page, goTo } = await shared(t)
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    outside.answerAll(({ body }) => ({ status: body.includes('bad') ? 500 : 200 }))
    for (const body of ['"good"', '"bad 1"', '"bad 2"']) await service.run(flow.slug, body)
    await goTo(`/flows/${flow.slug}/runs`)
    await count(page, '3 runs').waitFor()
    outside.answerAll(({ body }) => ({ status: body.includes('bad 2') ? 500 : 200 }))
    await page.getByLabel('Choose all rows').check()
    await act(page, 'Retry')
    await page.getByText('One run is left out: only failed and cancelled runs can be retried.').waitFor()
    await assertAccessible(page, DIALOG)
    await page.getByRole('button', { name: 'Retry 2 runs' }).click()
    await page.getByText('2 of 2 started: 1 succeeded, 1 failed').waitFor()
    const results = page.getByRole('region', { name: 'Result of each run' }).getByRole('listitem')
    await results.getByText('Succeeded').waitFor()
    await assertAccessible(page, DIALOG)
    await page.getByLabel('Only those that failed or were refused').check()
    await comesTo(page, () => results.count(), 1)
    await results.getByText('Failed').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await comesTo(page, () => page.locator('[data-run]').getByText('Succeeded').count(), 2)
    assert.deepEqual(
      (await listed(service, flow)).map(({ status }) => status),
      ['failed', 'succeeded', 'succeeded']
    )
  })

  it('are replayed, each as a new run: as they are, edited by a merge patch, or with another input', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const before = [
      await service.run(flow.slug, '{"n":1,"id":12345678901234567890}'),
      await service.run(flow.slug, '{"n":2,"old":true}')
    ]
    await goTo(`/flows/${flow.slug}/runs`)
    await count(page, '2 runs').waitFor()
    const choose = async () => {
      for (const { id } of before) await page.locator(`[data-run="${id}"]`).getByRole('checkbox').check()
    }
    await choose()
    await act(page, 'Replay')
    await page.getByRole('button', { name: 'Replay 2 runs' }).click()
    await page.getByText('2 of 2 started').waitFor()
    await comesTo(page, () => page.getByRole('link', { name: /^new run/ }).count(), 2)
    await page.getByRole('button', { name: 'Done' }).click()
    await count(page, '4 runs').waitFor()
    const replayed = (await listed(service, flow)).map(({ replay_of }) => replay_of)
    assert.deepEqual(replayed.slice(0, 2).toSorted(), before.map(({ id }) => id).toSorted())

    await choose()
    await act(page, 'Edit and replay')
    await page.getByText('Write an object with the keys to change').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Edit and replay 2 runs' }).isDisabled())
    await write(page, 'Changes', '{"old":null,"shop":"eu"}')
    await page.getByRole('heading', { name: 'What the first run will get' }).waitFor()
    await assertAccessible(page, DIALOG)
    await page.getByRole('button', { name: 'Edit and replay 2 runs' }).click()
    await page.getByText('2 of 2 started').waitFor()
    const newest = (await listed(service, flow)).slice(0, 2)
    const inputs = await Promise.all(
      newest.map(async ({ id }) => (await service.get(`/api/v1/runs/${id}/input`)).text)
    )
    assert.deepEqual(inputs.toSorted(), [
      '{"n":1,"id":12345678901234567890,"shop":"eu"}',
      '{"n":2,"shop":"eu"}'
    ])
    await page.getByRole('button', { name: 'Done' }).click()
    await count(page, '6 runs').waitFor()

    await makePhone(t, page)
    await choose()
    await act(page, 'Edit and replay')
    await page.getByRole('radio', { name: /^Replace each input/ }).check()
    await write(page, 'New input', '[3]')
    await page.getByRole('button', { name: 'Edit and replay 2 runs' }).click()
    await page.getByText('2 of 2 started').waitFor()
    const [last] = await listed(service, flow)
    assert.deepEqual((await service.readRun(last!.id)).input, [3])
  })

  it('are cancelled, and what is refused says why', async (t) => {
    const { service, page, goTo } = await shared(t)
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    const first = await service.start(flow.slug)
    const call = await outside.next()
    await service.start(flow.slug)
    await outside.next()
    await goTo(`/flows/${flow.slug}/runs`)
    await count(page, '2 runs').waitFor()
    await page.getByLabel('Choose all rows').check()
    await act(page, 'Cancel')
    await page.getByRole('button', { name: 'Cancel 2 runs' }).waitFor()
    call.answer()
    await service.waitForRun(first)
    await page.getByRole('button', { name: 'Cancel 2 runs' }).click()
    await page.getByText('1 of 2 done, 1 refused').waitFor()
    await page.getByLabel('Only those that were refused').check()
    await page.getByText('has ended already. There is nothing to cancel.').waitFor()
    assert.deepEqual(
      (await listed(service, flow)).map(({ status }) => status),
      ['cancelled', 'succeeded']
    )
  })
})

/** More than the page asks for at first. */
const MANY = 130

describe('more runs than were loaded', () => {
  it('may all be chosen; the others come when they can, and only those in sight are drawn', async (t) => {
    const { service, page, goTo } = await shared(t)
    const { nodes, edges } = ordersFlow()
    // What fails is the template: to print what it made would be a third of the work.
    const flow = await service.createFlow(ordersFlow({ nodes: nodes.slice(0, 2), edges: edges.slice(0, 1) }))
    const bodies = Array.from({ length: MANY }, (_, n) => (n % 40 === 0 ? BAD : GOOD))
    const headers = { prefer: 'wait=30' }
    await Promise.all(bodies.map((body) => service.start(flow.slug, body, { headers })))
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const isFurther = (url: URL) => url.pathname.endsWith('/runs') && url.searchParams.has('cursor')
    await page.route(isFurther, async (route) => {
      await released
      await route.continue()
    })
    await goTo(`/flows/${flow.slug}/runs`)
    await count(page, '100\\+ runs').waitFor()
    await page.getByLabel('Choose all rows').check()
    await page.getByRole('button', { name: 'Choose all that match' }).click()
    await page.getByText('All that match').waitFor()
    await act(page, 'Retry')
    await page.getByText('126 runs are left out').waitFor()
    await page.getByRole('button', { name: 'Retry 4 runs' }).click()
    await page.getByText('4 of 4 started').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()

    const main = page.locator('#main')
    // Not the first, which is always drawn: Tab goes there.
    const top = page.locator('[data-run][data-index="1"]')
    assert.ok((await page.locator('[data-run]').count()) < 60)
    release()
    await count(page, `${MANY} runs`).waitFor()
    await main.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    await page.locator(`[data-index="${MANY - 1}"]`).waitFor()
    await top.waitFor({ state: 'detached' })
    assert.ok((await page.locator('[data-run]').count()) < 60)
    await main.evaluate((element) => element.scrollTo({ top: 0 }))
    await top.waitFor()
    await page.unroute(isFurther)
  })
})
