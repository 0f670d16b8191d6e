import type { Clock } from '../clock.ts'
import type { Catalogue } from '../flows/component/catalogue.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { LiveFlow } from '../library/live-flow.ts'
import type { FlowChange } from '../library/live-flows.ts'
import type { TriggerStore } from '../store/triggers.ts'
import type { Ownership } from './ownership.ts'
import type { TriggerFaults } from './trigger-faults.ts'
import { type TriggerNode, triggerNodesOf } from './trigger-nodes.ts'
import type { Begins, TriggerSource } from './trigger-source.ts'

export interface TriggersDeps {
  readonly library: Pick<FlowLibrary, 'list' | 'subscribe'>
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly store: Pick<TriggerStore, 'list'>
  readonly ownership: Ownership
  readonly sources: readonly TriggerSource[]
  readonly faults: TriggerFaults
  readonly clock: Clock
  readonly onError: (error: unknown, doing: string) => void
}

/** How soon to ask the store again that did not answer. */
const AGAIN_MS = 1_000

/**
 * What starts runs besides requests. It follows the flows: a trigger is live while a version with it is, and its flow is not
 * paused. Among processes that share a store one has all of them.
 */
export class Triggers {
  readonly #deps: TriggersDeps
  /** By flow, those that are to be live. */
  readonly #wanted = new Map<string, readonly TriggerNode[]>()
  /** Flows with triggers, paused ones too: who owns them begins one at once when it goes on. */
  readonly #flows = new Set<string>()
  readonly #ending = new Set<Promise<unknown>>()
  #isActive = false
  #isStopped = false
  #unsubscribe: (() => void) | undefined

  constructor(deps: TriggersDeps) {
    this.#deps = deps
  }

  start(): void {
    const { library, ownership } = this.#deps
    ownership.onChange(() => void this.#ownerChanged())
    for (const flow of library.list()) this.#note(flow, this.#liveIn(flow))
    this.#unsubscribe = library.subscribe((change) => this.#changed(change))
    ownership.want(this.#flows.size > 0)
  }

  /** Resolves when nothing is started any more, and another process may have the triggers. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unsubscribe?.()
    this.#deactivate()
    await Promise.all(this.#ending)
    await this.#deps.faults.settled()
    await this.#deps.ownership.release()
  }

  /** A run has failed in this process. */
  runFailed(): void {
    if (!this.#isActive) return
    for (const source of this.#deps.sources) source.runFailed?.()
  }

  #changed({ kind, flow, before }: FlowChange): void {
    const last = this.#wanted.get(flow.id) ?? []
    const live = kind === 'deleted' ? [] : this.#liveIn(flow)
    // It answers to another name.
    if (last.length > 0 && live.length > 0 && isSame(last[0]!.flow, flow)) return
    this.#note(flow, live)
    if (kind === 'deleted') this.#flows.delete(flow.id)
    if (this.#isActive) this.#replace(flow, before, { last, live })
    this.#weigh()
  }

  #replace(
    flow: LiveFlow,
    before: LiveFlow | undefined,
    { last, live }: Record<'last' | 'live', readonly TriggerNode[]>
  ): void {
    const sources = new Map(live.map((trigger) => [trigger.node.id, this.#sourceOf(trigger)]))
    for (const trigger of last) {
      // Its source ends it by itself when the next one begins.
      if (sources.get(trigger.node.id) === this.#sourceOf(trigger)) continue
      this.#end(trigger, flow.paused === null)
      if (flow.paused === null) this.#deps.faults.keep(flow.id, trigger.node.id, null)
    }
    for (const trigger of live) this.#begin(trigger, this.#beginsFrom(trigger, before))
  }

  /** What came while the trigger was not there, or its flow refused what arrived, does not concern it. */
  #beginsFrom({ node }: TriggerNode, before: LiveFlow | undefined): Begins {
    if (before === undefined || before.paused?.mode === 'refuse') return 'now'
    const was = triggerNodesOf(before, this.#deps.catalogue)
    return was.some((other) => other.node.id === node.id) ? 'where it left off' : 'now'
  }

  #liveIn(flow: LiveFlow): readonly TriggerNode[] {
    return flow.paused === null ? triggerNodesOf(flow, this.#deps.catalogue) : []
  }

  #note(flow: LiveFlow, live: readonly TriggerNode[]): void {
    if (live.length === 0) this.#wanted.delete(flow.id)
    else this.#wanted.set(flow.id, live)
    if (live.length > 0 || triggerNodesOf(flow, this.#deps.catalogue).length > 0) this.#flows.add(flow.id)
    else this.#flows.delete(flow.id)
  }

  /** Let go of only when all have stopped: then another process may begin them at once. */
  #weigh(): void {
    const { ownership } = this.#deps
    if (this.#flows.size > 0) return ownership.want(true)
    void Promise.all(this.#ending).then(() => {
      if (this.#flows.size === 0) ownership.want(false)
    })
  }

  async #ownerChanged(): Promise<void> {
    if (!this.#deps.ownership.isMine) return this.#deactivate()
    // What was stopped here a moment ago must have stopped first.
    await Promise.all(this.#ending)
    for (;;) {
      if (this.#isActive || this.#isStopped || !this.#deps.ownership.isMine) return
      if (await this.#activate()) return
      await this.#deps.clock.after(AGAIN_MS)
    }
  }

  async #activate(): Promise<boolean> {
    const { store, sources, faults, ownership, onError } = this.#deps
    try {
      const stored = await store.list()
      if (this.#isActive || this.#isStopped || !ownership.isMine) return true
      faults.recall(stored)
      for (const source of sources) source.recall?.(stored)
    } catch (error) {
      onError(error, 'reading how far triggers have got')
      return false
    }
    this.#isActive = true
    for (const triggers of this.#wanted.values()) {
      for (const trigger of triggers) this.#begin(trigger, 'where it left off')
    }
    return true
  }

  #deactivate(): void {
    if (!this.#isActive) return
    this.#isActive = false
    for (const triggers of this.#wanted.values()) for (const trigger of triggers) this.#end(trigger)
  }

  #begin(trigger: TriggerNode, from: Begins): void {
    const source = this.#sourceOf(trigger)
    if (source !== undefined) return source.begin(trigger, from)
    const { flow, node, component } = trigger
    const message = `Nothing in this service starts runs of "${component.trigger}". Give the component a start of its own.`
    this.#deps.faults.keep(flow.id, node.id, { message, at: this.#deps.clock.now() })
  }

  #end(trigger: TriggerNode, isRemoved = false): void {
    const { flow, node } = trigger
    const ending = this.#sourceOf(trigger)?.end(flow.id, node.id, isRemoved)
    if (ending === undefined) return
    const noted = ending
      .catch((error) => this.#deps.onError(error, `stopping trigger "${node.id}" of flow ${flow.slug}`))
      .then(() => void this.#ending.delete(noted))
    this.#ending.add(noted)
  }

  #sourceOf(trigger: TriggerNode): TriggerSource | undefined {
    return this.#deps.sources.find((source) => source.takes(trigger))
  }
}

/** For triggers. A pause may have come and gone since somebody last looked. */
function isSame(one: LiveFlow, other: LiveFlow): boolean {
  return one.version === other.version && one.triggersFrom === other.triggersFrom
}
