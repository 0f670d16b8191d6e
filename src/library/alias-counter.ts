import type { AliasCaller, AliasCalls, FlowStandingStore } from '../store/flow-standing.ts'

interface AliasCounterDeps {
  readonly store: Pick<FlowStandingStore, 'addAliasCalls'>
  readonly now: () => number
}

/** Between two saves; whoever comes after them is counted without a name. */
const MOST_CALLERS = 50

type Counted = { -readonly [Key in keyof AliasCalls]: AliasCalls[Key] } & {
  readonly byName: Map<string, { -readonly [Key in keyof AliasCaller]: AliasCaller[Key] }>
}

/** Counts requests that come by an alias, in memory: a request must not wait for that to be written. */
export class AliasCounter {
  readonly #deps: AliasCounterDeps
  #counted = new Map<string, Counted>()

  constructor(deps: AliasCounterDeps) {
    this.#deps = deps
  }

  /** `reference` is what the flow was called by; its id and its slug are no alias. */
  add(
    { id, slug }: { readonly id: string; readonly slug: string },
    reference: string,
    caller: Pick<AliasCaller, 'key' | 'address'>
  ): void {
    if (reference === slug || reference === id) return
    const at = this.#deps.now()
    const counted = this.#countedOf(id, reference)
    counted.calls++
    counted.lastCalledAt = at
    const name = JSON.stringify([caller.key, caller.address])
    const known = counted.byName.get(name)
    if (known !== undefined) {
      known.calls++
      known.lastCalledAt = at
    } else if (counted.byName.size < MOST_CALLERS) {
      counted.byName.set(name, { ...caller, calls: 1, lastCalledAt: at })
    }
  }

  /** What could not be written is forgotten: nothing depends on it. */
  async save(): Promise<void> {
    if (this.#counted.size === 0) return
    const counted = [...this.#counted.values()]
    this.#counted = new Map()
    await this.#deps.store.addAliasCalls(
      counted.map(({ byName, ...calls }) => ({ ...calls, callers: [...byName.values()] }))
    )
  }

  #countedOf(flowId: string, slug: string): Counted {
    const name = `${flowId}/${slug}`
    const known = this.#counted.get(name)
    if (known !== undefined) return known
    const counted: Counted = { flowId, slug, calls: 0, lastCalledAt: 0, callers: [], byName: new Map() }
    this.#counted.set(name, counted)
    return counted
  }
}
