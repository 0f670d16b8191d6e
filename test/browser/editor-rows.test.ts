import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Locator } from 'playwright-core'
import { assertAccessible, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { pets } from '../support/pets-api.ts'
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
  const { page } = editor
  // What is completed is asked for once, when it is typed.
  await editor.runAndRead('{"customer":{"name":"Ann"}}')
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
  await query.getByRole('textbox', { name: 'Value of parameter 2' }).focus()
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

it('an operation and a service are found by what they do, and what an operation takes is completed', async (t) => {
  const editor = await open(t, { document: { name: 'Begins', nodes: DOCUMENT.nodes.slice(0, 1), edges: [] } })
  const { page, service } = editor
  const settings = { base_url: 'https://pets.example/v1' }
  const made = await service.post('/api/v1/connections', { name: 'pets', kind: 'http', settings })
  const path = `/api/v1/connections/${made.json<{ id: string }>().id}/document`
  assert.equal((await service.request('PUT', path, { body: pets() })).status, 200)
  await service.run(editor.flow.slug, '{"customer":{"name":"Ann"}}')
  // The page knows connections for half a minute.
  await page.reload()
  await editor.settled()
  await editor.ran('webhook-1').waitFor()
  const first = page.locator('[data-action][data-selected]')
  // What is added is wired behind it.
  await editor.inspect('webhook-1')
  await page.keyboard.press('Control+k')
  const search = page.getByRole('textbox', { name: 'Search commands' })
  await search.fill('telegram')
  await first.filter({ hasText: 'Add Telegram' }).waitFor()
  await search.fill('add a pet')
  await first.filter({ hasText: 'Add Add a pet (pets)' }).waitFor()
  await page.keyboard.press('Enter')
  await editor.focused('api-operation-1')
  const node = await editor.inspect('api-operation-1')
  const body = node.locator('[data-field="body"]')
  await body.getByRole('textbox', { name: /^name/ }).focus()
  await body.locator('.cm-content:focus').waitFor()
  await page.keyboard.type('{cust')
  await page.getByRole('option', { name: 'customer' }).click()
  await page.keyboard.type('.name}')
  // It stays where it is while it is written, although it is optional.
  await body.getByText('more').click()
  await body.getByRole('textbox', { name: /^age/ }).focus()
  await body.locator('.cm-content:focus').waitFor()
  await page.keyboard.type('12')
  await body.getByRole('textbox', { name: /^tags/ }).focus()
  await body.locator('.cm-content:focus').waitFor()
  await page.keyboard.insertText('["tame"]')
  await node.locator('[data-field="operation"] input').focus()
  await page.getByText('Draft saved').waitFor()
  await comesTo(page, async () => (await editor.readNode('api-operation-1')).fields, {
    connection: 'pets',
    operation: 'addPet',
    body: { name: '{customer.name}', age: '12', tags: ['tame'] }
  })
  await assertAccessible(page, '[data-inspected]')
})

it('a node that reads another one without a wire shows it while it is selected', async (t) => {
  const editor = await open(t, { document: DOCUMENT })
  const line = editor.page.locator('[data-reads="parser-1 webhook-1"]')
  await editor.inspect('api-1')
  assert.equal(await line.count(), 0)
  await editor.inspect('parser-1')
  await line.waitFor({ state: 'attached' })
})
