import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Locator } from 'playwright-core'
import { assertAccessible, testBrowser } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { comesTo } from '../support/comes-to.ts'
import type { Editor } from '../support/editor.ts'
import { startMisbehavingServer } from '../support/misbehaving-server.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const DOCUMENT = {
  name: 'Outside',
  nodes: [
    { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
    { id: 'api-1', type: 'api-request', position: { x: 360, y: 0 }, fields: { url: 'https://old.example/' } },
    { id: 'parser-1', type: 'parser', position: { x: 0, y: 480 }, fields: { template: 'Sent to ' } }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'api-1.data' },
    { from: 'api-1.body', to: 'parser-1.data' }
  ]
}

async function pasteCurl(editor: Editor, command: string): Promise<Locator> {
  const node = await editor.inspect('api-1')
  await node.getByRole('button', { name: 'Paste curl' }).click()
  const panel = editor.page.getByRole('complementary', { name: 'Paste a curl command' })
  await panel.getByRole('textbox', { name: 'curl command' }).fill(command)
  return panel
}

async function savedFields(editor: Editor): Promise<Record<string, unknown>> {
  return (await editor.readNode('api-1')).fields as Record<string, unknown>
}

async function openFlow(test: TestContext): Promise<Editor> {
  return open(test, { document: DOCUMENT })
}

describe('the node of an API Request', () => {
  it('is filled by a curl command as one step, keeps its secret in a connection, and gives keys of its answer to what follows', async (t) => {
    const editor = await openFlow(t)
    const panel = await pasteCurl(editor, 'wget x')
    await panel.getByText('This is not a curl command').waitFor()
    await panel
      .getByRole('textbox', { name: 'curl command' })
      .fill("curl -k 'https://shop.example/orders?a=1' --json '{\"id\": 7}'")
    await panel.getByText('-k was left out').waitFor()
    await assertAccessible(editor.page, '[aria-label="Paste a curl command"]')
    await panel.getByRole('button', { name: 'Fill the node' }).click()
    await comesTo(editor.page, () => savedFields(editor), {
      url: 'https://shop.example/orders',
      method: 'POST',
      query: { a: '1' },
      body: { id: 7 },
      body_type: 'JSON'
    })
    await editor.canvas.click({ position: { x: 5, y: 300 } })
    await editor.page.keyboard.press('ControlOrMeta+z')
    await comesTo(editor.page, () => savedFields(editor), { url: 'https://old.example/' })

    const server = await startMisbehavingServer()
    cleanUp(t, () => server.stop())
    const command = `curl -X POST ${server.url('/echo')} -H 'Authorization: Bearer hunter2-hunter2' -d ''`
    await pasteCurl(editor, command)
    await panel.getByText('It does not go into the flow').waitFor()
    await panel.getByLabel('Name of the connection').fill('The shop')
    await panel.getByRole('button', { name: 'Create the connection and fill in' }).click()
    await comesTo(editor.page, async () => (await savedFields(editor)).connection, 'The shop')
    assert.ok(!JSON.stringify(await savedFields(editor)).includes('hunter2'))

    await editor.publish()
    await editor.service.run(editor.flow.slug, '{"order_id":7}')
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer hunter2-hunter2')
    const node = await editor.inspect('api-1')
    await node.getByRole('button', { name: 'Last answer' }).click()
    await editor.page
      .getByRole('complementary', { name: 'Last answer of API Request' })
      .getByText('Status 200')
      .waitFor()
    const parser = await editor.inspect('parser-1')
    const template = parser.getByRole('textbox', { name: 'Template' })
    const input = parser.getByRole('region', { name: 'Input', exact: true })
    await input.getByRole('button', { name: 'path:', exact: true }).dragTo(template)
    await comesTo(editor.page, () => template.innerText(), 'Sent to {path}')
  })
})
