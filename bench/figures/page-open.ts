import type { Browser, Page } from 'playwright-core'
import { launchBrowser, openPage, slowPage } from '../page-browser.ts'
import { type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const SCRIPT: Target = { name: 'script of the first view, gzipped', unit: 'kB', must: { atMost: 250 } }
const READY: Target = { name: 'editor ready after the click on a flow', unit: 'ms', must: { atMost: 1000 } }
const SLOW: Target = { name: 'graph in sight at 50 kB a second', unit: 'ms', must: { atMost: 6000 } }

/** What it takes to see the list of flows, and from there a flow on its canvas, in a browser that has nothing of it yet. */
export const pageOpenGroup: FigureGroup = {
  key: 'page-open',
  about: 'script of the first view; the editor after a click; a graph on a slow line (needs Chromium)',
  targets: [SCRIPT, READY, SLOW],
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const service = await startService(workspace, { home: workspace.folder('bench-page-open') })
    const browser = await launchBrowser()
    try {
      const bytes = await scriptOfFirstView(browser, service)
      const ready: number[] = []
      for (let round = 0; round < options.rounds; round++) {
        ready.push(await timeToEditor(browser, service))
        say(`page-open: round ${round + 1}, editor ready after ${Math.round(ready.at(-1)!)} ms`)
      }
      const slow: number[] = []
      for (let round = 0; round < Math.min(3, options.rounds); round++) {
        slow.push(await timeToGraph(browser, service))
        say(
          `page-open: round ${round + 1}, graph in sight after ${Math.round(slow.at(-1)!)} ms at 50 kB a second`
        )
      }
      return [
        { ...SCRIPT, measured: bytes.total / 1000, detail: `${bytes.files} files, for the list of flows` },
        {
          ...READY,
          measured: median(ready),
          detail: `no cache; fields drawn and painted (${ready.map(Math.round).join(', ')})`
        },
        {
          ...SLOW,
          measured: median(slow),
          detail: `no cache, opened by its address, 100 ms there and back (${slow.map(Math.round).join(', ')})`
        }
      ]
    } finally {
      await browser.close()
      await service.stop()
    }
  }
}

async function scriptOfFirstView(browser: Browser, service: Service) {
  const scripts = new Set<string>()
  const page = await openPage(browser, service, '/flows', (response) => {
    if (response.request().resourceType() === 'script') scripts.add(response.url())
  })
  await flowLink(page).waitFor()
  await page.waitForLoadState('networkidle')
  await page.context().close()
  const sizes = await Promise.all([...scripts].map(gzippedSize))
  return { total: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length }
}

/** As it is sent to a browser that takes gzip; Chromium itself is served something smaller. */
async function gzippedSize(script: string): Promise<number> {
  const response = await fetch(script, { headers: { 'accept-encoding': 'gzip' } })
  await response.body?.cancel()
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  if (Number.isNaN(length)) throw new Error(`${script} was answered without its length`)
  return length
}

async function timeToEditor(browser: Browser, service: Service): Promise<number> {
  const page = await openPage(browser, service, '/flows')
  await flowLink(page).waitFor()
  await page.waitForLoadState('networkidle')
  const ready = page.evaluate(FROM_CLICK_TO_PORTS) as Promise<number>
  await flowLink(page).click()
  const took = await ready
  await page.context().close()
  return took
}

/**
 * From the address to nodes with their ports, and wires between them. By the clock of the page: what drives the browser brings scripts of
 * its own, and noticed it 0.2 s late.
 */
async function timeToGraph(browser: Browser, service: Service): Promise<number> {
  const { flows } = (await service.get('/api/v1/flows')) as { flows: { id: string; slug: string }[] }
  const { id } = flows.find(({ slug }) => slug === 'orders')!
  const page = await slowPage(browser, service)
  await page.goto(`${service.url}/flows/${id}`, { waitUntil: 'commit' })
  const took = (await page.evaluate(FROM_ADDRESS_TO_GRAPH)) as number
  await page.context().close()
  return took
}

const flowLink = (page: Page) => page.getByRole('link', { name: 'Orders', exact: true })

/** As text: what runs in the page is not of this process, whose types know no document. */
const FROM_CLICK_TO_PORTS = `new Promise((resolve) => {
  addEventListener('pointerdown', ({ timeStamp }) => {
    const look = () => {
      const isReady = document.querySelector('[data-canvas] [data-node="parser-1"] .connectable') !== null
      if (isReady) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
      else requestAnimationFrame(look)
    }
    look()
  }, { capture: true, once: true })
})`

const FROM_ADDRESS_TO_GRAPH = `new Promise((resolve) => {
  const look = () => {
    const hasPorts = document.querySelector('[data-canvas] [data-node="parser-1"] .connectable') !== null
    const hasWires = document.querySelector('.react-flow__edge path') !== null
    if (hasPorts && hasWires) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    else requestAnimationFrame(look)
  }
  look()
})`
