import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import type { FlowBody } from '../support/api-client.ts'
import { testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { chatFlow, ORDER, ordersFlow } from '../support/documents.ts'
import { startOutside } from '../support/outside.ts'
import type { Service } from '../support/service.ts'
import { goTo, sharedPage } from '../support/shared-page.ts'

/** Two turns that go on fill it up. */
const shared = sharedPage(testBrowser(), { plugins: ['call.ts'], env: { MILLRACE_BACKLOG_LIMIT: '2' } })
const run = promisify(execFile)

interface Opened {
  readonly service: Service
  readonly flow: FlowBody
  readonly page: Page
}

async function openPlayground(t: TestContext, document: Readonly<Record<string, unknown>>): Promise<Opened> {
  const { service, page, goTo } = await shared(t)
  const flow = await service.createFlow(document)
  await goTo(`/flows/${flow.id}/playground`)
  await page.getByRole('heading', { name: flow.name, level: 1 }).waitFor()
  return { service, flow, page }
}

const log = (page: Page) => page.getByRole('log')
const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })

async function type(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
}

/** Chat Input → Call (see test/plugins/call.ts) → Parser → Chat Output. */
function callingFlow(url: string) {
  return {
    name: 'Calling',
    nodes: [
      { id: 'chat-input-1', type: 'chat-input' },
      { id: 'call-1', type: 'call', fields: { url }, retry: { attempts: 1 } },
      { id: 'parser-1', type: 'parser', fields: { template: 'The other side says {word}' } },
      { id: 'chat-output-1', type: 'chat-output' }
    ],
    edges: [
      { from: 'chat-input-1.message', to: 'call-1.data' },
      { from: 'call-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ]
  }
}

/** Prints what is said so many times, and what comes by the webhook once. */
function repeatingFlow(times: number) {
  const outputs = Array.from({ length: times }, (_, no) => `chat-output-${no + 2}`)
  return {
    name: 'Repeating',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'parser-1', type: 'parser', fields: { mode: 'Stringify' } },
      { id: 'chat-input-1', type: 'chat-input' },
      ...['chat-output-1', ...outputs].map((id) => ({ id, type: 'chat-output' }))
    ],
    edges: [
      { from: 'webhook-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' },
      ...outputs.map((id) => ({ from: 'chat-input-1.message', to: `${id}.text` }))
    ]
  }
}

async function say({ service, flow }: Pick<Opened, 'service' | 'flow'>, text: string, session = 'default') {
  await service.post(`/api/v1/flows/${flow.id}/chat`, { text, session }, { headers: { prefer: 'wait=30' } })
}

describe('the Playground', () => {
  it('shows what is printed the moment it is, and how to start a flow that has no Chat Input', async (t) => {
    const parser = { id: 'p', type: 'parser', fields: { mode: 'Stringify' } }
    const idle = await openPlayground(t, { name: 'Idle', nodes: [parser] })
    const { service, page } = idle
    await page.getByText('Nothing starts it by itself yet').waitFor()
    const nightly = { name: 'Nightly', nodes: [{ id: 's', type: 'schedule', fields: { cron: '0 2 * * *' } }] }
    await goTo(page, `/flows/${(await service.createFlow(nightly)).id}/playground`)
    await page.getByText('It is started by Schedule, too.').waitFor()

    const flow = await service.createFlow(ordersFlow())
    await goTo(page, `/flows/${flow.id}/playground`)
    await page.getByText('This flow has no Chat Input').waitFor()
    await page.getByText('Nothing here yet').waitFor()
    assert.equal(await field(page).count(), 0, 'no dead box')
    const { id } = await service.run(flow.slug, JSON.stringify(ORDER))
    const message = log(page).getByRole('article', { name: 'Message of Machine' })
    await message.getByText('Order 7 from Ann').waitFor()
    assert.match((await message.locator('time').getAttribute('datetime'))!, /^\d{4}-.*Z$/)
    await page.getByRole('button', { name: 'Copy the command' }).click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await comesTo(page, async () => (await copied()).includes(`/${flow.slug}`), true)
    const command = await copied()
    await run('sh', ['-c', command], { env: { ...process.env, MILLRACE_API_KEY: service.key } })
    await message
      .nth(1)
      .getByText(/^Order .+ from .+/)
      .waitFor()
    for (let more = 0; more < 12; more++) await service.run(flow.slug, JSON.stringify(ORDER))
    await page.reload()
    // It comes when the messages are there.
    await page.getByRole('textbox', { name: 'Payload' }).waitFor()
    await comesTo(page, () => message.count(), 14)
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    )
    assert.equal(await page.getByRole('button', { name: 'Go to the newest' }).count(), 0)
    await message.first().getByRole('link', { name: 'Run' }).click()
    await page.waitForURL(`**/runs/${id}`)
  })

  it('takes a turn by keyboard, once however quickly Enter is pressed again, and shows both sides', async (t) => {
    const { service, flow, page } = await openPlayground(t, chatFlow())
    await field(page).waitFor()
    await page.keyboard.press('i')
    await field(page).and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText('first line')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.insertText('**second** line')
    const busy = page.evaluate(() => {
      const until = performance.now() + 300
      while (performance.now() < until);
    })
    // They wait until the page is free again, and come one right after the other then.
    await Promise.all([busy, ...[1, 2, 3].map(() => page.keyboard.press('Enter'))])
    const own = log(page).getByRole('article', { name: 'Message of User' })
    await own.getByText('first line').waitFor()
    assert.equal(await own.locator('strong').innerText(), 'second')
    await log(page).getByText('You said: first line').waitFor()
    // Ready for the next turn: what was printed may be shown before the service has answered to what was sent.
    await comesTo(page, () => field(page).inputValue(), '')
    await field(page).and(page.locator(':focus')).waitFor()
    await type(page, 'again')
    await log(page).getByText('You said: again').waitFor()
    const answer = await service.get(`/api/v1/flows/${flow.id}/messages`)
    const { messages } = answer.json<{ messages: { text: string; sender: string }[] }>()
    assert.deepEqual(
      messages.map(({ sender, text }) => [sender, text]),
      [
        ['User', 'first line\n**second** line'],
        ['Machine', 'You said: first line\n**second** line'],
        ['User', 'again'],
        ['Machine', 'You said: again']
      ]
    )
  })

  it('shows a turn while it goes on and what was wrong with it; keeps what could not be sent', async (t) => {
    const outside = await startOutside(t)
    const { page } = await openPlayground(t, callingFlow(outside.url()))
    await type(page, 'Are you there?')
    const call = await outside.next()
    await log(page).getByText('In progress').waitFor()
    await log(page).getByText('Are you there?').waitFor()
    await type(page, 'one')
    const other = await outside.next()
    await log(page).getByText('In progress').nth(1).waitFor()
    await type(page, 'two')
    await page.getByRole('alert').getByText('The backlog is full').waitFor()
    assert.equal(await field(page).inputValue(), 'two')
    call.answer({ word: 'yes' })
    await log(page).getByText('The other side says yes').waitFor()
    assert.equal(await log(page).getByText('Are you there?').count(), 1, 'not twice')
    other.answer({}, 400)
    const failed = log(page).getByRole('article', { name: 'Run that was failed' })
    await failed.getByText('The other side answered 400. Try again later.').waitFor()
    await failed.getByText('Failed', { exact: true }).waitFor()
    await log(page).getByText('one', { exact: true }).waitFor()
    // A run prints before it ends, and only its end makes room.
    await log(page).getByText('In progress').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send' }).click()
    ;(await outside.next()).answer({ word: 'two' })
    await log(page).getByText('The other side says two').waitFor()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await failed.getByRole('link', { name: 'Open the run' }).click()
    await page.waitForURL('**/runs/*')
  })
})

describe('sessions in the Playground', () => {
  const side = (page: Page) => page.getByRole('complementary', { name: 'Sessions' })

  it('are listed with their newest message, made, named in this browser, and remembered by it', async (t) => {
    const opened = await openPlayground(t, chatFlow())
    const { service, flow, page } = opened
    await say(opened, 'one', 'ann')
    await say(opened, 'two', 'ann')
    const row = side(page).getByRole('button', { name: /^ann/ })
    await row.getByText('Machine: You said: two').waitFor()
    await row.getByText('4 new').waitFor()
    await page.getByText('Nothing here yet').waitFor()
    await row.click()
    await log(page).getByText('You said: one').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('session'), 'ann')
    await row.getByText('4 new').waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByText('Nothing here yet').waitFor()

    await page.keyboard.press('n')
    await page.waitForURL('**/playground?session=chat-*')
    const session = new URL(page.url()).searchParams.get('session')!
    await side(page).getByRole('button', { name: session, exact: false }).first().waitFor()
    await side(page)
      .getByRole('button', { name: `Actions for the session ${session}` })
      .click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('A trial')
    await page.getByRole('textbox', { name: 'Name' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await type(page, 'hello')
    await log(page).getByText('You said: hello').waitFor()
    const answer = await service.get(`/api/v1/flows/${flow.id}/messages?session=${session}`)
    assert.equal(
      answer.json<{ messages: unknown[] }>().messages.length,
      2,
      'for the service it has its own name'
    )
    await page.goto(`${service.address}/flows/${flow.id}/playground`)
    await side(page)
      .getByRole('button', { name: /^A trial/ })
      .click()
    await log(page).getByText('You said: hello').waitFor()
  })

  it('that were silent for long are found when somebody asks', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(chatFlow())
    // A few at a time, where the page asks for hundreds of all sessions together.
    const asked = (url: URL) => url.pathname.endsWith('/messages') && !url.searchParams.has('session')
    await page.route(asked, (route) => {
      const url = new URL(route.request().url())
      url.searchParams.set('limit', '4')
      return route.continue({ url: url.href })
    })
    await goTo(`/flows/${flow.id}/playground`)
    await say({ service, flow }, 'long ago', 'silent')
    for (const text of ['one', 'two', 'three', 'four', 'five']) await say({ service, flow }, text, 'busy')
    const busy = side(page).getByRole('button', { name: /^busy/ }).getByText('You said: five')
    await busy.waitFor()
    // All that happened was told to this page. Whoever comes after it knows what the service lists, and nothing else.
    await goTo('/runs')
    await busy.waitFor({ state: 'detached' })
    await goTo(`/flows/${flow.id}/playground`)
    await busy.waitFor()
    assert.equal(
      await side(page)
        .getByRole('button', { name: /^silent/ })
        .count(),
      0
    )
    const answered = page.waitForResponse(/messages\?.*cursor=/)
    await side(page).getByRole('button', { name: 'Load older sessions' }).click()
    await answered
    await side(page).getByRole('button', { name: 'Load older sessions' }).click()
    await side(page)
      .getByRole('button', { name: /^silent/ })
      .getByText('Machine: You said: long ago')
      .waitFor()
    await side(page).getByRole('button', { name: 'Load older sessions' }).waitFor({ state: 'detached' })
    await page.unroute(asked)
  })
})

describe('a long log', () => {
  const texts = (page: Page) => log(page).getByTestId('message-text')
  const isAtEnd = (page: Page) =>
    log(page).evaluate((room) => room.scrollHeight - room.scrollTop - room.clientHeight < 4)

  it('begins with its newest messages, goes back as far as somebody asks, and follows its end', async (t) => {
    const { service, page, goTo } = await shared(t)
    const flow = await service.createFlow(repeatingFlow(21))
    // With what somebody said, 22 messages each.
    for (let no = 1; no <= 10; no++) await say({ service, flow }, `turn ${no}`)
    await goTo(`/flows/${flow.id}/playground`)
    await log(page).getByText('turn 10', { exact: true }).first().waitFor()
    assert.equal(await texts(page).count(), 100)
    await comesTo(page, () => isAtEnd(page), true)
    await log(page).evaluate((room) => room.scrollTo({ top: 0 }))
    // The page hears that somebody has scrolled up with the next frame.
    await page.getByRole('button', { name: 'Go to the newest' }).waitFor()
    const first = (await texts(page).first().elementHandle())!
    const before = (await first.boundingBox())!.y
    await page.getByRole('button', { name: 'Earlier messages' }).click()
    await texts(page).nth(199).waitFor()
    const after = (await first.boundingBox())!.y
    assert.ok(Math.abs(after - before) < 60, `what was read stays in place: ${before} → ${after}`)
    await page.getByRole('button', { name: 'Earlier messages' }).click()
    await log(page).getByText('turn 1', { exact: true }).first().waitFor()
    await comesTo(page, () => texts(page).count(), 220)
    await page.getByRole('button', { name: 'Earlier messages' }).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Go to the newest' }).click()
    await comesTo(page, () => isAtEnd(page), true)
    await service.run(flow.slug, '"at the end"')
    await log(page).getByText('at the end').waitFor()
    // Taken along.
    await comesTo(page, () => isAtEnd(page), true)
    // As when the field below it comes in the moment in which it was scrolled.
    await log(page).evaluate((room) => {
      room.scrollTop -= 10
      room.style.maxHeight = `${room.clientHeight - 200}px`
    })
    await comesTo(page, () => isAtEnd(page), true)
    await log(page).evaluate((room) => room.scrollTo({ top: 40 }))
    await page.getByRole('button', { name: 'Go to the newest' }).waitFor()
    for (const text of ['"while reading"', '"and again"']) await service.run(flow.slug, text)
    await page.getByRole('button', { name: '2 new' }).waitFor()
    assert.equal(await log(page).evaluate((room) => room.scrollTop), 40, 'left where the reader is')
    await page.getByRole('button', { name: '2 new' }).click()
    await log(page).getByText('and again').waitFor()
    await comesTo(page, () => isAtEnd(page), true)
    await page.getByRole('button', { name: /new/ }).waitFor({ state: 'detached' })
  })
})
