import type { FlowLibrary } from '../../library/flow-library.ts'
import type { FlowChange } from '../../library/live-flows.ts'
import { webhookEntry } from '../../library/webhook-entry.ts'

interface FlowLimitsDeps {
  readonly library: Pick<FlowLibrary, 'find' | 'removed' | 'surroundings' | 'subscribe'>
  /** More runs of a flow may begin than could before. */
  readonly onMore: () => void
  readonly onError: (error: unknown, doing: string) => void
}

const NO_LIMIT = Number.POSITIVE_INFINITY

/**
 * How many runs of a flow may go on at the same time. A flow that is deleted takes no requests; the runs that it has accepted are still
 * executed, and what they go to stands as much load as before.
 */
export class FlowLimits {
  readonly #deps: FlowLimitsDeps
  /** Of deleted flows, as they were last. */
  readonly #ofRemoved = new Map<string, number>()
  readonly #asking = new Set<string>()

  constructor(deps: FlowLimitsDeps) {
    this.#deps = deps
    deps.library.subscribe((change) => this.#flowChanged(change))
  }

  of(flowId: string): number {
    const live = this.#deps.library.find(flowId)
    const limit = live === undefined ? this.#ofRemoved.get(flowId) : (live.webhook?.concurrency ?? 0)
    if (limit !== undefined) return limit || NO_LIMIT
    this.#ask(flowId)
    // No limit is lower. The end of the one run asks again, should the store not have answered.
    return 1
  }

  #flowChanged({ kind, flow }: FlowChange): void {
    if (kind === 'deleted') this.#ofRemoved.set(flow.id, flow.webhook?.concurrency ?? 0)
    else this.#ofRemoved.delete(flow.id)
  }

  #ask(flowId: string): void {
    if (this.#asking.has(flowId)) return
    const { onMore, onError } = this.#deps
    this.#asking.add(flowId)
    this.#read(flowId)
      .then((limit) => {
        this.#ofRemoved.set(flowId, limit)
        if (limit !== 1) onMore()
      })
      .catch((error) => onError(error, 'reading the limit of a deleted flow'))
      .finally(() => this.#asking.delete(flowId))
  }

  /** One that is gone for good has none: its runs were cancelled with it. */
  async #read(flowId: string): Promise<number> {
    const { library } = this.#deps
    const removed = await library.removed(flowId)
    if (removed === undefined) return 0
    const { catalogue, defaults } = library.surroundings
    return webhookEntry(JSON.parse(removed.document), catalogue, defaults)?.concurrency ?? 0
  }
}
