import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

/** In the page, before it can draw a frame: two keys that follow each other where the machine is slow. */
const ADD_AND_OPEN_AGAIN = `(async () => {
  const press = (key) => document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  press('Enter')
  await Promise.resolve()
  press('/')
})()`

describe('quick add', () => {
  it('opens by / at the cursor and where a wire is dropped, finds by a few letters and adds there', async (t) => {
    const editor = await open(t)
    const { page } = editor
    const place = await editor.emptyPlace()
    await page.mouse.move(place.x + 140, place.y + 24)
    await page.keyboard.press('/')
    await editor.quickAdd('prom')
    await editor.focused('prompt-1')
    await editor.settled()
    const box = (await editor.node('prompt-1').boundingBox())!
    assert.ok(
      Math.abs(box.x - place.x) < 24 && Math.abs(box.y - place.y) < 24,
      JSON.stringify({ box, place })
    )
    // Once more in the same place: beside the first one, and not upon it.
    await page.keyboard.press('/')
    await editor.quickAdd('prom')
    await editor.focused('prompt-2')
    await editor.settled()
    const { x, y, width, height } = (await editor.node('prompt-2').boundingBox())!
    const isBeside = x >= box.x + box.width || x + width <= box.x
    assert.ok(isBeside || y >= box.y + box.height || y + height <= box.y, JSON.stringify({ box, x, y }))

    // What fits the wire is offered.
    const free = await editor.emptyPlace()
    await editor.drag(await editor.middleOf(editor.port('webhook-1', 'request')), free)
    const offers = page.getByRole('dialog', { name: 'Add a node' }).getByRole('option')
    const titles = async () => (await offers.allInnerTexts()).map((text) => text.split('\n')[0]!)
    const ofThese = async () => {
      const offered = await titles()
      return ['Parser', 'Prompt', 'Webhook', 'Chat Output'].filter((title) => offered.includes(title))
    }
    await comesTo(page, ofThese, ['Parser', 'Prompt'])
    await editor.quickAdd('')
    await editor.wire('webhook-1.request', 'parser-2.data').waitFor({ state: 'attached' })
  })

  it('is walked by arrows and closed by Escape, opens by the + of an output and of a wire, and wires what is added', async (t) => {
    const editor = await open(t)
    const { page } = editor
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog', { name: 'Add a node' })
    await dialog.getByRole('combobox').and(page.locator(':focus')).waitFor()
    const selected = dialog.locator('[role="option"][aria-selected="true"]')
    const first = await selected.innerText()
    assert.match(
      first,
      /^Form/,
      'another trigger may stand beside a Webhook; a second Webhook is refused, and comes last'
    )
    await page.keyboard.press('ArrowDown')
    await selected.filter({ hasNotText: /^Form/ }).waitFor()
    await page.keyboard.press('ArrowUp')
    await comesTo(page, () => selected.innerText(), first)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await editor.nodes().count(), 3)

    const plus = (port: string) =>
      editor.node('webhook-1').getByRole('button', { name: `Add a node after ${port}` })
    assert.equal(await plus('Data').count(), 0)
    await editor.node('webhook-1').hover()
    await plus('Request').click()
    await editor.quickAdd('parser')
    await editor.wire('webhook-1.request', 'parser-2.data').waitFor({ state: 'attached' })
    await plus('Request').waitFor({ state: 'detached' })

    const { x, y } = await editor.wirePlace('parser-1.parsed_text', 'chat-output-1.text')
    await page.mouse.move(x, y)
    await page.getByRole('button', { name: /^Insert a node into the wire from parser-1/ }).click()
    await editor.quickAdd('chat out')
    await editor.wire('parser-1.parsed_text', 'chat-output-2.text').waitFor({ state: 'attached' })
    await editor.wire('chat-output-2.message', 'chat-output-1.text').waitFor({ state: 'attached' })

    // Opened again at once, it keeps the focus when what was added before is drawn.
    await page.keyboard.press('/')
    const search = page.getByRole('combobox', { name: 'Search components' })
    await search.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('prom')
    await page.evaluate(ADD_AND_OPEN_AGAIN)
    await editor.node('prompt-1').waitFor()
    await editor.settled()
    await editor.quickAdd('chat out')
    await editor.focused('chat-output-3')
  })
})
