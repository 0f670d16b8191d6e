import type { Clock } from '../../clock.ts'
import { StepError } from '../../engine/step-error.ts'
import { messageOf } from '../../errors.ts'

/** Gives out moments at which one request may be sent, all processes together. */
export interface PaceSlots {
  /** Milliseconds until the first of so many moments, each `everyMs` after the one before. */
  reserve(pace: string, everyMs: number, wanted: number): number | Promise<number>
}

interface Waiting {
  go(): void
  fail(error: unknown): void
}

interface Line {
  everyMs: number
  readonly waiting: Waiting[]
  /** Ends the wait for the next moment. */
  wake: () => void
}

/** So long ahead moments are taken: those of steps that are cancelled come to nothing, and nobody is to wait for many of them. */
const AHEAD_MS = 1_000

interface PacesDeps {
  readonly slots: PaceSlots
  readonly clock: Pick<Clock, 'startTimer'>
}

/**
 * Lets requests of a connection with a rate go one by one, first come, first served in each process. Where the moments are shared
 * with other processes they are asked for a second's worth at a time, and only while somebody waits.
 */
export class ConnectionPaces {
  readonly #deps: PacesDeps
  readonly #lines = new Map<string, Line>()

  constructor(deps: PacesDeps) {
    this.#deps = deps
  }

  /** Resolves when one request may be sent; rejects as soon as nobody wants it any more. */
  turn(connectionId: string, rate: number, signal: AbortSignal): Promise<void> {
    const everyMs = 1000 / rate
    const known = this.#lines.get(connectionId)
    const line = known ?? { everyMs, waiting: [], wake: () => {} }
    const turn = wait(line, signal)
    if (known === undefined) {
      this.#lines.set(connectionId, line)
      void this.#serve(connectionId, line)
    } else if (known.everyMs !== everyMs) {
      // Somebody has corrected it: all go by it, also those that came before.
      known.everyMs = everyMs
      known.wake()
    }
    return turn
  }

  async #serve(id: string, line: Line): Promise<void> {
    const { waiting } = line
    try {
      while (waiting.length > 0) await this.#serveNext(id, line)
      this.#lines.delete(id)
    } catch (error) {
      this.#lines.delete(id)
      for (const each of waiting.splice(0)) each.fail(unknownRate(error))
    }
  }

  async #serveNext(id: string, line: Line): Promise<void> {
    const { everyMs, waiting } = line
    const wanted = Math.min(waiting.length, Math.max(1, Math.floor(AHEAD_MS / everyMs)))
    // The moments of another rate are others: one a quarter of an hour away is nothing to wait for when the rate was corrected.
    const untilFirst = await this.#deps.slots.reserve(`${id}/${everyMs}`, everyMs, wanted)
    for (let sent = 0; sent < wanted && waiting.length > 0; sent++) {
      await this.#after(sent === 0 ? untilFirst : everyMs, line)
      if (line.everyMs !== everyMs) return
      waiting.shift()?.go()
    }
  }

  #after(ms: number, line: Line): Promise<void> | undefined {
    if (ms <= 0) return undefined
    return new Promise((resolve) => {
      const timer = this.#deps.clock.startTimer(ms, resolve)
      line.wake = () => {
        timer.stop()
        resolve()
      }
    })
  }
}

/** In the order of arrival; one that is given up leaves the line. */
function wait({ waiting }: Line, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const leave = () => {
      waiting.splice(waiting.indexOf(one), 1)
      reject(signal.reason)
    }
    const one: Waiting = {
      go: () => {
        signal.removeEventListener('abort', leave)
        resolve()
      },
      fail: (error) => {
        signal.removeEventListener('abort', leave)
        reject(error)
      }
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(one)
  })
}

function unknownRate(error: unknown): StepError {
  return new StepError(
    `Nobody could tell when the connection may be used next, since the database did not answer: ${messageOf(error)}`,
    { code: 'rate_unavailable' }
  )
}

/** For a process that has the connections to itself. */
export class OwnSlots implements PaceSlots {
  readonly #stopwatch: () => number
  readonly #nextAt = new Map<string, number>()

  constructor(stopwatch: () => number) {
    this.#stopwatch = stopwatch
  }

  reserve(pace: string, everyMs: number, wanted: number): number {
    const now = this.#stopwatch()
    const at = Math.max(now, this.#nextAt.get(pace) ?? 0)
    this.#nextAt.set(pace, at + everyMs * wanted)
    return at - now
  }
}
