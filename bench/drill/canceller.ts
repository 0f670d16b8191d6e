import { setTimeout as wait } from 'node:timers/promises'
import { askService } from './ask-service.ts'

export interface Canceller {
  /** Cancels this run a while later, whatever happens to the service meanwhile. */
  take(runId: string): void
  has(runId: string): boolean
  readonly faults: readonly string[]
  /** Resolves when all of them are cancelled; what has not got anywhere by then is given up. */
  finish(withinMs: number): Promise<void>
}

export interface CancellerOptions {
  readonly urls: readonly string[]
  readonly random: () => number
}

const LOOK_AGAIN_MS = 200
const LONGEST_PAUSE_MS = 1_500

/** Who cancels runs: before they begin, while they do, or while they wait. */
export function startCanceller({ urls, random }: CancellerOptions): Canceller {
  const tasks = new Map<string, Promise<void>>()
  const faults: string[] = []
  let isStopped = false

  async function cancel(runId: string): Promise<void> {
    await wait(random() < 0.3 ? 0 : random() * LONGEST_PAUSE_MS)
    for (let mayBeDone = false; !isStopped; ) {
      const url = urls[Math.floor(random() * urls.length)]!
      const answer = await askService(`${url}/api/v1/runs/${runId}/cancel`, { method: 'POST' })
      if (answer?.status === 200 || (answer?.status === 409 && mayBeDone)) return
      if (answer === undefined) mayBeDone = true
      else if (answer.status !== 503) {
        faults.push(`to cancel run ${runId} was answered ${answer.status} ${answer.text}`)
        return
      }
      await wait(LOOK_AGAIN_MS)
    }
  }

  return {
    take: (runId) => void tasks.set(runId, cancel(runId)),
    has: (runId) => tasks.has(runId),
    faults,
    async finish(withinMs) {
      const timer = setTimeout(() => {
        isStopped = true
      }, withinMs)
      await Promise.all(tasks.values())
      clearTimeout(timer)
    }
  }
}
