import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import type { Locator } from 'playwright-core'
import { assertAccessible, DIALOG, testBrowser } from '../support/browser.ts'
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

it('code is completed by the last data, tried as typed, and an expression shows what it comes to', async (t) => {
  const editor = await open(t, {
    document: {
      name: 'Computed',
      nodes: [
        { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
        { id: 'code-1', type: 'code', position: { x: 360, y: 0 }, fields: { code: 'console.log("hi")\n' } },
        { id: 'transform-1', type: 'transform', position: { x: 360, y: 200 }, fields: {} }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'code-1.data' },
        { from: 'webhook-1.data', to: 'transform-1.data' }
      ]
    }
  })
  const { page } = editor
  const result = (status: string) => page.locator(`[data-result="${status}"]`)
  const node = await editor.inspect('code-1')
  // Nothing has come yet: it is tried with what somebody writes.
  const sample = page.getByRole('region', { name: 'Sample input' })
  const write = async (field: Locator, text: string) => {
    await field.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(text)
  }
  // Half written, it runs nothing: not even the flow, which the keys test elsewhere.
  await write(sample.getByRole('textbox'), '{"order":')
  await page.keyboard.press('ControlOrMeta+Enter')
  await write(sample.getByRole('textbox'), '{"order": {"total": 12}}')
  await page.keyboard.press('ControlOrMeta+Enter')
  await result('succeeded').getByText('hi', { exact: true }).waitFor()
  const tested = await editor.service.get(`/api/v1/runs?flow_id=${editor.flow.id}`)
  assert.deepEqual(tested.json<{ runs: unknown[] }>().runs, [])
  await node.getByRole('button', { name: 'Enlarge' }).click()
  const code = page.getByRole('dialog').getByRole('textbox', { name: 'Code' })
  await code.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('return data.ord')
  await page.getByRole('option', { name: 'order' }).click()
  await page.keyboard.insertText('.total + absent')
  await page.keyboard.press('ControlOrMeta+Enter')
  await result('failed').getByText('Line 2').waitFor()
  await page.locator('.cm-lintRange-error').first().waitFor()
  await page.keyboard.press('Shift+Home')
  await page.keyboard.insertText('return data.order.total')
  await page.keyboard.press('ControlOrMeta+Enter')
  await result('succeeded').getByText('hi', { exact: true }).waitFor()
  await result('succeeded').getByText('12', { exact: true }).waitFor()
  await assertAccessible(page, DIALOG)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await node.getByRole('textbox', { name: 'Code' }).and(page.locator(':focus')).waitFor()
  await editor.inspect('transform-1')
  await write(sample.getByRole('textbox'), '{"order": {"total": 30}}')
  await write(editor.inspected('transform-1').getByRole('textbox', { name: 'Expression' }), 'order.total * 2')
  await result('succeeded').getByText('60', { exact: true }).waitFor()
  await page.keyboard.type(' +')
  await result('refused').getByText('Line 1').waitFor()
  await page.locator('.cm-lintRange-error').first().waitFor()
  // What it logged in a run stands under what it put out.
  await editor.service.run(editor.flow.slug, '{}')
  await editor.inspect('code-1')
  await page.getByRole('region', { name: 'Output' }).locator('[data-log]').getByText('hi').waitFor()
})

it('a mail is shown as its reader gets it, and nothing of it runs or is loaded', async (t) => {
  const html = `<style>b {{ color: rgb(1, 2, 3) }}</style><p style="font-weight: 700">Order <b>{number}</b>
    <img src="http://spy.example/a.png" onerror="top.location = '/'"></p><script>top.location = '/'</script>`
  const editor = await open(t, {
    document: {
      name: 'Mails',
      nodes: [
        { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
        {
          id: 'mail-1',
          type: 'send-email',
          position: { x: 360, y: 0 },
          fields: {
            connection: 'mail',
            to: '{name} <ann@shop.example>',
            subject: 'Order {number}',
            text: 'Order {number}!',
            html
          }
        }
      ],
      edges: [{ from: 'webhook-1.data', to: 'mail-1.data' }]
    }
  })
  const { page } = editor
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).host))
  await editor.service.run(editor.flow.slug, '{"number": 7, "name": "Ann"}')
  await editor.inspect('mail-1')
  const mail = page.getByRole('region', { name: 'Preview of the mail' })
  await mail.getByText('Ann <ann@shop.example>').waitFor()
  const [number, text] = [mail.frameLocator('iframe').locator('b'), mail.frameLocator('iframe').locator('p')]
  await number.getByText('7').waitFor()
  const colour = () => number.evaluate((element) => getComputedStyle(element).color)
  await comesTo(page, colour, 'rgb(1, 2, 3)')
  assert.equal(await text.evaluate((element) => getComputedStyle(element).fontWeight), '700')
  await mail.getByText('A remote picture is not loaded here.').waitFor()
  await mail.getByText('Text', { exact: true }).click()
  await mail.getByText('Order 7!').waitFor()
  assert.deepEqual([...new Set(asked)], [new URL(page.url()).host])
  await assertAccessible(page, '[data-column="settings"]')
})
