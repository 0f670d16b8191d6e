import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { chatFlow, ordersFlow } from '../support/documents.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser(), { plugins: ['kinds.ts'] })

describe('nodes', () => {
  it('say what they are about, have their fields in the inspector, are reset and renamed, and keep their size', async (t) => {
    const editor = await open(t)
    await editor.node('webhook-1').getByText(`/webhook/${editor.flow.slug}`).waitFor()
    await editor.node('parser-1').getByText('Order {order_id} from {customer}').waitFor()
    await editor.inspect('parser-1')
    const separator = editor.field('parser-1', 'Separator')
    assert.equal(await separator.count(), 0)
    await editor.unfold('parser-1', 'Controls')
    await separator.fill(', ')
    const saved = async () => (await editor.readNode('parser-1')).fields as { separator?: string }
    await comesTo(editor.page, async () => (await saved()).separator, ', ')
    // What is not as usual is in sight from then on.
    await editor.inspect('webhook-1')
    await editor.inspect('parser-1')
    await separator.waitFor()
    await editor.unfold('parser-1', 'Controls')
    await separator.waitFor({ state: 'detached' })

    const webhook = await editor.inspect('webhook-1')
    await editor.field('webhook-1', 'Authentication').selectOption('None')
    await webhook.getByRole('button', { name: 'Reset Authentication to its default' }).click()
    await comesTo(editor.page, () => editor.field('webhook-1', 'Authentication').inputValue(), 'API key')

    await editor.rename('parser-1', 'Order line')
    await editor.page.keyboard.press('Enter')
    await editor.node('parser-1').getByText('Order line').waitFor()
    await editor.inspect('parser-1')
    await editor.page.getByText('Parser · parser-1').waitFor()
    await editor.page.getByLabel('Title', { exact: true }).fill('')
    await editor.node('parser-1').getByText('Parser', { exact: true }).first().waitFor()
    await editor.saved()
    assert.equal((await editor.readNode('parser-1')).title, undefined)

    const size = async () => (await editor.node('parser-1').boundingBox())!.height
    const before = await size()
    await editor.writeTemplate(editor.inspected('parser-1'), 'Order\nand a second line')
    await editor.service.run(editor.flow.slug, '{"order_id":7,"customer":"Ann"}')
    await editor.ran('parser-1').getByText('Succeeded').waitFor()
    assert.equal(await size(), before)

    await editor.choose('parser-1', 'About Parser')
    const panel = editor.page.getByRole('complementary', { name: 'About Parser' })
    const reference = panel.getByRole('link', { name: /^Parser in the reference/ })
    assert.equal(await reference.getAttribute('href'), 'help/components/parser?context=%2F')
    await panel.getByText('Turns data into text, by a template or as it is.').waitFor()
    await panel.getByText('Stands between the items when the data is a list.').waitFor()
  })

  it('are drawn from the catalogue, whatever component a plugin brings', async (t) => {
    const document = {
      name: 'Kinds',
      nodes: [{ id: 'kinds-1', type: 'kinds', position: { x: 0, y: 0 }, fields: {} }],
      edges: []
    }
    const editor = await open(t, { document })
    const node = await editor.inspect('kinds-1')
    assert.equal(await editor.field('kinds-1', 'Count').inputValue(), '3')
    await editor.field('kinds-1', 'Count').fill('four')
    await node.getByText('Write a number').waitFor()
    await editor.field('kinds-1', 'Count').fill('4')
    await editor.field('kinds-1', 'Loud').check()
    await editor.field('kinds-1', 'Size').selectOption('large')
    await editor.field('kinds-1', 'Extra').fill('{"a": [1]}')
    await editor.field('kinds-1', 'Words').fill('two\nlines')
    const secret = editor.field('kinds-1', 'Secret')
    await secret.fill('hush')
    assert.equal(await secret.getAttribute('type'), 'password')
    await node.getByRole('button', { name: 'Show Secret' }).click()
    await comesTo(editor.page, () => secret.getAttribute('type'), 'text')
    await node.getByRole('button', { name: 'Add key' }).click()
    await node.getByLabel('Key of key 1').fill('total')
    await node.getByLabel('Direction of key 1').selectOption('down')
    await node.getByRole('button', { name: 'Add key' }).click()
    await node.getByLabel('Key of key 2').fill('id')
    await node.getByRole('button', { name: 'Move key 2 up' }).click()
    await comesTo(editor.page, () => node.getByLabel('Key of key 1').inputValue(), 'id')
    await editor.saved(1)
    assert.deepEqual((await editor.readNode('kinds-1')).fields, {
      keys: [
        { field: 'id', direction: 'up' },
        { field: 'total', direction: 'down' }
      ],
      count: 4,
      loud: true,
      size: 'large',
      extra: { a: [1] },
      words: 'two\nlines',
      secret: 'hush'
    })
  })

  it('keep a wire on an input that is renamed in the template, and say so where their component is unknown', async (t) => {
    const editor = await open(t, { document: placed(chatFlow()) })
    await editor.page.getByRole('button', { name: 'List view' }).click()
    await editor.page.locator('#outline-prompt-1').click()
    const panel = editor.page.getByRole('complementary', { name: 'List view' })
    await editor.writeTemplate(panel, 'They said: {words}')
    await panel.getByLabel('Search nodes').focus()
    await editor.wire('chat-input-1.message', 'prompt-1.words').waitFor({ state: 'attached' })

    await editor.canvas.focus()
    await editor.page.keyboard.press('l')
    await panel.waitFor({ state: 'detached' })
    await editor.page.evaluate(
      (text) => navigator.clipboard.writeText(text),
      JSON.stringify({ nodes: [{ id: 'lost-1', type: 'lost', position: { x: 0, y: 0 }, fields: {} }] })
    )
    const { x, y } = await editor.emptyPlace()
    await editor.page.mouse.move(x, y)
    await editor.page.keyboard.press('Control+v')
    await editor.node('lost-1').getByText('Unknown component lost').waitFor()
    await editor.node('lost-1').getByRole('button', { name: '1 problem' }).click()
    await editor.inspected('lost-1').getByText('is of the unknown type "lost"').waitFor()
    await editor.saving.getByText('Draft saved · 1 problem').waitFor()
  })
})

function placed(document: ReturnType<typeof chatFlow>) {
  const nodes = document.nodes.map((node, index) => ({ ...node, position: { x: index * 320, y: 0 } }))
  return ordersFlow({ ...document, nodes })
}
