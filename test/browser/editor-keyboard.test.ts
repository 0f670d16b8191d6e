import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { ordersFlow } from '../support/documents.ts'
import type { Editor } from '../support/editor.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const focused = (editor: Editor, node: string) => editor.page.locator(`[data-node="${node}"]:focus`).waitFor()

describe('the canvas by keyboard', () => {
  it('is walked with arrows, from the middle of what is in sight', async (t) => {
    const editor = await open(t)
    await editor.canvas.focus()
    await editor.page.keyboard.press('ArrowRight')
    await focused(editor, 'parser-1')
    await editor.page.keyboard.press('ArrowRight')
    await focused(editor, 'chat-output-1')
    await editor.page.keyboard.press('ArrowRight')
    await focused(editor, 'chat-output-1')
    await editor.page.keyboard.press('ArrowLeft')
    await editor.page.keyboard.press('ArrowLeft')
    await focused(editor, 'webhook-1')
    assert.equal(await editor.node('webhook-1').getAttribute('data-selected'), 'true')
  })

  it('keeps its place while it is zoomed, far away and back', async (t) => {
    const editor = await open(t)
    await editor.node('parser-1').focus()
    for (let step = 0; step < 8; step++) await editor.page.keyboard.press('-')
    await editor.page.locator('[data-canvas][data-far]').waitFor()
    await focused(editor, 'parser-1')
    for (let step = 0; step < 8; step++) await editor.page.keyboard.press('=')
    await editor.field('parser-1', 'Template').waitFor()
    await focused(editor, 'parser-1')
  })

  it('is edited with Enter, left with Escape, and deleted from with Delete', async (t) => {
    const editor = await open(t)
    const { page } = editor
    await editor.canvas.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await focused(editor, 'webhook-1')
    await page.keyboard.press('Enter')
    await page.locator('[data-node="webhook-1"] select:focus').waitFor()
    await page.keyboard.press('Escape')
    await focused(editor, 'webhook-1')
    await page.keyboard.press('F2')
    await page.keyboard.type('Shop')
    await page.keyboard.press('Enter')
    await editor.node('webhook-1').getByText('Shop').waitFor()
    await editor.node('webhook-1').focus()
    await page.keyboard.press('Delete')
    await editor.node('webhook-1').waitFor({ state: 'detached' })
  })

  it('moves what is selected with Alt and arrows', async (t) => {
    const editor = await open(t)
    await editor.node('parser-1').focus()
    await editor.page.keyboard.press('Space')
    await editor.page.keyboard.press('Alt+ArrowDown')
    await editor.page.keyboard.press('Alt+ArrowDown')
    await editor.saved(2)
    assert.deepEqual((await editor.readNode('parser-1')).position, { x: 320, y: 32 })
  })

  it('goes to a node that is out of sight', async (t) => {
    const nodes = [
      ...ordersFlow().nodes,
      { id: 'prompt-9', type: 'prompt', position: { x: 9000, y: 40 }, fields: {} }
    ]
    const editor = await open(t, { document: ordersFlow({ nodes }) })
    assert.equal(await editor.node('prompt-9').count(), 0)
    await editor.node('chat-output-1').focus()
    await editor.page.keyboard.press('ArrowRight')
    await focused(editor, 'prompt-9')
  })
})

describe('the list view', () => {
  it('adds, connects, edits and deletes without a pointer', async (t) => {
    const editor = await open(t, { document: ordersFlow({ nodes: [], edges: [] }) })
    const { page } = editor
    const panel = page.getByRole('complementary', { name: 'List view' })
    const add = async (name: string) => {
      await panel.getByRole('button', { name: 'Add' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('combobox', { name: 'Search components' }).waitFor()
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
    }
    await page.getByRole('group', { name: /^Canvas/ }).focus()
    await page.keyboard.press('l')
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'listbox')
    await page.keyboard.press('l')
    await panel.waitFor({ state: 'detached' })
    assert.match(await page.evaluate(() => document.activeElement?.ariaLabel ?? ''), /^Canvas/)
    await page.keyboard.press('l')
    await add('webhook')
    await editor.node('webhook-1').waitFor()
    await add('parser')
    await editor.node('parser-1').waitFor()
    const list = panel.getByRole('listbox')
    await list.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Line')
    await editor.node('parser-1').getByText('Line').waitFor()
    await panel.getByLabel('Wire into Data').selectOption('webhook-1.data')
    await editor.wire('webhook-1.data', 'parser-1.data').waitFor({ state: 'attached' })
    await panel.getByLabel('Mode', { exact: true }).selectOption('Stringify')
    await editor.saved()
    assert.equal((await editor.readNode('parser-1')).title, 'Line')
    assert.deepEqual((await editor.readNode('parser-1')).fields, { mode: 'Stringify' })
    await panel.getByRole('button', { name: /^Remove the wire to|^Wire/ }).count()
    await list.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Delete')
    await editor.node('webhook-1').waitFor({ state: 'detached' })
    assert.deepEqual(
      await list
        .getByRole('option')
        .allInnerTexts()
        .then((all) => all.map((text) => text.split('\n')[0])),
      ['Line']
    )
  })

  it('leads an output to several inputs, and takes wires off', async (t) => {
    const nodes = [
      ...ordersFlow().nodes,
      { id: 'chat-output-2', type: 'chat-output', position: { x: 640, y: 200 }, fields: {} }
    ]
    const editor = await open(t, { document: ordersFlow({ nodes }) })
    await editor.page.keyboard.press('l')
    await editor.page.locator('#outline-parser-1').click()
    const panel = editor.page.getByRole('complementary', { name: 'List view' })
    await panel.getByLabel('Lead Parsed Text to').selectOption('chat-output-2.text')
    await editor.wire('parser-1.parsed_text', 'chat-output-2.text').waitFor({ state: 'attached' })
    await panel.getByRole('button', { name: 'Remove the wire to Chat Output · text (chat-output-1)' }).click()
    await editor.wire('parser-1.parsed_text', 'chat-output-1.text').waitFor({ state: 'detached' })
  })

  it('sets retries and the time that a step may take', async (t) => {
    const editor = await open(t)
    await editor.page.keyboard.press('l')
    await editor.page.locator('#outline-parser-1').click()
    const panel = editor.page.getByRole('complementary', { name: 'List view' })
    await panel.getByText('Retries and time').click()
    await panel.getByLabel('Attempts').fill('5')
    await panel.getByLabel('Time allowed, ms').fill('2000')
    await editor.saved(2)
    const node = await editor.readNode('parser-1')
    assert.deepEqual([node.retry, node.timeout_ms], [{ attempts: 5 }, 2000])
  })
})
