import { mergeCallers } from '../store/alias-callers.ts'
import type { Alias, AliasCalls, BinQuestion, Pause, RemovedFlow } from '../store/flow-standing.ts'
import { factsOf } from '../store/rows/flow-row.ts'
import type { FlowNews } from '../store/shared-store.ts'
import type {
  CreatedAll,
  FlowSave,
  FlowStore,
  NewFlow,
  NewFlowWithDraft,
  SaveResult,
  StoredFlow,
  Undeletion
} from '../store/store.ts'
import type { FlowVersion, VersionQuestion } from '../store/versions.ts'

interface KeptFlow {
  live: StoredFlow | undefined
  removed?: StoredFlow | undefined
  removedAt?: number
  aliases: Alias[]
  readonly versions: FlowVersion[]
  revision: number
}

/** A FlowStore in memory that keeps the contract of store.ts: transitions compare before they set. */
export class MemoryFlowStore implements FlowStore {
  readonly #flows = new Map<string, KeptFlow>()
  #revision = 0

  async live(): Promise<StoredFlow[]> {
    return [...this.#flows.values()].flatMap(({ live }) => live ?? [])
  }

  async create(flow: NewFlow): Promise<SaveResult> {
    if (this.#isTaken(flow.slug, flow.id) || this.#isHeld(flow)) return { won: false, because: 'slug_taken' }
    const { facts, mayTake: _, ...stored } = flow
    const live = {
      ...stored,
      version: 1,
      updatedAt: flow.createdAt,
      paused: null,
      triggersFrom: null,
      origin: facts?.origin ?? null,
      aliases: []
    }
    const { document, createdAt } = flow
    const versions = [{ version: 1, document, createdAt, ...factsOf(facts) }]
    this.#flows.set(flow.id, { live, versions, aliases: [], revision: ++this.#revision })
    return { won: true, flow: live }
  }

  /** Drafts are none of its business. */
  async createAll(flows: readonly NewFlowWithDraft[]): Promise<CreatedAll> {
    if (flows.some((flow) => this.#isTaken(flow.slug, flow.id) || this.#isHeld(flow)))
      return { won: false, because: 'slug_taken' }
    const created = await Promise.all(
      flows.map(({ draft: _draft, author: _author, ...flow }) => this.create(flow))
    )
    return { won: true, flows: created.flatMap((result) => (result.won ? [result.flow] : [])) }
  }

  async save(save: FlowSave): Promise<SaveResult> {
    const kept = this.#flows.get(save.id)
    if (kept?.live === undefined) return { won: false, because: 'gone' }
    if (kept.live.version !== save.baseVersion) return { won: false, because: 'stale' }
    const isNew = save.slug !== kept.live.slug
    if (this.#isTaken(save.slug, save.id) || (isNew && this.#isHeld(save)))
      return { won: false, because: 'slug_taken' }
    const { slug, context, document, at } = save
    const version = save.baseVersion + 1
    const former = kept.live.slug
    if (slug !== former) kept.aliases = kept.aliases.filter((alias) => alias.slug !== slug)
    if (slug !== former && save.keepsSlug) {
      kept.aliases.push({ slug: former, since: at, calls: 0, lastCalledAt: null, callers: '[]' })
    }
    const aliases = kept.aliases.map((alias) => alias.slug)
    const origin = save.facts?.origin ?? null
    kept.live = { ...kept.live, slug, context, document, version, updatedAt: at, origin, aliases }
    kept.versions.unshift({ version, document, createdAt: at, ...factsOf(save.facts) })
    kept.revision = ++this.#revision
    return { won: true, flow: kept.live }
  }

  async remove(id: string, at: number): Promise<boolean> {
    const kept = this.#flows.get(id)
    if (kept?.live === undefined) return false
    kept.removed = kept.live
    kept.removedAt = at
    kept.live = undefined
    kept.revision = ++this.#revision
    return true
  }

  async removed(id: string): Promise<StoredFlow | undefined> {
    return this.#flows.get(id)?.removed
  }

  async undelete(id: string, { at }: Undeletion): Promise<SaveResult> {
    const kept = this.#flows.get(id)
    if (kept === undefined) return { won: false, because: 'gone' }
    if (kept.removed === undefined) return { won: false, because: 'stale' }
    if (this.#isTaken(kept.removed.slug, id)) return { won: false, because: 'slug_taken' }
    kept.aliases = kept.aliases.filter((alias) => !this.#isTaken(alias.slug, id))
    const flow = { ...kept.removed, triggersFrom: at, aliases: kept.aliases.map((alias) => alias.slug) }
    kept.live = flow
    kept.removed = undefined
    kept.revision = ++this.#revision
    return { won: true, flow }
  }

  async setPaused(id: string, paused: Pause | null, at: number): Promise<StoredFlow | undefined> {
    const kept = this.#flows.get(id)
    if (kept?.live === undefined) return undefined
    const triggersFrom = kept.live.paused?.mode === 'refuse' ? at : kept.live.triggersFrom
    kept.live = { ...kept.live, paused, triggersFrom }
    kept.revision = ++this.#revision
    return kept.live
  }

  async pauseQueued(): Promise<void> {}

  async bin({ limit }: BinQuestion): Promise<RemovedFlow[]> {
    const removed = [...this.#flows.values()].flatMap((kept) =>
      kept.removed === undefined ? [] : [{ ...kept.removed, deletedAt: kept.removedAt!, deletedBy: null }]
    )
    return removed.sort((a, b) => b.deletedAt - a.deletedAt).slice(0, limit)
  }

  async removedBefore(at: number, limit: number): Promise<string[]> {
    const bin = await this.bin({ limit: Number.POSITIVE_INFINITY })
    return bin.flatMap(({ id, deletedAt }) => (deletedAt < at ? [id] : [])).slice(0, limit)
  }

  async purge(id: string): Promise<boolean> {
    const kept = this.#flows.get(id)
    if (kept?.removed === undefined) return false
    this.#flows.delete(id)
    return true
  }

  async removeAlias(id: string, slug: string): Promise<StoredFlow | undefined> {
    const kept = this.#flows.get(id)
    if (kept?.live === undefined || !kept.live.aliases.includes(slug)) return undefined
    kept.aliases = kept.aliases.filter((alias) => alias.slug !== slug)
    kept.live = { ...kept.live, aliases: kept.aliases.map((alias) => alias.slug) }
    kept.revision = ++this.#revision
    return kept.live
  }

  async aliases(id: string): Promise<Alias[]> {
    return [...(this.#flows.get(id)?.aliases ?? [])]
  }

  async addAliasCalls(calls: readonly AliasCalls[]): Promise<void> {
    for (const { flowId, slug, calls: more, lastCalledAt, callers } of calls) {
      const kept = this.#flows.get(flowId)
      if (kept === undefined) continue
      kept.aliases = kept.aliases.map((alias) =>
        alias.slug === slug
          ? {
              ...alias,
              calls: alias.calls + more,
              lastCalledAt,
              callers: mergeCallers(alias.callers, callers)
            }
          : alias
      )
    }
  }

  async versions(id: string, { limit }: VersionQuestion): ReturnType<FlowStore['versions']> {
    return { versions: this.#flows.get(id)?.versions.slice(0, limit) ?? [], next: null }
  }

  async version(id: string, version: number): Promise<FlowVersion | undefined> {
    return this.#flows.get(id)?.versions.find((kept) => kept.version === version)
  }

  /** As SharedLibrary.flowsSince does it: flows as they are now, of those that have changed since. */
  async flowsSince(revision: number): Promise<FlowNews> {
    const changed = [...this.#flows].filter(([, kept]) => kept.revision > revision)
    changed.sort(([, one], [, other]) => one.revision - other.revision)
    return {
      revision: this.#revision,
      live: changed.flatMap(([, { live }]) => live ?? []),
      removed: changed.filter(([, { live }]) => live === undefined).map(([id]) => id)
    }
  }

  /** By a deleted flow, against whoever may not have its slug. */
  #isHeld({ id: by, slug, mayTake }: Pick<NewFlow, 'id' | 'slug' | 'mayTake'>): boolean {
    return [...this.#flows].some(
      ([id, { removed }]) =>
        id !== by &&
        removed !== undefined &&
        [removed.slug, ...removed.aliases].includes(slug) &&
        mayTake?.(removed) === false
    )
  }

  #isTaken(slug: string, by: string): boolean {
    const owns = ({ live }: KeptFlow) => live?.slug === slug || live?.aliases.includes(slug)
    return [...this.#flows.entries()].some(([id, kept]) => id !== by && owns(kept))
  }
}
