import type { Browser, BrowserContext, Page } from 'playwright-core'

/** A window with cookies, storage and a cache of its own. */
export interface BrowserWindow {
  readonly context: BrowserContext
  readonly page: Page
}

/** These change a window for as long as it is there. */
const LASTING = [
  'addInitScript',
  'addLocatorHandler',
  'clearPermissions',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setOffline'
]

/** Each is a process with a page in it. */
const MOST_FREE = 4

/**
 * Windows that are used again. To load the editor takes 3.3 s of a processor in a new one, 2.3 s in a new tab beside one
 * that has its files, and 0.8 s in the same tab: there the browser has compiled the page's code. For a page of another
 * address the browser takes another process, so each window stays with its address.
 */
export class BrowserWindows {
  readonly #launch: () => Promise<Browser>
  #browser: Promise<Browser> | undefined
  #free: BrowserWindow[] = []
  readonly #changedForGood = new WeakSet<BrowserContext>()

  constructor(launch: () => Promise<Browser>) {
    this.#launch = launch
  }

  /** One for pages of an address, that nobody else has and that shows nothing of whoever had it before. */
  async take(address: string): Promise<BrowserWindow> {
    const at = this.#free.findLastIndex(({ page }) => originOf(page) === address)
    const [found] = at === -1 ? [] : this.#free.splice(at, 1)
    return found ?? this.open()
  }

  /** One that nobody had before. */
  async open(): Promise<BrowserWindow> {
    this.#browser ??= this.#start()
    const browser = await this.#browser
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await context.newPage()
    this.#noteLastingChanges(context, page)
    return { context, page }
  }

  /** Not for one that a failed test leaves: nobody knows what state it is in. */
  async giveBack(window: BrowserWindow): Promise<void> {
    const isClean =
      !this.#changedForGood.has(window.context) &&
      (await forget(window).then(
        () => true,
        () => false
      ))
    if (isClean) this.#free.push(window)
    const [superfluous] = isClean ? this.#free.splice(0, this.#free.length - MOST_FREE) : [window]
    await superfluous?.context.close()
  }

  async close(): Promise<void> {
    const browser = this.#browser
    this.#browser = undefined
    await (await browser)?.close()
  }

  /**
   * One that ends by itself fails the test that uses it, whose error has its last words, and no other: the next test
   * starts another one. So does one that cannot be started.
   */
  #start(): Promise<Browser> {
    const starting = this.#launch()
    const forgetIt = () => {
      if (this.#browser === starting) this.#browser = undefined
      this.#free = []
    }
    starting.then((browser) => browser.once('disconnected', forgetIt), forgetIt)
    return starting
  }

  #noteLastingChanges(context: BrowserContext, page: Page): void {
    for (const part of [context, page] as unknown as Record<string, (...given: unknown[]) => unknown>[]) {
      for (const name of LASTING) {
        const change = part[name]
        if (change === undefined) continue
        part[name] = (...given) => {
          this.#changedForGood.add(context)
          return change.apply(part, given)
        }
      }
    }
  }
}

function originOf(page: Page): string {
  return new URL(page.url()).origin
}

/** Rejects where the page is closed or its service gone. */
async function forget({ context, page }: BrowserWindow): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.removeAllListeners(undefined, { behavior: 'ignoreErrors' })
  // Something small of the same service. For an empty page the browser would take another process, without the code.
  await page.goto(`${originOf(page)}/livez`)
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await page.mouse.move(0, 0)
  await context.clearCookies()
  const session = await context.newCDPSession(page)
  // Whoever goes back must not come to what somebody else looked at.
  await session.send('Page.resetNavigationHistory')
  await session.detach()
}
