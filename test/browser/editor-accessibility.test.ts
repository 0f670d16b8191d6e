import { describe, it } from 'node:test'
import { assertAccessible, DIALOG, MENU, testBrowser } from '../support/browser.ts'
import { ORDER, ordersFlow } from '../support/documents.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const SIDE_PANEL = 'aside:last-of-type'

const NOTED = ordersFlow({
  notes: [{ id: 'note-1', text: '# Hello', position: { x: 0, y: -180 }, colour: 'green' }]
})

describe('axe finds nothing, in both themes, on the canvas', () => {
  it('with a run and a note', async (t) => {
    const editor = await open(t, { document: NOTED })
    await editor.service.run(editor.flow.id, JSON.stringify(ORDER))
    await editor.node('parser-1').getByText('Succeeded').waitFor()
    await editor.node('note-1').getByRole('heading').waitFor()
    await assertAccessible(editor.page)
  })

  it('with a failed run, faults and the menu of a node', async (t) => {
    const editor = await open(t)
    await editor.service.run(editor.flow.id, '{}')
    await editor.node('parser-1').getByText('Failed').waitFor()
    await editor.page.getByRole('button', { name: 'Settings of the flow' }).click()
    await editor.page.getByLabel('Slug').fill('Not a slug')
    await editor.saving.getByText('Not valid: 1 fault').waitFor()
    await assertAccessible(editor.page)
    await editor.openMenu('parser-1')
    await assertAccessible(editor.page, MENU)
  })

  it('with the list view, quick add and what is about a component', async (t) => {
    const editor = await open(t, { document: NOTED })
    const { page } = editor
    await page.keyboard.press('l')
    await page.locator('#outline-parser-1').click()
    await page.getByLabel('Wire into Data').waitFor()
    await assertAccessible(page)
    await page.locator('#outline-note-1').click()
    await page.getByLabel('Wire into Data').waitFor({ state: 'detached' })
    await assertAccessible(page, SIDE_PANEL)
    await editor.choose('webhook-1', 'About Webhook')
    await page.getByRole('complementary', { name: 'About Webhook' }).waitFor()
    await assertAccessible(page, SIDE_PANEL)
    await editor.canvas.focus()
    await page.keyboard.press('/')
    await page.getByRole('dialog', { name: 'Add a node' }).waitFor()
    await assertAccessible(page, DIALOG)
  })

  it('with versions that are compared', async (t) => {
    const editor = await open(t)
    await editor.service.saveFlow(editor.flow, { nodes: ordersFlow().nodes.slice(0, 2), edges: [] })
    await editor.node('chat-output-1').waitFor({ state: 'detached' })
    await editor.page.getByRole('button', { name: 'Versions' }).click()
    await editor.page.getByRole('button', { name: 'Compare version 1 with now' }).click()
    await editor.node('chat-output-1').waitFor()
    await assertAccessible(editor.page)
  })

  it('that is empty', async (t) => {
    const editor = await open(t, { document: ordersFlow({ nodes: [], edges: [] }) })
    await assertAccessible(editor.page)
  })
})
