import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import type { Editor } from '../support/editor.ts'
import { clipboardOf } from '../support/pasted.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const REFUSE_COPYING = `
  navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
  document.execCommand = () => false`
/** The browser's own are below the page's. */
const ALLOW_COPYING = 'delete navigator.clipboard.writeText, delete document.execCommand'

/** A box around all three nodes, drawn by hand. */
async function boxAll(editor: Editor): Promise<void> {
  const first = (await editor.node('webhook-1').boundingBox())!
  const last = (await editor.node('chat-output-1').boundingBox())!
  await editor.page.keyboard.down('Shift')
  await editor.drag({ x: first.x - 20, y: first.y - 20 }, { x: last.x + last.width + 20, y: first.y + 400 })
  await editor.page.keyboard.up('Shift')
  await selectedAre(editor, 3)
}

function selected(editor: Editor) {
  return editor.canvas.locator('[data-node][data-selected]')
}

function selectedAre(editor: Editor, count: number): Promise<void> {
  return comesTo(editor.page, () => selected(editor).count(), count)
}

function positions(nodes: readonly Readonly<Record<string, unknown>>[]): unknown[] {
  return nodes.map(({ position }) => position)
}

function wiresAre(editor: Editor, count: number): Promise<void> {
  return comesTo(editor.page, () => editor.wires().count(), count)
}

/** Each further to the right and further down. */
const STAIRS = ordersFlow({
  nodes: ordersFlow().nodes.map((node, index) => ({ ...node, position: { x: 320 * index, y: 40 * index } }))
})

describe('editing on the canvas', () => {
  it('selects many by a box, and by clicks with Shift', async (t) => {
    const editor = await open(t)
    await boxAll(editor)
    const { x, y } = await editor.emptyPlace()
    await editor.page.mouse.click(x, y)
    await selectedAre(editor, 0)
    const webhook = await editor.headOf('webhook-1')
    const parser = await editor.headOf('parser-1')
    await editor.page.mouse.click(webhook.x, webhook.y)
    await selectedAre(editor, 1)
    await editor.page.keyboard.down('Shift')
    await editor.page.mouse.click(parser.x, parser.y)
    await editor.page.keyboard.up('Shift')
    await selectedAre(editor, 2)
  })

  it('selects parts with Shift, and no text of the page, so that they are what is copied', async (t) => {
    const editor = await open(t)
    const { page } = editor
    const copies = async (count: number) => {
      await selectedAre(editor, count)
      await page.evaluate('navigator.clipboard.writeText(\'{"nodes":[]}\')')
      await page.keyboard.press('Control+c')
      await comesTo(page, async () => JSON.parse(await clipboardOf(page)).nodes.length, count)
    }
    // From here a browser would mark text with Shift.
    const elsewhere = page.getByText('adds at the cursor')
    await elsewhere.click()
    await boxAll(editor)
    await copies(3)
    await elsewhere.click()
    const chatOutput = await editor.headOf('chat-output-1')
    await page.keyboard.down('Shift')
    await page.mouse.click(chatOutput.x, chatOutput.y)
    await page.keyboard.up('Shift')
    await copies(2)
  })

  it('leaves what a box has selected to be worked with, and a click selects one', async (t) => {
    const editor = await open(t)
    await boxAll(editor)
    await editor.writeTemplate(await editor.inspect('parser-1'), 'For {customer}')
    await selectedAre(editor, 1)
    await editor.openMenu('webhook-1')
  })

  it('moves, aligns and groups all that is selected, and tidies the flow, each as one step', async (t) => {
    const editor = await open(t, { document: STAIRS })
    const { page } = editor
    const topsAre = (...tops: number[]) =>
      comesTo(
        page,
        async () => {
          const boxes = await Promise.all(
            STAIRS.nodes.map(({ id }) => editor.node(id as string).boundingBox())
          )
          const zoom = boxes[0]!.width / 240
          return boxes.map((box) => Math.round((box!.y - boxes[0]!.y) / zoom)).join()
        },
        tops.join()
      )
    await boxAll(editor)
    const head = await editor.headOf('parser-1')
    await editor.drag(head, { x: head.x, y: head.y + 120 })
    assert.deepEqual(
      (await editor.saved(1)).nodes.map(({ position }) => (position as { y: number }).y),
      [120, 160, 200]
    )
    await page.keyboard.press('Control+z')
    assert.deepEqual(positions((await editor.saved(2)).nodes), positions(STAIRS.nodes))

    await page.keyboard.press('Alt+w')
    await topsAre(0, 0, 0)
    await page.getByRole('button', { name: 'Undo: Align top' }).click()
    await topsAre(0, 40, 80)
    const parser = await editor.headOf('parser-1')
    await page.mouse.click(parser.x, parser.y, { button: 'right' })
    await page.getByRole('menuitem', { name: 'Align', exact: true }).hover()
    await page.getByRole('menuitem', { name: 'Align bottom' }).click()
    await page.getByRole('button', { name: 'Undo: Align bottom' }).click()
    await topsAre(0, 40, 80)

    await page.getByRole('button', { name: 'Tidy' }).click()
    await page.getByRole('button', { name: 'Undo: Tidy' }).click()
    await topsAre(0, 40, 80)

    await editor.canvas.focus()
    await page.keyboard.press('Control+a')
    await selectedAre(editor, 3)
    await page.keyboard.press('Control+g')
    const title = page.getByRole('textbox', { name: 'Title of the group' })
    await title.fill('Orders of the shop')
    await page.keyboard.press('Enter')
    const group = editor.canvas.getByRole('group', { name: 'Group Orders of the shop, 3 nodes' })
    await group.waitFor()
    const before = (await editor.node('parser-1').boundingBox())!
    const { x, y } = (await group.boundingBox())!
    await editor.drag({ x: x + 60, y: y + 12 }, { x: x + 60, y: y + 92 })
    await page.getByRole('button', { name: 'Undo: Move node' }).waitFor()
    const isMoved = async () => (await editor.node('parser-1').boundingBox())!.y > before.y + 40
    await comesTo(page, isMoved, true)
    await page.keyboard.press('Control+Shift+g')
    await group.waitFor({ state: 'detached' })
    await selectedAre(editor, 3)
  })

  it('copies, pastes with free ids, cuts, duplicates and deletes', async (t) => {
    const editor = await open(t)
    const { page } = editor
    await editor.choose('parser-1', 'Duplicate')
    await editor.node('parser-2').waitFor()
    await page.keyboard.press('Control+x')
    await editor.node('parser-2').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+v')
    await editor.node('parser-2').waitFor()
    await page.keyboard.press('Backspace')
    await editor.node('parser-2').waitFor({ state: 'detached' })
    await comesTo(page, () => editor.nodes().count(), 3)
    // Nothing is cut that the browser does not let it copy.
    await page.evaluate(REFUSE_COPYING)
    try {
      await editor.choose('parser-1', 'Cut')
      await page.getByText('Nothing was copied').waitFor()
      assert.equal(await editor.node('parser-1').count(), 1)
    } finally {
      await page.evaluate(ALLOW_COPYING)
    }
    await page.evaluate("navigator.clipboard.writeText('just words')")
    await editor.canvas.focus()
    await page.keyboard.press('Control+v')
    const refusal = page.getByRole('alert').filter({ hasText: 'Nothing was pasted' })
    await refusal.getByText('The clipboard holds text, not a flow document').waitFor()

    await page.keyboard.press('Control+a')
    await selectedAre(editor, 3)
    await page.keyboard.press('Control+c')
    await comesTo(page, async () => (await clipboardOf(page)).startsWith('{'), true)
    const document = JSON.parse(await clipboardOf(page)) as ReturnType<typeof ordersFlow>
    assert.deepEqual(document.nodes, ordersFlow().nodes)
    assert.deepEqual(document.edges, ordersFlow().edges)
    const place = await editor.emptyPlace()
    await page.mouse.move(place.x, place.y)
    await page.keyboard.press('Control+v')
    await editor.node('parser-2').waitFor()
    await selectedAre(editor, 3)
    await editor.wire('webhook-2.data', 'parser-2.data').waitFor({ state: 'attached' })
    const canvas = (await editor.canvas.boundingBox())!
    const isInSight = async (id: string) => {
      const { x, y, width, height } = (await editor.node(id).boundingBox())!
      return (
        x >= canvas.x &&
        x + width <= canvas.x + canvas.width &&
        y >= canvas.y &&
        y + height <= canvas.y + canvas.height
      )
    }
    for (const id of ['webhook-2', 'parser-2']) await comesTo(page, () => isInSight(id), true)
    await page.getByRole('alert').filter({ hasText: 'and a flow can have only one' }).waitFor()
  })

  it('keeps the node that is worked on in sight when a panel takes room; zooms to fit, and shows a map', async (t) => {
    const editor = await open(t)
    const { page } = editor
    const place = async () => (await editor.node('chat-output-1').boundingBox())!
    const before = await place()
    await editor.choose('chat-output-1', 'Inspect output')
    const panel = page.getByRole('complementary', { name: 'Output of Chat Output' })
    const room = (await panel.boundingBox())!
    const isBeside = async () => {
      const { x, width } = await place()
      return x + width <= room.x
    }
    await comesTo(page, isBeside, true)
    await panel.getByRole('button', { name: /^Close/ }).click()
    await comesTo(page, place, before)
    const { x, y } = await editor.emptyPlace()
    await editor.drag({ x, y }, { x: x - 200, y: y - 60 })
    const isInSight = async () => {
      const room = (await editor.canvas.boundingBox())!
      const box = await editor.node('webhook-1').boundingBox()
      return box !== null && box.x >= room.x
    }
    await comesTo(page, isInSight, false)
    await page.getByRole('button', { name: 'Zoom to fit' }).click()
    await comesTo(page, isInSight, true)
    const map = page.getByRole('img', { name: 'Map of the flow' })
    await map.waitFor()
    await page.getByRole('button', { name: 'Minimap' }).click()
    await map.waitFor({ state: 'detached' })

    // Half of it is beyond the rim: the inspector that is about it does not take the rest.
    const fitted = await place()
    const canvas = (await editor.canvas.boundingBox())!
    const from = await editor.emptyPlace()
    const over = canvas.x + canvas.width - fitted.x - fitted.width / 2
    await editor.drag(from, { x: from.x + over, y: from.y })
    await editor.inspect('chat-output-1')
    const inspector = (await page.getByRole('complementary', { name: 'Inspector' }).boundingBox())!
    await comesTo(page, async () => (await place()).x + fitted.width <= inspector.x, true)

    // What it is wired to is seen beside it, too, also of a node that was clicked meanwhile.
    const isBesideIt = async (id: string) => {
      const box = (await editor.node(id).boundingBox())!
      return box.x >= canvas.x && box.x + box.width <= inspector.x
    }
    await comesTo(page, () => isBesideIt('parser-1'), true)
    // The first click opens the inspector, which moves the node away from under the second, and puts a field there.
    await page.getByRole('button', { name: 'Close the inspector' }).click()
    await page.getByRole('button', { name: 'Zoom to fit' }).click()
    await editor.node('parser-1').dblclick()
    const beside = page.getByRole('button', { name: 'Put the inspector beside the canvas' })
    await beside.click()
    await editor.inspected('parser-1').waitFor()
    for (const id of ['webhook-1', 'parser-1', 'chat-output-1'])
      await comesTo(page, () => isBesideIt(id), true)
  })

  it('undoes and redoes everything, and is in the sheet of shortcuts and the palette of commands', async (t) => {
    const editor = await open(t)
    const { page } = editor
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const title of ['Undo', 'Tidy', 'Add a node', 'Zoom to fit', 'Duplicate', 'Edit the node']) {
      await sheet.getByText(title, { exact: true }).waitFor()
    }
    const rows = await sheet.locator('dt').allInnerTexts()
    assert.deepEqual(rows.toSorted(), [...new Set(rows)].toSorted())
    assert.equal(await sheet.locator('dt:text-is("Redo") + dd').innerText(), 'CtrlShiftZ or CtrlY')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    const search = page.getByRole('textbox', { name: 'Search commands' })
    await search.fill('gpt')
    await page.getByRole('button', { name: 'Add Language Model' }).waitFor()
    await search.fill('parser')
    await page.getByRole('button', { name: 'Add Parser' }).waitFor()
    await page.getByRole('button', { name: 'Parser (parser-1)' }).click()
    await editor.focused('parser-1')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Go to').fill('list view')
    await page.locator('[data-selected]', { hasText: 'List view' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'List view' }).waitFor()
    await page.keyboard.press('l')
    await page.getByRole('complementary', { name: 'List view' }).waitFor({ state: 'detached' })

    await editor.inspect('webhook-1')
    const mode = editor.field('webhook-1', 'Authentication')
    await mode.selectOption('None')
    await editor.choose('parser-1', 'Delete')
    await editor.node('parser-1').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await editor.node('parser-1').waitFor()
    await wiresAre(editor, 2)
    await page.keyboard.press('Control+z')
    await editor.inspect('webhook-1')
    await comesTo(page, () => mode.inputValue(), 'API key')
    await page.keyboard.press('Control+Shift+z')
    await comesTo(page, () => mode.inputValue(), 'None')
    await page.getByRole('button', { name: 'Redo: Remove node' }).click()
    await editor.node('parser-1').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await editor.node('parser-1').waitFor()
    await page.keyboard.press('Control+y')
    await editor.node('parser-1').waitFor({ state: 'detached' })
  })
})
