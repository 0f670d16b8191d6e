import { flowNotFound } from '../../library/flow-refusals.ts'
import type { FlowBinStore } from '../../store/flow-standing.ts'
import type { FlowStore, RunStore } from '../../store/store.ts'
import type { Runs } from '../runs.ts'

interface FlowBinDeps {
  readonly flows: FlowBinStore & Pick<FlowStore, 'removed'>
  readonly store: Pick<RunStore, 'list' | 'openOf'>
  readonly runs: Pick<Runs, 'get' | 'cancel'>
}

/** Deleted flows can be brought back for so long. */
export const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000

const PAGE = 500

/** The deleted flows, and how they go for good. */
export class FlowBin {
  readonly #deps: FlowBinDeps

  constructor(deps: FlowBinDeps) {
    this.#deps = deps
  }

  list: FlowBinStore['bin'] = (question) => this.#deps.flows.bin(question)

  /** Deletes a deleted flow for good. Runs of it that have not ended, such as those that are held, are cancelled first. */
  async purge(id: string): Promise<void> {
    await this.#cancelRuns(id)
    if (!(await this.#deps.flows.purge(id))) throw flowNotFound()
  }

  /** Those that were deleted before this moment, so many at the most; resolves to how many went. */
  async purgeBefore(at: number, most: number): Promise<number> {
    const ids = await this.#deps.flows.removedBefore(at, most)
    for (const id of ids) await this.purge(id)
    return ids.length
  }

  async #cancelRuns(flowId: string): Promise<void> {
    const { store } = this.#deps
    // Somebody may bring it back meanwhile: what it then starts is not to be cancelled.
    while (await this.#isDeleted(flowId)) {
      const page = await store.list({ flowIds: [flowId], status: 'open', limit: PAGE })
      await this.#cancelAll(page.runs)
      if (page.next === null) break
    }
    // Then those that runs of other flows started; what the ones above had started ends with them, or here.
    while (await this.#isDeleted(flowId)) {
      const open = await store.openOf(flowId, PAGE)
      if (open.length === 0) return
      await this.#cancelAll(open)
    }
  }

  async #isDeleted(flowId: string): Promise<boolean> {
    return (await this.#deps.flows.removed(flowId)) !== undefined
  }

  async #cancelAll(open: readonly { readonly id: string }[]): Promise<void> {
    const { runs } = this.#deps
    await Promise.all(open.map(async ({ id }) => this.#unlessEnded(runs.cancel(await runs.get(id)))))
  }

  async #unlessEnded(cancelling: Promise<void>): Promise<void> {
    await cancelling.catch((error) => {
      if (error.code !== 'run_already_ended') throw error
    })
  }
}
