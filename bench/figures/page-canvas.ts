import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { launchBrowser, openPage, processesOf } from '../page-browser.ts'
import { quietRounds } from '../quiet.ts'
import { API_KEY, type Service, startService } from '../service-process.ts'
import { median, percentile } from '../statistics.ts'
import { wideFlow } from '../wide-flow.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const NODES = 1_000
const FRAME_MS = 33
const SMOOTH = { unit: '', must: { atLeast: 0.95 } } as const
const PAN: Target = { name: `canvas of 1,000 nodes, panned: frames under ${FRAME_MS} ms`, ...SMOOTH }
const PAN_FAR: Target = {
  name: `canvas of 1,000 nodes in sight, panned: frames under ${FRAME_MS} ms`,
  ...SMOOTH
}
const DRAG: Target = { name: `a node of 1,000, dragged: frames under ${FRAME_MS} ms`, ...SMOOTH }
const DRAG_FAR: Target = { name: `a node of 1,000 in sight, dragged: frames under ${FRAME_MS} ms`, ...SMOOTH }
const TARGETS = [PAN, DRAG, PAN_FAR, DRAG_FAR]

/** Whether a canvas of 1,000 nodes follows the hand, from near by and from so far that all of it is in sight. */
export const pageCanvasGroup: FigureGroup = {
  key: 'page-canvas',
  about: 'frames of the canvas of 1,000 nodes while it is panned and a node is dragged (needs Chromium)',
  targets: TARGETS,
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const service = await startService(workspace, { home: workspace.folder('bench-page-canvas') })
    const browser = await launchBrowser()
    try {
      const page = await openPage(browser, service, `/flows/${await createFlow(service)}`)
      const rounds = await quietRounds({
        rounds: options.rounds,
        pids: [service.child.pid!, ...(await processesOf(browser))],
        play: () => playRound(page),
        onRound: (round, index, isQuiet) => {
          for (const [target, gesture] of round) {
            const title = target.name.split(':')[0]
            say(
              `page-canvas: round ${index + 1}, ${title}: ${describe(gesture)}${isQuiet ? '' : ', disturbed'}`
            )
          }
        }
      })
      return TARGETS.map((target) =>
        figureOf(
          target,
          rounds.map((round) => round.get(target)!)
        )
      )
    } finally {
      await browser.close()
      await service.stop()
    }
  }
}

/** In a window that was loaded anew, but is the same process. */
async function playRound(page: Page): Promise<ReadonlyMap<Target, Gesture>> {
  // The canvas remembers what was in sight.
  await page.evaluate('sessionStorage.clear()')
  await page.reload({ waitUntil: 'networkidle' })
  await page.locator('[data-node]').first().waitFor()
  const round = new Map([
    [PAN, await pan(page)],
    [DRAG, await dragNode(page)]
  ])
  await page.getByRole('button', { name: 'Zoom to fit' }).click()
  return round.set(PAN_FAR, await pan(page)).set(DRAG_FAR, await dragNode(page))
}

interface Gesture {
  /** How long each frame took, in milliseconds. */
  readonly frames: readonly number[]
  /** What the page's own thread worked for a frame, in milliseconds: less than that no machine can take. */
  readonly busyMs: number
}

function figureOf(target: Target, gestures: readonly Gesture[]): Figure {
  const smooth = gestures.map(({ frames }) => frames.filter((ms) => ms < FRAME_MS).length / frames.length)
  return {
    ...target,
    measured: median(smooth),
    detail: `median of ${gestures.length} rounds, the least disturbed: ${describe(gestures[0]!)}`
  }
}

function describe({ frames, busyMs }: Gesture): string {
  const [middle, most] = [percentile(frames, 0.5), percentile(frames, 0.95)]
  return `${frames.length} frames, p50 ${middle.toFixed(0)} ms, p95 ${most.toFixed(0)} ms, ${busyMs.toFixed(1)} ms of the page's thread each`
}

async function createFlow(service: Service): Promise<string> {
  const response = await fetch(`${service.url}/api/v1/flows`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: JSON.stringify(wideFlow(NODES))
  })
  if (!response.ok) throw new Error(`the flow was answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}

interface Point {
  readonly x: number
  readonly y: number
}

async function pan(page: Page): Promise<Gesture> {
  return move(page, await find(page, EMPTY_PLACE))
}

async function dragNode(page: Page): Promise<Gesture> {
  return move(page, await find(page, HEAD_OF_A_NODE))
}

async function find(page: Page, where: string): Promise<Point> {
  const point = (await page.evaluate(where)) as Point | null
  if (point === null) throw new Error('the canvas has no place to begin at')
  return point
}

const MOVES = 180
const MOVE_MS = 1000 / 60
const RADIUS = 300

/** With the button held, in circles that end where they began, sixty times a second whether the page follows or not. */
async function move(page: Page, from: Point): Promise<Gesture> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 2, from.y + 2)
  const busyBefore = await busySeconds(session)
  await page.evaluate(COUNT_FRAMES)
  const moves: Promise<void>[] = []
  for (let step = 1; step <= MOVES; step++) {
    const turn = (step / MOVES) * 4 * Math.PI
    moves.push(
      page.mouse.move(from.x + RADIUS * Math.sin(turn), from.y + (RADIUS / 2) * (1 - Math.cos(turn)))
    )
    await wait(MOVE_MS)
  }
  await Promise.all(moves)
  const frames = (await page.evaluate('countedFrames()')) as number[]
  const busyMs = (1000 * ((await busySeconds(session)) - busyBefore)) / frames.length
  await page.mouse.up()
  await session.detach()
  return { frames, busyMs }
}

/** By the processor's clock: what else the machine does is not in it. */
async function busySeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

/** As text: what runs in the page is not of this process, whose types know no document. */
const COUNT_FRAMES = `(() => {
  const took = []
  let last, frame
  const step = (now) => {
    if (last !== undefined) took.push(now - last)
    last = now
    frame = requestAnimationFrame(step)
  }
  frame = requestAnimationFrame(step)
  window.countedFrames = () => {
    cancelAnimationFrame(frame)
    return took
  }
})()`

const EMPTY_PLACE = `(() => {
  const room = document.querySelector('[data-canvas]').getBoundingClientRect()
  for (let y = room.top + room.height / 4; y < room.bottom - 60; y += 4)
    for (let x = room.left + room.width / 2; x < room.right - 60; x += 4)
      if (document.elementFromPoint(x, y)?.classList.contains('react-flow__pane')) return { x, y }
  return null
})()`

/** Of one in the midst, so that it stays in sight. */
const HEAD_OF_A_NODE = `(() => {
  const room = document.querySelector('[data-canvas]').getBoundingClientRect()
  const [midX, midY] = [room.left + room.width / 2, room.top + room.height / 3]
  const far = ({ x, y }) => Math.hypot(x - midX, y - midY)
  const heads = [...document.querySelectorAll('[data-canvas] [data-node]')].map((node) => {
    const box = node.getBoundingClientRect()
    return { x: box.x + Math.min(90, box.width / 2), y: box.y + Math.min(12, box.height / 2) }
  })
  return heads.sort((a, b) => far(a) - far(b))[0] ?? null
})()`
