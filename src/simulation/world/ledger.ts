import { type Outside, type OutsideCall, refusedOutside } from '../life/outside-components.ts'
import type { Owner, Scheduler } from './scheduler.ts'

/** What the outside has seen of one attempt at a step. */
export interface Effect extends Omit<OutsideCall, 'signal'> {
  readonly no: number
  /** The number of the process that began it. */
  readonly process: number
  readonly beganAt: number
  /** `aborted`: nobody waits for it any more. `lost`: its process died. */
  state: 'begun' | 'done' | 'refused' | 'aborted' | 'lost'
  endedAt: number | null
}

interface LedgerOptions {
  readonly scheduler: Scheduler
  /** Called before the effect is counted among those that have begun. */
  readonly onBegin: (effect: Effect, ledger: Ledger) => void
}

/** Everything that steps have done outside, in order: the outside forgets nothing. */
export class Ledger {
  readonly #options: LedgerOptions
  readonly effects: Effect[] = []
  readonly #byKey = new Map<string, Effect[]>()
  readonly #byRun = new Map<string, Effect[]>()
  readonly underWay = new Set<Effect>()

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  ofKey(key: string): readonly Effect[] {
    return this.#byKey.get(key) ?? []
  }

  ofRun(runId: string): readonly Effect[] {
    return this.#byRun.get(runId) ?? []
  }

  /** The process is dead: what it had begun may have been done or not, and nobody hears of it. */
  died(process: number): void {
    for (const effect of this.underWay) {
      if (effect.process !== process) continue
      effect.state = 'lost'
      this.underWay.delete(effect)
    }
  }

  /** The outside as one process sees it. */
  outsideOf(owner: Owner, process: number): Outside {
    return { execute: (call) => this.#execute(call, owner, process) }
  }

  #execute({ signal, ...call }: OutsideCall, owner: Owner, process: number): Promise<void> {
    const { scheduler, onBegin } = this.#options
    const effect: Effect = {
      ...call,
      no: this.effects.length,
      process,
      beganAt: scheduler.now,
      state: 'begun',
      endedAt: null
    }
    scheduler.note(`begin ${call.label} of ${call.runId} attempt ${call.attempt}`)
    onBegin(effect, this)
    this.effects.push(effect)
    this.underWay.add(effect)
    const before = this.ofKey(call.key)
    this.#byKey.set(call.key, [...before, effect])
    this.#byRun.set(call.runId, [...this.ofRun(call.runId), effect])
    const refusals = before.filter(({ state }) => state === 'refused').length
    return new Promise((resolve, reject) => {
      const settle = (state: Effect['state'], then: () => void) => {
        if (!this.underWay.delete(effect)) return
        effect.state = state
        effect.endedAt = scheduler.now
        then()
      }
      signal.addEventListener('abort', () => settle('aborted', () => reject(signal.reason)), { once: true })
      if (signal.aborted) return settle('aborted', () => reject(signal.reason))
      if (call.mode === 'never') return
      const isRefused = call.mode === 'fail' || (call.mode === 'flaky' && refusals < call.fails)
      scheduler.add(call.ms, `answer ${call.label} of ${call.runId}`, owner, () => {
        if (isRefused) settle('refused', () => reject(refusedOutside(call.mode === 'flaky')))
        else settle('done', resolve)
      })
    })
  }
}
