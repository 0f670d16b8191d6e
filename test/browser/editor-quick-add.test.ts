import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

describe('quick add', () => {
  it('opens by / at the cursor, finds by a few letters and adds there', async (t) => {
    const editor = await open(t)
    const { page } = editor
    const place = await editor.emptyPlace()
    await page.mouse.move(place.x + 140, place.y + 24)
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Search components' }).waitFor()
    await page.keyboard.type('prom')
    await page.keyboard.press('Enter')
    const box = (await editor.node('prompt-1').boundingBox())!
    assert.ok(
      Math.abs(box.x - place.x) < 24 && Math.abs(box.y - place.y) < 24,
      JSON.stringify({ box, place })
    )
    // Once more in the same place: beside the first one, and not upon it.
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Search components' }).waitFor()
    await page.keyboard.type('prom')
    await page.keyboard.press('Enter')
    const { x, y, width, height } = (await editor.node('prompt-2').boundingBox())!
    const isBeside = x >= box.x + box.width || x + width <= box.x
    assert.ok(isBeside || y >= box.y + box.height || y + height <= box.y, JSON.stringify({ box, x, y }))
  })

  it('is walked by arrows and closed by Escape', async (t) => {
    const { page, ...editor } = await open(t)
    await page.keyboard.press('/')
    const options = page.getByRole('dialog', { name: 'Add a node' }).getByRole('option')
    const selected = () => page.locator('[role="option"][aria-selected="true"]').innerText()
    const first = await selected()
    assert.match(first, /^Parser/, 'a second Webhook is refused, and comes last')
    await page.keyboard.press('ArrowDown')
    assert.notEqual(await selected(), first)
    await page.keyboard.press('ArrowUp')
    assert.equal(await selected(), first)
    await page.keyboard.press('Escape')
    assert.equal(await options.count(), 0)
    assert.equal(editor.flow.version, 1)
  })

  it('offers what fits where a wire is dropped on empty canvas, and wires it', async (t) => {
    const editor = await open(t)
    const place = await editor.emptyPlace()
    await editor.drag(await editor.middleOf(editor.port('webhook-1', 'request')), place)
    const offers = editor.page.getByRole('dialog', { name: 'Add a node' }).getByRole('option')
    await offers.first().waitFor()
    const titles = (await offers.allInnerTexts()).map((text) => text.split('\n')[0])
    assert.deepEqual(titles, ['Parser', 'Prompt'])
    await editor.page.keyboard.press('Enter')
    await editor.wire('webhook-1.request', 'parser-2.data').waitFor({ state: 'attached' })
  })

  it('puts a node into a wire by its plus', async (t) => {
    const editor = await open(t)
    const { page } = editor
    const { x, y } = await editor.wirePlace('parser-1.parsed_text', 'chat-output-1.text')
    await page.mouse.move(x, y)
    await page.getByRole('button', { name: /^Put a node into the wire from parser-1/ }).click()
    await page.keyboard.type('chat out')
    await page.keyboard.press('Enter')
    await editor.wire('parser-1.parsed_text', 'chat-output-2.text').waitFor({ state: 'attached' })
    await editor.wire('chat-output-2.message', 'chat-output-1.text').waitFor({ state: 'attached' })
  })
})
