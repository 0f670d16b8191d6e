import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertAccessible, PHONE, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { startService } from '../support/service.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const browser = testBrowser()
const open = sharedEditor(browser)

const formFlow = (fields: object) => ({
  name: 'Application',
  nodes: [
    { id: 'form-1', type: 'form', position: { x: 0, y: 0 }, fields },
    { id: 'parser-1', type: 'parser', position: { x: 360, y: 0 }, fields: { mode: 'Stringify' } }
  ],
  edges: [{ from: 'form-1.data', to: 'parser-1.data' }]
})

const APPLICATION = {
  title: 'Apply for a place',
  description: 'We answer within a week.',
  thanks: 'Thank you, {name}. We have got {cv}.',
  fields: [
    { name: 'name', label: 'Name', type: 'text', required: true },
    { name: 'email', label: 'Email', type: 'email', required: true, help: 'We answer there.' },
    { name: 'size', label: 'Size', type: 'choice', required: true, choices: ['Small', 'Large'] },
    { name: 'topic', label: 'Topic', type: 'choice', choices: ['A', 'B'] },
    { name: 'cv', label: 'CV', type: 'file', required: true },
    { name: 'terms', label: 'I agree', type: 'checkbox', required: true }
  ]
}

it('a form is filled in on a phone, told of its faults in place, and sent with a file', async (t) => {
  const service = await startService(t)
  const flow = await service.createFlow(formFlow(APPLICATION))
  const page = await browser.open(t, service, { path: `/form/${flow.slug}`, key: null, viewport: PHONE })
  await assertAccessible(page)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  const email = page.getByRole('textbox', { name: 'Email' })
  await email.fill('ada')
  await page.getByRole('button', { name: 'Send' }).click()
  // Nothing was sent: the faults stand beside their fields, and the first of them has the focus.
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.and(page.locator(':focus')).waitFor()
  for (const field of [name, email]) assert.equal(await field.getAttribute('aria-invalid'), 'true')
  const told = (await email.getAttribute('aria-describedby'))!.split(' ').map((id) => page.locator(`#${id}`))
  assert.equal(await told[0]!.innerText(), 'We answer there.')
  assert.match(await told[1]!.innerText(), /@/)
  await assertAccessible(page)
  await name.fill('Ada')
  assert.equal(await name.getAttribute('aria-invalid'), null)
  await email.fill('ada@example.com')
  await page.getByRole('radio', { name: 'Large' }).check()
  await page.getByRole('checkbox', { name: 'I agree' }).check()
  const cv = { name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(2_000_000, 'x') }
  await page.getByLabel('CV').setInputFiles(cv)
  // What is sent is held until its progress was seen.
  const seen = page.getByRole('progressbar', { name: 'Sending' })
  await page.route('**/form/*', async (route) => {
    await seen.waitFor()
    await route.continue()
  })
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Thank you, Ada. We have got cv.pdf.').waitFor()
  await page.getByRole('heading', { name: 'Apply for a place' }).and(page.locator(':focus')).waitFor()
  await assertAccessible(page)
  const { runs } = (await service.get(`/api/v1/runs?flow_id=${flow.id}`)).json<{ runs: { id: string }[] }>()
  assert.equal(runs.length, 1)
  const { input } = await service.waitForRun(runs[0]!.id)
  const { cv: kept, ...rest } = input as Record<string, unknown>
  assert.deepEqual(rest, { name: 'Ada', email: 'ada@example.com', size: 'Large', topic: null, terms: true })
  assert.equal((kept as { size: number }).size, 2_000_000)
})

it('a form is built row by row, by keys and by drag, and shown as it will be', async (t) => {
  const fields = [
    { name: 'name', label: 'Name', type: 'text' },
    { name: 'email', label: 'Email', type: 'email' },
    { name: 'message', label: 'Message', type: 'long text' }
  ]
  const editor = await open(t, { document: formFlow({ title: 'Write to us', fields }) })
  const { page } = editor
  const node = await editor.inspect('form-1')
  const names = async () => {
    const { fields: drawn } = (await editor.readNode('form-1')).fields as { fields: { name: string }[] }
    return drawn.map((field) => field.name)
  }
  const grip = (label: string) => node.getByRole('button', { name: `Move ${label}`, exact: true })
  await grip('Message').focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await grip('Message').and(page.locator(':focus')).waitFor()
  await comesTo(page, names, ['message', 'name', 'email'])
  await grip('Message').hover()
  await page.mouse.down()
  const { x, y } = (await grip('Email').boundingBox())!
  await page.mouse.move(x + 5, y - 5, { steps: 2 })
  await page.mouse.move(x + 5, y + 10)
  await page.mouse.up()
  await comesTo(page, names, ['name', 'email', 'message'])
  await node.getByRole('button', { name: 'Add field' }).click()
  await node.getByRole('textbox', { name: 'Label' }).fill('Shirt size')
  await node.getByRole('combobox', { name: 'Type' }).selectOption('choice')
  await node.getByRole('textbox', { name: 'Choices' }).fill('Small\nLarge')
  await node.getByRole('checkbox', { name: 'Required' }).check()
  await comesTo(page, names, ['name', 'email', 'message', 'shirt_size'])
  // The same that visitors will see, which is hidden from readers here: it cannot be filled in.
  const preview = node.getByRole('region', { name: 'Preview of the form' })
  await comesTo(page, () => preview.locator('legend').innerText(), 'Shirt size')
  assert.equal(await preview.locator('h1').innerText(), 'Write to us')
  await node.getByRole('button', { name: 'Duplicate Email' }).click()
  await node.getByRole('button', { name: 'Remove Name' }).click()
  await comesTo(page, names, ['email', 'email_2', 'message', 'shirt_size'])
  await assertAccessible(page, '[aria-label="Preview of the form"]')
  await editor.publish()
  // A test begins with answers that fit.
  await page.getByRole('button', { name: 'Other ways to test' }).click()
  await page.getByRole('menuitem', { name: 'Edit the payload…' }).click()
  const payload = page.getByRole('textbox', { name: 'Body of the test request' })
  await comesTo(page, async () => JSON.parse(await payload.innerText()), {
    email: 'ada@example.com',
    email_2: 'ada@example.com',
    message: 'A longer text.',
    shirt_size: 'Small'
  })
  const sent = await page.request.get(`${editor.service.address}/form/${editor.flow.slug}`)
  assert.match(await sent.text(), /<legend>Shirt size<\/legend>/)
})
