import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, DESKTOP, PHONE, testBrowser } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { comesTo } from '../support/comes-to.ts'
import { anythingFlow, callFlow, ordersFlow } from '../support/documents.ts'
import { startOutside } from '../support/outside.ts'
import { sharedPage } from '../support/shared-page.ts'

const shared = sharedPage(testBrowser(), { plugins: ['call.ts', 'rows.ts'] })

const ORDER = '{"order_id":7,"customer":"Ann","items":[{"sku":"A-1","qty":2},{"sku":"B-7","qty":1}]}'

const badge = (page: Page, words: string) => page.locator('header').first().getByText(words, { exact: true })
const step = (page: Page, node: string) => page.locator(`button[data-node="${node}"]`)
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const write = async (page: Page, text: string) => {
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}
const bars = (page: Page, node: string) =>
  step(page, node)
    .locator('[data-kind]')
    .evaluateAll((found) => found.map(({ dataset }) => `${dataset.kind} ${dataset.tone}`))

describe('a run that succeeded', () => {
  it('shows what started it, each step, which arrows walk through, and what it printed', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(ordersFlow({ name: 'Shop' }))
    const run = await service.run(`${flow.slug}?region=eu`, ORDER, { headers: { 'x-shop': 'north' } })
    await goTo(`/runs/${run.id}`)
    await badge(page, 'Succeeded').waitFor()
    await badge(page, 'order_id: 7 · customer: Ann').waitFor()
    await page.getByRole('link', { name: 'Shop' }).waitFor()
    await comesTo(page, () => bars(page, 'parser-1'), ['attempt succeeded'])
    await comesTo(page, () => bars(page, ''), ['queue queued', 'run succeeded'])
    await section(page, 'Messages').getByText('Order 7 from Ann').waitFor()
    const request = section(page, 'Request')
    await request.getByText('x-shop').waitFor()
    await request.getByText('north').waitFor()
    await request.getByText('region').waitFor()
    assert.equal(await request.getByText(service.key).count(), 0)
    const playground = section(page, 'Messages').getByRole('link', { name: 'Open the Playground' })
    assert.match((await playground.getAttribute('href'))!, new RegExp(`/flows/${flow.id}/playground`))
    await step(page, 'chat-output-1').click()
    await page.waitForURL(/step=chat-output-1/)
    await step(page, '').focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('heading', { name: 'Webhook' }).waitFor()
    await page.locator('button[data-node="webhook-1"]:focus').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('heading', { name: 'Parser', exact: true }).waitFor()
    await page.locator('button[data-node="parser-1"]:focus[aria-current="true"]').waitFor()
    await section(page, 'Input').getByText('from webhook-1').waitFor()
    await section(page, 'Output').getByText('Order 7 from Ann').waitFor()
    await page.waitForURL(/step=parser-1/)
  })

  it('shows what a step logged, and as a table at once what comes out of a port for tables', async (t) => {
    const { service, page, goTo } = await shared(t)
    const code = 'console.log("order", data.order_id)\nconsole.error("no stock")\nreturn data'
    const flow = await service.createFlow({
      name: 'Rows',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'rows-1', type: 'rows' },
        { id: 'code-1', type: 'code', fields: { code } }
      ],
      edges: ['rows-1', 'code-1'].map((node) => ({ from: 'webhook-1.data', to: `${node}.data` }))
    })
    const run = await service.run(flow.slug, '{"order_id":7,"rows":[{"sku":"A-1","qty":2},{"sku":"B-7"}]}')
    await goTo(`/runs/${run.id}?step=rows-1`)
    await section(page, 'Output').getByRole('columnheader', { name: 'sku' }).waitFor()
    await section(page, 'Input').getByText('2 items').waitFor()
    await step(page, 'code-1').click()
    await comesTo(page, () => section(page, 'Log').getByRole('listitem').allInnerTexts(), [
      'order 7',
      'error no stock'
    ])
  })
})

describe('a run that failed', () => {
  it('says in plain words why and what to do, and leads to the node', async (t) => {
    const { service, page, goTo } = await shared(t)
    const { nodes } = ordersFlow()
    const named = nodes.map((node) => (node.id === 'parser-1' ? { ...node, title: 'Order line' } : node))
    const flow = await service.createFlow(ordersFlow({ nodes: named }))
    const run = await service.run(flow.slug, '{"order_id":7,"costumer":"Ann"}')
    await goTo(`/runs/${run.id}`)
    const why = section(page, 'Why it failed')
    await why.getByRole('heading', { name: 'Order line (parser-1) failed' }).waitFor()
    await why.getByText(/\{customer\}.*costumer/).waitFor()
    await why.getByText(/Fix the node on the canvas and publish, then replay/).waitFor()
    const link = why.getByRole('link', { name: 'Show the node on the canvas' })
    assert.match(
      (await link.getAttribute('href'))!,
      new RegExp(`/flows/${flow.id}\\?run=${run.id}&node=parser-1`)
    )
    await page.getByRole('heading', { name: 'Order line', exact: true }).waitFor()
    await step(page, 'chat-output-1').getByText('not reached', { exact: true }).waitFor()
    await why.getByRole('link', { name: 'Fix and replay' }).click()
    const fixing = page.getByRole('complementary', { name: 'Fix and replay' })
    await fixing.getByRole('button', { name: 'Try it on the draft' }).click()
    await fixing.getByText(/It still fails/).waitFor()
    // A phone has room for the payload or for the node.
    const toNode = fixing.getByRole('button', { name: 'Show the node' })
    await toNode.waitFor({ state: 'hidden' })
    await page.setViewportSize(PHONE)
    cleanUp(t, () => page.setViewportSize(DESKTOP))
    await toNode.click()
    await page.locator('[data-inspected="parser-1"]').waitFor()
    await fixing.waitFor({ state: 'detached' })
    await page.setViewportSize(DESKTOP)
    await goTo(`/runs/${run.id}`)
    await why.getByRole('link', { name: 'Fix and replay' }).click()
    const template = { template: 'Order {order_id}' }
    const mended = flow.nodes.map((node) => (node.id === 'parser-1' ? { ...node, fields: template } : node))
    const body = { ...flow, nodes: mended, revision: 0 }
    assert.equal((await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body })).status, 200)
    await page.getByText('Order {order_id}', { exact: true }).first().waitFor()
    await fixing.getByRole('button', { name: 'Try it on the draft' }).click()
    await fixing.getByText(/It passes/).waitFor()
    await fixing.getByRole('button', { name: 'Publish…' }).waitFor()
    await goTo(`/runs/${run.id}`)
    await service.saveFlow(flow, { nodes: mended })
    await why.getByText(/version 2 is live now/).waitFor()
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await badge(page, 'Succeeded').waitFor()
    await page.getByText('Replay of').waitFor()
    assert.notEqual(page.url().split('/').at(-1), run.id)
  })

  it('is shown live with every attempt and the waits between them, and goes on when it is retried', async (t) => {
    const { service, page, goTo } = await shared(t)
    const outside = await startOutside(t)
    const retry = { attempts: 2, backoff_ms: 40 }
    const flow = await service.createFlow(callFlow(outside.url(), { call: { retry } }))
    const id = await service.start(flow.slug, ORDER)
    const first = await outside.next()
    await goTo(`/runs/${id}`)
    await badge(page, 'In progress').waitFor()
    await comesTo(page, () => bars(page, 'call-1'), ['attempt running'])
    await step(page, 'parser-1').getByText('queued').last().waitFor()
    first.answer({}, 503)
    ;(await outside.next()).answer({}, 502)
    await badge(page, 'Failed').waitFor()
    await step(page, 'call-1').getByText('2 attempts').waitFor()
    await comesTo(page, () => bars(page, 'call-1'), ['attempt failed', 'wait queued', 'attempt failed'])
    await step(page, 'call-1').click()
    const attempts = section(page, 'Attempts')
    await attempts.getByText('The other side answered 503. Try again later.').waitFor()
    await comesTo(page, () => attempts.getByRole('row').count(), 3)
    await section(page, 'Why it failed')
      .getByText(/nothing before it runs again/)
      .waitFor()
    await page.getByRole('button', { name: 'Retry from the failed step' }).click()
    const call = await outside.next()
    await badge(page, 'In progress').waitFor()
    call.answer({ shipped: true })
    await badge(page, 'Succeeded').waitFor()
    await attempts.getByText('until the retry').first().waitFor()
    await section(page, 'Output').getByText('shipped').waitFor()
    await section(page, 'Why it failed').waitFor({ state: 'detached' })
  })
})

describe('a run that goes on', () => {
  it('shows a wait for the next attempt, and can be cancelled', async (t) => {
    const { service, page, goTo } = await shared(t)
    const outside = await startOutside(t)
    const retry = { attempts: 2, backoff_ms: 3_600_000, max_backoff_ms: 3_600_000 }
    const flow = await service.createFlow(callFlow(outside.url(), { call: { retry } }))
    const id = await service.start(flow.slug, ORDER)
    await goTo(`/runs/${id}`)
    ;(await outside.next()).answer({}, 503)
    await step(page, 'call-1').getByText('waiting').last().waitFor()
    await step(page, 'call-1').click()
    await section(page, 'Attempts')
      .getByText(/ left$/)
      .waitFor()
    await comesTo(page, () => bars(page, 'call-1'), ['attempt failed', 'wait queued'])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel the run' }).click()
    await badge(page, 'Cancelled').waitFor()
    // The button that was pressed is gone; whoever pressed it by keyboard is still on the page.
    await page.locator('main button:focus').waitFor()
    assert.equal((await service.readRun(id)).status, 'cancelled')
    await page.getByRole('button', { name: 'Retry', exact: true }).waitFor()
  })
})

const LONG_CHOICE = 'Reject, and write to the customer why nothing is paid back for a lamp that came broken'

describe('a run that waits', () => {
  it('says for what, is answered under Approvals, and goes on without a call', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow({
      name: 'Refunds',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        {
          id: 'ask',
          type: 'approve',
          fields: { question: 'Refund {total} €?\nThe lamp came broken.', choices: ['Approve', LONG_CHOICE] }
        },
        { id: 'call', type: 'wait-for-call' }
      ],
      edges: ['ask', 'call'].map((node) => ({ from: 'webhook-1.data', to: `${node}.data` }))
    })
    await goTo('/approvals')
    await page.getByText('Nothing to answer').waitFor()
    const id = await service.start(flow.slug, '{"total":20}')
    const nav = page.getByRole('navigation', { name: 'Main' })
    await nav.getByRole('link', { name: 'Approvals 1 open' }).waitFor()
    const row = page.getByRole('listitem').filter({ hasText: 'Refund 20 €?' })
    await row.getByRole('link', { name: /^Run / }).waitFor()
    const asked = await row.getByText('Refund 20 €?', { exact: true }).boundingBox()
    assert.ok(asked!.width > 300, `choices leave the question ${asked!.width} pixels`)
    await assertAccessible(page, 'main')
    await row.getByRole('button', { name: 'Add a comment' }).click()
    await page.keyboard.insertText('Only this once.')
    await row.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Nothing to answer').waitFor()
    const tabs = page.getByRole('radiogroup', { name: 'Which approvals' })
    await tabs.getByText('Answered', { exact: true }).click()
    await page.getByText('Only this once.').waitFor()
    await tabs.getByText('Unanswered').click()
    await page.getByText('Every question was answered').waitFor()

    await goTo(`/runs/${id}`)
    await badge(page, 'Waiting').waitFor()
    const waits = section(page, 'What the run waits for')
    await waits.getByText('waits for a call').waitFor()
    await waits.getByRole('button', { name: 'Copy: address to call' }).waitFor()
    await assertAccessible(page, 'section[aria-label="What the run waits for"]')
    await waits.getByRole('button', { name: 'Continue without it: Wait for call' }).click()
    await badge(page, 'Succeeded').waitFor()
  })
})

describe('an input', () => {
  it('is a tree, a table that scrolls on a phone, and text; it is edited and run again with every digit', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const wide =
      '"name":"Customer number 1","email":"ann@shop.example","active":true,"balance":12.5,"note":"none"'
    const run = await service.run(flow.slug, `[{"id":12345678901234567890,${wide}},{"id":1.10}]`)
    await goTo(`/runs/${run.id}`)
    const input = section(page, 'Input')
    await input.getByText('12345678901234567890').waitFor()
    await input.getByText('Table', { exact: true }).click()
    await comesTo(page, () => input.getByRole('row').count(), 3)
    await page.setViewportSize(PHONE)
    const height = async (name: string) =>
      (await input.getByRole('columnheader', { name }).boundingBox())!.height
    await comesTo(page, async () => (await height('balance')) === (await height('id')), true)
    assert.ok((await height('balance')) < 40)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0)
    await page.setViewportSize(DESKTOP)
    await input.getByText('Text', { exact: true }).click()
    await input.getByText('"id": 1.10').waitFor()

    await page.locator('main').focus()
    await page.keyboard.press('Shift+E')
    // A dialog takes the focus a moment after it is there.
    await page.locator('[role="dialog"]:focus-within').waitFor()
    const editor = page.getByRole('textbox', { name: 'Input of the new run' })
    await editor.getByText('12345678901234567890').waitFor()
    await editor.click()
    await write(page, '{"id":12345678901234567890,"name":}')
    await page
      .getByText('This is not JSON yet, so it cannot be sent. The mistake is at line 1, column 35.')
      .waitFor()
    assert.ok(await page.getByRole('button', { name: 'Replay with this input' }).isDisabled())
    await write(page, '{"id":12345678901234567890,"name":"Bob"}')
    await page.getByRole('button', { name: 'Replay with this input' }).click()
    await page.getByText('Replay of').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    const answer = await service.get(`/api/v1/runs/${id}/input`)
    assert.equal(answer.text, '{"id":12345678901234567890,"name":"Bob"}')
    assert.equal((await service.readRun(id)).replay_of, run.id)
  })

  it('of a megabyte does not hold the page up', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const rows = Array.from({ length: 9_000 }, (_, n) => ({
      n,
      name: `Customer number ${n}`,
      tags: ['a', 'b', 'c']
    }))
    const body = JSON.stringify({ rows, text: 'x'.repeat(400_000) })
    const run = await service.run(flow.slug, body)
    await goTo(`/runs/${run.id}`)
    const input = section(page, 'Input')
    await input.getByText(/characters more/).waitFor()
    const nodes = () => page.evaluate(() => document.querySelectorAll('*').length)
    assert.ok((await nodes()) < 3_000, `${await nodes()} elements`)
    await input.getByText('Text', { exact: true }).click()
    await input.getByRole('button', { name: /characters more/ }).click()
    assert.ok((await nodes()) < 3_000)
    await step(page, 'parser-1').click()
    await section(page, 'Output')
      .getByText(/characters more/)
      .waitFor()
  })
})

/** Items without a name fail. */
const GREETS = {
  name: 'Greets',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'each', type: 'for-each', fields: { failures: 'collect' } },
    { id: 'line', type: 'parser', parent: 'each', fields: { template: 'Hello {name}' } }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'each.items' },
    { from: 'each.item', to: 'line.data' },
    { from: 'line.parsed_text', to: 'each.result' }
  ]
}

describe('a run of a For each', () => {
  it('shows its items as a strip, and each opens as a run of its own', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(GREETS)
    const others = Array.from({ length: 50 }, (_, index) => ({ name: `Di ${index}` }))
    const run = await service.run(
      flow.slug,
      JSON.stringify([{ name: 'Ann' }, { nobody: 1 }, { name: 'Cy' }, ...others])
    )
    await goTo(`/runs/${run.id}`)
    const strip = section(page, 'Items of For each')
    const cell = (name: string) => strip.getByRole('link', { name, exact: true })
    await cell('Item 2: succeeded').waitFor()
    const tree = section(page, 'Tree of runs')
    await tree.getByText('The last 50 are shown.').waitFor()
    await tree.getByRole('button', { name: 'Show earlier ones' }).click()
    await tree.getByRole('link', { name: 'Item 2', exact: true }).waitFor()
    assert.equal(await tree.getByText('are shown').count(), 0)
    await assertAccessible(page, 'main')
    await cell('Item 0: succeeded').focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('a[aria-label="Item 1: failed"]:focus').waitFor()
    await page.keyboard.press('Enter')
    const place = page.getByRole('navigation', { name: 'Where this run belongs' })
    await place.getByText('Item 1', { exact: true }).waitFor()
    await badge(page, 'Failed').waitFor()
    assert.equal(await page.getByRole('button', { name: /Retry|Replay/i }).count(), 0)
    await page.getByRole('link', { name: 'Next item' }).click()
    await place.getByText('Item 2', { exact: true }).waitFor()
    await place.getByRole('link', { name: 'For each' }).click()
    await page.waitForURL(`**/runs/${run.id}?step=each`)
    await strip.getByRole('searchbox').fill('#1')
    await cell('Item 2: succeeded').waitFor({ state: 'detached' })
    await cell('Item 1: failed').waitFor()
    await strip.getByRole('searchbox').fill('Cy')
    await cell('Item 2: succeeded').waitFor()
    assert.equal(await cell('Item 0: succeeded').count(), 0)
  })
})
