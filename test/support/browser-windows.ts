import type { Browser, BrowserContext, Page } from 'playwright-core'

/** A window with cookies, storage and a cache of its own. */
export interface BrowserWindow {
  readonly context: BrowserContext
  readonly page: Page
}

/**
 * Windows that are used again. To load the editor takes 3.3 s of a processor in a new one, 2.3 s in a new tab beside one
 * that has its files, and 0.8 s in the same tab: there the browser has compiled the page's code.
 */
export class BrowserWindows {
  readonly #launch: () => Promise<Browser>
  #browser: Promise<Browser> | undefined
  #free: BrowserWindow[] = []

  constructor(launch: () => Promise<Browser>) {
    this.#launch = launch
  }

  /** One that nobody else has and that shows nothing of whoever had it before. */
  async take(): Promise<BrowserWindow> {
    return this.#free.pop() ?? this.open()
  }

  /** One that nobody had before, and that is not given back. */
  async open(): Promise<BrowserWindow> {
    this.#browser ??= this.#start()
    const context = await (await this.#browser).newContext({
      permissions: ['clipboard-read', 'clipboard-write']
    })
    return { context, page: await context.newPage() }
  }

  /** Not for one that a failed test leaves: nobody knows what state it is in. */
  async giveBack(window: BrowserWindow): Promise<void> {
    const isClean = await forget(window).then(
      () => true,
      () => false
    )
    if (isClean) this.#free.push(window)
    else await window.context.close()
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close()
  }

  async #start(): Promise<Browser> {
    const browser = await this.#launch()
    // A browser that crashes fails one test, not all that come after it.
    browser.once('disconnected', () => {
      this.#browser = undefined
      this.#free = []
    })
    return browser
  }
}

/** Rejects where the page is closed or its service gone. */
async function forget({ context, page }: BrowserWindow): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.removeAllListeners(undefined, { behavior: 'ignoreErrors' })
  // Something small of the same service. For an empty page the browser would take another process, without the code.
  await page.goto(new URL('/livez', page.url()).href)
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await page.mouse.move(0, 0)
  await context.clearCookies()
  const session = await context.newCDPSession(page)
  // Whoever goes back must not come to what somebody else looked at.
  await session.send('Page.resetNavigationHistory')
  await session.detach()
}
