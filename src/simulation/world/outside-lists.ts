import { StepError } from '../../engine/step-error.ts'
import type { WatchDeps } from '../../triggers/watch/watch-life.ts'
import { type FlowSpec, VALUES } from '../life/flow-spec.ts'
import type { Owner, Scheduler } from './scheduler.ts'

const SLUG = /^flow-(\d+)$/
const TAKES_MS = 20

interface Looked {
  readonly flow: number
  readonly beganAt: number
}

/** The lists that flows watch, as they are at each moment, and who has looked at them. */
export class OutsideLists {
  readonly #flows: readonly FlowSpec[]
  readonly #scheduler: Scheduler
  /** Those that were answered, in order. */
  readonly looks: Looked[] = []

  constructor(flows: readonly FlowSpec[], scheduler: Scheduler) {
    this.#flows = flows
    this.#scheduler = scheduler
  }

  /** As one process sees them. */
  lookOf(owner: Owner): WatchDeps['look'] {
    return ({ flow: { slug } }, signal) =>
      new Promise((resolve, reject) => {
        const flow = Number(SLUG.exec(slug)?.[1])
        const beganAt = this.#scheduler.now
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        if (signal.aborted) return reject(signal.reason)
        this.#scheduler.add(TAKES_MS, `answer of the list of ${slug}`, owner, () => {
          if (signal.aborted) return
          const { away = [] } = this.#flows[flow]?.list ?? {}
          const isAway = away.some(([from, to]) => beganAt >= from && beganAt < to)
          if (isAway) return reject(new StepError('Nobody answers.', { code: 'list_away', retryable: true }))
          this.looks.push({ flow, beganAt })
          resolve(this.#itemsOf(flow))
        })
      })
  }

  #itemsOf(flow: number) {
    const { comeAt = [], staysMs = null } = this.#flows[flow]?.list ?? {}
    const { now } = this.#scheduler
    const isThere = (at: number) => at <= now && (staysMs === null || now < at + staysMs)
    return [...comeAt.entries()]
      .filter(([, at]) => isThere(at))
      .map(([id]) => ({ id: String(id).padStart(16, '0'), item: { id, v: id % VALUES } }))
  }
}
