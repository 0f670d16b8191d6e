import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { readCode } from '../support/code-area.ts'
import { comesTo } from '../support/comes-to.ts'
import type { Editor } from '../support/editor.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const PAYLOAD = {
  order_id: 7,
  customer: 'Ann',
  total: 12.5,
  address: { city: 'Graz', 'post code': '8010' },
  items: [{ sku: 'A-1' }, { sku: 'B-2' }]
}

/** In the page, which undoes by itself what is typed after half a second: a machine may stand still for so long. */
const STOP_CLOCK = 'Date.now = ((at) => Object.assign(() => at, { real: Date.now }))(Date.now())'
const START_CLOCK = 'Date.now = Date.now.real'

/** The canvas of a flow that has had one request. */
async function openAfterRequest(...[test, options]: Parameters<typeof open>): Promise<Editor> {
  const editor = await open(test, options)
  await editor.service.run(editor.flow.slug, JSON.stringify(PAYLOAD))
  await editor.inspect('parser-1')
  // The last run may be told of before its payload is there to be previewed.
  await preview(editor).getByText('Order 7 from Ann').first().waitFor()
  return editor
}

function template(editor: Editor) {
  return editor.inspected('parser-1').getByRole('textbox', { name: 'Template' })
}

/** Opens the template for typing, with the cursor at its end. */
async function enter(editor: Editor): Promise<void> {
  await editor.inspect('parser-1')
  await template(editor).focus()
  await editor.inspected('parser-1').locator('.cm-content:focus').waitFor()
  // The text that it takes the place of goes a moment later.
  await comesTo(editor.page, () => template(editor).count(), 1)
}

function templateOf(node: Readonly<Record<string, unknown>>): unknown {
  return (node.fields as { readonly template?: unknown }).template
}

function preview(editor: Editor) {
  return editor.inspected('parser-1').getByRole('region', { name: 'Preview' })
}

describe('the template of a Parser', () => {
  it('has its variables coloured, in the editor and outside of it, and is undone as it was typed', async (t) => {
    const editor = await open(t)
    await editor.inspect('parser-1')
    const still = template(editor).getByText('order_id')
    const colour = () => still.evaluate((element) => getComputedStyle(element).color)
    const text = await template(editor).evaluate((element) => getComputedStyle(element).color)
    const outside = await colour()
    assert.notEqual(outside, text)
    await enter(editor)
    await comesTo(editor.page, colour, outside)
    await editor.page.evaluate(STOP_CLOCK)
    try {
      await editor.page.keyboard.type(' !')
    } finally {
      await editor.page.evaluate(START_CLOCK)
    }
    await comesTo(editor.page, () => readCode(template(editor)), 'Order {order_id} from {customer} !')
    await editor.page.keyboard.press('ControlOrMeta+Z')
    await comesTo(editor.page, () => readCode(template(editor)), 'Order {order_id} from {customer}')
  })

  it('takes no room at the end of the page while it is written', async (t) => {
    const editor = await open(t)
    await enter(editor)
    await editor.page.keyboard.type('{')
    const beyond = await editor.page.evaluate<number>('document.documentElement.scrollHeight - innerHeight')
    assert.equal(beyond, 0)
  })

  it('is completed from the last payload, level by level, and has no fault told meanwhile', async (t) => {
    const editor = await openAfterRequest(t)
    const { page } = editor
    await enter(editor)
    await page.keyboard.type(' in {add')
    const options = page.getByRole('listbox').getByRole('option')
    await comesTo(page, () => options.allInnerTexts(), ['address{"city":"Graz","post code":"8010"}'])
    await page.keyboard.press('Enter')
    await page.keyboard.type('.')
    await page.getByRole('option', { name: /^post code/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: /^post code/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    const completed = 'Order {order_id} from {customer} in {address.post code}'
    await comesTo(page, () => readCode(template(editor)), completed)
    await preview(editor).getByText('Order 7 from Ann in 8010', { exact: true }).waitFor()

    await page.keyboard.press('End')
    await page.keyboard.type(' {custm')
    await page.getByRole('option', { name: /^customer/ }).waitFor()
    // A run that comes meanwhile takes nothing away from whoever chooses.
    await editor.runAndRead(JSON.stringify({ ...PAYLOAD, customer: 'Bea' }))
    // It lasts longer than a pause between two keys, and what the service finds is told as well.
    await comesTo(page, async () => templateOf(await editor.readNode('parser-1')), `${completed} {custm}`)
    const underlined = template(editor).locator('.cm-lintRange')
    const faults = editor.inspected('parser-1').getByRole('list', { name: 'Template problems' })
    assert.deepEqual(await underlined.allInnerTexts(), [])
    assert.equal(await faults.getByRole('listitem').count(), 0)
    await page.getByRole('option', { name: /^customer/ }).waitFor()
    await page.keyboard.press('Escape')
    await comesTo(page, () => underlined.allInnerTexts(), ['custm'])
    await faults.getByText(/\{custm\} .* has no value/).waitFor()
  })

  it('has a missing key underlined, is previewed as the service would print it, and switched by keyboard', async (t) => {
    const editor = await openAfterRequest(t)
    const { page, service, flow } = editor
    await enter(editor)
    await page.keyboard.insertText(' {custmer}')
    // It depends on the payload and keeps nothing from being published, so it is not an error.
    const underlined = template(editor).locator('.cm-lintRange-warning')
    await comesTo(page, () => underlined.allInnerTexts(), ['custmer'])
    const faults = editor.inspected('parser-1').getByRole('list', { name: 'Template problems' })
    await faults
      .getByRole('listitem')
      .filter({ hasText: /\{custmer\} \(line 1, column 34\) has no value/ })
      .filter({ hasText: 'order_id, customer, total, address, items' })
      .filter({ hasText: 'Did you mean "customer"?' })
      .waitFor()
    // What came of it before stays in sight until it is mended.
    await preview(editor).getByText('Order 7 from Ann', { exact: false }).waitFor()

    await editor.writeTemplate(editor.inspected('parser-1'), 'Order {order_id} from {customer}')
    await page.keyboard.insertText(': {total:.2f} {{x}} {gone?non}')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('e')
    const text = 'Order 7 from Ann: 12.50 {x} none'
    await preview(editor).getByText(text, { exact: true }).waitFor()
    await editor.publish()
    const run = await service.run(flow.slug, JSON.stringify(PAYLOAD))
    assert.equal(run.steps.find(({ node }) => node === 'parser-1')?.outputs?.parsed_text, text)

    // Where the payload is a list it is filled item by item; one without keys is told.
    await service.run(flow.slug, JSON.stringify([PAYLOAD, { ...PAYLOAD, order_id: 8 }]))
    await preview(editor)
      .getByText(`${text}\n${text.replace('7', '8')}`)
      .waitFor()
    await service.run(flow.slug, '"just text"')
    const parser = editor.inspected('parser-1')
    await parser
      .getByText(/so the template has no keys to read/)
      .first()
      .waitFor()

    await service.run(flow.slug, JSON.stringify(PAYLOAD))
    await preview(editor).getByText(text, { exact: true }).waitFor()
    await parser.getByRole('radio', { name: 'Parser' }).focus()
    await page.keyboard.press('ArrowRight')
    await comesTo(page, () => parser.getByRole('radio', { name: 'Stringify' }).isChecked(), true)
    await template(editor).waitFor({ state: 'detached' })
    await preview(editor)
      .filter({ hasText: /^\s*\{/ })
      .waitFor()
    assert.deepEqual(JSON.parse(await preview(editor).innerText()), PAYLOAD)
    const saved = async () => (await editor.readNode('parser-1')).fields as { mode?: string }
    await comesTo(page, async () => (await saved()).mode, 'Stringify')
    await page.keyboard.press('ArrowLeft')
    await template(editor).waitFor()
  })
})

describe('a Prompt', () => {
  it('has the same editor, filled from what is wired to its inputs', async (t) => {
    const document = {
      name: 'Prompted',
      nodes: [
        { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 } },
        {
          id: 'prompt-1',
          type: 'prompt',
          position: { x: 320, y: 0 },
          fields: { template: 'Write to {order.customer}' }
        }
      ],
      edges: [{ from: 'webhook-1.data', to: 'prompt-1.order' }]
    }
    const editor = await open(t, { document })
    await editor.service.run(editor.flow.slug, JSON.stringify(PAYLOAD))
    const prompt = await editor.inspect('prompt-1')
    await prompt.getByRole('region', { name: 'Preview' }).getByText('Write to Ann', { exact: true }).waitFor()
    await prompt.getByRole('textbox', { name: 'Template' }).focus()
    await prompt.locator('.cm-content:focus').waitFor()
    await editor.page.keyboard.insertText(' in {order.address.}')
    await editor.page.keyboard.press('ArrowLeft')
    await editor.page.keyboard.type('ci')
    await editor.page.getByRole('option', { name: /^city/ }).waitFor()
    await editor.page.keyboard.press('Enter')
    await prompt
      .getByRole('region', { name: 'Preview' })
      .getByText('Write to Ann in Graz', { exact: true })
      .waitFor()
  })
})

describe('a template whose editor cannot be loaded', () => {
  const CODE_EDITOR = '**/assets/code-mirror-template*'

  /** Else the page may have it already. */
  async function loadAgain(editor: Editor): Promise<void> {
    await editor.page.reload()
    await editor.settled()
  }

  it('is edited as plain text, and takes what was typed meanwhile where it comes late', async (t) => {
    const editor = await open(t)
    const { page } = editor
    await page.route(CODE_EDITOR, (route) => route.abort())
    await loadAgain(editor)
    await editor.inspect('parser-1')
    await template(editor).click()
    await editor.inspected('parser-1').locator('textarea:focus').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('For {customer}')
    await editor.saved(1)
    assert.equal(templateOf(await editor.readNode('parser-1')), 'For {customer}')
    await page.unroute(CODE_EDITOR)

    const sent = Promise.withResolvers<void>()
    await page.route(CODE_EDITOR, async (route) => {
      await sent.promise
      await route.continue()
    })
    await loadAgain(editor)
    await editor.inspect('parser-1')
    await template(editor).focus()
    await page.keyboard.type(', by mill')
    await page.keyboard.press('Backspace')
    sent.resolve()
    await editor.inspected('parser-1').locator('.cm-content:focus').waitFor()
    await page.keyboard.type('!')
    await comesTo(page, () => readCode(template(editor)), 'For {customer}, by mil!')
    await page.unroute(CODE_EDITOR)
  })
})
