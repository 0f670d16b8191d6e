import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowBody } from '../support/api-client.ts'
import { assertAccessible, testBrowser } from '../support/browser.ts'
import { openEditor } from '../support/editor.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const browser = testBrowser()
const open = sharedEditor(browser)

const at = (x: number, y: number) => ({ position: { x, y } })

/** Webhook → For each (Parser) → Return, and a Merge that stands by itself below. */
const LINES = {
  name: 'Lines',
  nodes: [
    { id: 'webhook-1', type: 'webhook', ...at(0, 60) },
    { id: 'each-1', type: 'for-each', ...at(320, 0), size: { width: 620, height: 280 } },
    { id: 'line-1', type: 'parser', parent: 'each-1', ...at(480, 110), fields: { template: '{sku}' } },
    { id: 'answer-1', type: 'return', ...at(1040, 0) },
    { id: 'merge-1', type: 'merge', ...at(480, 380) }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'each-1.items' },
    { from: 'each-1.item', to: 'line-1.data' },
    { from: 'line-1.parsed_text', to: 'each-1.result' },
    { from: 'each-1.results', to: 'answer-1.data' }
  ]
}

type Placed = FlowBody['nodes'][number] & {
  readonly parent?: string
  readonly size?: { readonly width: number }
  readonly position: { readonly x: number; readonly y: number }
}

const nodeOf = (flow: FlowBody, id: string) => flow.nodes.find((node) => node.id === id) as Placed

describe('the frame of a For each', () => {
  it('takes nodes in and lets them out by hand and by the menu, with the wires that cannot stay', async (t) => {
    const editor = await open(t, { document: LINES })
    const { page } = editor
    const merge = await editor.headOf('merge-1')
    await editor.drag(merge, { x: merge.x, y: merge.y - 110 })
    assert.equal(nodeOf(await editor.saved(1), 'merge-1').parent, 'each-1')
    const line = await editor.headOf('line-1')
    await editor.drag(line, { x: line.x, y: line.y + 260 })
    await page.getByText('2 wires were removed').waitFor()
    const out = await editor.saved(2)
    assert.deepEqual([nodeOf(out, 'line-1').parent, out.edges.length], [undefined, 2])
    await editor.canvas.focus()
    await page.keyboard.press('Control+z')
    await editor.wire('each-1.item', 'line-1.data').waitFor()
    const back = await editor.saved(3)
    assert.deepEqual([nodeOf(back, 'line-1').parent, back.edges.length], ['each-1', 4])

    await editor.node('merge-1').hover()
    await editor.choose('merge-1', 'Move out')
    assert.equal(nodeOf(await editor.saved(4), 'merge-1').parent, undefined)
    await editor.node('merge-1').hover()
    await editor.choose('merge-1', 'Move into For each')
    assert.equal(nodeOf(await editor.saved(5), 'merge-1').parent, 'each-1')
    // What is asked for at its inner port is added within it.
    await editor.node('each-1').getByRole('button', { name: 'Add a node after Index of each-1' }).click()
    await editor.quickAdd('prompt')
    await editor.node('prompt-1').waitFor()
    assert.equal(nodeOf(await editor.saved(6), 'prompt-1').parent, 'each-1')
  })

  it('takes its nodes along, hides them, and shows them again', async (t) => {
    const editor = await open(t, { document: LINES })
    const head = await editor.headOf('each-1')
    const { position: before } = nodeOf(await editor.read(), 'line-1')
    await editor.drag(head, { x: head.x, y: head.y - 60 })
    const { position: after } = nodeOf(await editor.saved(1), 'line-1')
    assert.ok(after.y < before.y && after.x === before.x, JSON.stringify(after))
    await editor.settled()
    const frame = (await editor.node('each-1').boundingBox())!
    const corner = await editor.middleOf(editor.node('each-1').locator('.react-flow__resize-control'))
    await editor.drag(corner, { x: corner.x - 40, y: corner.y - 20 })
    const resized = await editor.saved(2)
    assert.ok(nodeOf(resized, 'each-1').size!.width < 620, JSON.stringify(nodeOf(resized, 'each-1').size))
    await editor.node('each-1').getByRole('button', { name: 'Collapse For each, each-1' }).click()
    await editor.node('line-1').waitFor({ state: 'detached' })
    await editor.node('each-1').getByText('1 node · One item after the other').waitFor()
    // What it has in it is gone before its own size is drawn anew.
    await editor.settled()
    const collapsed = (await editor.node('each-1').boundingBox())!
    assert.ok(collapsed.height < frame.height / 2, `collapsed, it is ${collapsed.height} pixels high`)
    assert.equal(await editor.wires().count(), 2)
    await editor.node('each-1').getByRole('button', { name: 'Expand For each, each-1' }).click()
    await editor.wire('line-1.parsed_text', 'each-1.result').waitFor()
    await assertAccessible(editor.page, '[data-canvas]')
  })

  it('has its wires also where it is loaded after the canvas was drawn', async (t) => {
    const editor = await openEditor(t, browser, { document: LINES, fresh: true })
    for (const { from, to } of LINES.edges) await editor.wire(from, to).waitFor({ state: 'attached' })
  })
})
