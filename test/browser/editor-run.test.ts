import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertAccessible, testBrowser } from '../support/browser.ts'
import { readCode, writeCode } from '../support/code-area.ts'
import { comesTo } from '../support/comes-to.ts'
import { branchFlow, chatFlow, ORDER, ordersFlow } from '../support/documents.ts'
import type { Editor } from '../support/editor.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

/** What came out of a node in the shown run. */
const output = (editor: Editor, node: string) =>
  editor.inspected(node).getByRole('region', { name: 'Output', exact: true })

/** How the run went that is on the canvas, in the toolbar. */
const shown = ({ page }: Editor) => page.getByRole('region', { name: 'The run on the canvas' })

const LONG_SETTINGS = `document.querySelector('[data-inspected] [data-column="settings"]').style.paddingBottom = '100vh'`

describe('the last run on the canvas', () => {
  it('shows each node’s state, time and last value, as it happens, its version, and what was edited since, until another is asked for', async (t) => {
    const editor = await open(t)
    assert.equal(await editor.ran('parser-1').count(), 0)
    await editor.inspect('parser-1')
    const first = await editor.service.run(editor.flow.id, JSON.stringify(ORDER))
    await editor.ran('parser-1').getByText('Succeeded').waitFor()
    await editor.ran('parser-1').getByText(/\d ms/).waitFor()
    await output(editor, 'parser-1').getByText('Order 7 from Ann').waitFor()
    const input = editor.inspected('parser-1').getByRole('region', { name: 'Input', exact: true })
    await input.getByText('"Ann"').waitFor()
    await shown(editor)
      .getByText(/^(\d+|< 1) ms · v1$/)
      .waitFor()
    assert.equal(await editor.ran('parser-1').getByText('edited since').count(), 0)
    await editor.inspected('parser-1').getByText('Stringify').click()
    await shown(editor).getByText('v1, edited since').waitFor()
    await editor.ran('parser-1').getByText('edited since').waitFor()
    await output(editor, 'parser-1').getByText('This output is out of date').waitFor()
    await editor.page.keyboard.press('Escape')
    await editor.page.keyboard.press('Control+z')
    await editor.ran('parser-1').getByText('edited since').waitFor({ state: 'detached' })

    // What went wrong stands at the node where it did.
    await editor.service.run(editor.flow.id, JSON.stringify({ customer: 'Ann' }))
    await editor.ran('parser-1').getByText('Failed').waitFor()
    await editor.inspect('parser-1')
    await output(editor, 'parser-1')
      .getByRole('alert')
      .getByText(/order_id/)
      .waitFor()
    await shown(editor).getByText('Failed').waitFor()

    await editor.service.run(editor.flow.id, JSON.stringify({ order_id: 8, customer: 'Bob' }))
    await editor.reopen(`?run=${first.id}&node=parser-1`)
    await output(editor, 'parser-1').getByText('Order 7 from Ann').waitFor()
    await editor.page.getByRole('button', { name: 'Show the newest' }).click()
    await output(editor, 'parser-1').getByText('Order 8 from Bob').waitFor()
  })

  it('draws what it went by faintly: silent wires and skipped nodes, there and on its page', async (t) => {
    const editor = await open(t, { document: branchFlow() })
    const { id } = await editor.service.run(editor.flow.id, JSON.stringify({ total: 7 }))
    await editor.ran('parser-2').getByText('Succeeded').waitFor()
    const silent = editor.wires().filter({ has: editor.page.locator('[data-silent]') })
    const keys = () => silent.evaluateAll((wires) => wires.map((wire) => wire.getAttribute('data-id')))
    await comesTo(editor.page, keys, [
      'if-else-1.true -> parser-1.data',
      'parser-1.parsed_text -> chat-output-1.text'
    ])
    await comesTo(editor.page, () => editor.node('parser-1').getAttribute('data-skipped'), 'true')
    const card = editor.page.getByRole('tooltip').filter({ hasText: '→' })
    const rest = async (from: string, to: string) => {
      const { x, y } = await editor.wirePlace(from, to)
      await editor.page.mouse.move(x, y)
    }
    await rest('webhook-1.data', 'if-else-1.data')
    await card.getByText('Webhook · data → If-Else · data').waitFor()
    await card.getByText('object with 1 key · 11 bytes').waitFor()
    await card.getByText('"total": 7').waitFor()
    await rest('if-else-1.true', 'parser-1.data')
    const silence = card.filter({ hasText: 'Nothing came over it. If-Else gave nothing at true.' })
    assert.equal(await silence.getByRole('link').getAttribute('href'), `/runs/${id}?step=if-else-1`)
    await assertAccessible(editor.page, '[role="tooltip"]')
    await shown(editor).getByRole('link').click()
    await editor.page.waitForURL(`**/runs/${id}`)
    await editor.page.locator('button[data-skipped][data-node="parser-1"]').waitFor()
    await editor.page.locator('button[data-node="if-else-1"]').click()
    await editor.page.getByText('Nothing came out at True.').waitFor()
  })
})

const testButton = ({ page }: Editor) => page.getByRole('button', { name: 'Test', exact: true })

const payload = ({ page }: Editor) => page.getByRole('complementary', { name: 'Payload of the test' })

describe('Test', () => {
  it('runs what is drawn, saved or not, by its button and by keys, all of it, up to a node or one step; what is live goes on as it is', async (t) => {
    const editor = await open(t)
    const real = await editor.service.run(editor.flow.id, JSON.stringify(ORDER))
    const parser = await editor.inspect('parser-1')
    await parser.getByText('Stringify').click()
    await testButton(editor).click()
    await shown(editor)
      .getByText(/ms · test$/)
      .waitFor()
    await output(editor, 'parser-1').getByText('"order_id"').waitFor()
    const test = (await shown(editor).getByRole('link').getAttribute('href'))!.split('/').at(-1)!
    const run = (await editor.service.readRun(test)) as Awaited<ReturnType<typeof editor.service.readRun>> & {
      test: boolean
    }
    assert.deepEqual([run.test, run.replay_of, run.input], [true, real.id, ORDER])
    const live = await editor.service.run(editor.flow.id, JSON.stringify(ORDER))
    assert.equal(live.steps.find(({ node }) => node === 'parser-1')?.outputs?.parsed_text, 'Order 7 from Ann')

    await parser.getByText('Parser', { exact: true }).last().click()
    await editor.writeTemplate(parser, 'Only {order_id}')
    await output(editor, 'parser-1').getByRole('button', { name: 'Run this step' }).click()
    await output(editor, 'parser-1').locator('[data-tried-output]').getByText('Only 7').waitFor()
    const runs = async () =>
      (await editor.service.get(`/api/v1/runs?flow_id=${editor.flow.id}`)).json<{ runs: { id: string }[] }>()
        .runs
    assert.equal((await runs()).length, 3, 'no other node ran')

    await editor.writeTemplate(parser, 'Draft {order_id}')
    await editor.page.keyboard.press('Control+Enter')
    await output(editor, 'parser-1').getByText('Draft 7', { exact: true }).waitFor()

    // Below long settings nobody would see what came of it.
    const body = parser.locator('xpath=ancestor::section[@aria-label="All of it"]')
    const isInSight = async () => {
      const [room, result] = [await body.boundingBox(), await output(editor, 'parser-1').boundingBox()]
      return result!.y + result!.height <= room!.y + room!.height + 1
    }
    await editor.page.evaluate(LONG_SETTINGS)
    await comesTo(editor.page, isInSight, false)
    await editor.page.keyboard.press('Control+Enter')
    await comesTo(editor.page, isInSight, true)

    await editor.writeTemplate(parser, 'Up to {order_id}')
    await editor.page.keyboard.press('Control+Shift+Enter')
    await output(editor, 'parser-1').getByText('Up to 7', { exact: true }).waitFor()
    const stepsOf = async () =>
      (await editor.service.readRun((await runs())[0]!.id)).steps.map(({ status }) => status)
    assert.deepEqual(await stepsOf(), ['succeeded', 'succeeded', 'skipped'])
    await editor.openMenu('webhook-1')
    await editor.page.getByRole('menuitem', { name: 'Run up to here' }).click()
    await editor.inspected('webhook-1').waitFor()
    await comesTo(editor.page, stepsOf, ['succeeded', 'skipped', 'skipped'])

    // What is wrong with the draft is told, and leads there.
    await editor.writeTemplate(await editor.inspect('parser-1'), 'Order {')
    const why = editor.page.getByRole('alert').filter({ hasText: 'keeps this from being tested' })
    await editor.inspect('webhook-1')
    await testButton(editor).click()
    await why.getByRole('button').first().click()
    await editor.inspected('parser-1').waitFor()
    await why.waitFor({ state: 'detached' })
  })
})

describe('a pin', () => {
  it('is what tests take from a node, until it is unpinned', async (t) => {
    const { nodes, ...document } = ordersFlow()
    // All in sight beside the inspector.
    const below = nodes.map((node, index) => ({ ...node, position: { x: 0, y: index * 180 } }))
    const editor = await open(t, { document: { ...document, nodes: below } })
    const { page, service, flow } = editor
    await service.run(flow.id, JSON.stringify(ORDER))
    await editor.ran('parser-1').getByText('Succeeded').waitFor()
    const parser = await editor.inspect('parser-1')
    await output(editor, 'parser-1').getByRole('button', { name: 'Pin output' }).click()
    const pinned = output(editor, 'parser-1').getByRole('region', { name: 'Pinned output' })
    const text = pinned.getByLabel('Pinned output of parser-1, as JSON')
    await comesTo(page, () => readCode(text), '{\n  "parsed_text": "Order 7 from Ann"\n}')
    await editor.node('parser-1').getByText('pinned', { exact: true }).waitFor()
    await assertAccessible(page, '[aria-label="Pinned output"]')
    await writeCode(text, '{"parsed_text": "Written by hand"}')
    await pinned.getByRole('button', { name: 'Save the pin' }).click()
    await pinned.getByRole('button', { name: 'Save the pin' }).waitFor({ state: 'detached' })

    await testButton(editor).click()
    await editor.ran('parser-1').getByText('from the pin').waitFor()
    const input = editor.inspected('chat-output-1').getByRole('region', { name: 'Input', exact: true })
    await editor.inspect('chat-output-1')
    await input.getByText('Written by hand').waitFor()
    await input.getByText(', pinned').waitFor()

    await editor.inspect('parser-1')
    await editor.writeTemplate(parser, 'Other {order_id}')
    await editor.node('parser-1').getByText('stale pin').waitFor()
    await pinned.getByText('this may be stale').waitFor()
    await output(editor, 'parser-1').getByRole('button', { name: 'Run this step' }).click()
    await output(editor, 'parser-1').getByRole('button', { name: 'Pin this instead' }).waitFor()
    await assertAccessible(page, '[data-inspected="parser-1"]')
    await output(editor, 'parser-1').getByRole('button', { name: 'Pin this instead' }).click()
    await comesTo(page, () => readCode(text), '{\n  "parsed_text": "Other 7"\n}')
    await editor.node('parser-1').getByText('pinned', { exact: true }).waitFor()
    await pinned.getByRole('button', { name: 'Unpin' }).click()
    await pinned.waitFor({ state: 'detached' })
    await page.locator('[data-canvas] [data-node="parser-1"]').focus()
    await page.keyboard.press('Shift+P')
    await pinned.waitFor()
  })

  it('is written by hand where nothing has run, and previews and tests take it', async (t) => {
    const editor = await open(t)
    await editor.inspect('webhook-1')
    await output(editor, 'webhook-1').getByRole('button', { name: 'Pin output' }).click()
    const written = output(editor, 'webhook-1').getByRole('region', { name: 'Output to be pinned' })
    const text = written.getByLabel('Output of webhook-1 to be pinned, as JSON')
    await comesTo(editor.page, () => readCode(text), '{\n  "data": null,\n  "request": null\n}')
    await writeCode(text, '{"data": {"order_id": 5, "customer": "Bo"}}')
    await written.getByRole('button', { name: 'Pin', exact: true }).click()
    await editor.node('webhook-1').getByText('pinned', { exact: true }).waitFor()
    const parser = await editor.inspect('parser-1')
    await parser.getByText('with what is pinned').waitFor()
    await parser.getByText('Order 5 from Bo').waitFor()
    await testButton(editor).click()
    await output(editor, 'parser-1').getByText('Order 5 from Bo').waitFor()
  })
})

describe('a test up to a node', () => {
  it('asks for a payload where there is none, and ends there all the same', async (t) => {
    const editor = await open(t)
    await editor.inspect('parser-1')
    await output(editor, 'parser-1').getByRole('button', { name: 'Run up to here' }).click()
    await payload(editor).getByRole('button', { name: 'Test up to Parser' }).click()
    await output(editor, 'parser-1').getByText('Order order_id from customer').waitFor()
    assert.equal(await editor.ran('chat-output-1').getByText('Succeeded').count(), 0)
    // A button that is busy cannot keep the focus.
    await output(editor, 'parser-1').getByRole('button', { name: 'Run this step' }).click()
    await output(editor, 'parser-1').getByText('Tried by itself').waitFor()
    await editor.page.keyboard.press('Escape')
    await editor.inspected('parser-1').waitFor({ state: 'detached' })
  })
})

describe('the Playground beside the canvas', () => {
  it('runs what is drawn, as a test, and is there when the flow is opened again', async (t) => {
    const document = chatFlow()
    const nodes = document.nodes.map((node, index) => ({ ...node, position: { x: index * 280, y: 0 } }))
    const editor = await open(t, { document: { ...document, nodes } })
    const { page } = editor
    await page.keyboard.press('p')
    const dock = page.getByRole('complementary', { name: 'Playground' })
    await dock.getByRole('textbox', { name: 'Message' }).waitFor()
    await editor.writeTemplate(await editor.inspect('prompt-1'), 'Draft: {text}')
    await dock.getByRole('textbox', { name: 'Message' }).fill('Hello')
    await page.keyboard.press('Enter')
    await dock.getByText('Draft: Hello', { exact: true }).waitFor()
    await shown(editor)
      .getByText(/· test$/)
      .waitFor()
    await editor.reopen()
    await dock.getByText('Draft: Hello', { exact: true }).waitFor()
    await dock.getByRole('button', { name: 'Close the Playground' }).click()
    await dock.waitFor({ state: 'detached' })
  })
})
