import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

describe('the canvas by keyboard', () => {
  it('is walked with arrows, zoomed, moved on, edited and deleted from', async (t) => {
    const editor = await open(t)
    const { page } = editor
    await editor.canvas.focus()
    await page.keyboard.press('ArrowRight')
    await editor.focused('parser-1')
    await page.keyboard.press('ArrowRight')
    await editor.focused('chat-output-1')
    await page.keyboard.press('ArrowRight')
    await editor.focused('chat-output-1')
    await page.keyboard.press('ArrowLeft')
    await editor.focused('parser-1')
    await page.keyboard.press('ArrowLeft')
    await editor.focused('webhook-1')
    await comesTo(page, () => editor.node('webhook-1').getAttribute('data-selected'), 'true')
    await page.keyboard.press('Enter')
    const wide = page.locator('[data-wide]')
    await wide.filter({ has: editor.inspected('webhook-1').locator(':focus') }).waitFor()
    await page.keyboard.press('Escape')
    await wide.waitFor({ state: 'detached' })
    await editor.focused('webhook-1')
    await page.keyboard.press('F2')
    await editor.typeTitle('webhook-1', 'Shop')
    await page.keyboard.press('Enter')
    await editor.node('webhook-1').getByText('Shop').waitFor()
    await editor.node('parser-1').focus()
    for (let step = 0; step < 8; step++) await page.keyboard.press('-')
    await page.locator('[data-canvas][data-zoomed-out]').waitFor()
    await editor.focused('parser-1')
    for (let step = 0; step < 8; step++) await page.keyboard.press('=')
    await editor.ports('parser-1').first().waitFor()
    await editor.focused('parser-1')
    await editor.node('parser-1').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await comesTo(page, async () => (await editor.readNode('parser-1')).position, { x: 320, y: 32 })
    await page.keyboard.press('Delete')
    await editor.node('parser-1').waitFor({ state: 'detached' })
  })
})

describe('what is typed in the inspector', () => {
  it('goes to the field from the first key, and to no shortcut', async (t) => {
    const nodes = [
      ...ordersFlow().nodes,
      {
        id: 'switch-1',
        type: 'switch',
        position: { x: 640, y: 240 },
        fields: { value: '{state}', cases: ['open'] }
      }
    ]
    const editor = await open(t, { document: ordersFlow({ nodes }) })
    const { page } = editor
    const inspected = await editor.inspect('switch-1')
    await inspected.getByRole('button', { name: 'Add case' }).click()
    await page.keyboard.type('paid')
    await comesTo(page, async () => (await editor.readNode('switch-1')).fields, {
      value: '{state}',
      cases: ['open', 'paid']
    })
    // A button has no use for a letter, and the canvas must not have one either.
    await inspected.getByRole('button', { name: 'Remove case 2' }).focus()
    await page.keyboard.type('dl')
    await page.keyboard.press('Delete')

    // Its editor is loaded by the click: all of this comes before it.
    const parser = await editor.inspect('parser-1')
    await parser.getByRole('textbox', { name: 'Template' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('dad')
    await comesTo(page, async () => (await editor.readNode('parser-1')).fields, {
      mode: 'Parser',
      template: 'dad'
    })
    // On the node itself, too, without a pointer and from the first key; it is undone as any edit.
    await page.keyboard.press('Escape')
    await editor.node('parser-1').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    const onNode = editor.node('parser-1').getByRole('textbox', { name: 'Template on the node' })
    await onNode.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type(' dl')
    const saved = async () => (await editor.readNode('parser-1')).fields as { template?: string }
    await comesTo(page, async () => (await saved()).template, 'dad dl')
    await page.keyboard.press('Control+z')
    await comesTo(page, () => onNode.inputValue(), 'dad')
    await page.keyboard.press('Escape')
    await editor.node('parser-1').and(page.locator(':focus')).waitFor()
    await comesTo(page, async () => (await saved()).template, 'dad')

    const disabled = (await editor.read()).nodes.map(({ id, disabled }) => [id, disabled === true])
    assert.deepEqual(
      disabled,
      nodes.map(({ id }) => [id, false])
    )
    assert.equal(await page.getByRole('complementary', { name: 'List view' }).count(), 0)
  })
})

describe('the list view', () => {
  it('finds a node, tells what went over a wire, leads and orders wires, and sets what happens to errors', async (t) => {
    const nodes = [
      ...ordersFlow().nodes,
      { id: 'chat-output-2', type: 'chat-output', position: { x: 640, y: 200 }, fields: {} },
      { id: 'prompt-9', type: 'prompt', position: { x: 9000, y: 40 }, fields: {} }
    ]
    const editor = await open(t, { document: ordersFlow({ nodes }) })
    const { page } = editor
    // The arrows lead to what is out of sight.
    await comesTo(page, () => editor.node('prompt-9').count(), 0)
    await editor.node('chat-output-1').focus()
    await page.keyboard.press('ArrowRight')
    await editor.focused('prompt-9')

    await page.keyboard.press('Control+f')
    const panel = page.getByRole('complementary', { name: 'List view' })
    const search = panel.getByLabel('Search nodes')
    await search.and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('chat out')
    const found = panel.getByRole('listbox').getByRole('option')
    await comesTo(page, () => found.count(), 2)
    await page.keyboard.press('Enter')
    // What nothing leads to comes first.
    await comesTo(page, () => editor.node('chat-output-2').getAttribute('data-selected'), 'true')

    await search.fill('')
    await page.locator('#outline-webhook-1').click()
    const last = page.getByRole('button', { name: /^Last value of the wire to Parser/ })
    await last.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing has come over this wire yet.').waitFor()
    await editor.service.run(editor.flow.slug, JSON.stringify({ order_id: 7, customer: 'Ann' }))
    await page.getByText('object with 2 keys · 31 bytes').waitFor()

    await page.locator('#outline-parser-1').click()
    await panel.getByLabel('Connect Parsed Text to').selectOption('chat-output-2.text')
    await editor.wire('parser-1.parsed_text', 'chat-output-2.text').waitFor({ state: 'attached' })
    await panel.getByRole('button', { name: 'Remove the wire to Chat Output · text (chat-output-1)' }).click()
    await editor.wire('parser-1.parsed_text', 'chat-output-1.text').waitFor({ state: 'detached' })

    await panel.getByLabel('Connect another wire to Data').selectOption('webhook-1.request')
    await editor.wire('webhook-1.request', 'parser-1.data').waitFor({ state: 'attached' })
    await panel.getByRole('button', { name: 'Take the wire from webhook-1.request first' }).click()
    const into = async () =>
      (await editor.read()).edges.filter(({ to }) => to === 'parser-1.data').map(({ from }) => from)
    await comesTo(page, into, ['webhook-1.request', 'webhook-1.data'])
    await panel.getByLabel('Wire 2 into Data').selectOption('Nothing')
    await editor.wire('webhook-1.data', 'parser-1.data').waitFor({ state: 'detached' })

    await panel.getByText('When it fails').click()
    await panel.getByLabel('Attempts').fill('5')
    await panel.getByLabel('Time allowed, ms').fill('2000')
    await panel.getByLabel('After the last attempt').selectOption('Continue at the output Error')
    await editor.port('parser-1', 'error').waitFor()
    await editor.node('parser-1').getByText('Error', { exact: true }).waitFor()
    await comesTo(page, async () => (await editor.readNode('parser-1')).on_error, 'output')
    const node = await editor.readNode('parser-1')
    assert.deepEqual([node.retry, node.timeout_ms], [{ attempts: 5 }, 2000])
  })

  it('adds, connects, edits and deletes without a pointer', async (t) => {
    const editor = await open(t, { document: ordersFlow({ nodes: [], edges: [] }) })
    const { page } = editor
    const panel = page.getByRole('complementary', { name: 'List view' })
    const add = async (name: string, node: string) => {
      await panel.getByRole('button', { name: 'Add', exact: true }).focus()
      await page.keyboard.press('Enter')
      await editor.quickAdd(name)
      await editor.focused(node)
    }
    await page.getByRole('group', { name: /^Canvas/ }).focus()
    await page.keyboard.press('l')
    const list = panel.getByRole('listbox')
    const hasFocus = page.locator(':focus')
    await list.and(hasFocus).waitFor()
    await page.keyboard.press('l')
    await panel.waitFor({ state: 'detached' })
    await page
      .getByRole('group', { name: /^Canvas/ })
      .and(hasFocus)
      .waitFor()
    await page.keyboard.press('l')
    await list.and(hasFocus).waitFor()
    await add('webhook', 'webhook-1')
    await add('parser', 'parser-1')
    await list.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await panel.getByLabel('Title', { exact: true }).and(hasFocus).waitFor()
    await page.keyboard.insertText('Line')
    await editor.node('parser-1').getByText('Line').waitFor()
    await panel.getByLabel('Wire into Data').selectOption('webhook-1.data')
    await editor.wire('webhook-1.data', 'parser-1.data').waitFor({ state: 'attached' })
    await panel.getByLabel('Mode', { exact: true }).selectOption('Stringify')
    await editor.saved()
    assert.equal((await editor.readNode('parser-1')).title, 'Line')
    assert.deepEqual((await editor.readNode('parser-1')).fields, { mode: 'Stringify' })
    await list.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Delete')
    await editor.node('webhook-1').waitFor({ state: 'detached' })
    const titles = async () =>
      (await list.getByRole('option').allInnerTexts()).map((text) => text.split('\n')[0])
    await comesTo(page, titles, ['Line'])
  })
})
