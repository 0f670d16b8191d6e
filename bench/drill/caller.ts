import { setTimeout as wait } from 'node:timers/promises'
import { askService } from './ask-service.ts'
import { addressIn } from './program.ts'
import { type Receipt, sendOnce } from './send-once.ts'

/** What is known of the call that a run took. */
export interface TakenCall {
  /** One of these, and the only one where its answer has come. */
  readonly mayBe: readonly string[]
}

export interface Caller {
  /** Calls this run as soon as it has given out its address, whatever happens to the service meanwhile. */
  take(runId: string): void
  has(runId: string): boolean
  callOf(runId: string): TakenCall | undefined
  readonly faults: readonly string[]
  /** Calls that were answered 410, as they had to be. */
  readonly late: number
  /** Resolves when every call is answered; what has not got anywhere by then is given up. */
  finish(withinMs: number): Promise<void>
}

export interface CallerOptions {
  readonly urls: readonly string[]
  readonly random: () => number
}

const LOOK_AGAIN_MS = 200
const LONGEST_PAUSE_MS = 2_500

/**
 * Whom runs of the program wait for. It calls before the run waits or after, once, or twice at the same moment, and sometimes
 * again: one call is taken, and every other one is told that it is over.
 */
export function startCaller({ urls, random }: CallerOptions): Caller {
  const calls = new Map<string, TakenCall>()
  const tasks = new Map<string, Promise<void>>()
  const faults: string[] = []
  let late = 0
  let isStopped = false

  const anyUrl = () => urls[Math.floor(random() * urls.length)]!

  async function addressOf(runId: string): Promise<string | undefined> {
    while (!isStopped) {
      const answer = await askService(`${anyUrl()}/api/v1/runs/${runId}`)
      if (answer?.status === 404) return undefined
      const path = answer?.status === 200 ? addressIn((JSON.parse(answer.text) as SeenRun).steps) : undefined
      if (path !== undefined) return path
      await wait(LOOK_AGAIN_MS)
    }
    return undefined
  }

  async function send(path: string, payload: string): Promise<Receipt> {
    const answer = await askService(anyUrl() + path, { method: 'POST', body: { call: payload } })
    if (answer?.status === 202) return 'taken'
    if (answer?.status === 410) {
      late++
      return 'over'
    }
    if (answer !== undefined && answer.status !== 503)
      faults.push(`a call was answered ${answer.status} ${answer.text}`)
    return 'unknown'
  }

  async function callAgain(runId: string, path: string): Promise<void> {
    while (!isStopped) {
      const answer = await send(path, `${runId}-again`)
      if (answer === 'taken') faults.push(`run ${runId} took a second call`)
      if (answer !== 'unknown') return
      await wait(LOOK_AGAIN_MS)
    }
  }

  async function execute(runId: string): Promise<void> {
    const pause = random() < 0.5 ? 0 : random() * LONGEST_PAUSE_MS
    const path = await addressOf(runId)
    if (path === undefined) return
    await wait(pause)
    const options = { to: runId, random, isStopped: () => isStopped, faults }
    const mayBe = await sendOnce({ ...options, send: (payload) => send(path, payload) })
    calls.set(runId, { mayBe })
    if (random() < 0.5) await callAgain(runId, path)
  }

  return {
    take: (runId) => void tasks.set(runId, execute(runId)),
    has: (runId) => tasks.has(runId),
    callOf: (runId) => calls.get(runId),
    faults,
    get late() {
      return late
    },
    async finish(withinMs) {
      const timer = setTimeout(() => {
        isStopped = true
      }, withinMs)
      await Promise.all(tasks.values())
      clearTimeout(timer)
    }
  }
}

interface SeenRun {
  readonly steps: Parameters<typeof addressIn>[0]
}
