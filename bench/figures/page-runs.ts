import type { Page } from 'playwright-core'
import { launchBrowser, openPage } from '../page-browser.ts'
import { prefill } from '../prefill.ts'
import { startService } from '../service-process.ts'
import { median, percentile } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const RUNS = 100_000
const FRAME_MS = 33
const FRAMES: Target = {
  name: `list of 100,000 runs, scrolled: frames under ${FRAME_MS} ms`,
  unit: '',
  must: { atLeast: 0.95 }
}
const STALL: Target = {
  name: 'list of 100,000 runs, from end to end: longest frame',
  unit: 'ms',
  must: { atMost: 200 }
}

/** Whether the list of runs scrolls without a stall, by a wheel and by a scroll bar that is pulled to the end. */
export const pageRunsGroup: FigureGroup = {
  key: 'page-runs',
  about: 'frames of the list of runs while it is scrolled through 100,000 of them (needs Chromium)',
  targets: [FRAMES, STALL],
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const home = workspace.folder('bench-page-runs')
    await (await startService(workspace, { home })).stop()
    await prefill({ folder: home, runs: RUNS, onProgress: (done) => say(`page-runs: ${done} runs stored`) })
    const service = await startService(workspace, { home })
    const browser = await launchBrowser()
    try {
      const wheel: number[][] = []
      const pull: number[][] = []
      for (let round = 0; round < options.rounds; round++) {
        const page = await openList(await openPage(browser, service, '/runs'))
        wheel.push(await scroll(page, WHEEL))
        pull.push(await scroll(page, PULL))
        await page.context().close()
        say(
          `page-runs: round ${round + 1}, ${describe(wheel.at(-1)!)}; to the end, ${describe(pull.at(-1)!)}`
        )
      }
      return figures(wheel, pull)
    } finally {
      await browser.close()
      await service.stop()
    }
  }
}

function figures(wheel: readonly number[][], pull: readonly number[][]): Figure[] {
  const smooth = wheel.map((frames) => frames.filter((ms) => ms < FRAME_MS).length / frames.length)
  const longest = pull.map((frames) => Math.max(...frames))
  return [
    { ...FRAMES, measured: median(smooth), detail: `240 px a frame, median of ${wheel.length} rounds` },
    { ...STALL, measured: median(longest), detail: `3,000 px a frame, ${describe(pull.at(-1)!)}` }
  ]
}

function describe(frames: readonly number[]): string {
  const [middle, most] = [percentile(frames, 0.5), percentile(frames, 0.99)]
  return `${frames.length} frames, p50 ${middle.toFixed(0)} ms, p99 ${most.toFixed(0)} ms`
}

async function openList(page: Page): Promise<Page> {
  await page.locator('[data-run]').first().waitFor()
  return page
}

interface Scrolling {
  readonly pixels: number
  /** Frames to scroll for; null until every run was loaded and the last row is in sight. */
  readonly frames: number | null
}

const WHEEL: Scrolling = { pixels: 240, frames: 300 }
const PULL: Scrolling = { pixels: 3_000, frames: null }
const PULL_AT_MOST_MS = 300_000

/** How long each frame took while the page was scrolled, in milliseconds. */
function scroll(page: Page, { pixels, frames }: Scrolling): Promise<number[]> {
  // As text: what runs in the page is not of this process, whose types know no document.
  return page.evaluate(`new Promise((resolve, reject) => {
    const main = document.getElementById('main')
    const grid = document.querySelector('[role="grid"]')
    const took = []
    const since = performance.now()
    let last
    const isAtEnd = () =>
      grid.getAttribute('aria-rowcount') !== '-1' && main.scrollTop + main.clientHeight > main.scrollHeight - 2
    const step = (now) => {
      if (last !== undefined) took.push(now - last)
      last = now
      if (${frames === null ? 'isAtEnd()' : `took.length >= ${frames}`}) return resolve(took)
      if (now - since > ${PULL_AT_MOST_MS}) return reject(new Error('the end of the list was not reached'))
      main.scrollTop += ${pixels}
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })`) as Promise<number[]>
}
