import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { ORDER } from '../support/documents.ts'
import { Editor, type Point } from '../support/editor.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const browser = testBrowser()
const open = sharedEditor(browser)
/** What comes after the canvas: all that is around it, and what saves. */
const TOOLS = '**/assets/editor-tools-*.js'

// By its content: what was done before may be on its way in a save of its own.
function isSaveOf(request: Request, text: string): boolean {
  return request.method() === 'PUT' && (request.postData() ?? '').includes(text)
}

// By its address: the field that is typed in is open until the page goes.
function leaveByAddress(page: Page): Promise<void> {
  return page.evaluate('history.pushState({}, "", "../flows"); dispatchEvent(new PopStateEvent("popstate"))')
}

function templateOf(node: Readonly<Record<string, unknown>>): unknown {
  return (node.fields as { readonly template?: unknown }).template
}

async function positionOf(editor: Editor, node: string): Promise<Point> {
  return (await editor.readNode(node)).position as Point
}

/** As soon as it is drawn. */
async function dragDown(editor: Editor, node: string): Promise<void> {
  await editor.drawn()
  const from = await editor.headOf(node)
  await editor.drag(from, { x: from.x, y: from.y + 80 })
}

describe('a flow that is edited', () => {
  it('goes on as it is live while a template is half typed, and while a new node is not wired', async (t) => {
    const editor = await open(t, { isPaletteOpen: true })
    const parser = await editor.inspect('parser-1')
    // The editor closes the brace, so that there is nothing wrong with it.
    await editor.writeTemplate(parser, 'For ')
    await editor.page.keyboard.type('{')
    await editor.page.keyboard.insertText('customer.na')
    const saved = async () => templateOf(await editor.readNode('parser-1'))
    await comesTo(editor.page, saved, 'For {customer.na}')
    const palette = editor.page.getByRole('complementary', { name: 'Palette' })
    await palette.getByRole('button', { name: 'API Request' }).click()
    await editor.node('api-request-1').waitFor()
    await comesTo(editor.page, async () => (await editor.read()).nodes.length, 4)
    const run = await editor.service.run(editor.flow.slug, ORDER)
    assert.deepEqual([run.status, run.flow_version, run.steps.length], ['succeeded', 1, 3])
    assert.equal((await editor.readLive()).nodes.length, 3)
  })
})

describe('saving', () => {
  it('happens as you work and at once where it is asked for, says so and what keeps the draft from being published', async (t) => {
    const editor = await open(t)
    await editor.saved()
    const looked = Promise.withResolvers<void>()
    await editor.page.route('**/api/v1/flows/**', async (route) => {
      if (route.request().method() === 'PUT') await looked.promise
      await route.continue()
    })
    await editor.inspect('webhook-1')
    await editor.field('webhook-1', 'Authentication').selectOption('None')
    await editor.saving.getByText('Saving…').waitFor()
    looked.resolve()
    await editor.saved(1)
    await editor.page.unrouteAll()
    assert.deepEqual((await editor.readNode('webhook-1')).fields, { auth: 'None' })

    const { page } = editor
    await page.getByLabel('Name of the flow').fill('Orders, renamed')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    assert.equal((await editor.saved(2)).name, 'Orders, renamed')
    // The same key shows what publishing it would do.
    await page.getByRole('button', { name: 'Close Publish' }).click()

    const parser = await editor.inspect('parser-1')
    await editor.writeTemplate(parser, 'Order }')
    const status = editor.saving.getByRole('button', { name: 'Draft saved · 1 problem' })
    await status.waitFor()
    await parser.locator('[data-field="template"]').locator('li').waitFor()
    assert.equal(templateOf(await editor.readNode('parser-1')), 'Order }')
    // The canvas tells nothing new while somebody writes.
    const onNode = editor.node('parser-1').getByRole('button', { name: '1 problem' })
    assert.equal(await onNode.count(), 0)
    await status.click()
    await onNode.waitFor()
    await editor.page.getByRole('menuitem', { name: /Template/ }).click()
    await editor.focused('parser-1')
    await editor.writeTemplate(parser, 'Order {order_id}')
    await editor.saving.getByText('Draft saved', { exact: true }).waitFor()
    await comesTo(editor.page, () => parser.locator('[data-field="template"] li').count(), 0)

    const live = await editor.publish()
    assert.deepEqual([live.version, live.nodes[0]?.fields], [2, { auth: 'None' }])
    await editor.saving.getByText('Published').waitFor()
    assert.equal((await editor.service.get(`/api/v1/flows/${editor.flow.id}/draft`)).status, 404)
  })

  it('of what was typed last follows the save that was under way when the page was left', async (t) => {
    const editor = await open(t)
    const { page } = editor
    const answer = Promise.withResolvers<void>()
    const sent = Promise.withResolvers<void>()
    await page.route('**/api/v1/flows/**', async (route) => {
      const isHeld = route.request().method() === 'PUT' && !isSaveOf(route.request(), 'Line')
      if (isHeld) sent.resolve()
      if (isHeld) await answer.promise
      await route.continue()
    })
    await editor.inspect('webhook-1')
    await editor.field('webhook-1', 'Authentication').selectOption('None')
    await sent.promise
    await editor.rename('parser-1', 'Line')
    const put = page.waitForResponse((response) => isSaveOf(response.request(), 'Line'))
    await leaveByAddress(page)
    await page.getByRole('heading', { name: 'Flows' }).waitFor()
    answer.resolve()
    assert.equal((await put).status(), 200)
    await page.unrouteAll()
    assert.equal((await editor.readNode('parser-1')).title, 'Line')
  })

  it('takes in what was edited before all of the page had come, at once or when the flow is opened again', async (t) => {
    const editor = await open(t)
    const { page } = editor
    const before = await positionOf(editor, 'parser-1')
    const come = Promise.withResolvers<void>()
    await page.route(TOOLS, async (route) => {
      await come.promise
      await route.continue()
    })
    await page.reload()
    await dragDown(editor, 'parser-1')
    come.resolve()
    await comesTo(page, async () => (await positionOf(editor, 'parser-1')).y > before.y, true)
    await page.unroute(TOOLS)

    const moved = await positionOf(editor, 'parser-1')
    // Never answered.
    await page.route(TOOLS, () => undefined)
    await page.reload()
    await dragDown(editor, 'parser-1')
    await page.unroute(TOOLS)
    await page.reload()
    await comesTo(page, async () => (await positionOf(editor, 'parser-1')).y > moved.y, true)
  })

  it('says that a slug is taken, and brings back a flow that somebody deleted meanwhile, with the work in it', async (t) => {
    const editor = await open(t)
    await editor.page.getByRole('button', { name: 'Settings of the flow' }).click()
    await editor.page.getByRole('button', { name: 'Change the address' }).click()
    const dialog = editor.page.getByRole('dialog')
    await dialog.getByLabel('Slug').fill('orders')
    await dialog.getByRole('button', { name: 'Change the address' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/orders/)
      .waitFor()
    await editor.page.keyboard.press('Escape')

    const bringBack = editor.saving.getByRole('button', { name: 'Deleted meanwhile: bring it back' })
    await editor.service.request('DELETE', `/api/v1/flows/${editor.flow.id}`)
    await bringBack.click()
    await editor.saved()
    await editor.service.request('DELETE', `/api/v1/flows/${editor.flow.id}`)
    await bringBack.waitFor()
    await editor.inspect('webhook-1')
    await editor.field('webhook-1', 'Authentication').selectOption('None')
    await bringBack.click()
    await editor.saved(1)
    assert.deepEqual((await editor.readNode('webhook-1')).fields, { auth: 'None' })
  })

  it('is not offered to a key that may only read, which sees what is live', async (t) => {
    const first = await open(t)
    await first.rename('parser-1', 'Not live')
    await first.page.keyboard.press('Enter')
    await first.saved(1)
    await first.service.run(first.flow.slug, ORDER)
    const { key } = await first.service.createKey({ rights: ['read'] })
    const page = await browser.open(t, first.service, { path: `/flows/${first.flow.id}`, key })
    const editor = new Editor(page, first.service, first.flow)
    await editor.settled()
    await page.getByText('Read only').waitFor()
    assert.equal(await editor.node('parser-1').getByText('Not live').count(), 0)
    assert.equal(await page.getByRole('complementary', { name: 'Palette' }).count(), 0)
    const parser = await editor.inspect('parser-1')
    const template = parser.getByRole('textbox', { name: 'Template' })
    await template.focus()
    await comesTo(page, () => template.getAttribute('aria-readonly'), 'true')
    await comesTo(page, () => parser.getByRole('radio', { name: 'Stringify' }).isDisabled(), true)
    await parser.getByText('Order 7 from Ann').first().waitFor()
    assert.equal(await parser.locator('.cm-content').count(), 0)
    await editor.inspect('webhook-1')
    assert.ok(await editor.field('webhook-1', 'Authentication').isDisabled())
    const before = (await editor.node('parser-1').boundingBox())!
    const head = await editor.headOf('parser-1')
    await editor.drag(head, { x: head.x, y: head.y + 80 })
    await page.keyboard.press('Delete')
    const after = (await editor.node('parser-1').boundingBox())!
    assert.ok(Math.abs(after.x - before.x) < 1)
    assert.equal(await editor.nodes().count(), 3)
  })
})

describe('two editors', () => {
  it('keep what each did, and where both changed the same thing, both are shown and either can be taken', async (t) => {
    const editor = await open(t)
    const { page } = editor
    const held = '**/api/v1/flows/*/draft'
    await page.route(held, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
    await editor.rename('parser-1', 'Mine')
    await page.keyboard.press('Enter')
    await editor.saving.getByText('Unsaved: offline').waitFor()
    const nodes = editor.flow.nodes.map((node) => {
      if (node.id === 'parser-1') return { ...node, title: 'Theirs' }
      return node.id === 'webhook-1' ? { ...node, fields: { auth: 'None' } } : node
    })
    await editor.service.saveFlow(editor.flow, { nodes })
    await page.unroute(held)
    await editor.saving.getByText('Conflict: 1 to decide').waitFor()
    const panel = page.getByRole('complementary', { name: 'Two editors, one flow' })
    const conflict = panel.getByRole('group', { name: /^The title of/ })
    const titles = async () => (await conflict.locator('pre').allInnerTexts()).map((text) => text.trim())
    await comesTo(page, titles, ['Mine', 'Theirs'])
    assert.equal((await editor.readNode('parser-1')).title, 'Theirs')
    await conflict.getByLabel('Theirs').check()
    await conflict.getByLabel('Yours').check()
    await panel.getByRole('button', { name: 'Keep these' }).click()
    await editor.saved()
    await page.locator('[data-canvas]:focus-within').waitFor()
    await editor.node('parser-1').getByText('Mine', { exact: true }).waitFor()
    assert.equal((await editor.readNode('parser-1')).title, 'Mine')
    assert.deepEqual((await editor.readNode('webhook-1')).fields, { auth: 'None' })
    await editor.inspect('webhook-1')
    await comesTo(page, () => editor.field('webhook-1', 'Authentication').inputValue(), 'None')
  })
})
