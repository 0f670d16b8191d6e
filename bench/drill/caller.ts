import { setTimeout as wait } from 'node:timers/promises'
import { API_KEY } from '../service-process.ts'
import { addressIn } from './program.ts'

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
const LONGEST_ANSWER_MS = 20_000
const NEITHER = 'neither taken nor refused'

type Answer = 'taken' | 'over' | typeof NEITHER

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
      const response = await get(`${anyUrl()}/api/v1/runs/${runId}`)
      if (response?.status === 404) return undefined
      const path = response?.ok === true ? addressIn(response.body.steps) : undefined
      if (path !== undefined) return path
      await wait(LOOK_AGAIN_MS)
    }
    return undefined
  }

  async function send(path: string, payload: string): Promise<Answer> {
    try {
      const response = await fetch(anyUrl() + path, {
        method: 'POST',
        body: JSON.stringify({ call: payload }),
        signal: AbortSignal.timeout(LONGEST_ANSWER_MS)
      })
      const text = await response.text()
      if (response.status === 202) return 'taken'
      if (response.status === 410) {
        late++
        return 'over'
      }
      if (response.status !== 503) faults.push(`a call was answered ${response.status} ${text}`)
    } catch {
      // The service died: the call may have been taken, and nobody was told.
    }
    return NEITHER
  }

  async function callUntilAnswered(runId: string, path: string): Promise<void> {
    const unsure: string[] = []
    for (let round = 1; !isStopped; round++) {
      const payloads = Array.from({ length: random() < 0.3 ? 2 : 1 }, (_, at) => `${runId}-${round}-${at}`)
      const answers = await Promise.all(payloads.map((payload) => send(path, payload)))
      const taken = payloads.filter((_, at) => answers[at] === 'taken')
      unsure.push(...payloads.filter((_, at) => answers[at] === NEITHER))
      if (taken.length > 1) faults.push(`run ${runId} took two calls`)
      const isOver = answers.includes('over')
      if (isOver && taken.length + unsure.length === 0)
        faults.push(`run ${runId} was over before it was called`)
      if (taken.length > 0 || isOver) {
        calls.set(runId, { mayBe: taken.length > 0 ? taken : unsure })
        return
      }
      await wait(LOOK_AGAIN_MS)
    }
  }

  async function callAgain(runId: string, path: string): Promise<void> {
    while (!isStopped) {
      const answer = await send(path, `${runId}-again`)
      if (answer === 'taken') faults.push(`run ${runId} took a second call`)
      if (answer !== NEITHER) return
      await wait(LOOK_AGAIN_MS)
    }
  }

  async function perform(runId: string): Promise<void> {
    const pause = random() < 0.5 ? 0 : random() * LONGEST_PAUSE_MS
    const path = await addressOf(runId)
    if (path === undefined) return
    await wait(pause)
    await callUntilAnswered(runId, path)
    if (random() < 0.5) await callAgain(runId, path)
  }

  return {
    take: (runId) => void tasks.set(runId, perform(runId)),
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

async function get(url: string): Promise<{ status: number; ok: boolean; body: SeenRun } | undefined> {
  try {
    const response = await fetch(url, {
      headers: { 'x-api-key': API_KEY },
      signal: AbortSignal.timeout(LONGEST_ANSWER_MS)
    })
    return { status: response.status, ok: response.ok, body: (await response.json()) as SeenRun }
  } catch {
    return undefined
  }
}
