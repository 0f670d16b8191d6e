import { keyOf } from '../trigger-marks.ts'
import type { TriggerNode } from '../trigger-nodes.ts'
import type { Begins, TriggerSource } from '../trigger-source.ts'
import { type WatchDeps, WatchLife } from './watch-life.ts'

/** Answers are read whole: so many watches look at the same time. */
const MOST_AT_ONCE = 20

/** Starts a run for each new item of the feeds and lists that flows watch. */
export class Watches implements TriggerSource {
  readonly #deps: WatchDeps
  /** By flow and node; the next version of a watch waits for the end of the one before. */
  readonly #lives = new Map<string, Promise<WatchLife>>()
  readonly #waiting: (() => void)[] = []
  #looking = 0

  constructor(deps: WatchDeps) {
    this.#deps = { ...deps, look: (...args) => this.#inLine(() => deps.look(...args)) }
  }

  takes({ component }: TriggerNode): boolean {
    return component.trigger === 'watch'
  }

  begin(trigger: TriggerNode, from: Begins): void {
    const key = keyOf(trigger.flow.id, trigger.node.id)
    const before = this.#lives.get(key)
    this.#lives.set(key, this.#after(before, trigger, from))
  }

  async #after(
    before: Promise<WatchLife> | undefined,
    trigger: TriggerNode,
    from: Begins
  ): Promise<WatchLife> {
    const last = await before
    await last?.end()
    return new WatchLife(this.#deps, trigger, from === 'now' || last?.skipsMissed === true)
  }

  async end(flowId: string, node: string, isRemoved = false): Promise<void> {
    const key = keyOf(flowId, node)
    const life = this.#lives.get(key)
    if (life === undefined) return
    const ended = this.#ended(life, isRemoved)
    // One that begins meanwhile waits for that, too.
    this.#lives.set(key, ended)
    await ended
    if (this.#lives.get(key) === ended) this.#lives.delete(key)
  }

  /** Whoever puts it back may not know that it was gone: that is noted where it goes. */
  async #ended(last: Promise<WatchLife>, isRemoved: boolean): Promise<WatchLife> {
    const life = await last
    await life.end()
    // Where the store is away, or another process has the triggers now, what comes meanwhile counts.
    if (isRemoved) await life.noteSkips().catch(() => {})
    return life
  }

  async #inLine<T>(look: () => Promise<T>): Promise<T> {
    if (this.#looking < MOST_AT_ONCE) this.#looking += 1
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    try {
      return await look()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#looking -= 1
      else next()
    }
  }
}
