import type { Clock } from '../clock.ts'
import { StepError } from '../engine/step-error.ts'
import type { StopTrigger } from '../flows/component/trigger.ts'

/** One start of a trigger. */
export interface Attempt {
  /** Aborted when it is to stop. */
  readonly signal: AbortSignal
  /** It works no longer. */
  readonly failed: (error: unknown) => void
}

interface TriggerLifeDeps {
  readonly clock: Clock
  // biome-ignore lint/suspicious/noConfusingVoidType: what starts it may return nothing
  readonly start: (attempt: Attempt) => Promise<StopTrigger | void>
  /** It does not work; null when it does. */
  readonly onFault: (error: unknown | null) => void
  readonly onError: (error: unknown, doing: string) => void
  /** For messages. */
  readonly name: string
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 5 * 60_000
/** What has worked for so long begins with a short wait again when it breaks. */
const STEADY_MS = 60_000
/** A trigger that does not stop must hold up neither its next version nor the stop of the service. */
const STOP_WITHIN_MS = 5_000

/** A trigger from its start to its stop: started again, later and later, for as long as it fails. */
export class TriggerLife {
  readonly #deps: TriggerLifeDeps
  #hasEnded = false
  /** Wakes whatever the life waits for. */
  #wake = () => {}
  readonly #lived: Promise<void>
  #attempt = new AbortController()

  constructor(deps: TriggerLifeDeps) {
    this.#deps = deps
    this.#lived = this.#live()
  }

  /** Resolves when it has stopped, or has had time enough to. */
  async end(): Promise<void> {
    this.#hasEnded = true
    this.#attempt.abort(stopped())
    this.#wake()
    const { clock, onError, name } = this.#deps
    const inTime = await Promise.race([
      this.#lived.then(() => true),
      clock.after(STOP_WITHIN_MS).then(() => false)
    ])
    if (!inTime)
      onError(new Error(`it has not stopped within ${STOP_WITHIN_MS / 1000} s`), `stopping ${name}`)
  }

  async #live(): Promise<void> {
    const { clock, onFault } = this.#deps
    let failures = 0
    while (!this.#hasEnded) {
      const startedAt = clock.stopwatch()
      const error = await this.#once()
      if (this.#hasEnded) return
      failures = clock.stopwatch() - startedAt > STEADY_MS ? 1 : failures + 1
      onFault(error)
      await this.#wait(waitAfter(failures, clock.random()))
    }
  }

  /** Starts it, and resolves when it has been stopped: to why, where it broke. */
  async #once(): Promise<unknown> {
    const attempt = new AbortController()
    const over = Promise.withResolvers<unknown>()
    this.#attempt = attempt
    this.#wake = () => over.resolve(undefined)
    try {
      const failed = (error: unknown) => over.resolve(error ?? new Error('it has failed'))
      const stop = await this.#deps.start({ signal: attempt.signal, failed })
      if (!this.#hasEnded) this.#deps.onFault(null)
      const error = await over.promise
      attempt.abort(stopped())
      await this.#stop(stop ?? undefined)
      return error
    } catch (error) {
      attempt.abort(stopped())
      return error
    }
  }

  async #stop(stop: StopTrigger | undefined): Promise<void> {
    const { clock, onError, name } = this.#deps
    const stopping = Promise.resolve()
      .then(stop)
      .catch((error) => onError(error, `stopping ${name}`))
    await Promise.race([stopping, clock.after(STOP_WITHIN_MS)])
  }

  async #wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#deps.clock.startTimer(ms, resolve)
      this.#wake = () => {
        timer.stop()
        resolve()
      }
    })
  }
}

/** It doubles with each failure; two services that lost the same thing do not come back in step. */
export function waitAfter(failures: number, random: number): number {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
  return wait * (0.75 + random / 2)
}

function stopped(): StepError {
  return new StepError('The trigger was stopped.', { code: 'trigger_stopped', retryable: false })
}
