import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertAccessible, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const DOCUMENT = {
  name: 'Conditions',
  nodes: [
    { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
    {
      id: 'if-1',
      type: 'if-else',
      position: { x: 360, y: 0 },
      fields: { mode: 'Expression', expression: 'data.total > 100 && has(data.country)' }
    }
  ],
  edges: [{ from: 'webhook-1.data', to: 'if-1.data' }]
}

it('conditions are rows over an expression, which both can be edited', async (t) => {
  const editor = await open(t, { document: DOCUMENT })
  const { page, service } = editor
  await service.run(editor.flow.slug, '{"total":7,"customer":{"name":"Ann"}}')
  const node = await editor.inspect('if-1')
  const written = async () => (await editor.readNode('if-1')).fields
  await node.getByRole('button', { name: 'Rows', pressed: true }).waitFor()
  assert.equal(await node.getByLabel('Value of condition 1').inputValue(), 'total')
  assert.equal(await node.getByLabel('Expression of condition 2').inputValue(), 'has(data.country)')
  await node.getByRole('button', { name: 'Group' }).click()
  const group = node.getByRole('group', { name: 'group 3', exact: true })
  await group.getByLabel('Value of group 3, condition 1').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('customer.name')
  await group.getByRole('button', { name: 'Condition', exact: true }).click()
  await group.getByLabel('Value of group 3, condition 2').fill('note')
  await group.getByLabel('Operator of group 3, condition 2').selectOption('is empty')
  const source =
    'data.total > 100 && has(data.country) && (compare(data.customer.name, "equals", "") || compare(data.?note, "is empty"))'
  await comesTo(page, written, { mode: 'Expression', expression: source })
  await comesTo(page, () => node.locator('datalist option[value="customer.name"]').count(), 1)
  await assertAccessible(page, '[data-inspected]')
  // Read anew, the rows are what they were.
  await node.getByRole('button', { name: 'Expression', exact: true }).click()
  await editor.field('if-1', 'Expression').fill(`${source} && data.paid`)
  await node.getByRole('button', { name: 'Rows', exact: true }).click()
  assert.equal(await node.getByLabel('Operator of condition 4').inputValue(), 'is true')
  await node.getByRole('button', { name: 'Move condition 4 up' }).click()
  await comesTo(page, written, {
    mode: 'Expression',
    expression: source.replace(' && (', ' && data.paid && (')
  })
})
