import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Locator } from 'playwright-core'
import { assertAccessible, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const DOCUMENT = {
  name: 'Rows',
  nodes: [
    { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
    {
      id: 'api-1',
      type: 'api-request',
      position: { x: 360, y: 0 },
      fields: { url: 'https://shop.example/', query: { state: 'open' } }
    },
    {
      id: 'parser-1',
      type: 'parser',
      position: { x: 360, y: 220 },
      fields: { template: '{$nodes.webhook-1.data.customer.name}' }
    }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'api-1.data' },
    { from: 'api-1.body', to: 'parser-1.data' }
  ]
}

/** In the page: as somebody does who has copied it elsewhere. */
const PASTE = `(text) => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
  document.activeElement.dispatchEvent(event)
}`

async function paste(into: Locator, text: string): Promise<void> {
  await into.focus()
  await into.page().evaluate(`(${PASTE})(${JSON.stringify(text)})`)
}

it('objects are rows, completed, and filled by what is pasted', async (t) => {
  const editor = await open(t, { document: DOCUMENT })
  const { page, service } = editor
  await service.run(editor.flow.slug, '{"customer":{"name":"Ann"}}')
  const node = await editor.inspect('api-1')
  const query = node.locator('[data-field="query"]')
  const saved = (fields: object) =>
    comesTo(page, async () => (await editor.readNode('api-1')).fields, {
      url: 'https://shop.example/',
      ...fields
    })
  await query.getByRole('button', { name: 'Add parameter' }).click()
  await query.getByLabel('Name of parameter 2').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('who')
  await query.getByRole('textbox', { name: 'Value of parameter 2' }).click()
  await query.locator('.cm-content:focus').waitFor()
  await page.keyboard.type('{cust')
  await page.getByRole('option', { name: 'customer' }).click()
  await page.keyboard.type('.name}')
  await saved({ query: { state: 'open', who: '{customer.name}' } })
  await paste(query.getByLabel('Name of parameter 1'), 'https://x.example/?tag=a&tag=b&api_key=123')
  await query.getByText('api_key was left out').waitFor()
  await saved({ query: { state: 'open', tag: ['a', 'b'], who: '{customer.name}' } })
  await assertAccessible(page, '[data-inspected]')
  const url = node.locator('[data-field="url"]').getByRole('textbox')
  await paste(url, "curl https://other.example/orders -H 'Authorization: Bearer hunter2-hunter2'")
  const panel = page.getByRole('complementary', { name: 'Paste a curl command' })
  await panel.getByText('It does not go into the flow').waitFor()
  await panel.getByRole('button', { name: 'Close' }).click()
  await paste(url, 'curl https://other.example/orders --json \'{"id": 7}\'')
  await saved({ url: 'https://other.example/orders', method: 'POST', body: { id: 7 }, body_type: 'JSON' })
})

it('a node that reads another one without a wire shows it while it is selected', async (t) => {
  const editor = await open(t, { document: DOCUMENT })
  const line = editor.page.locator('[data-reads="parser-1 webhook-1"]')
  await editor.inspect('api-1')
  assert.equal(await line.count(), 0)
  await editor.inspect('parser-1')
  await line.waitFor({ state: 'attached' })
})
