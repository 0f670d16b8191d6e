import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import type { FlowBody } from '../support/api-client.ts'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { Editor } from '../support/editor.ts'
import { clipboardOf, pasteInShell } from '../support/pasted.ts'
import { type Service, startService } from '../support/service.ts'

const browser = testBrowser()

/** By the link that the first start prints: nobody has told them a key. */
async function signIn(test: TestContext, service: Service): Promise<Page> {
  const path = `/sign-in?token=${service.signInToken}`
  const page = await browser.open(test, service, { key: null, path })
  await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
  return page
}

async function makeBlankFlow(page: Page, service: Service, name: string): Promise<Editor> {
  await page.getByRole('button', { name: 'New flow' }).first().click()
  await page.getByRole('radio', { name: /^Blank/ }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/flows\/[^/?]+$/)
  const id = page.url().split('/').at(-1)
  const answer = await page.request.get(`${service.address}/api/v1/flows/${id}`)
  const editor = new Editor(page, service, (await answer.json()) as FlowBody)
  await editor.ready()
  return editor
}

async function drawFlow(editor: Editor): Promise<void> {
  const { page } = editor
  const palette = page.getByRole('complementary', { name: 'Palette' })
  for (const [component, node] of [
    ['Webhook', 'webhook-1'],
    ['Parser', 'parser-1'],
    ['Chat Output', 'chat-output-1']
  ] as const) {
    await palette.getByRole('button', { name: component, exact: true }).click()
    await editor.focused(node)
  }
  await page.getByRole('button', { name: 'Tidy' }).click()
  // What lays a flow out is loaded when it is first asked for.
  await page.getByRole('button', { name: 'Undo: Tidy' }).waitFor()
  await page.getByRole('button', { name: 'Zoom to fit' }).click()
  await editor.settled()
  await editor.connect(['webhook-1', 'data'], ['parser-1', 'data'])
  await editor.connect(['parser-1', 'parsed_text'], ['chat-output-1', 'text'])
  await comesTo(page, () => editor.wires().count(), 2)
}

/** Until the service has it, and runs it. */
async function publishTemplate(editor: Editor, template: string): Promise<void> {
  const saved = editor.page.waitForResponse(
    (answer) =>
      answer.request().method() === 'PUT' &&
      answer.status() === 200 &&
      answer.request().postData()?.includes(template) === true
  )
  await editor.writeTemplate(await editor.inspect('parser-1'), template)
  await saved
  // A message of the last time would lie over what publishes until it goes by itself.
  for (const message of await editor.page.locator('.mantine-Notification-closeButton').all())
    await message.click()
  await editor.publish()
}

/** The curl line of API access, with a key made for it. */
async function copyCall({ page }: Editor): Promise<string> {
  await page.getByRole('button', { name: 'API access', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'API access' })
  await panel.getByRole('button', { name: 'Create a key' }).click()
  await panel.getByText('It is shown only once').waitFor()
  await panel.getByRole('tab', { name: 'Webhook curl' }).click()
  await panel.getByRole('button', { name: 'Copy the curl command' }).click()
  await panel.getByText('Copied').first().waitFor()
  await panel.getByRole('button', { name: 'Close API access' }).click()
  return clipboardOf(page)
}

async function send(line: string): Promise<void> {
  assert.match(await pasteInShell(line), /^HTTP\/1\.1 202 /)
}

describe('a newcomer', () => {
  it('draws a flow, calls it from a shell, reads what it printed, breaks it, mends it and replays', async (t) => {
    const service = await startService(t, { env: { MILLRACE_API_KEY: '' } })
    const page = await signIn(t, service)
    const hour = page.getByRole('region', { name: 'Your first hour' })
    await hour.getByText('0 of 5').waitFor()
    const editor = await makeBlankFlow(page, service, 'My first flow')
    await drawFlow(editor)
    await publishTemplate(editor, 'Order {order_id} from {customer}')

    const line = await copyCall(editor)
    const order = JSON.parse(/-d '(.*)'/.exec(line)?.[1] ?? '') as Record<'order_id' | 'customer', unknown>
    const printed = `Order ${order.order_id} from ${order.customer}`
    await send(line)
    await page.getByRole('button', { name: 'Playground', exact: true }).click()
    await page.getByRole('log').getByText(printed, { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Close the Playground' }).click()
    await editor.settled()
    await publishTemplate(editor, 'Order {number} from {customer}')
    await send(line)
    const chip = page.getByRole('region', { name: 'The run on the canvas' })
    await chip.getByText('Failed').waitFor()
    await chip.getByRole('link').click()
    await page.waitForURL('**/runs/*')
    const failed = page.url()
    const why = page.getByRole('region', { name: 'Why it failed' })
    await why.getByText(/\{number\} .*has no value: the data has the keys order_id, customer/).waitFor()

    await why.getByRole('link', { name: 'Show the node on the canvas' }).click()
    await editor.focused('parser-1')
    await editor.settled()
    await publishTemplate(editor, 'Order number {order_id} from {customer}')
    await chip.getByRole('link').click()
    await page.waitForURL(failed)
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await page.getByText('Replay of').waitFor()
    await page.locator('header').first().getByText('Succeeded', { exact: true }).waitFor()
    assert.notEqual(page.url(), failed)

    // Each of its steps was done on the way, so it has gone by itself.
    await page.getByRole('link', { name: 'Flows', exact: true }).click()
    await page.getByRole('link', { name: 'My first flow', exact: true }).waitFor()
    await hour.waitFor({ state: 'detached' })
  })
})
