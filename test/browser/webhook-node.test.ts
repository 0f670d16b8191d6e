import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { ORDER, ordersFlow } from '../support/documents.ts'
import { clipboardOf, pasteInShell } from '../support/pasted.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

function withWebhook(fields: Readonly<Record<string, unknown>>) {
  const { nodes, ...document } = ordersFlow()
  return { ...document, nodes: nodes.map((node) => (node.type === 'webhook' ? { ...node, fields } : node)) }
}

describe('the endpoint of a Webhook', () => {
  it('is the address of the flow, copied with one click, wherever the fields of the node are shown', async (t) => {
    const editor = await open(t)
    const { service, flow } = editor
    const webhook = await editor.inspect('webhook-1')
    const address = `${service.address}/api/v1/webhook/${flow.slug}`
    await comesTo(editor.page, () => webhook.getByLabel('Endpoint', { exact: true }).textContent(), address)
    await webhook.getByRole('button', { name: 'Copy the endpoint' }).click()
    await webhook.getByText('Copied').waitFor()
    assert.equal(await clipboardOf(editor.page), address)

    await editor.page.getByRole('button', { name: 'List view' }).click()
    await editor.page.locator('#outline-webhook-1').click()
    const list = editor.page.getByRole('complementary', { name: 'List view' })
    await comesTo(editor.page, () => list.getByLabel('Endpoint', { exact: true }).textContent(), address)
    assert.ok((await list.getByLabel('curl', { exact: true }).inputValue()).includes(address))
    assert.equal(await list.getByLabel('Secret', { exact: true }).count(), 0, 'it asks for a key')
  })

  it('has a curl command under Controls that runs in a shell, follows the flow until it is edited, is kept, and reset', async (t) => {
    const editor = await open(t)
    const { service } = editor
    const webhook = await editor.inspect('webhook-1')
    const curl = editor.field('webhook-1', 'curl')
    assert.equal(await curl.count(), 0)
    await editor.unfold('webhook-1', 'Controls')
    await curl.waitFor()
    await webhook.getByRole('button', { name: 'Copy the curl command' }).click()
    await webhook.getByText('Copied').waitFor()
    const copied = await clipboardOf(editor.page)
    assert.equal(copied, await curl.inputValue())
    const printed = await pasteInShell(copied, { MILLRACE_API_KEY: service.key })
    assert.match(printed, /^HTTP\/1\.1 202 /)
    const { run_id } = JSON.parse(printed.slice(printed.indexOf('{'))) as { run_id: string }
    assert.equal((await service.waitForRun(run_id)).status, 'succeeded')

    const asks = async (what: RegExp) => what.test(await curl.inputValue())
    await comesTo(editor.page, () => asks(/x-api-key.*order_id/s), true)
    await editor.field('webhook-1', 'Authentication').selectOption('None')
    await comesTo(editor.page, () => asks(/x-api-key/), false)

    const first = await curl.inputValue()
    await curl.fill('curl -s example.org')
    const saved = async () => (await editor.readNode('webhook-1')).fields
    await comesTo(editor.page, saved, { auth: 'None', curl: 'curl -s example.org' })
    await editor.reopen()
    await editor.inspect('webhook-1')
    await comesTo(editor.page, () => curl.inputValue(), 'curl -s example.org')
    const reset = webhook.getByRole('button', { name: 'Reset curl to its default' })
    await reset.click()
    await comesTo(editor.page, () => curl.inputValue(), first)
    await reset.waitFor({ state: 'detached' })
  })

  it('says what it asks of callers, hidden fields included', async (t) => {
    const fields = { auth: 'None', rate_limit: 60, concurrency: 2 }
    const editor = await open(t, { document: withWebhook(fields) })
    const webhook = await editor.inspect('webhook-1')
    const facts = webhook.getByRole('list', { name: 'What callers need to know' })
    await comesTo(editor.page, () => facts.getByRole('listitem').allInnerTexts(), [
      'Anyone who knows the address can start this flow',
      'At most 60 requests a minute',
      'At most 2 runs at a time'
    ])
    const limit = editor.field('webhook-1', 'Rate limit')
    assert.equal(await limit.inputValue(), '60')
    await limit.fill('0')
    await limit.blur()
    await facts.getByText('At most 60 requests').waitFor({ state: 'detached' })
    assert.equal(await limit.inputValue(), '', 'a bare 0 would read as "none at all"')
    assert.equal(await limit.getAttribute('placeholder'), 'No limit')
    assert.equal(await editor.field('webhook-1', 'Secret').count(), 0)
    await editor.field('webhook-1', 'Authentication').selectOption('Signature')
    await facts.getByText('No secret is set').waitFor()
    // What a signature needs is shown without asking for it.
    await editor.field('webhook-1', 'Signature scheme').waitFor()
    await editor.field('webhook-1', 'Secret').fill('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    await editor.field('webhook-1', 'Secret').blur()
    await facts.getByText('Callers sign their requests: Standard Webhooks').waitFor()
    // It is in a connection as soon as the draft is saved.
    await comesTo(editor.page, () => editor.field('webhook-1', 'Secret').inputValue(), '')
    await facts.getByText('Callers sign their requests: Standard Webhooks').waitFor()
  })
})

describe('the list of senders', () => {
  it('fills the fields of the one that is chosen in one step, says what to do there, and knows it again', async (t) => {
    const editor = await open(t)
    const webhook = await editor.inspect('webhook-1')
    const list = webhook.getByLabel('Sent by')
    assert.equal(await list.inputValue(), '', 'it asks for a key, as most do')
    await list.selectOption('GitLab')
    await comesTo(editor.page, () => editor.field('webhook-1', 'Token header').inputValue(), 'x-gitlab-token')
    assert.equal(await editor.field('webhook-1', 'Signature scheme').count(), 0)
    await webhook.getByLabel('What to do at GitLab').getByText('Secret token', { exact: true }).waitFor()
    await list.selectOption('Zendesk')
    await comesTo(
      editor.page,
      () => editor.field('webhook-1', 'Signed text').inputValue(),
      '{header:x-zendesk-webhook-signature-timestamp}{body}'
    )
    assert.equal(await editor.field('webhook-1', 'Token header').count(), 0)
    await editor.page.keyboard.press('Escape')
    await editor.reopen()
    const again = (await editor.inspect('webhook-1')).getByLabel('Sent by')
    await comesTo(editor.page, () => again.inputValue(), 'Zendesk')
    await editor.field('webhook-1', 'Signature encoding').selectOption('hex')
    await comesTo(editor.page, () => again.inputValue(), '')
  })
})

describe('a Webhook node', () => {
  it('is worked with by keyboard alone', async (t) => {
    const editor = await open(t)
    const { page, service, flow } = editor
    const webhook = await editor.inspect('webhook-1')
    await webhook.getByRole('button', { name: 'Edit the payload' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Body of the test request').waitFor()
    // The panel has the focus that its button had.
    await page.locator('aside:focus-within').getByLabel('Body of the test request').waitFor()
    await page.keyboard.press('Control+Enter')
    const panel = page.getByRole('complementary', { name: 'Payload of the test' })
    await panel.getByText('Succeeded').waitFor()
    await webhook.getByRole('button', { name: 'Listen' }).focus()
    await page.keyboard.press('Enter')
    await webhook.getByText('Listening:').waitFor()
    await service.run(flow.slug, JSON.stringify(ORDER))
    const landed = webhook.getByRole('region', { name: 'The request that landed', exact: true })
    await landed.getByRole('button', { name: 'customer' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Copied {customer}').waitFor()
    assert.equal(await clipboardOf(editor.page), '{customer}')
  })
})
