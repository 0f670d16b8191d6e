import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, DESKTOP, DIALOG, PHONE, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { chatFlow, printFlow } from '../support/documents.ts'
import { sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser())
const log = (page: Page) => page.getByRole('log')
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

const REPORT = `# Report

Two **orders** of [the shop](https://example.org/), ~~three~~, see \`order_id\`.

| SKU | count |
|---|--:|
| A-1 | 3 |

- [x] packed
- [ ] sent, with a footnote[^1]

> quoted

\`\`\`js
const total = orders.reduce((sum, order) => sum + order.total, 0) // a line that is wider than a telephone
\`\`\`

![a plot](https://example.org/plot.png)

[^1]: Not yet.`

/** Every kind of message that there is, and a run that failed. */
async function openVaried(t: TestContext): Promise<Page> {
  const { service, page, goTo } = await shared(t)
  const flow = await service.createFlow(chatFlow())
  const say = (text: string, session = 'default') =>
    service.post(`/api/v1/flows/${flow.id}/chat`, { text, session }, { headers: { prefer: 'wait=30' } })
  await say('A question', 'ann')
  await say(REPORT)
  await say('{"order_id": 12345678901234567890, "items": [{"sku": "A-1"}]}')
  await say('x'.repeat(6000))
  await goTo(`/flows/${flow.id}/playground`)
  await log(page).getByText('12345678901234567890').first().waitFor()
  return page
}

/** For as long as the test takes. */
async function holdPhone(t: TestContext, page: Page): Promise<void> {
  t.after(() => page.setViewportSize(DESKTOP))
  await page.setViewportSize(PHONE)
}

describe('the Playground is for everyone:', () => {
  it('axe finds nothing, in both themes', async (t) => {
    const page = await openVaried(t)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Actions for the session ann' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog', { name: 'Rename the session' }).waitFor()
    await assertAccessible(page, DIALOG)
  })

  it('axe finds nothing where a flow has no Chat Input, and in a failed run', async (t) => {
    const { service, page, goTo } = await shared(t)
    await service.run('orders', '{}')
    await goTo('/flows/orders/playground')
    await log(page).getByText('has no value').waitFor()
    await assertAccessible(page, SEEN_PAGE)
  })

  it('on a phone it has all of it, and nothing scrolls sideways but code', async (t) => {
    const page = await openVaried(t)
    await holdPhone(t, page)
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    assert.ok((await overflow()) <= 0)
    const room = await log(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    assert.ok(room <= 0, `the log is ${room} px too wide`)
    await page.getByRole('button', { name: 'Session default' }).click()
    const drawer = page.getByRole('dialog', { name: 'Sessions' })
    await drawer.getByRole('button', { name: /^ann/ }).click()
    await log(page).getByText('You said: A question').waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('From a phone')
    await page.getByRole('button', { name: 'Send' }).click()
    await log(page).getByText('You said: From a phone').waitFor()
    await assertAccessible(page, SEEN_PAGE)
  })

  it('lists within lists have no empty lines, and words of tables are not broken on a phone', async (t) => {
    const { service, page, goTo } = await shared(t)
    await holdPhone(t, page)
    const flow = await service.createFlow(chatFlow())
    const text =
      '- one\n- two\n  - within\n- three\n\n| Article | Count | Price | Warehouse |\n|--|--|--|--|\n| A lamp for a desk | 1 | 39.90 | Hamburg-Altona |'
    await service.post(`/api/v1/flows/${flow.id}/chat`, { text }, { headers: { prefer: 'wait=30' } })
    await goTo(`/flows/${flow.id}/playground`)
    const message = log(page).getByRole('article', { name: 'Message of User' })
    await message.getByText('within').waitFor()
    await message.locator('th').first().waitFor()
    const items = await message
      .locator('li')
      .evaluateAll((found) => found.map((item) => item.getBoundingClientRect().height))
    const [line] = items as [number, number, number, number]
    assert.ok(
      items.every((height) => height <= 2 * line + 1),
      `items of ${items} px`
    )
    const head = await message
      .locator('th')
      .evaluateAll((found) => found.map((cell) => cell.getBoundingClientRect().height))
    assert.ok(
      head.every((height) => height < 2 * line),
      `a head of ${head} px`
    )
  })

  it('by keyboard one reads, goes to the run of a message and comes back', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(printFlow())
    const { id } = await service.run(flow.slug, '"hello"')
    await goTo(`/flows/${flow.id}/playground`)
    await log(page).getByText('hello').waitFor()
    await log(page).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/runs/${id}`)
    await page.goBack()
    await log(page).getByText('hello').waitFor()
  })

  it('a message is shown as it was sent when somebody asks, and copied so; its code without fences', async (t) => {
    const page = await openVaried(t)
    const message = log(page).getByRole('article', { name: 'Message of User' }).first()
    await message.getByRole('button', { name: 'Copy the code' }).click()
    await comesTo(page, async () => /^const total = .*telephone$/.test(await copied(page)), true)
    await message.locator('table').waitFor()
    await message.getByRole('button', { name: 'Show the text as it is' }).click()
    await message.locator('table').waitFor({ state: 'detached' })
    await comesTo(page, () => message.getByTestId('message-text').innerText(), REPORT)
    await message.getByRole('button', { name: 'Copy the message' }).click()
    await comesTo(page, () => copied(page), REPORT)
  })
})
