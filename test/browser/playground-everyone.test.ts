import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, DIALOG, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { chatFlow } from '../support/documents.ts'
import { makePhone, sharedPage } from '../support/shared-page.ts'

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

const LISTS = `- one
- two
  - within
- three

| Article | Count | Price | Warehouse |
|--|--|--|--|
| A lamp for a desk | 1 | 39.90 | Hamburg-Altona |`

/** Every kind of message that there is, and a run that failed. */
async function openVaried(t: TestContext): Promise<Page> {
  const { service, page, goTo } = await shared(t)
  const flow = await service.createFlow(chatFlow())
  const say = (text: string, session = 'default') =>
    service.post(`/api/v1/flows/${flow.id}/chat`, { text, session }, { headers: { prefer: 'wait=30' } })
  await say('A question', 'ann')
  await say(REPORT)
  await say(LISTS)
  await say('{"order_id": 12345678901234567890, "items": [{"sku": "A-1"}]}')
  await say('x'.repeat(6000))
  await goTo(`/flows/${flow.id}/playground`)
  await log(page).getByText('12345678901234567890').first().waitFor()
  return page
}

describe('the Playground is for everyone:', () => {
  it('axe finds nothing, in both themes, and a message is shown and copied as it was sent', async (t) => {
    const page = await openVaried(t)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Actions for the session ann' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog', { name: 'Rename the session' }).waitFor()
    await assertAccessible(page, DIALOG)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // Its code without fences.
    const message = log(page).getByRole('article', { name: 'Message of User' }).first()
    await message.getByRole('button', { name: 'Copy the code' }).click()
    await comesTo(page, async () => /^const total = .*telephone$/.test(await copied(page)), true)
    await message.locator('table').waitFor()
    await message.getByRole('button', { name: 'Show the text as it is' }).click()
    await message.locator('table').waitFor({ state: 'detached' })
    await comesTo(page, () => message.getByTestId('message-text').innerText(), REPORT)
    await message.getByRole('button', { name: 'Copy the message' }).click()
    await comesTo(page, () => copied(page), REPORT)

    await makePhone(t, page)
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    assert.ok((await overflow()) <= 0)
    const room = await log(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    assert.ok(room <= 0, `the log is ${room} px too wide`)
    // Lists within lists have no empty lines, and words of tables are not broken.
    const listed = log(page).getByRole('article', { name: 'Message of User' }).filter({ hasText: 'within' })
    const items = await listed
      .locator('li')
      .evaluateAll((found) => found.map((item) => item.getBoundingClientRect().height))
    const [line] = items as [number, number, number, number]
    assert.ok(
      items.every((height) => height <= 2 * line + 1),
      `items of ${items} px`
    )
    const head = await listed
      .locator('th')
      .evaluateAll((found) => found.map((cell) => cell.getBoundingClientRect().height))
    assert.ok(
      head.every((height) => height < 2 * line),
      `a head of ${head} px`
    )

    await page.getByRole('button', { name: 'Session default' }).click()
    const drawer = page.getByRole('dialog', { name: 'Sessions' })
    await drawer.getByRole('button', { name: /^ann/ }).click()
    await log(page).getByText('You said: A question').waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('From a phone')
    await page.getByRole('button', { name: 'Send' }).click()
    await log(page).getByText('You said: From a phone').waitFor()
    await assertAccessible(page, SEEN_PAGE)
  })

  it('axe finds nothing in a failed run; by keyboard one goes to a run and comes back', async (t) => {
    const { service, page, goTo } = await shared(t)
    const { id } = await service.run('orders', '{}')
    await goTo('/flows/orders/playground')
    await log(page).getByText('has no value').waitFor()
    await page.locator('.cm-content').waitFor()
    await assertAccessible(page, 'main')
    await log(page).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/runs/${id}`)
    await page.goBack()
    await log(page).getByText('has no value').waitFor()
  })
})
