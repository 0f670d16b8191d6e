import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { assertAccessible, DESKTOP, PHONE, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { comesTo } from '../support/comes-to.ts'
import { MODEL_KEY, type ModelReply, startModelProvider } from '../support/model-provider/model-provider.ts'
import type { Service } from '../support/service.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

const NODES = [
  { id: 'webhook-1', type: 'webhook' },
  { id: 'parser-1', type: 'parser', title: 'Line', fields: { template: 'Order {order_id}' } },
  { id: 'return-1', type: 'return' }
]
const EDGES = [
  { from: 'webhook-1.data', to: 'parser-1.data' },
  { from: 'parser-1.parsed_text', to: 'return-1.data' }
]

function propose(args: object, more: Partial<ModelReply> = {}): ModelReply {
  return { calls: [{ id: 'call-1', name: 'propose_changes', arguments: args }], ...more }
}

/** The canvas of a flow in a context of its own, which has a model to ask: the service is shared with other files. */
async function openAssisted(t: TestContext, document: object) {
  const made = (service: Service) => async (path: string, body: object) => {
    const answer = await service.post(`/api/v1/${path}`, body)
    assert.ok([201, 409].includes(answer.status), answer.text)
  }
  let provider: Awaited<ReturnType<typeof startModelProvider>> | undefined
  const editor = await open(t, {
    document: { name: 'Assisted', context: '/assisted', ...document },
    prepare: async (service) => {
      provider = await startModelProvider(t)
      await made(service)('contexts', { name: 'assisted' })
      const facts = { name: 'writer', kind: 'openai', context: '/assisted' }
      const access = { settings: { base_url: provider.baseUrl('openai') }, secrets: { api_key: MODEL_KEY } }
      await made(service)('connections', { ...facts, ...access })
      cleanUp(t, () => removeConnection(service))
    }
  })
  const panel = editor.page.getByRole('complementary', { name: 'Assistant' })
  return { editor, page: editor.page, panel, provider: provider! }
}

async function removeConnection(service: Service): Promise<void> {
  const { connections } = (await service.get('/api/v1/connections')).json<{
    connections: { id: string; name: string }[]
  }>()
  for (const { id, name } of connections)
    if (name === 'writer') await service.request('DELETE', `/api/v1/connections/${id}`)
}

describe('the assistant', () => {
  it('makes a flow of words, by keyboard: shown before it is kept, tested, kept, and undone', async (t) => {
    const { editor, page, panel, provider } = await openAssisted(t, { nodes: [], edges: [] })
    await page.getByRole('button', { name: 'Describe it' }).waitFor()
    await page.keyboard.press('Shift+A')
    const words = panel.getByLabel('What should the flow do?')
    await words.and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('Say what was ordered')
    await comesTo(page, () => panel.getByLabel('Model').inputValue(), 'large')
    await panel.getByText('To writer go your words, the flow without its secrets').waitFor()
    await assertAccessible(page, SEEN_PAGE)

    const held = Promise.withResolvers<void>()
    const before = (piece: number) => (piece === 1 ? held.promise : undefined)
    const look = { calls: [{ id: 'c', name: 'millrace_list_components', arguments: { type: 'parser' } }] }
    const proposal = { summary: 'Says what was ordered.', nodes: NODES, edges: EDGES }
    provider.answer(look, propose(proposal, { pieces: ['Three ', 'nodes.'], before }))
    await page.keyboard.press('Control+Enter')
    await panel.getByText('Looks at the component parser').waitFor()
    await panel.getByText('Three', { exact: true }).waitFor()
    assert.equal((await editor.read()).nodes.length, 0)
    held.resolve()

    await panel.getByText('3 nodes added, 2 wires added').waitFor()
    await panel.getByText('Order {order_id}').waitFor()
    const mark = (id: string) => editor.node(id).getAttribute('data-mark')
    await comesTo(page, () => Promise.all(NODES.map(({ id }) => mark(id))), ['added', 'added', 'added'])
    const places = await Promise.all(NODES.map(({ id }) => editor.node(id).boundingBox()))
    assert.ok(places[0]!.x + places[0]!.width < places[1]!.x && places[1]!.x < places[2]!.x, 'it is laid out')
    await assertAccessible(page, SEEN_PAGE)
    await page.setViewportSize(PHONE)
    cleanUp(t, () => page.setViewportSize(DESKTOP))
    await panel.getByRole('button', { name: 'Keep', exact: true }).waitFor()
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    assert.ok(Number(wide) <= PHONE.width, `${wide} px wide`)
    await page.setViewportSize(DESKTOP)

    await panel.getByRole('button', { name: 'Test it' }).click()
    await panel.getByRole('link', { name: 'The test run' }).waitFor()
    await editor.ran('parser-1').waitFor()
    assert.equal((await editor.read()).nodes.length, 0, 'a test keeps nothing')

    await panel.getByRole('button', { name: 'Keep', exact: true }).click()
    const kept = await editor.saved(1)
    assert.deepEqual(
      kept.nodes.map(({ id }) => id),
      NODES.map(({ id }) => id)
    )
    assert.equal((await editor.readLive()).nodes.length, 0, 'nothing is live')
    await page.getByRole('button', { name: 'Undo: Keep the proposal' }).click()
    await comesTo(page, () => editor.nodes().count(), 0)
  })

  it('repairs a node by what went wrong, says what fails, and is stopped', async (t) => {
    const { editor, page, panel, provider } = await openAssisted(t, { nodes: NODES, edges: EDGES })
    await editor.service.post(`/api/v1/run/${editor.flow.id}`, { input: { customer: 'Zebedee' } })
    await editor.inspect('parser-1')
    await editor.inspected('parser-1').getByRole('button', { name: 'Repair' }).click()
    await panel.getByText('Line failed.').waitFor()
    await comesTo(page, () => panel.getByLabel('Model').inputValue(), 'large')
    await panel.getByLabel('It may see the data of the run').uncheck()
    await panel.getByText('No data of runs goes there.').waitFor()
    provider.answer({ error: { kind: 'bad_key' } })
    await panel.getByRole('button', { name: 'Repair it' }).click()
    await panel
      .getByRole('alert')
      .getByText(/Put a valid key into the connection/)
      .waitFor()
    assert.ok(!JSON.stringify(provider.calls[0]!.body).includes('Zebedee'))

    assert.equal(await panel.getByLabel('It may see the data of the run').isChecked(), false, 'still not')
    await panel.getByRole('button', { name: 'Ask for something else' }).click()

    const gone = Promise.withResolvers<void>()
    provider.answer({ pieces: ['Well'], before: () => gone.promise })
    const words = panel.getByLabel('What should change?')
    await words.fill('Name the customer')
    await panel.getByRole('button', { name: 'Change it' }).click()
    await panel.getByRole('button', { name: 'Stop' }).click()
    await panel.getByText('Stopped. Nothing was changed.').waitFor()
    await provider.calls[1]!.gone
    gone.resolve()
    assert.equal(await words.inputValue(), 'Name the customer', 'nothing that was written is lost')
    await panel.locator(':focus').waitFor()

    const nodes = [{ id: 'parser-1', fields: { template: '{customer}' } }]
    provider.answer(propose({ summary: 'Names the customer.', nodes }))
    await panel.getByRole('button', { name: 'Change it' }).click()
    await panel.getByText('1 node changed').waitFor()
    await comesTo(page, () => editor.node('parser-1').getAttribute('data-mark'), 'changed')
    await panel.getByRole('button', { name: 'Discard' }).click()
    await comesTo(page, () => editor.node('parser-1').getAttribute('data-mark'), null)
    assert.deepEqual((await editor.readNode('parser-1')).fields, { template: 'Order {order_id}' })
  })

  it('is nowhere for a flow that a followed folder keeps', async (t) => {
    const { editor, page } = await openAssisted(t, { nodes: NODES, edges: EDGES })
    const button = page.getByRole('button', { name: 'Assistant', exact: true })
    await button.waitFor()
    const address = `**/api/v1/flows/${editor.flow.id}`
    await page.route(address, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), from_file: true } })
    })
    const connections = page.waitForResponse((response) => response.url().includes('/api/v1/connections'))
    await page.reload()
    await connections
    await page.getByRole('button', { name: 'Publish', exact: false }).first().waitFor()
    assert.equal(await button.count(), 0)
  })

  it('is nowhere without a model', async (t) => {
    const editor = await open(t, { document: { name: 'Alone', nodes: [], edges: [] } })
    await editor.page.getByRole('button', { name: 'Something else' }).waitFor()
    assert.equal(await editor.page.getByRole('button', { name: /Describe it|Assistant/ }).count(), 0)
  })
})
