import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertAccessible, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { ordersFlow } from '../support/documents.ts'
import { Editor } from '../support/editor.ts'
import { eventually } from '../support/eventually.ts'
import { startMisbehavingServer } from '../support/misbehaving-server.ts'
import {
  MODEL_KEY,
  type ModelProvider,
  startModelProvider
} from '../support/model-provider/model-provider.ts'
import { ORDER_FLOW, openCustomers, prepareOrderFlow } from '../support/order-flow.ts'
import { sharedPostgres } from '../support/postgres.ts'
import type { Service } from '../support/service.ts'
import { sharedPage } from '../support/shared-page.ts'

const browser = testBrowser()
const shared = sharedPage(browser)
const postgres = sharedPostgres()

it('an order is looked up, the shop is asked, and the answer streams into the Playground', async (t) => {
  const { service, page, goTo } = await shared(t)
  const database = await openCustomers(t, await postgres.emptyDatabase())
  const shop = await startMisbehavingServer({
    answers: {
      '/stock': (response, { body }) => {
        const [{ name }] = JSON.parse(body)
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ name, left: 3 }))
      }
    }
  })
  cleanUp(t, () => shop.stop())
  const models = await startModelProvider(t)
  const goOn = Promise.withResolvers<void>()
  models.answer({ pieces: ['Dear ', 'Ann'], before: (piece) => (piece === 1 ? goOn.promise : undefined) })
  const flow = await prepareOrderFlow(service, {
    database: database.url,
    shop: shop.origin,
    models: models.baseUrl('openai')
  })

  await goTo(`/flows/${flow.id}/playground`)
  await page.getByRole('heading', { name: ORDER_FLOW.name, level: 1 }).waitFor()
  const id = await service.start(ORDER_FLOW.slug, { customer: 7 })
  const log = page.getByRole('log')
  await log.getByText('Dear', { exact: true }).waitFor()
  goOn.resolve()
  await log.getByText('Dear Ann', { exact: true }).waitFor()
  const { status } = await service.waitForRun(id)
  assert.equal(status, 'succeeded')
  assert.equal(
    await log.getByText('Dear Ann', { exact: true }).count(),
    1,
    'the stream and the message are one text'
  )
  assert.equal(models.calls.length, 1)
})

/** Chat Input → Language Model → Chat Output, with a connection to the provider. */
async function askingFlow(service: Service, provider: ModelProvider, name: string) {
  const connection = {
    name,
    kind: 'anthropic',
    settings: { base_url: provider.baseUrl('anthropic') },
    secrets: { api_key: MODEL_KEY }
  }
  const made = await service.post('/api/v1/connections', connection)
  assert.equal(made.status, 201, made.text)
  return service.createFlow({
    name: `Ask ${name}`,
    nodes: [
      { id: 'chat-input-1', type: 'chat-input', position: { x: 0, y: 0 } },
      {
        id: 'model-1',
        type: 'language-model',
        position: { x: 360, y: 0 },
        fields: { connection: name, model: 'large' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 760, y: 0 } }
    ],
    edges: [
      { from: 'chat-input-1.message', to: 'model-1.text' },
      { from: 'model-1.text', to: 'chat-output-1.text' }
    ]
  })
}

/** Pieces of a text that are sent one at a time, when the test says so. */
function pieceByPiece(pieces: readonly string[]) {
  const gates = [...pieces, ''].map(() => Promise.withResolvers<void>())
  return {
    reply: { pieces, before: (piece: number) => gates[piece]!.promise },
    /** So many in all; one more than there are ends the answer. */
    send: (count: number) => {
      for (const gate of gates.slice(0, count)) gate.resolve()
    }
  }
}

describe('the text of a model', () => {
  it('grows in the Playground as it comes, is one message at the end, and stops with its run', async (t) => {
    const { service, page, goTo } = await shared(t)
    const provider = await startModelProvider(t)
    const flow = await askingFlow(service, provider, 'writer')
    const { reply, send } = pieceByPiece(['Once,', ' upon,', ' a time.'])
    provider.answer(reply)
    await goTo(`/flows/${flow.id}/playground`)
    await page.getByRole('textbox', { name: 'Message' }).fill('Tell me a story')
    await page.keyboard.press('Enter')
    const growing = page.getByTestId('streamed-text')
    for (const [count, text] of [
      [1, 'Once,'],
      [2, 'Once, upon,'],
      [3, 'Once, upon, a time.']
    ] as const) {
      send(count)
      await growing.getByText(text, { exact: true }).waitFor()
    }
    send(4)
    const message = page.getByRole('article', { name: 'Message of Machine' })
    await message.getByText('Once, upon, a time.', { exact: true }).waitFor()
    await growing.waitFor({ state: 'detached' })
    assert.equal(await page.getByText('Once, upon, a time.', { exact: true }).count(), 1)
    await message.getByRole('button', { name: 'Good answer' }).click()
    await message.getByRole('button', { name: 'Good answer', pressed: true }).waitFor()
    const kept = async () => (await service.get(`/api/v1/flows/${flow.id}/messages`)).text
    await eventually(kept, (text) => text.includes('"rating":"good"'))

    // The call to the provider ends, and half a text is no message.
    const stopped = pieceByPiece(['Twice,', ' upon'])
    provider.answer(stopped.reply)
    await page.getByRole('textbox', { name: 'Message' }).fill('Tell me another')
    await page.keyboard.press('Enter')
    stopped.send(1)
    await growing.getByText('Twice,', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await provider.calls[1]!.gone
    await page.getByRole('article', { name: 'Run that was cancelled' }).waitFor()
    assert.equal(await page.getByText('Twice,', { exact: true }).count(), 0)
    const { messages } = (await service.get(`/api/v1/flows/${flow.id}/messages`)).json<{
      messages: { sender: string }[]
    }>()
    assert.deepEqual(messages.map(({ sender }) => sender).toSorted(), ['Machine', 'User', 'User'])
  })

  it('grows on the node, and gives way to the whole output; its model is chosen from those that the provider lists, or typed', async (t) => {
    const { service, page, goTo } = await shared(t)
    const provider = await startModelProvider(t, { models: ['large', 'small', 'small-new'] })
    const flow = await askingFlow(service, provider, 'drawn')
    const { reply, send } = pieceByPiece(['Once,', ' upon,', ' a time.'])
    provider.answer(reply)
    await goTo(`/flows/${flow.id}`)
    const editor = new Editor(page, service, flow)
    await editor.settled()
    const started = await service.post(`/api/v1/flows/${flow.id}/chat`, { text: 'Tell me a story' })
    const node = editor.node('model-1')
    send(1)
    await node.getByText('Once,', { exact: true }).waitFor()
    const inspected = await editor.inspect('model-1')
    const output = inspected.getByRole('region', { name: 'Output', exact: true })
    send(2)
    await node.getByText('Once, upon,', { exact: true }).waitFor()
    await output.getByText('Once, upon,', { exact: true }).waitFor()
    await editor.ran('model-1').getByText('In progress').waitFor()
    send(4)
    await editor.ran('model-1').getByText('Succeeded').waitFor()
    await output.getByText('Once, upon, a time.').waitFor()
    // The line of the node is its own again: where it is selected, the field that matters most.
    const onNode = node.getByRole('textbox', { name: 'Model on the node' })
    await onNode.waitFor()
    assert.equal(await onNode.inputValue(), 'large')
    const { status } = await service.waitForRun(started.json<{ run_id: string }>().run_id)
    assert.equal(status, 'succeeded')

    const field = inspected.getByRole('combobox', { name: 'Model', exact: true })
    const list = page.getByRole('listbox', { name: 'Model' })
    await field.click()
    await list.getByRole('option', { name: 'large', selected: true }).waitFor()
    assert.equal(await list.getByRole('option').count(), 3)
    await assertAccessible(page, SEEN_PAGE)
    await field.fill('small')
    await list.getByRole('option', { name: 'large' }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await list.waitFor({ state: 'detached' })
    assert.equal(await field.inputValue(), 'small-new')
    await field.click()
    await list.getByRole('option', { name: 'large' }).click()
    assert.equal(await field.inputValue(), 'large')
    await field.fill('my-own')
    await page.getByText('The provider lists no model of this name.').waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await editor.saved(1)
    assert.partialDeepStrictEqual(await editor.readNode('model-1'), { fields: { model: 'my-own' } })
  })
})

describe('the tokens of a model', () => {
  it('are told on the run, and over time beside the runs of the flow', async (t) => {
    const { service, page, goTo } = await shared(t)
    const provider = await startModelProvider(t)
    const flow = await askingFlow(service, provider, 'counted')
    provider.answer({ pieces: ['Hi'], usage: { input: 1200, output: 34 } })
    const answer = await service.post(`/api/v1/run/${flow.id}`, { input: 'Hello' })
    await goTo(`/runs/${answer.json<{ id: string }>().id}`)
    await page.getByText('1,200 in, 34 out', { exact: true }).waitFor()
    await goTo(`/flows/${flow.id}/runs`)
    const plot = page.getByRole('region', { name: /^Tokens/ })
    await plot.getByText('In 1.2K', { exact: true }).waitFor()
    await plot.getByText('Out 34', { exact: true }).waitFor()
    await assertAccessible(page, SEEN_PAGE)
    await page.getByRole('button', { name: 'Show the numbers as a table' }).click()
    await page.getByRole('cell', { name: '1,200', exact: true }).waitFor()
    const other = await service.createFlow(ordersFlow())
    await goTo(`/flows/${other.id}/runs`)
    await page.getByRole('region', { name: /^Duration/ }).waitFor()
    await plot.waitFor({ state: 'detached' })
  })
})

describe('the model of a node', () => {
  it('is typed where the list cannot be had, which says why', async (t) => {
    const { service, page, goTo } = await shared(t)
    const provider = await startModelProvider(t, { key: 'another key' })
    const flow = await askingFlow(service, provider, 'refused')
    await goTo(`/flows/${flow.id}`)
    const editor = new Editor(page, service, flow)
    await editor.settled()
    const node = await editor.inspect('model-1')
    const field = node.getByRole('combobox', { name: 'Model', exact: true })
    await field.click()
    await page.getByText(/The models cannot be listed\. .* answered 401\. Check the API key\./).waitFor()
    await field.fill('small')
    await editor.saved(1)
    assert.partialDeepStrictEqual(await editor.readNode('model-1'), { fields: { model: 'small' } })
  })
})
