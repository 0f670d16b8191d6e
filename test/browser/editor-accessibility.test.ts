import { describe, it } from 'node:test'
import { assertAccessible, DIALOG, MENU, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { ORDER, ordersFlow } from '../support/documents.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const SIDE_PANEL = 'aside:last-of-type'

const NOTED = ordersFlow({
  notes: [{ id: 'note-1', text: '# Hello', position: { x: 0, y: -180 }, colour: 'green' }]
})

describe('axe finds nothing, in both themes, on the canvas', () => {
  it('with a run and a note, the list view, quick add and what is about a component', async (t) => {
    const editor = await open(t, { document: NOTED })
    await editor.service.run(editor.flow.id, JSON.stringify(ORDER))
    await editor.ran('parser-1').getByText('Succeeded').waitFor()
    await editor.node('note-1').getByRole('heading').waitFor()
    await assertAccessible(editor.page)

    const { page } = editor
    await page.keyboard.press('l')
    await page.locator('#outline-parser-1').click()
    await page.getByLabel('Wire into Data').waitFor()
    await assertAccessible(page, SEEN_PAGE)
    await page.locator('#outline-note-1').click()
    await page.getByLabel('Wire into Data').waitFor({ state: 'detached' })
    await assertAccessible(page, SIDE_PANEL)
    await editor.choose('webhook-1', 'About Webhook')
    await page.getByRole('complementary', { name: 'About Webhook' }).waitFor()
    await assertAccessible(page, SIDE_PANEL)
    await editor.canvas.focus()
    await page.keyboard.press('/')
    await page.getByRole('dialog', { name: 'Add a node' }).waitFor()
    await assertAccessible(page, DIALOG)
  })

  it('with a failed run, faults, the menu of a node, and a key that was just made', async (t) => {
    const editor = await open(t)
    await editor.service.run(editor.flow.id, '{}')
    await editor.ran('parser-1').getByText('Failed').waitFor()
    await editor.page.getByRole('button', { name: 'Settings of the flow' }).click()
    const body = { ...editor.flow, slug: 'Not a slug', revision: 0 }
    await editor.service.request('PUT', `/api/v1/flows/${editor.flow.id}/draft`, { body })
    await editor.saving.getByText('Draft saved · 1 problem').waitFor()
    await assertAccessible(editor.page, SEEN_PAGE)
    await editor.openMenu('parser-1')
    await assertAccessible(editor.page, MENU)
    await editor.page.keyboard.press('Escape')
    const { page } = editor
    await page.getByRole('button', { name: 'API access', exact: true }).click()
    const panel = page.getByRole('complementary', { name: 'API access' })
    await panel.getByRole('tab', { name: 'JavaScript' }).click()
    await panel.getByRole('button', { name: 'Create a key' }).click()
    await panel.getByText('It is shown only once').waitFor()
    await assertAccessible(page, SIDE_PANEL)
  })

  it('with the inspector of one node and of many, at every width, and versions that are compared', async (t) => {
    const editor = await open(t)
    const { page } = editor
    const before = page.viewportSize()!
    t.after(() => page.setViewportSize(before))
    await editor.inspect('parser-1')
    // 720 by 450 is 1440 by 900 at 200 %.
    for (const [width, height] of [
      [1024, 768],
      [720, 450],
      [390, 844]
    ] as const) {
      await page.setViewportSize({ width, height })
      await assertAccessible(page, SEEN_PAGE)
      // Laid out as on a phone.
      if (width === 720) continue
      await page.getByRole('button', { name: 'Widen the inspector' }).click()
      await assertAccessible(page, '[data-wide]')
      await page.getByRole('button', { name: 'Put the inspector beside the canvas' }).click()
    }
    await page.setViewportSize(before)
    await editor.canvas.focus()
    await page.keyboard.press('Control+a')
    await page.getByRole('group', { name: 'Align and distribute' }).waitFor()
    await page.keyboard.press('Control+g')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Ungroup' }).waitFor()
    await assertAccessible(page, SEEN_PAGE)

    await editor.choose('chat-output-1', 'Delete')
    await editor.node('chat-output-1').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Compare version 1 with now' }).click()
    await editor.node('chat-output-1').waitFor()
    await assertAccessible(page, SEEN_PAGE)
  })

  it('with the inspector, beside it and across the page, and while a template is typed, completed and wrong', async (t) => {
    const editor = await open(t)
    await editor.service.run(editor.flow.slug, JSON.stringify(ORDER))
    // The last run may be told of before its payload is there to be previewed.
    const parser = await editor.inspect('parser-1')
    await parser.getByText('Order 7 from Ann').first().waitFor()
    const { page } = editor
    await editor.unfold('parser-1', 'Controls')
    await editor.unfold('parser-1', 'Wires')
    await editor.unfold('parser-1', 'When it fails')
    await assertAccessible(page, SIDE_PANEL)
    await page.getByRole('button', { name: 'Widen the inspector' }).click()
    await page.getByRole('button', { name: 'Put the inspector beside the canvas' }).waitFor()
    await assertAccessible(page, SIDE_PANEL)
    await editor.service.run(editor.flow.slug, '{}')
    await parser.getByRole('alert').waitFor()
    await assertAccessible(page, SIDE_PANEL)
    await editor.service.run(editor.flow.slug, JSON.stringify(ORDER))
    await parser.getByText('Order 7 from Ann').first().waitFor()
    await page.getByRole('button', { name: 'Put the inspector beside the canvas' }).click()

    await parser.getByRole('button', { name: 'Payload and preview of Template' }).click()
    const panel = page.getByRole('complementary', { name: 'Template of Parser' })
    await panel.locator('.cm-content:focus').waitFor()
    await panel.getByRole('button', { name: 'customer:', exact: true }).waitFor()
    await editor.settled()
    await assertAccessible(page, SEEN_PAGE)
    await panel.getByRole('button', { name: /^Close/ }).click()

    await editor.writeTemplate(parser, '{order_id} {custmer}')
    await parser.getByText(/custmer.*has no value/).waitFor()
    // What was told stays while more is written.
    await page.keyboard.type(' {')
    await page.getByRole('listbox').getByRole('option').first().waitFor()
    await parser.getByText(/custmer.*has no value/).waitFor()
    await assertAccessible(page, SEEN_PAGE)
  })

  it('with a test request, while a Webhook listens and when a request has landed', async (t) => {
    const editor = await open(t)
    const { page, service, flow } = editor
    const webhook = await editor.inspect('webhook-1')
    await webhook.getByRole('button', { name: 'Edit the payload' }).click()
    await page.getByLabel('Body of the test request').waitFor()
    const panel = page.getByRole('complementary', { name: 'Payload of the test' })
    await panel.getByRole('button', { name: 'Test', exact: true }).click()
    await panel.getByText('Succeeded').waitFor()
    await webhook.getByRole('button', { name: 'Listen' }).click()
    await webhook.getByText('Listening:').waitFor()
    await assertAccessible(page, SEEN_PAGE)
    await service.run(flow.slug, JSON.stringify(ORDER))
    const landed = webhook.getByRole('region', { name: 'The request that landed', exact: true })
    await landed.getByRole('button', { name: 'customer' }).click()
    await page.getByText('Copied {customer}').waitFor()
    await assertAccessible(page, SIDE_PANEL)
  })

  it('that is empty', async (t) => {
    const editor = await open(t, { document: ordersFlow({ nodes: [], edges: [] }) })
    await assertAccessible(editor.page, SEEN_PAGE)
  })
})
