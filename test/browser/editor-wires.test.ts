import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const LOOSE = ordersFlow({ edges: [] })

describe('wires', () => {
  it('say why where they do not fit, light up the ports where they do, are pulled from either end, and stand beside others', async (t) => {
    const editor = await open(t, { document: LOOSE })
    await editor.press(await editor.middleOf(editor.port('webhook-1', 'data')))
    await editor.pull(await editor.middleOf(editor.port('chat-output-1', 'text')))
    const why = /gives data and .* takes text: they do not fit\. Put a Parser between them/
    await editor.canvas.getByRole('status').filter({ hasText: why }).waitFor()
    await editor.page.mouse.up()
    const refusal = editor.page.getByRole('alert').filter({ hasText: why })
    await refusal.waitFor()
    assert.equal(await editor.wires().count(), 0)

    await editor.press(await editor.middleOf(editor.port('parser-1', 'parsed_text')))
    await refusal.waitFor({ state: 'detached' })
    await editor.pull(await editor.emptyPlace())
    const fit = (node: string) =>
      editor.node(node).locator('li[data-fit="yes"] > span:first-child').allInnerTexts()
    await comesTo(editor.page, () => fit('chat-output-1'), ['Text'])
    assert.deepEqual(await fit('webhook-1'), [])
    await editor.pull(await editor.middleOf(editor.port('chat-output-1', 'text')))
    await editor.page.mouse.up()
    await editor.wire('parser-1.parsed_text', 'chat-output-1.text').waitFor({ state: 'attached' })

    await editor.connect(['parser-1', 'data'], ['webhook-1', 'data'])
    await editor.wire('webhook-1.data', 'parser-1.data').waitFor({ state: 'attached' })

    await editor.press(await editor.middleOf(editor.port('webhook-1', 'request')))
    await editor.pull(await editor.middleOf(editor.port('parser-1', 'data')))
    const words =
      'Feeds this input besides that from webhook-1.data: the first wire that carries a value counts.'
    await editor.canvas.getByText(words).waitFor()
    await editor.page.mouse.up()
    await editor.wire('webhook-1.request', 'parser-1.data').waitFor({ state: 'attached' })
    assert.equal(await editor.wires().count(), 3)
  })

  it('are removed by their cross, or selected and deleted, and end at the port that fits when dropped on a node', async (t) => {
    // Far apart: the tools of a wire, which come when it is pointed at, must not lie under the click that selects it.
    const nodes = ordersFlow().nodes.map((node, index) => ({ ...node, position: { x: index * 560, y: 0 } }))
    const editor = await open(t, { document: ordersFlow({ nodes }) })
    const { page } = editor
    const first = await editor.wirePlace('webhook-1.data', 'parser-1.data')
    await page.mouse.move(first.x, first.y)
    await page.getByRole('button', { name: 'Remove the wire from webhook-1.data to parser-1.data' }).click()
    await editor.wire('webhook-1.data', 'parser-1.data').waitFor({ state: 'detached' })
    const second = await editor.wirePlace('parser-1.parsed_text', 'chat-output-1.text')
    await page.mouse.click(second.x - 60, second.y)
    await page.keyboard.press('Delete')
    await editor.wire('parser-1.parsed_text', 'chat-output-1.text').waitFor({ state: 'detached' })
    await editor.drag(
      await editor.middleOf(editor.port('webhook-1', 'data')),
      await editor.headOf('parser-1')
    )
    const wire = editor.wire('webhook-1.data', 'parser-1.data')
    await wire.waitFor({ state: 'attached' })
    // Nor does a wire rise with its node: it would take the clicks on what it passes.
    await editor.inspect('webhook-1')
    assert.equal(await wire.evaluate((drawn) => drawn.closest('svg')?.style.zIndex), '0')
  })

  it('take a node in that is dropped on them, in one step, and are mended past it when it is removed', async (t) => {
    const document = ordersFlow({
      nodes: [
        { id: 'chat-input-1', type: 'chat-input', position: { x: 0, y: 0 }, fields: {} },
        { id: 'chat-output-1', type: 'chat-output', position: { x: 700, y: 0 }, fields: {} },
        { id: 'chat-output-2', type: 'chat-output', position: { x: 350, y: 320 }, fields: {} }
      ],
      edges: [{ from: 'chat-input-1.message', to: 'chat-output-1.text' }]
    })
    const editor = await open(t, { document })
    const wire = await editor.wirePlace('chat-input-1.message', 'chat-output-1.text')
    const head = await editor.headOf('chat-output-2')
    const box = (await editor.node('chat-output-2').boundingBox())!
    await editor.press(head)
    await editor.pull({
      x: wire.x - box.width / 2 + (head.x - box.x),
      y: wire.y - box.height / 2 + (head.y - box.y)
    })
    await editor.page.locator('path[data-target]').waitFor({ state: 'attached' })
    await editor.page.mouse.up()
    await editor.wire('chat-input-1.message', 'chat-output-2.text').waitFor({ state: 'attached' })
    await editor.wire('chat-output-2.message', 'chat-output-1.text').waitFor({ state: 'attached' })
    await editor.choose('chat-output-2', 'Delete')
    await editor.wire('chat-input-1.message', 'chat-output-1.text').waitFor({ state: 'attached' })
    await editor.page.keyboard.press('Control+z')
    await editor.wire('chat-input-1.message', 'chat-output-2.text').waitFor({ state: 'attached' })
    await editor.page.keyboard.press('Control+z')
    await editor.wire('chat-input-1.message', 'chat-output-1.text').waitFor({ state: 'attached' })
    await comesTo(editor.page, () => editor.wires().count(), 1)
    const isBack = async () => Math.abs((await editor.node('chat-output-2').boundingBox())!.y - box.y) < 2
    await comesTo(editor.page, isBack, true)
  })
})
