import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserFlags, findBrowser } from '../../scripts/install-browser.mjs'
import { endAndCount } from '../../scripts/part-times.mjs'
import type { ApiClient } from './api-client.ts'
import { type BrowserWindow, BrowserWindows } from './browser-windows.ts'
import { cleanUp, type Lifetime } from './clean-up.ts'
import { findFaintTexts } from './contrast.ts'
import { perProcess } from './per-process.ts'
import { ROOT, stage } from './service.ts'
import { ServicePorts } from './service-ports.ts'

export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }
export const THEMES = ['light', 'dark'] as const

/** A wait that takes longer has failed: it says what it waited for. */
export const PATIENCE_MS = 30_000

export interface OpenOptions {
  /** Below the service's root, with its slash. */
  readonly path?: string
  /** Null opens the page without a session. */
  readonly key?: string | null
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly theme?: (typeof THEMES)[number]
  /** With transitions, as for those who have not asked for less motion. */
  readonly motion?: boolean
  /** For a test of what is loaded: in a browser that has never seen the page. */
  readonly fresh?: boolean
  /** False where whoever opens it looks for faults. */
  readonly isWatched?: boolean
}

export interface TestBrowser {
  /** A new window with a session of its own, closed when the test is over, or whatever it was opened for. */
  open(test: Lifetime, service: ApiClient, options?: OpenOptions): Promise<Page>
}

const windowsOfProcess = perProcess((process) => {
  const windows = new BrowserWindows(launchBrowser)
  cleanUp(process, () => endAndCount(() => windows.close()))
  return windows
})

/** Chromium for the tests of one file: called at its top, once. All files of a process have the same one. */
export function testBrowser(): TestBrowser {
  stage.ports ??= new ServicePorts()
  return { open: (test, service, options = {}) => openPage(test, service, options) }
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  assert.ok(
    executablePath,
    'There is no Chromium. Install it (Debian: apt-get install chromium-headless-shell), or set CHROMIUM to its path.'
  )
  assert.ok(existsSync(join(ROOT, 'web/dist/index.html')), 'The page is not built: npm test builds it first.')
  return chromium.launch({ executablePath, args: browserFlags })
}

async function openPage(test: Lifetime, service: ApiClient, options: OpenOptions): Promise<Page> {
  const { path = '/', key = service.key, viewport = DESKTOP, theme = 'light', motion = false } = options
  const { isWatched = true } = options
  let faults: readonly string[] = []
  // Before the window is opened, so it comes after the window was left.
  cleanUp(test, () => assert.deepEqual(faults, [], 'the page reported faults'))
  const { context, page } = await openWindow(test, service, options)
  context.setDefaultTimeout(PATIENCE_MS)
  if (isWatched) faults = watchFaults(page)
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: theme, reducedMotion: motion ? 'no-preference' : 'reduce' })
  if (key !== null) await signIn(context, service, key)
  await page.goto(service.address + path)
  return page
}

/** Left after the test: to be used again, unless the test failed and nobody knows what it left. */
async function openWindow(
  test: Lifetime,
  { address }: ApiClient,
  { fresh = false }: OpenOptions
): Promise<BrowserWindow> {
  const windows = windowsOfProcess()
  const window = fresh ? await windows.open() : await windows.take(address)
  cleanUp(test, async () => {
    const isSpoilt = fresh || window.page.isClosed() || ('passed' in test && test.passed === false)
    await (isSpoilt ? window.context.close() : windows.giveBack(window))
  })
  return window
}

async function signIn(context: BrowserContext, service: ApiClient, key: string): Promise<void> {
  const answer = await context.request.post(`${service.address}/api/v1/session`, {
    data: { api_key: key },
    // One that is kept may still be that of a service that was at this address before.
    headers: { connection: 'close' }
  })
  assert.equal(answer.status(), 204, await answer.text())
}

/** What the page throws, warns of, or is refused by its own policy. What the network says is the test's to judge. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (!message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  return faults
}

let readSource: string | undefined

/** Not the `source` that the package gives: with its comments that is 1.5 MB, some 40 ms more of a processor. */
function axeSource(): string {
  readSource ??= readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  return readSource
}

/** Menus and tooltips float outside of every landmark, as they should: they belong to what opened them. */
const ALL_RULES = {
  // All style sheets are the page's own: there is nothing to load before it looks.
  preload: false,
  resultTypes: ['violations'],
  rules: { region: { enabled: false } }
} satisfies axe.RunOptions

/** Half of the time that axe takes. */
const RULES_OF_PARTS = {
  ...ALL_RULES,
  rules: { ...ALL_RULES.rules, 'color-contrast': { enabled: false } }
} satisfies axe.RunOptions

/** All of a page that axe has seen already, in another state. */
export const SEEN_PAGE = 'body'
/** What floats above it. */
export const DIALOG = '[role="dialog"]'
export const MENU = '[role="menu"]'

/**
 * Lets axe look at the page as it stands, or at one part of it. What a theme changes is colours and nothing else: those
 * are looked at in both, by a way of our own; axe looks at them once for each page.
 */
export async function assertAccessible(page: Page, part = 'html'): Promise<void> {
  // The page keeps it until it is loaded anew.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource())
  const rules = part === 'html' ? ALL_RULES : RULES_OF_PARTS
  // Not what it found nothing wrong with, which is far more.
  const question = `axe.run(${JSON.stringify(part)}, ${JSON.stringify(rules)}).then(({ violations }) => violations)`
  const violations = (await page.evaluate(question)) as axe.Result[]
  assert.deepEqual(violations.flatMap(describeViolation), [], `axe, at ${page.url()}`)
  assert.deepEqual(await findFaintTexts(page, part, THEMES), [], `faint texts at ${page.url()}`)
}

function describeViolation({ id, impact, help, nodes }: axe.Result): string[] {
  return nodes.map(
    (node) => `${impact} ${id}: ${help} — ${node.html.slice(0, 200)} ${node.any[0]?.message ?? ''}`
  )
}
