import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import type { Editor } from '../support/editor.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

/** A flow whose second version has another template, a further node and one less. */
async function openSecondVersion(t: TestContext): Promise<Editor> {
  const editor = await open(t)
  const [webhook, parser] = ordersFlow().nodes
  const nodes = [
    webhook,
    { ...parser, fields: { mode: 'Parser', template: 'Order {order_id} for {customer}' } },
    { id: 'prompt-1', type: 'prompt', position: { x: 640, y: 240 }, fields: {} }
  ]
  await editor.service.saveFlow(editor.flow, { nodes, edges: ordersFlow().edges.slice(0, 1) })
  await editor.node('prompt-1').waitFor()
  await editor.page.getByRole('button', { name: 'Versions' }).click()
  return editor
}

/** What the rows that call themselves live are called. */
function liveIn(page: Page): () => Promise<(string | undefined)[]> {
  const rows = page.getByRole('complementary', { name: 'Versions' }).getByRole('listitem')
  return async () =>
    (await rows.allInnerTexts()).filter((text) => /^live$/m.test(text)).map((text) => text.split('\n')[0])
}

describe('versions', () => {
  it('are listed, newest first, with their names, what they changed and who made them, and tell which one is live', async (t) => {
    const editor = await openSecondVersion(t)
    const { page, service, flow } = editor
    const rows = page.getByRole('complementary', { name: 'Versions' }).getByRole('listitem')
    const titles = async () => (await rows.allInnerTexts()).map((text) => text.split('\n')[0])
    await comesTo(page, titles, ['Version 2', 'Version 1'])
    await comesTo(page, liveIn(page), ['Version 2'])
    await service.saveFlow(await editor.read(), { description: 'By another window' })
    await comesTo(page, liveIn(page), ['Version 3'])

    const { name, nodes, edges } = await editor.read()
    const draft = { name, nodes: nodes.slice(0, 2), edges }
    await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body: draft })
    const words = { name: 'Spring sale', note: 'Without the prompt.' }
    await service.post(`/api/v1/flows/${flow.id}/publish`, words)
    const first = page.getByRole('complementary', { name: 'Versions' }).getByRole('listitem').first()
    for (const text of [
      'Spring sale',
      'live',
      'Version 4',
      'Without the prompt.',
      'Prompt removed',
      'Published by'
    ]) {
      await first.filter({ hasText: text }).waitFor()
    }
    await page.getByRole('radiogroup', { name: 'Which versions to list' }).getByText('Named').click()
    await comesTo(page, () => page.getByRole('listitem').filter({ hasText: 'Version' }).count(), 1)
    await comesTo(page, liveIn(page), ['Spring sale'])
    // Named ones come first when the list is opened again, with the live one in sight.
    await service.saveFlow(await editor.readLive(), { description: 'By a program' })
    const panel = page.getByRole('complementary', { name: 'Versions' })
    await panel.getByRole('button', { name: 'Close Versions' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Versions', exact: true }).click()
    await comesTo(page, () => page.getByRole('listitem').filter({ hasText: 'Version' }).count(), 2)
    await comesTo(page, liveIn(page), ['Version 5'])
  })

  it('can be looked at and not edited, are compared with now, and restored by an edit that can be undone', async (t) => {
    const editor = await openSecondVersion(t)
    const { page } = editor
    await page.getByRole('button', { name: 'View version 1' }).click()
    await page.getByText('It cannot be edited.').waitFor()
    await editor.node('chat-output-1').waitFor()
    await comesTo(page, () => editor.node('prompt-1').count(), 0)
    const head = await editor.headOf('webhook-1')
    await editor.drag(head, { x: head.x, y: head.y + 80 })
    await page.keyboard.press('Delete')
    await editor.node('webhook-1').waitFor()
    await page.getByRole('button', { name: 'Back to now' }).click()
    await page.getByRole('button', { name: 'Zoom to fit' }).click()
    await editor.node('prompt-1').waitFor()
    assert.equal((await editor.read()).version, 2)

    await page.getByRole('button', { name: 'Compare version 1 with now' }).click()
    const marked = (id: string) => editor.node(id).getAttribute('data-mark')
    const marks = () => Promise.all(['prompt-1', 'chat-output-1', 'parser-1', 'webhook-1'].map(marked))
    await comesTo(page, marks, ['added', 'removed', 'changed', null])
    const changes = page.getByRole('region', { name: 'What changed since version 1' })
    await changes.getByText('1 node added, 1 node removed, 1 node changed, 1 wire removed').waitFor()
    const wire = editor.wire('parser-1.parsed_text', 'chat-output-1.text')
    await wire.locator('[data-mark="removed"]').waitFor({ state: 'attached' })
    const lines = (await changes.locator('[data-kind="added"], [data-kind="removed"]').allInnerTexts()).join(
      '\n'
    )
    assert.match(lines, /from/)
    assert.match(lines, /for/)

    await page.getByRole('button', { name: 'Restore version 1' }).click()
    const { nodes, edges } = await editor.saved(1)
    assert.deepEqual(nodes, ordersFlow().nodes)
    assert.deepEqual(edges, ordersFlow().edges)
    await page.getByRole('button', { name: 'Undo: Restore version 1' }).click()
    assert.equal((await editor.saved(2)).nodes.length, 3)
    // What was there before a restore can be had again, also when nothing is left to be undone.
    await page.getByRole('button', { name: 'Restore version 1 into the draft' }).click()
    await editor.saved(3)
    await page.getByRole('button', { name: 'Restore draft 1 into the draft' }).click()
    assert.equal((await editor.saved(4)).nodes.length, 3)
  })
})
