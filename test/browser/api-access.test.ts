import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Locator } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { chatFlow, ordersFlow } from '../support/documents.ts'
import type { Editor } from '../support/editor.ts'
import { clipboardOf, pasteInNode, pasteInPython, pasteInShell } from '../support/pasted.ts'
import { sharedEditor } from '../support/shared-editor.ts'
import { goTo } from '../support/shared-page.ts'

const browser = testBrowser()
const open = sharedEditor(browser)

async function openAccess(test: TestContext, options: Parameters<typeof open>[1] = {}) {
  const editor = await open(test, options)
  await editor.page.getByRole('button', { name: 'API access', exact: true }).click()
  return { editor, panel: editor.page.getByRole('complementary', { name: 'API access' }) }
}

async function copied({ page }: Editor, panel: Locator, tab: string): Promise<string> {
  await panel.getByRole('tab', { name: tab }).click()
  await panel.getByRole('tab', { name: tab, selected: true }).waitFor()
  // The button of the tab before may still say that it has copied: the clipboard itself tells.
  await page.evaluate("navigator.clipboard.writeText('')")
  await panel.getByRole('button', { name: /^Copy the (?!key)/ }).click()
  await comesTo(page, async () => (await clipboardOf(page)) !== '', true)
  return clipboardOf(page)
}

/** The id in what a snippet printed. */
function runIn(printed: string): string {
  const id = /run_id['"]?:\s*['"]([\w-]+)['"]/.exec(printed)?.[1]
  assert.ok(id, printed)
  return id
}

async function makeKey(panel: Locator): Promise<string> {
  await panel.getByRole('button', { name: 'Create a key' }).click()
  await panel.getByText('It is shown only once').waitFor()
  return (await panel.getByRole('region', { name: 'Key' }).locator('code').textContent())!
}

describe('API access', () => {
  it('gives a curl line with the address that the node shows, which runs as it is', async (t) => {
    const { editor, panel } = await openAccess(t)
    const { service, flow } = editor
    const line = await copied(editor, panel, 'Webhook curl')
    assert.ok(line.includes(`${service.address}/api/v1/webhook/${flow.slug} `), line)
    const printed = await pasteInShell(line, { MILLRACE_API_KEY: service.key })
    assert.match(printed, /^HTTP\/1\.1 202 /)
    assert.equal((await service.waitForRun(runIn(printed))).status, 'succeeded')
  })

  it('of a flow with a Chat Input and no Webhook sends a turn of the chat', async (t) => {
    const { editor, panel } = await openAccess(t, { document: chatFlow() })
    const { service, flow } = editor
    const line = await copied(editor, panel, 'Chat curl')
    assert.ok(line.includes(`${service.address}/api/v1/flows/${flow.slug}/chat `), line)
    const printed = await pasteInShell(line, { MILLRACE_API_KEY: service.key })
    const run = await service.waitForRun(runIn(printed))
    assert.deepEqual([run.status, run.trigger, run.input], ['succeeded', 'chat', 'Hello'])
  })

  it('makes a key that may only start this flow, shows it once, and puts it into every call', async (t) => {
    const { editor, panel } = await openAccess(t)
    const { service, flow, page } = editor
    const other = await service.createFlow(ordersFlow({ name: 'Other' }))
    const key = await makeKey(panel)
    const ways = [
      ['Webhook curl', pasteInShell],
      ['JavaScript', pasteInNode],
      ['Python', pasteInPython]
    ] as const
    for (const [tab, paste] of ways) {
      const program = await copied(editor, panel, tab)
      assert.ok(program.includes(key) && program.includes(`/webhook/${flow.slug}`), program)
      const printed = await paste(program)
      assert.match(printed, /\b202\b/, tab)
      assert.equal((await service.waitForRun(runIn(printed))).status, 'succeeded', tab)
    }
    assert.equal((await service.webhook(other.id, '{}', { key })).status, 404)
    assert.equal((await service.get(`/api/v1/flows/${flow.id}`, { key })).status, 403)
    await panel.getByRole('button', { name: 'Close API access' }).click()
    await page.getByRole('button', { name: 'API access', exact: true }).click()
    await panel.getByRole('button', { name: 'Create a key' }).waitFor()
    assert.ok(!(await page.content()).includes(key))
    await goTo(page, '/keys')
    await page.getByText(`${flow.name}: trigger`).waitFor()
  })

  it('asks for the status of the last run, with a key that may only read', async (t) => {
    const { editor, panel } = await openAccess(t)
    const { service, flow } = editor
    const run = await service.run(flow.slug, '{"order_id":7,"customer":"Ann"}')
    await editor.ran('parser-1').getByText('Succeeded').waitFor()
    await panel.getByRole('tab', { name: 'Run status' }).click()
    const key = await makeKey(panel)
    const printed = await pasteInShell(await copied(editor, panel, 'Run status'))
    const { id, status } = JSON.parse(printed) as { id: string; status: string }
    assert.deepEqual([id, status], [run.id, 'succeeded'])
    assert.equal((await service.webhook(flow.id, '{}', { key })).status, 403)
  })

  it('needs no key where the endpoint asks for none', async (t) => {
    const { nodes, ...document } = ordersFlow()
    const open = nodes.map((node) => (node.type === 'webhook' ? { ...node, fields: { auth: 'None' } } : node))
    const { editor, panel } = await openAccess(t, { document: { ...document, nodes: open } })
    await panel.getByText('This endpoint asks for no key').waitFor()
    const printed = await pasteInPython(await copied(editor, panel, 'Python'))
    assert.equal((await editor.service.waitForRun(runIn(printed))).status, 'succeeded')
  })

  it('says why whoever is signed in cannot make a key', async (t) => {
    const { editor } = await openAccess(t)
    const { key } = await editor.service.createKey({ rights: ['read', 'write', 'trigger'] })
    const page = await browser.open(t, editor.service, { path: `/flows/${editor.flow.id}`, key })
    await page.getByRole('button', { name: 'API access', exact: true }).click()
    await page.getByText('Your key lacks the right “admin”, so it cannot create keys.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Create a key' }).isDisabled())
  })

  it('says what is missing in a flow that nothing starts from outside', async (t) => {
    const document = {
      name: 'Prompt only',
      nodes: [{ id: 'prompt-1', type: 'prompt', fields: { template: 'Hello' } }],
      edges: []
    }
    const { panel } = await openAccess(t, { document })
    await panel.getByText('Nothing starts this flow from outside').waitFor()
  })

  it('is that of the live version, whatever is drawn', async (t) => {
    const { editor, panel } = await openAccess(t)
    await panel.getByText('may only start this flow').waitFor()
    await editor.inspect('webhook-1')
    await editor.field('webhook-1', 'Authentication').selectOption('None')
    await editor.page.getByRole('button', { name: 'API access', exact: true }).click()
    await panel.getByText('may only start this flow').waitFor()
    await editor.publish()
    await editor.page.getByRole('button', { name: 'API access', exact: true }).click()
    await panel.getByText('This endpoint asks for no key').waitFor()
  })

  it('of a flow that can be called once it is published says so', async (t) => {
    const { editor, panel } = await openAccess(t, {
      document: { name: 'Nothing yet', nodes: [], edges: [] },
      isPaletteOpen: true
    })
    await panel.getByText('Nothing starts this flow from outside').waitFor()
    const palette = editor.page.getByRole('complementary', { name: 'Palette' })
    await palette.getByRole('button', { name: 'Webhook', exact: true }).click()
    await panel.getByText('Not live yet').waitFor()
  })

  it('is opened, read and copied by keyboard alone', async (t) => {
    const editor = await open(t)
    const { page } = editor
    await page.keyboard.press('r')
    const panel = page.getByRole('complementary', { name: 'API access' })
    await panel.getByRole('tab', { name: 'Webhook curl' }).focus()
    await page.keyboard.press('ArrowRight')
    await panel.getByRole('tab', { name: 'JavaScript', selected: true }).waitFor()
    await panel.getByRole('button', { name: 'Create a key' }).focus()
    await page.keyboard.press('Enter')
    await panel.getByText('It is shown only once').waitFor()
    await panel.getByRole('button', { name: 'Copy the JavaScript' }).focus()
    await page.keyboard.press('Enter')
    await panel.getByText('Copied').first().waitFor()
    assert.match(await clipboardOf(page), /^const response = await fetch/)
  })
})
