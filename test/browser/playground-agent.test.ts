import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, DESKTOP, DIALOG, PHONE, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { MODEL_KEY, startModelProvider } from '../support/model-provider/model-provider.ts'
import { sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser())

/** Chat Input → Agent → Chat Output, with a tool that counts letters. */
const AGENT_FLOW = {
  name: 'Count letters',
  nodes: [
    { id: 'chat-input-1', type: 'chat-input' },
    { id: 'agent-1', type: 'agent', fields: { connection: 'models', model: 'large' } },
    {
      id: 'length',
      type: 'transform',
      title: 'Length',
      fields: { expression: '{"word": word, "letters": $length(word)}' },
      tool: {
        name: 'length',
        description: 'Counts the letters of a word.',
        arguments: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }
      }
    },
    { id: 'chat-output-1', type: 'chat-output' }
  ],
  edges: [
    { from: 'chat-input-1.message', to: 'agent-1.text' },
    { from: 'length.tools', to: 'agent-1.tools' },
    { from: 'agent-1.text', to: 'chat-output-1.text' }
  ]
}

const LOG = '[role="log"]'
const CONVERSATION = '[aria-label="Conversation of Agent"]'

const log = (page: Page) => page.getByRole('log')
const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })

describe('an agent', () => {
  it('shows its calls while it works, folds them away, and is gone on from behind a call', async (t) => {
    const { service, page, goTo } = await shared(t)
    const provider = await startModelProvider(t)
    const settings = { base_url: provider.baseUrl('anthropic') }
    await service.post('/api/v1/connections', {
      name: 'models',
      kind: 'anthropic',
      settings,
      secrets: { api_key: MODEL_KEY }
    })
    const flow = await service.createFlow(AGENT_FLOW)
    const answered = Promise.withResolvers<void>()
    provider.answer(
      {
        pieces: ['Let me count both.'],
        calls: [
          { id: 'c1', name: 'length', arguments: { word: 'tree' } },
          { id: 'c2', name: 'length', arguments: { wort: 'forest' } }
        ],
        usage: { input: 1_204, output: 33 }
      },
      { pieces: ['Four letters.'], before: () => answered.promise, usage: { input: 1_260, output: 6 } }
    )
    await goTo(`/flows/${flow.id}/playground`)
    await page.getByLabel('Attach files').waitFor()
    await page.locator('input[type=file]').setInputFiles({
      name: 'words.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('tree')
    })
    await page.getByRole('button', { name: 'Remove words.txt' }).waitFor()
    await field(page).fill('How long is tree?')
    await comesTo(page, () => page.getByRole('button', { name: 'Send' }).isEnabled(), true)
    await field(page).press('Enter')
    const live = log(page).getByRole('list', { name: 'Tool calls' })
    await live.getByText('word: tree').waitFor()
    await comesTo(page, () => live.getByRole('listitem').count(), 2)
    await assertAccessible(page, SEEN_PAGE)
    answered.resolve()
    await log(page).getByText('Four letters.').waitFor()
    await live.waitFor({ state: 'detached' })
    const folded = log(page).locator('details').first()
    await folded.locator('summary').first().click()
    await folded.getByText('word: tree').click()
    await folded.getByRole('link', { name: 'Look into the call' }).first().waitFor()
    await assertAccessible(page, LOG)

    const [{ run_id: runId }] = (await service.request('GET', `/api/v1/flows/${flow.id}/messages`)).json<{
      messages: [{ run_id: string }]
    }>().messages
    const run = await service.readRun(runId)
    assert.deepEqual((run.input as { files: { filename: string }[] }).files[0]!.filename, 'words.txt')

    await log(page).getByRole('button', { name: 'Edit the message' }).click()
    assert.equal(await field(page).inputValue(), 'How long is tree?')
    provider.answer({ pieces: ['Six letters.'] })
    await field(page).fill('How long is forest?')
    await field(page).press('Enter')
    await log(page).getByText('Six letters.').waitFor()

    await goTo(`/runs/${runId}?step=agent-1`)
    const conversation = page.getByRole('region', { name: 'Conversation of Agent' })
    await conversation.getByText('2 questions · 2 calls').waitFor()
    await conversation.getByText('1,204 tokens in, 33 out').waitFor()
    await conversation.getByText('Let me count both.').waitFor()
    await conversation.getByText('word: tree').click()
    await assertAccessible(page, CONVERSATION)
    provider.answer({ pieces: ['Forty, then.'] })
    await conversation.getByRole('button', { name: 'Replay from here' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Replay from length' })
    await dialog.getByText('Nothing before it is asked or called again').waitFor()
    await dialog.locator('.cm-content').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('{"letters":40}')
    await assertAccessible(page, DIALOG)
    await dialog.getByRole('button', { name: 'Replay from here' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/runs/') && !url.pathname.endsWith(runId))
    await page.locator('header').first().getByText('Succeeded', { exact: true }).waitFor()
    await page.locator('button[data-node="agent-1"]').click()
    await page.getByRole('region', { name: 'Conversation of Agent' }).getByText('Forty, then.').waitFor()
    assert.equal(provider.calls.length, 4)
    assert.match(JSON.stringify(provider.calls.at(-1)!.body), /letters\\*":40/)
    await page.setViewportSize(PHONE)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    await assertAccessible(page, CONVERSATION)
    await page.setViewportSize(DESKTOP)
  })
})

describe('a flow without a Chat Input', () => {
  it('is run from the Playground with a payload', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow({
      name: 'Orders by hand',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'parser-1', type: 'parser', fields: { template: 'Order {order_id}' } },
        { id: 'chat-output-1', type: 'chat-output' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'parser-1.data' },
        { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
      ]
    })
    await goTo(`/flows/${flow.id}/playground`)
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('{"order_id":7}')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await log(page).getByText('Order 7').waitFor()
    await assertAccessible(page, 'main')

    // It begins with what it was started with last.
    await goTo('/flows')
    await page.getByRole('heading', { name: 'Flows', exact: true }).waitFor()
    await goTo(`/flows/${flow.id}/playground`)
    await page.locator('.cm-content').getByText('"order_id": 7').waitFor()
  })
})
