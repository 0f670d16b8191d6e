import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const shared = sharedEditor(testBrowser(), { plugins: ['many.ts'] })
const open = (...[t, options]: Parameters<typeof shared>) => shared(t, { isPaletteOpen: true, ...options })

describe('the palette', () => {
  it('is walked by keyboard, knows what was used last, lists and finds components, and adds them by a click', async (t) => {
    const editor = await open(t)
    const { page } = editor
    const palette = page.getByRole('complementary', { name: 'Palette' })
    const search = palette.getByLabel('Search components')
    const focused = page.locator(':focus')
    await search.focus()
    await page.keyboard.insertText('sku 42')
    await comesTo(page, () => palette.getByRole('button').allInnerTexts(), ['Part 42\nsku 42'])
    await page.keyboard.press('Enter')
    await editor.focused('part-42-1')
    await search.fill('')
    await search.focus()
    const recent = palette.getByRole('button', { name: 'Recent', expanded: true })
    await recent.waitFor()
    await page.keyboard.press('ArrowDown')
    await recent.and(focused).waitFor()
    await page.keyboard.press('ArrowDown')
    await palette.getByRole('list', { name: 'Recent' }).getByRole('button').and(focused).waitFor()
    await palette.getByRole('tooltip').getByText('Part 42 of {order_id}.').waitFor()
    await page.keyboard.press('ArrowLeft')
    await recent.and(focused).waitFor()
    await page.keyboard.press('ArrowLeft')
    await editor.reopen()
    await palette.getByRole('button', { name: 'Recent', expanded: false }).waitFor()
    await comesTo(page, () => palette.getByRole('list', { name: 'Recent' }).getByRole('button').count(), 0)

    const inCategory = palette.getByRole('list', { name: 'Processing' }).getByRole('button')
    // Others follow.
    await comesTo(page, async () => (await inCategory.allInnerTexts()).slice(0, 2), ['Parser', 'Prompt'])
    await search.fill('chat out')
    await comesTo(page, () => palette.getByRole('button').allInnerTexts(), ['Chat Output'])
    await search.fill('no such thing')
    await palette.getByText('No component by that name.').waitFor()
    await search.fill('')
    const webhook = palette.getByRole('button', { name: 'Webhook', exact: true })
    await comesTo(page, () => webhook.getAttribute('aria-disabled'), 'true')
    assert.match((await webhook.getAttribute('title')) ?? '', /and a flow can have only one/)
    // To whoever tries all the same: a title is shown to those who wait for it.
    await webhook.click({ force: true })
    const notice = page.getByRole('alert').filter({ hasText: 'Nothing was added' })
    await notice.getByText('and a flow can have only one').waitFor()
    await page.mouse.move(0, 0)

    await palette.getByRole('button', { name: 'Prompt' }).click()
    await editor.focused('prompt-1')
    await comesTo(page, () => editor.node('prompt-1').getAttribute('data-selected'), 'true')
  })

  it('leaves the first one of an empty canvas where it was dropped', async (t) => {
    const editor = await open(t, { document: { name: 'Nothing yet', nodes: [], edges: [] } })
    const room = (await editor.canvas.boundingBox())!
    const item = editor.page.getByRole('complementary').getByRole('button', { name: 'Parser', exact: true })
    await item.dragTo(editor.canvas, { targetPosition: { x: 200, y: 160 } })
    await editor.focused('parser-1')
    await editor.settled()
    const { x, y, width } = (await editor.node('parser-1').boundingBox())!
    assert.ok(
      Math.abs(x + width / 2 - room.x - 200) < 24 && Math.abs(y - room.y - 136) < 24,
      JSON.stringify({ x, y })
    )
  })

  it('lets a component be dragged to its place, and puts one that is dropped on a wire into it', async (t) => {
    const editor = await open(t, { document: CHAT })
    const place = await editor.emptyPlace()
    const room = (await editor.canvas.boundingBox())!
    const parser = editor.page.getByRole('complementary').getByRole('button', { name: 'Parser', exact: true })
    await parser.dragTo(editor.canvas, {
      targetPosition: { x: place.x + 140 - room.x, y: place.y + 24 - room.y }
    })
    await editor.focused('parser-1')
    await editor.settled()
    const box = (await editor.node('parser-1').boundingBox())!
    assert.ok(
      Math.abs(box.x - place.x) < 24 && Math.abs(box.y - place.y) < 24,
      JSON.stringify({ box, place })
    )
    const item = editor.page
      .getByRole('complementary')
      .getByRole('button', { name: 'Chat Output', exact: true })
    const wire = await editor.wirePlace('chat-input-1.message', 'chat-output-1.text')
    await item.dragTo(editor.canvas, { targetPosition: { x: wire.x - room.x, y: wire.y - room.y } })
    await editor.wire('chat-input-1.message', 'chat-output-2.text').waitFor({ state: 'attached' })
    await editor.wire('chat-output-2.message', 'chat-output-1.text').waitFor({ state: 'attached' })
    await comesTo(editor.page, () => editor.wires().count(), 2)
  })
})

const CHAT = {
  name: 'Two ends',
  nodes: [
    { id: 'chat-input-1', type: 'chat-input', position: { x: 0, y: 0 }, fields: {} },
    { id: 'chat-output-1', type: 'chat-output', position: { x: 640, y: 0 }, fields: {} }
  ],
  edges: [{ from: 'chat-input-1.message', to: 'chat-output-1.text' }]
}
