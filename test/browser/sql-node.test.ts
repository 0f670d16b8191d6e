import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { temporaryFolder } from '../support/service.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const FIELDS = {
  connection: 'desk',
  query: 'select number, customer',
  parameters: { least: '{least}' }
}

const DOCUMENT = {
  name: 'Lookup',
  nodes: [
    { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
    {
      id: 'sql-1',
      type: 'sql',
      position: { x: 360, y: 0 },
      fields: FIELDS
    }
  ],
  edges: [{ from: 'webhook-1.data', to: 'sql-1.data' }]
}

it('the node of SQL offers tables, columns and parameters, and shows its rows as a table', async (t) => {
  const file = join(await temporaryFolder(t), 'desk.db')
  const database = new DatabaseSync(file)
  database.exec(`create table orders (number integer, customer text, total real);
    insert into orders values (7, 'Ann', 12.5), (8, 'Jo', 3)`)
  database.close()
  const editor = await open(t, { document: DOCUMENT })
  const { page, service } = editor
  const made = await service.post('/api/v1/connections', { name: 'desk', kind: 'sqlite', settings: { file } })
  assert.equal(made.status, 201, made.text)
  const node = await editor.inspect('sql-1')
  await node.getByRole('textbox', { name: 'Query' }).click()
  const query = node.locator('.cm-content')
  await query.and(page.locator(':focus')).waitFor()
  // Each word is completed by what is offered for its beginning.
  for (const [typed, offered] of [
    [' from ord', 'orders'],
    [' where tot', 'total'],
    [' > :le', 'least']
  ] as const) {
    await page.keyboard.type(typed)
    await page.getByRole('option', { name: offered }).click()
    await comesTo(page, async () => (await query.innerText()).endsWith(offered), true)
  }
  const text = 'select number, customer from orders where total > :least'
  await comesTo(page, () => query.innerText(), text)
  await comesTo(page, async () => (await editor.readNode('sql-1')).fields, { ...FIELDS, query: text })
  await editor.publish()
  await service.run(editor.flow.slug, '{"least":5}')
  const rows = node.getByRole('table')
  await rows.getByRole('columnheader', { name: 'customer' }).waitFor()
  await rows.getByRole('cell', { name: 'Ann' }).waitFor()
})
