import type { RunRef } from '../../store.ts'
import { OrderedNumbers } from './ordered-numbers.ts'

/** Whether a queued run has a row in `queue`: `fresh` has none. */
export type Queued = 'fresh' | 'recorded'

/** The numbers of queued runs, by flow and in the order of acceptance: all of them, in memory. */
export class QueuedNumbers {
  readonly #byFlow = new Map<string, OrderedNumbers>()
  readonly #recorded = new Set<number>()
  readonly #fresh = new OrderedNumbers()
  #count = 0

  get count(): number {
    return this.#count
  }

  has({ seq, flowId }: RunRef): boolean {
    return this.#byFlow.get(flowId)?.has(seq) === true
  }

  /** Undefined where it is not queued, or is a run of another flow. */
  howIs(run: RunRef): Queued | undefined {
    if (!this.has(run)) return undefined
    return this.#recorded.has(run.seq) ? 'recorded' : 'fresh'
  }

  /** The oldest without a row. */
  firstFresh(): number | undefined {
    return this.#fresh.first()
  }

  /** Hot, as `delete`: once per run. One that is queued already is so in this way from here on. */
  add(seq: number, flowId: string, how: Queued): void {
    let ofFlow = this.#byFlow.get(flowId)
    if (ofFlow === undefined) {
      ofFlow = new OrderedNumbers()
      this.#byFlow.set(flowId, ofFlow)
    }
    if (ofFlow.has(seq)) this.#forget(seq)
    else {
      ofFlow.add(seq)
      this.#count++
    }
    if (how === 'fresh') this.#fresh.add(seq)
    else this.#recorded.add(seq)
  }

  delete(seq: number, flowId: string): void {
    const ofFlow = this.#byFlow.get(flowId)
    if (ofFlow?.delete(seq) !== true) return
    this.#forget(seq)
    this.#count--
    if (ofFlow.size === 0) this.#byFlow.delete(flowId)
  }

  #forget(seq: number): void {
    if (!this.#fresh.delete(seq)) this.#recorded.delete(seq)
  }

  counts(): Map<string, number> {
    return new Map(this.#byFlow.entries().map(([flowId, seqs]) => [flowId, seqs.size]))
  }

  /** Of a flow, oldest first, after this number. */
  after(flowId: string, number: number, limit: number): number[] {
    return this.#byFlow.get(flowId)?.after(number, limit) ?? []
  }

  /** Of all flows, newest first. */
  below(number: number): number[] {
    const all = [...this.#fresh.after(0, Number.POSITIVE_INFINITY), ...this.#recorded]
    return all.filter((seq) => seq < number).sort((a, b) => b - a)
  }

  flowOf(seq: number): string {
    for (const [flowId, seqs] of this.#byFlow) if (seqs.has(seq)) return flowId
    throw new Error(`the open run ${seq} belongs to no flow`)
  }
}
