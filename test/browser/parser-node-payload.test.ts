import { describe, it, type TestContext } from 'node:test'
import { assertAccessible, testBrowser } from '../support/browser.ts'
import { readCode } from '../support/code-area.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import type { Editor } from '../support/editor.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const PAYLOAD = { order_id: 7, customer: 'Ann', 'a.b': 'dotted', items: [{ sku: 'A-1' }] }

/** The canvas of a flow that has had one request, with its template beside it. */
async function openBench(test: TestContext) {
  const editor = await open(test)
  await editor.service.run(editor.flow.slug, JSON.stringify(PAYLOAD))
  await editor.ran('parser-1').getByText('Succeeded').waitFor()
  return { editor, ...(await showBench(editor)) }
}

async function showBench(editor: Editor) {
  const parser = await editor.inspect('parser-1')
  await parser.getByRole('button', { name: 'Payload and preview of Template' }).click()
  const panel = editor.page.getByRole('complementary', { name: 'Template of Parser' })
  const template = panel.getByRole('textbox', { name: 'Template' })
  await template.and(editor.page.locator(':focus')).waitFor()
  await editor.settled()
  // The colon is drawn behind it, and read.
  const key = (name: string) => panel.getByRole('button', { name: `${name}:`, exact: true })
  return { panel, template, key }
}

describe('the payload beside a template', () => {
  it('gives its keys to the template by a drag, at the place where they are dropped', async (t) => {
    const { editor, template, key, panel } = await openBench(t)
    await key('sku').dragTo(template, { targetPosition: { x: 8, y: 18 } })
    await comesTo(editor.page, () => readCode(template), '{items[0].sku}Order {order_id} from {customer}')
    await key('a.b').dragTo(template.getByText('customer'))
    await comesTo(editor.page, () => readCode(template), '{items[0].sku}Order {order_id} from {[a.b]}')
    await panel
      .getByRole('region', { name: 'Preview', exact: true })
      .getByText('A-1Order 7 from dotted')
      .waitFor()
  })

  it('gives its keys to the template in the inspector, too', async (t) => {
    const editor = await open(t)
    await editor.service.run(editor.flow.slug, JSON.stringify(PAYLOAD))
    const parser = await editor.inspect('parser-1')
    // What it previews and what the run made of it come a moment later, each by itself, and move what stands below.
    for (const name of [/^Preview/, /^Output$/])
      await parser.getByRole('region', { name }).getByText('Order 7 from Ann').first().waitFor()
    const input = parser.getByRole('region', { name: 'Input', exact: true })
    const still = parser.getByRole('textbox', { name: 'Template' })
    await input.getByRole('button', { name: 'sku:', exact: true }).dragTo(still.getByText('customer'))
    await parser.getByText('Order 7 from A-1').first().waitFor()
  })

  it('gives its keys by keyboard: Enter on a key puts it in at the cursor; and is that of the newest request', async (t) => {
    const { editor, template, key, panel } = await openBench(t)
    await panel.getByText('"Ann"').waitFor()
    await template.press('Home')
    await key('customer').focus()
    await editor.page.keyboard.press('Enter')
    await comesTo(editor.page, () => readCode(template), '{customer}Order {order_id} from {customer}')
    // The cursor is behind it, and typing goes on in the template.
    await template.and(editor.page.locator(':focus')).waitFor()
    await editor.page.keyboard.type(': ')
    await comesTo(editor.page, () => readCode(template), '{customer}: Order {order_id} from {customer}')
    await editor.service.run(editor.flow.slug, '{"order_id":8,"customer":"Bo"}')
    await panel.getByText('"Bo"').waitFor()
    const preview = panel.getByRole('region', { name: 'Preview', exact: true })
    await preview.getByText('Bo: Order 8 from Bo').waitFor()
  })

  it('says what to do while there is none', async (t) => {
    const editor = await open(t)
    const { panel } = await showBench(editor)
    await panel.getByText('No payload yet').waitFor()
    await panel.getByRole('button', { name: 'Write one, and test' }).click()
    await editor.page.getByLabel('Body of the test request').waitFor()
  })

  it('comes from an earlier run where the newest did not get that far', async (t) => {
    const { nodes, edges, ...document } = ordersFlow()
    const prompt = {
      id: 'prompt-1',
      type: 'prompt',
      position: { x: 320, y: 480 },
      fields: { template: 'Say {words}' }
    }
    const wire = { from: 'parser-1.parsed_text', to: 'prompt-1.words' }
    const editor = await open(t, {
      document: { ...document, nodes: [...nodes, prompt], edges: [...edges, wire] }
    })
    const { service, flow, page } = editor
    await service.run(flow.slug, JSON.stringify(PAYLOAD))
    await service.run(flow.slug, '{"order_id":9}')
    await editor.ran('parser-1').getByText('Failed', { exact: true }).waitFor()
    const node = await editor.inspect('prompt-1')
    await node.getByRole('button', { name: 'Payload and preview of Template' }).click()
    const panel = page.getByRole('complementary', { name: 'Template of Prompt' })
    await panel.getByText('"Order 7 from Ann"').waitFor()
    await panel
      .getByRole('region', { name: 'Preview', exact: true })
      .getByText('Say Order 7 from Ann')
      .waitFor()
  })
})

describe('Inspect output', () => {
  it('shows the most recent text with its time and its run, and follows new runs', async (t) => {
    const editor = await open(t)
    const { service, flow, page } = editor
    await editor.choose('parser-1', 'Inspect output')
    const panel = page.getByRole('complementary', { name: 'Output of Parser' })
    await panel.getByText('No output yet').waitFor()
    const first = await service.run(flow.slug, JSON.stringify(PAYLOAD))
    const text = panel.getByRole('region', { name: 'Parsed Text, as text' })
    await text.getByText('Order 7 from Ann', { exact: true }).waitFor()
    const origin = panel.getByRole('link', { name: 'this run' })
    await comesTo(page, () => origin.getAttribute('href'), `/runs/${first.id}`)
    await panel.getByText('just now').waitFor()
    const second = await service.run(flow.slug, '{"order_id":8,"customer":"Bo"}')
    await text.getByText('Order 8 from Bo', { exact: true }).waitFor()
    // A run that failed in the node put nothing out: the last text stays.
    await service.run(flow.slug, '{"order_id":9}')
    await editor.ran('parser-1').getByText('Failed', { exact: true }).waitFor()
    await text.getByText('Order 8 from Bo', { exact: true }).waitFor()
    await origin.click()
    await page.waitForURL(`**/runs/${second.id}`)
  })

  it('is in the menu of every node, and passes axe', async (t) => {
    const editor = await open(t)
    await editor.service.run(editor.flow.slug, JSON.stringify(PAYLOAD))
    await editor.choose('webhook-1', 'Inspect output')
    const panel = editor.page.getByRole('complementary', { name: 'Output of Webhook' })
    await panel.getByRole('heading', { name: 'Data' }).waitFor()
    await panel.getByRole('heading', { name: 'Request' }).waitFor()
    await assertAccessible(editor.page, 'aside[aria-label="Output of Webhook"]')
    await panel.getByRole('button', { name: 'Close Output of Webhook' }).click()
    await editor.choose('chat-output-1', 'Inspect output')
    await editor.page.getByRole('complementary', { name: 'Output of Chat Output' }).waitFor()
  })
})
