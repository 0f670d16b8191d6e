import type { Circuit } from '../flows/step/step-circuit.ts'
import { type CircuitCaller, type CircuitNews, CircuitState } from './circuit.ts'

interface CircuitsDeps {
  readonly clock: { now(): number; random(): number }
  /** A destination went down, or answers again: told once each. */
  readonly onNews: (
    news: CircuitNews,
    destination: { readonly context: string; readonly name: string }
  ) => void
}

/** More are not kept: those that nobody calls go first. */
const MOST = 10_000

/** For somebody who tries one call out: it is made, and says nothing of what others do. */
export const NO_CIRCUITS: Pick<Circuits, 'of'> = { of: () => ({ call: (work) => work() }) }

/** What is known of the destinations that steps call, by context and name. */
export class Circuits {
  readonly #deps: CircuitsDeps
  readonly #states = new Map<string, CircuitState>()

  constructor(deps: CircuitsDeps) {
    this.#deps = deps
  }

  /** How many destinations are down. */
  get down(): number {
    return this.#states.values().reduce((count, { isDown }) => count + Number(isDown), 0)
  }

  /** As a step has it: it waits no longer than the step lasts. */
  of(context: string, name: string, caller: CircuitCaller): Circuit {
    const key = `${context} ${name}`
    const state = this.#states.get(key) ?? this.#made(context, name)
    // The one that was asked for last is the last to go.
    this.#states.delete(key)
    this.#states.set(key, state)
    if (this.#states.size > MOST) this.#forgetOne()
    return state.for(caller)
  }

  #made(context: string, name: string): CircuitState {
    const { clock, onNews } = this.#deps
    return new CircuitState(name, {
      now: () => clock.now(),
      random: () => clock.random(),
      tell: (news) => onNews(news, { context, name })
    })
  }

  #forgetOne(): void {
    const idle = this.#states.entries().find(([, { isIdle }]) => isIdle)
    if (idle !== undefined) this.#states.delete(idle[0])
  }
}
