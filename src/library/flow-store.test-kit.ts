import type { FlowSave, FlowStore, FlowVersion, NewFlow, SaveResult, StoredFlow } from '../store/store.ts'

interface KeptFlow {
  live: StoredFlow | undefined
  removed?: StoredFlow | undefined
  readonly versions: FlowVersion[]
}

/** A FlowStore in memory that keeps the contract of store.ts: transitions compare before they set. */
export class MemoryFlowStore implements FlowStore {
  readonly #flows = new Map<string, KeptFlow>()

  async live(): Promise<StoredFlow[]> {
    return [...this.#flows.values()].flatMap(({ live }) => live ?? [])
  }

  async create(flow: NewFlow): Promise<SaveResult> {
    if (this.#isTaken(flow.slug, flow.id)) return { won: false, because: 'slug_taken' }
    const live = { ...flow, version: 1, updatedAt: flow.createdAt }
    const { document, createdAt } = flow
    this.#flows.set(flow.id, { live, versions: [{ version: 1, document, createdAt }] })
    return { won: true, flow: live }
  }

  async save(save: FlowSave): Promise<SaveResult> {
    const kept = this.#flows.get(save.id)
    if (kept?.live === undefined) return { won: false, because: 'gone' }
    if (kept.live.version !== save.baseVersion) return { won: false, because: 'stale' }
    if (this.#isTaken(save.slug, save.id)) return { won: false, because: 'slug_taken' }
    const { slug, context, document, at } = save
    const version = save.baseVersion + 1
    kept.live = { ...kept.live, slug, context, document, version, updatedAt: at }
    kept.versions.unshift({ version, document, createdAt: at })
    return { won: true, flow: kept.live }
  }

  async remove(id: string): Promise<boolean> {
    const kept = this.#flows.get(id)
    if (kept?.live === undefined) return false
    kept.removed = kept.live
    kept.live = undefined
    return true
  }

  async removed(id: string): Promise<StoredFlow | undefined> {
    return this.#flows.get(id)?.removed
  }

  async undelete(id: string): Promise<SaveResult> {
    const kept = this.#flows.get(id)
    if (kept === undefined) return { won: false, because: 'gone' }
    if (kept.removed === undefined) return { won: false, because: 'stale' }
    if (this.#isTaken(kept.removed.slug, id)) return { won: false, because: 'slug_taken' }
    const flow = kept.removed
    kept.live = flow
    kept.removed = undefined
    return { won: true, flow }
  }

  async versions(id: string): Promise<FlowVersion[]> {
    return [...(this.#flows.get(id)?.versions ?? [])]
  }

  async version(id: string, version: number): Promise<FlowVersion | undefined> {
    return this.#flows.get(id)?.versions.find((kept) => kept.version === version)
  }

  #isTaken(slug: string, by: string): boolean {
    return [...this.#flows.values()].some(({ live }) => live?.slug === slug && live.id !== by)
  }
}
