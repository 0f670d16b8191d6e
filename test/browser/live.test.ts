import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import type { FlowBody } from '../support/api-client.ts'
import { testBrowser } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { callFlow } from '../support/documents.ts'
import { type Call, startOutside } from '../support/outside.ts'
import { type Service, startService } from '../support/service.ts'

const browser = testBrowser()

/** Webhook → Call → Parser → Chat Output. */
function printedCallFlow(url: string) {
  const { nodes, edges } = callFlow(url)
  return {
    name: 'Shipping',
    nodes: [...nodes, { id: 'chat-output-1', type: 'chat-output' }].map((node, index) => {
      return { ...node, position: { x: index * 320, y: 0 } }
    }),
    edges: [...edges, { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }]
  }
}

interface Shipping {
  readonly service: Service
  readonly flow: FlowBody
  readonly run: string
  /** What the run waits for. */
  readonly call: Call
}

async function startShipping(t: TestContext): Promise<Shipping> {
  const service = await startService(t, { plugins: ['call.ts'] })
  const outside = await startOutside(t)
  const flow = await service.createFlow(printedCallFlow(outside.url()))
  const run = await service.start(flow.slug, '{}')
  return { service, flow, run, call: await outside.next() }
}

/** Opens a page whose stream of events is connected only when it is told to be. */
async function openUnconnected(
  t: TestContext,
  service: Service,
  path: string
): Promise<{ readonly page: Page; readonly timesAsked: (what: string) => number; connect(): void }> {
  // Somewhere in the service that is not the page: the stream must be held before the page asks for it.
  const page = await browser.open(t, service, { path: '/livez' })
  let connect = () => {}
  const told = new Promise<void>((resolve) => {
    connect = resolve
  })
  await page.route('**/api/v1/events*', async (route) => {
    await told
    // The window may have been closed meanwhile.
    await route.continue().catch(() => undefined)
  })
  const timesAsked = countAsked(page)
  await page.goto(service.address + path)
  return { page, timesAsked, connect }
}

/** How often the page asks the API for something, from now on. */
function countAsked(page: Page): (what: string) => number {
  const asked = new Map<string, number>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
  })
  return (what) => asked.get(`/api/v1/${what}`) ?? 0
}

interface View {
  readonly path: (shipping: Shipping) => string
  /** Shown while the run goes on. */
  readonly before: (page: Page) => Promise<void>
  /** Shown when it has ended. */
  readonly after: (page: Page) => Promise<void>
}

const VIEWS: Readonly<Record<string, View>> = {
  'the page of a run': {
    path: ({ run }) => `/runs/${run}`,
    before: (page) => page.locator('header').first().getByText('In progress').waitFor(),
    after: (page) => page.locator('header').first().getByText('Succeeded').waitFor()
  },
  'the list of runs, and its plots': {
    path: () => '/runs',
    before: async (page) => {
      await page.locator('[data-run]').getByText('In progress').waitFor()
      await page.getByRole('listitem').filter({ hasText: 'Unfinished 1' }).waitFor()
    },
    after: async (page) => {
      await page.locator('[data-run]').getByText('Succeeded').waitFor()
      await page.getByRole('listitem').filter({ hasText: 'Succeeded 1' }).waitFor()
    }
  },
  'the list of flows': {
    path: () => '/flows',
    before: (page) =>
      page.getByRole('link', { name: 'Runs of Shipping: the last one: 1 in progress' }).waitFor(),
    after: (page) => page.getByRole('link', { name: 'Runs of Shipping: the last one: 1 succeeded' }).waitFor()
  },
  'the canvas, and the Playground beside it': {
    path: ({ flow }) => `/flows/${flow.id}`,
    before: async (page) => {
      await page.locator('[data-id="call-1"] [data-run]').getByText('In progress').waitFor()
      await page.getByRole('region', { name: 'The run on the canvas' }).getByText('In progress').waitFor()
      await page.getByRole('button', { name: 'Playground', exact: true }).click()
      await page.getByRole('log').getByText('In progress').waitFor()
    },
    after: async (page) => {
      await page.locator('[data-id="parser-1"] [data-run]').getByText('Succeeded').waitFor()
      await page.getByRole('log').getByText('shipped').waitFor()
    }
  }
}

describe('what happens before the stream of events is open', () => {
  for (const [name, view] of Object.entries(VIEWS)) {
    it(`is shown when it is: ${name}`, async (t) => {
      const shipping = await startShipping(t)
      const { page, timesAsked, connect } = await openUnconnected(t, shipping.service, view.path(shipping))
      await view.before(page)
      shipping.call.answer({ shipped: true })
      await shipping.service.waitForRun(shipping.run)
      await shipping.service.createFlow({ name: 'Made meanwhile', nodes: [] })
      connect()
      await view.after(page)
      // Of flows too, which nobody tells twice.
      if (name === 'the list of flows')
        await page.getByRole('link', { name: 'Made meanwhile', exact: true }).waitFor()
      // No event tells of these: they are no truer when they are asked for again.
      for (const what of ['session', 'components']) assert.ok(timesAsked(what) <= 1, what)
    })
  }
})

/** In the page, before any of its own. */
const DEAFEN = () => {
  const opened = new EventTarget()
  Object.assign(window, { opened })
  EventSource.prototype.addEventListener = (name: string, listener: unknown) =>
    opened.addEventListener(name, listener as EventListener)
}

/** Opens a page that hears of nothing but a reset. */
async function openDeaf(t: TestContext, service: Service, path: string) {
  const page = await browser.open(t, service, { path: '/livez' })
  // Until the session ends, and not for as long as the window is there.
  const session = await page.context().newCDPSession(page)
  cleanUp(t, () => session.detach())
  await session.send('Page.enable')
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${DEAFEN})()` })
  const connected = page.waitForResponse('**/api/v1/events*')
  await page.goto(service.address + path)
  await connected
  const reset = () =>
    page.evaluate(() => {
      const { opened } = window as unknown as { opened: EventTarget }
      opened.dispatchEvent(new MessageEvent('reset', { lastEventId: '1.999999999', data: '{}' }))
    })
  return { page, reset }
}

describe('a page that has missed more than it is told', () => {
  it('reads what it shows again when the service says so', async (t) => {
    const shipping = await startShipping(t)
    const view = VIEWS['the list of runs, and its plots']!
    const { page, reset } = await openDeaf(t, shipping.service, view.path(shipping))
    await view.before(page)
    shipping.call.answer({ shipped: true })
    await shipping.service.waitForRun(shipping.run)
    await reset()
    await view.after(page)
  })
})

describe('what is asked for when the stream of events is open', () => {
  it('is asked for once', async (t) => {
    const { service, flow, run, call } = await startShipping(t)
    const page = await browser.open(t, service, { path: '/livez' })
    let connected: Promise<unknown>
    // The page learns of its session only when its stream is connected.
    await page.route('**/api/v1/session', async (route) => {
      await connected
      await route.continue()
    })
    const open = async (path: string) => {
      connected = page.waitForResponse('**/api/v1/events*')
      const timesAsked = countAsked(page)
      await page.goto(service.address + path)
      return timesAsked
    }
    const ofCanvas = await open(`/flows/${flow.id}`)
    await page.locator('[data-id="call-1"] [data-run]').getByText('In progress').waitFor()
    call.answer({ shipped: true })
    await service.waitForRun(run)
    // What an event has brought: whatever was to be asked for again was asked for before that.
    await page.locator('[data-id="parser-1"] [data-run]').getByText('Succeeded').waitFor()
    for (const what of ['session', 'flows', `flows/${flow.id}`, 'components', 'contexts'])
      assert.equal(ofCanvas(what), 1, what)

    const ofList = await open('/flows')
    await page.getByRole('link', { name: 'Runs of Shipping: the last one: 1 succeeded' }).waitFor()
    await service.run('orders', '{}')
    await page.getByRole('link', { name: 'Runs of Orders: the last one: 1 failed' }).waitFor()
    for (const what of ['session', 'flows']) assert.equal(ofList(what), 1, what)
  })
})
