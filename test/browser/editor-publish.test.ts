import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Locator, Page, Response } from 'playwright-core'
import { assertAccessible, DESKTOP, PHONE, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import type { Editor } from '../support/editor.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

/** A flow with a draft: another template, a node that is not wired, and one less. */
async function openDraft(t: TestContext, fields: Readonly<Record<string, unknown>> = {}): Promise<Editor> {
  const editor = await open(t)
  const [webhook, parser] = ordersFlow().nodes
  const nodes = [
    { ...webhook, fields },
    { ...parser, fields: { mode: 'Parser', template: 'Order {order_id} for {customer}' } },
    { id: 'prompt-1', type: 'prompt', position: { x: 640, y: 240 }, fields: {} }
  ]
  await saveDraft(editor, { nodes, edges: ordersFlow().edges.slice(0, 1) })
  await editor.node('prompt-1').waitFor()
  return editor
}

/** As somebody else does who edits the same draft. */
async function saveDraft(editor: Editor, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const before = await editor.read()
  const { revision = 0 } = before as { readonly revision?: number }
  const { name, nodes, edges } = before
  const body = { name, nodes, edges, revision, ...changes }
  const saved = await editor.service.request('PUT', `/api/v1/flows/${editor.flow.id}/draft`, { body })
  assert.equal(saved.status, 200, saved.text)
}

function publishIn(panel: Locator): Locator {
  return panel.getByRole('button', { name: 'Publish', exact: true })
}

/** What the page asks for and nobody has: the marked canvas asked for a flow by another id than its own. */
function watchNotFound(test: TestContext, page: Page): readonly string[] {
  const found: string[] = []
  const look = (answer: Response) => void (answer.status() === 404 && found.push(answer.url()))
  page.on('response', look)
  cleanUp(test, () => page.off('response', look))
  return found
}

describe('publishing', () => {
  it('tells what it does, in words and on the canvas; takes a name and a note, by keyboard alone, and can be undone', async (t) => {
    const editor = await openDraft(t, { auth: 'None' })
    const { page } = editor
    const notFound = watchNotFound(t, page)
    const panel = await editor.review()
    const changes = panel.getByRole('region', { name: 'What changes' })
    for (const text of ['Changed Parser: template', 'Added Prompt', 'Removed Chat Output']) {
      await changes.getByRole('button', { name: text }).waitFor()
    }
    await changes.getByText('Wire Parser · Parsed Text → Chat Output · Text').waitFor()
    await panel.getByRole('region', { name: 'For callers' }).getByText('Anybody who knows').waitFor()
    const warnings = panel.getByRole('region', { name: 'Probably unintended' })
    await warnings.getByRole('button', { name: /Prompt|prompt-1/ }).waitFor()
    const marked = (id: string) => editor.node(id).getAttribute('data-mark')
    const marks = () => Promise.all(['prompt-1', 'chat-output-1', 'parser-1'].map(marked))
    await comesTo(page, marks, ['added', 'removed', 'changed'])
    await assertAccessible(page, SEEN_PAGE)
    assert.deepEqual(notFound, [])
    await changes.getByRole('button', { name: 'Removed Chat Output' }).click()
    await editor.focused('chat-output-1')
    assert.equal((await editor.readLive()).version, 1)
    await page.getByRole('button', { name: 'Close Publish' }).click()
    await panel.waitFor({ state: 'detached' })

    await page.keyboard.press('Control+s')
    await panel.getByRole('button', { name: 'Added Prompt' }).waitFor()
    await panel.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('Spring sale')
    await page.keyboard.press('Tab')
    await page.keyboard.insertText('For April.')
    await comesTo(page, () => publishIn(panel).isEnabled(), true)
    await page.keyboard.press('Enter')
    await panel.waitFor({ state: 'detached' })
    await editor.saving.getByTitle('Version 2 is live').waitFor()
    const versions = await editor.service.get(`/api/v1/flows/${editor.flow.id}/versions?named=true`)
    const [named] = versions.json<{ versions: { version: number; name: string; note: string }[] }>().versions
    assert.deepEqual([named?.version, named?.name, named?.note], [2, 'Spring sale', 'For April.'])
    await page
      .getByRole('alert')
      .filter({ hasText: 'Version 2 is live' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await editor.saving.getByTitle(/^Draft \d+\. Version 3 is live/).waitFor()
    assert.deepEqual((await editor.readLive()).nodes, ordersFlow().nodes)
    assert.equal((await editor.read()).nodes.length, 3)
    await editor.node('prompt-1').waitFor()
  })

  it('is a sheet on a phone, with what changes in sight above it, and is kept back by faults, which lead to their nodes', async (t) => {
    const editor = await openDraft(t)
    const { page } = editor
    cleanUp(t, () => page.setViewportSize(DESKTOP))
    await page.setViewportSize(PHONE)
    const panel = await editor.review()
    await panel.getByRole('button', { name: 'Added Prompt' }).waitFor()
    await comesTo(page, () => publishIn(panel).isEnabled(), true)
    const [sheet, canvas] = [(await panel.boundingBox())!, (await editor.canvas.boundingBox())!]
    assert.ok(canvas.height > 80 && canvas.y + canvas.height <= sheet.y + 1, 'the canvas is above the sheet')
    assert.ok(sheet.x >= 0 && sheet.x + sheet.width <= PHONE.width, 'the sheet is as wide as the phone')
    const button = (await publishIn(panel).boundingBox())!
    assert.ok(button.y + button.height <= sheet.y + sheet.height, 'the button is in sight')
    await publishIn(panel).click()
    await panel.waitFor({ state: 'detached' })
    assert.equal((await editor.readLive()).version, 2)

    await page.setViewportSize(DESKTOP)
    const [webhook, parser, output] = ordersFlow().nodes
    const broken = { ...parser, fields: { mode: 'Parser', template: 'Order {order_id' } }
    await saveDraft(editor, { nodes: [webhook, broken, output] })
    await editor.saving.getByText(/problem/).waitFor()
    await editor.review()
    await panel.getByText('One problem has to be fixed first.').waitFor()
    assert.equal(await publishIn(panel).isEnabled(), false)
    await panel
      .getByRole('region', { name: 'To be fixed first' })
      .getByRole('button', { name: /^Parser · Template: / })
      .click()
    await editor.inspected('parser-1').waitFor()
    await editor.focused('parser-1')
  })

  it('rehearses the draft on the last live runs, and shows what would be another', async (t) => {
    const editor = await openDraft(t)
    const { page, service, flow } = editor
    const run = await service.run(flow.slug, '{"order_id":7,"customer":"Ann"}')
    const panel = await editor.review()
    const rehearsal = panel.getByRole('region', { name: 'Rehearsal' })
    await rehearsal.getByText('1 differs').waitFor()
    await rehearsal.getByText(/Parser gives something else/).click()
    await rehearsal.getByText('Order 7 for Ann').waitFor()
    assert.equal(
      await rehearsal.getByRole('link', { name: 'The run' }).getAttribute('href'),
      `/runs/${run.id}`
    )
    await rehearsal.getByRole('button', { name: 'Side by side' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('region', { name: 'Then', exact: true }).getByText('Order 7 from Ann').waitFor()
    await dialog.getByRole('region', { name: 'Now', exact: true }).getByText('Order 7 for Ann').waitFor()
    await page.keyboard.press('Escape')
    await assertAccessible(page, SEEN_PAGE)
    await rehearsal.getByRole('button', { name: 'Show the node' }).click()
    await editor.focused('parser-1')
    await rehearsal.getByRole('button', { name: 'Keep as an expectation' }).click()
    await page.getByRole('menuitem', { name: 'It should do what it did then' }).click()
    const expectations = panel.getByRole('region', { name: 'Expectations' })
    await expectations.getByText('1 expectation: 1 is not').waitFor()
    await publishIn(panel).click()
    await panel.getByText(/^Nothing was published/).waitFor()
    assert.equal((await editor.readLive()).version, 1)
    await panel.getByRole('button', { name: 'Publish all the same' }).click()
    await comesTo(page, async () => (await editor.readLive()).version, 2)
  })

  it('publishes nothing that was not shown', async (t) => {
    const editor = await openDraft(t)
    const { page } = editor
    const panel = await editor.review()
    await comesTo(page, () => publishIn(panel).isEnabled(), true)
    const arrived = Promise.withResolvers<void>()
    await page.route('**/publish', async (route) => {
      await saveDraft(editor, { description: 'By another window' })
      arrived.resolve()
      await route.continue()
    })
    await publishIn(panel).click()
    await arrived.promise
    await panel.getByText('Description of the flow').waitFor()
    await panel.getByRole('alert').filter({ hasText: 'The draft has changed' }).waitFor()
    await page.unroute('**/publish')
    assert.equal((await editor.readLive()).version, 1)
    await editor.service.saveFlow(await editor.readLive(), { name: 'Renamed by a program' })
    await panel.getByRole('alert').filter({ hasText: 'Version 2 went live meanwhile' }).waitFor()
    await panel.getByText('takes the place of version 2').waitFor()
    await publishIn(panel).click()
    await panel.waitFor({ state: 'detached' })
    const { name, description } = (await editor.readLive()) as { name: string; description?: string }
    assert.deepEqual([name, description], ['Renamed by a program', 'By another window'])
  })
})

describe('a draft', () => {
  it('is discarded after a question that tells what is lost, and brought back', async (t) => {
    const editor = await openDraft(t)
    const { page } = editor
    await page.getByRole('button', { name: 'More about publishing' }).click()
    await page.getByRole('menuitem', { name: 'Discard the draft' }).click()
    const question = page.getByRole('dialog', { name: 'Discard the draft?' })
    await question.getByText('Parser: template; Prompt added; Chat Output removed; 1 wire').waitFor()
    await question.getByRole('button', { name: 'Discard' }).click()
    await editor.node('chat-output-1').waitFor()
    const draft = async () => (await editor.service.get(`/api/v1/flows/${editor.flow.id}/draft`)).status
    await comesTo(page, draft, 404)
    await editor.saving.getByTitle('Version 1 is live', { exact: true }).waitFor()
    await page
      .getByRole('alert')
      .filter({ hasText: 'discarded' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await editor.node('prompt-1').waitFor()
    await comesTo(page, draft, 200)
    await comesTo(page, async () => (await editor.read()).nodes.length, 3)
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search commands').and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('Discard the draft')
    await page.keyboard.press('Enter')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
  })
})
