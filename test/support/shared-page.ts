import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { DESKTOP, PATIENCE_MS, PHONE, type TestBrowser, testBrowser, watchFaults } from './browser.ts'
import { cleanUp, type Lifetime, lifetimeOfFile } from './clean-up.ts'
import { perProcess } from './per-process.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'

export interface SharedPage {
  readonly service: Service
  readonly page: Page
  /** Below the service's root, with its slash. */
  goTo(path: string): Promise<void>
}

interface Room {
  readonly service: Service
  readonly page: Page
  /** Since the last test. */
  readonly faults: string[]
}

type OpenSharedPage = (test: TestContext) => Promise<SharedPage>

/**
 * One service and one window for the tests of a file, called at its top. Each test goes where it wants to as somebody
 * does who is in the page already: to load the page takes a second of a processor, and many tests take not much more
 * than that. A test that failed leaves the room to nobody. A file whose tests look at
 * something that was there before gives, in place of options, what starts such a service.
 */
export function sharedPage(
  browser: TestBrowser,
  options: ServiceOptions | ((file: Lifetime) => Promise<Service>) = {}
): OpenSharedPage {
  const file = lifetimeOfFile()
  const start = () => (typeof options === 'function' ? options(file) : startService(file, options))
  return pageIn(() => openRoom(browser, file, start))
}

const roomOfProcess = perProcess((process) =>
  pageIn(() => openRoom(testBrowser(), process, () => startService(process)))
)

/** The same for all files of a process whose tests look at nothing but the flows they make. */
export function pageOfProcess(): OpenSharedPage {
  return roomOfProcess()
}

async function openRoom(
  browser: TestBrowser,
  lifetime: Lifetime,
  start: () => Promise<Service>
): Promise<Room> {
  const service = await start()
  const page = await browser.open(lifetime, service, { path: ELSEWHERE, isWatched: false })
  return { service, page, faults: watchFaults(page) }
}

function pageIn(enter: () => Promise<Room>): OpenSharedPage {
  let room: Promise<Room> | undefined
  return async (test) => {
    room ??= enter()
    const { service, page, faults } = await room
    cleanUp(test, async () => {
      if ('passed' in test && test.passed === false) {
        room = undefined
        await page.context().close()
      }
      assert.deepEqual(faults.splice(0), [], 'the page reported faults')
    })
    await leave(page)
    return { service, page, goTo: (path) => goTo(page, path) }
  }
}

/** For one test of those that share a window. */
export async function makePhone(test: TestContext, page: Page): Promise<void> {
  cleanUp(test, async () => {
    if (!page.isClosed()) await page.setViewportSize(DESKTOP)
  })
  await page.setViewportSize(PHONE)
}

/** Nothing to load, and the least to draw. */
const ELSEWHERE = '/no/such/page'

/** Out of what the test before looked at, and with nothing of it left. */
async function leave(page: Page): Promise<void> {
  await goTo(page, ELSEWHERE)
  await page.evaluate(`(${FORGET})(${PATIENCE_MS})`)
  await page.mouse.move(0, 0)
}

/**
 * In the page, in one question: this is done before each test. Only a few messages are shown at a time: one of the next
 * test would wait until these have gone by themselves, and where they go, those that have waited come.
 */
const FORGET = `(patience) => new Promise((resolve, reject) => {
  const since = performance.now()
  const look = () => {
    const isElsewhere = document.getElementById('main')?.textContent.includes('There is no such page')
    const messages = [...document.querySelectorAll('.mantine-Notification-closeButton')]
    if (isElsewhere) for (const button of messages) button.click()
    if (isElsewhere && messages.length === 0) {
      localStorage.clear()
      sessionStorage.clear()
      resolve()
    } else if (performance.now() - since > patience) reject(new Error('still at ' + document.title))
    else requestAnimationFrame(look)
  }
  look()
})`

/** As the browser's own buttons do it: without loading the page anew. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}), dispatchEvent(new PopStateEvent('popstate'))`
  )
}
