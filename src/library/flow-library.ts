import { type Plan, planFlow } from '../engine/plan.ts'
import { type Fault, MillraceError } from '../errors.ts'
import type { Catalogue, Knows } from '../flows/catalogue.ts'
import type { FlowDocument } from '../flows/flow-document.ts'
import { slugFor } from '../flows/slug.ts'
import { unknownContext, validateFlow } from '../flows/validate-flow.ts'
import type { FlowStore, FlowVersion, SaveResult, StoredFlow } from '../store/store.ts'
import { type EntryDefaults, LiveFlow } from './live-flow.ts'

export interface LibraryDeps {
  readonly store: FlowStore
  readonly catalogue: Catalogue
  readonly defaults: EntryDefaults
  readonly newId: () => string
  readonly now: () => number
  /** Whether the context was made while the service ran, so that it may go at any moment. */
  readonly isMade: (context: string) => boolean
  /** Brings in what other processes have saved; absent where there are none. */
  readonly catchUp?: () => Promise<void>
}

/** What became of a flow, told as soon as it is durable. */
export interface FlowChange {
  readonly kind: 'saved' | 'deleted'
  /** As it is now; where it was deleted, as it was last. */
  readonly flow: LiveFlow
  /** As it was before it was saved; undefined where there was none. */
  readonly before: LiveFlow | undefined
}

/** Plans of versions that are no longer live; few runs need one, and each is made again when it is. */
const MAX_OLD_PLANS = 100

/**
 * The flows of this service. Live versions are held in memory and replaced in the same moment in which a save is
 * durable, so the webhook always runs the live version and nothing has to be registered or can drift.
 */
export class FlowLibrary {
  readonly #deps: LibraryDeps
  readonly #byId = new Map<string, LiveFlow>()
  readonly #bySlug = new Map<string, LiveFlow>()
  readonly #oldPlans = new Map<string, Plan>()
  readonly #listeners = new Set<(change: FlowChange) => void>()

  constructor(deps: LibraryDeps) {
    this.#deps = deps
  }

  async load(): Promise<void> {
    for (const stored of await this.#deps.store.live()) this.#place(this.#live(stored))
  }

  /** Takes over what other processes have saved and removed. */
  bringIn({ live, removed }: { live: readonly StoredFlow[]; removed: readonly string[] }): void {
    for (const id of removed) {
      const last = this.#byId.get(id)
      if (last === undefined) continue
      this.#forget(last)
      this.#tell({ kind: 'deleted', flow: last, before: last })
    }
    for (const stored of live) {
      const before = this.#byId.get(stored.id)
      if (before === undefined || before.version < stored.version) this.#replace(before, stored)
    }
  }

  /** By id or slug. */
  find(reference: string): LiveFlow | undefined {
    return this.#byId.get(reference) ?? this.#bySlug.get(reference)
  }

  get(reference: string): LiveFlow {
    const flow = this.find(reference)
    if (flow === undefined) throw flowNotFound()
    return flow
  }

  list(): LiveFlow[] {
    return [...this.#byId.values()]
  }

  /** `knows`: the contexts that whoever sends it may learn of, should a fault have to be explained. */
  async create(sent: Readonly<Record<string, unknown>>, knows?: Knows): Promise<LiveFlow> {
    const document = this.#validate({ ...sent, slug: sent.slug ?? this.#slugFor(sent.name) }, knows)
    const id = this.#deps.newId()
    const { slug, context } = document
    this.#assertNoId(slug)
    const result = await this.#deps.store.create({
      id,
      slug,
      context,
      document: JSON.stringify(document),
      createdAt: this.#deps.now(),
      ...this.#housed(context)
    })
    // A flow of the same name was made in the same moment. Nobody asked for this very slug, so the next one will do.
    if (!result.won && sent.slug === undefined) await this.#deps.catchUp?.()
    const isTakenMeanwhile = !result.won && sent.slug === undefined && this.#bySlug.has(slug)
    return isTakenMeanwhile ? this.create(sent, knows) : this.#adopt(result, id, document)
  }

  /** Saves what was edited from `baseVersion` as the next version. */
  async save(
    id: string,
    baseVersion: number,
    sent: Readonly<Record<string, unknown>>,
    knows?: Knows
  ): Promise<LiveFlow> {
    // Another process may have saved what was edited here, a moment ago.
    if (this.get(id).version < baseVersion) await this.#deps.catchUp?.()
    const live = this.get(id)
    if (live.version !== baseVersion) throw conflict(live, baseVersion)
    // What is left out stays: a document without its context must not leave that context's guards behind.
    const kept = { slug: sent.slug ?? live.slug, context: sent.context ?? live.context }
    const document = this.#validate({ ...sent, ...kept }, knows)
    if (document.slug !== live.slug) this.#assertNoId(document.slug)
    return this.#write(live, baseVersion, document)
  }

  /** Makes an earlier version live again, as a version of its own. It is judged anew: components may have gone. */
  async restore(id: string, version: number, knows?: Knows): Promise<LiveFlow> {
    const live = this.get(id)
    const { document } = await this.version(id, version)
    const restored = JSON.parse(document) as Record<string, unknown>
    // Another flow may have taken the slug meanwhile; addresses that callers use stay as they are now.
    return this.#write(live, live.version, this.#validate({ ...restored, slug: live.slug }, knows))
  }

  async remove(id: string): Promise<void> {
    const live = this.get(id)
    if (!(await this.#deps.store.remove(live.id, this.#deps.now()))) throw flowNotFound()
    // A save that was under way may have moved it meanwhile.
    const last = this.#byId.get(live.id) ?? live
    this.#forget(last)
    this.#tell({ kind: 'deleted', flow: last, before: last })
  }

  /** A flow that was deleted, as it was last. */
  removed(id: string): Promise<StoredFlow | undefined> {
    return this.#deps.store.removed(id)
  }

  /** Takes a deletion back. The document is judged anew: components and its context may have gone. */
  async undelete(id: string, knows?: Knows): Promise<LiveFlow> {
    const removed = await this.removed(id)
    if (removed === undefined) throw flowNotFound()
    const document = this.#validate(JSON.parse(removed.document), knows)
    const result = await this.#deps.store.undelete(id, this.#housed(document.context))
    if (!result.won && result.because === 'slug_taken') throw slugTakenMeanwhile(document.slug)
    return this.#adopt(result, id, document)
  }

  /** Returns what ends the subscription. */
  subscribe(listener: (change: FlowChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  versions(id: string): Promise<FlowVersion[]> {
    return this.#deps.store.versions(this.get(id).id)
  }

  async version(id: string, version: number): Promise<FlowVersion> {
    const live = this.get(id)
    const found = await this.#deps.store.version(live.id, version)
    if (found !== undefined) return found
    throw new MillraceError(
      'version_not_found',
      `Flow "${live.slug}" has no version ${version}. GET /api/v1/flows/${live.id}/versions lists them.`
    )
  }

  /** The context that a version lives in, of a deleted flow too. */
  async contextOf(flowId: string, version: number): Promise<string | undefined> {
    const live = this.#byId.get(flowId)
    if (live?.version === version) return live.context
    const found = await this.#deps.store.version(flowId, version)
    return found === undefined ? undefined : (JSON.parse(found.document) as FlowDocument).context
  }

  /** The plan of any version, at once when it is live. Unfinished runs of a deleted flow find theirs too. */
  plan(flowId: string, version: number): Plan | Promise<Plan> {
    const live = this.#byId.get(flowId)
    if (live?.version === version) return live.plan
    const key = `${flowId}@${version}`
    return this.#oldPlans.get(key) ?? this.#planOld(flowId, version, key)
  }

  async #planOld(flowId: string, version: number, key: string): Promise<Plan> {
    const found = await this.#deps.store.version(flowId, version)
    if (found === undefined) throw new Error(`version ${version} of flow ${flowId} is not in the store`)
    const document = JSON.parse(found.document) as FlowDocument
    const plan = planFlow({ id: flowId, version, document }, this.#deps.catalogue)
    if (this.#oldPlans.size >= MAX_OLD_PLANS) this.#oldPlans.delete(this.#oldPlans.keys().next().value!)
    this.#oldPlans.set(key, plan)
    return plan
  }

  /** Flows are found by id first: one whose slug is another's id could not be reached by it. */
  #assertNoId(slug: string): void {
    if (this.#byId.has(slug)) throw slugTaken(slug)
  }

  async #write(live: LiveFlow, baseVersion: number, document: FlowDocument): Promise<LiveFlow> {
    const { slug, context } = document
    const result = await this.#deps.store.save({
      id: live.id,
      baseVersion,
      slug,
      context,
      document: JSON.stringify(document),
      at: this.#deps.now(),
      ...this.#housed(context)
    })
    if (!result.won) await this.#deps.catchUp?.()
    if (!result.won && result.because === 'stale') throw conflict(this.get(live.id), baseVersion)
    return this.#adopt(result, live.id, document)
  }

  #adopt(result: SaveResult, id: string, document: FlowDocument): LiveFlow {
    if (!result.won && result.because === 'context_gone') throw invalid([unknownContext(document.context)])
    if (!result.won) throw result.because === 'slug_taken' ? slugTaken(document.slug) : flowNotFound()
    return this.#replace(this.#byId.get(id), result.flow)
  }

  #replace(before: LiveFlow | undefined, stored: StoredFlow): LiveFlow {
    if (before !== undefined) this.#forget(before)
    const flow = this.#live(stored)
    this.#place(flow)
    this.#tell({ kind: 'saved', flow, before })
    return flow
  }

  #validate(sent: Readonly<Record<string, unknown>>, knows: Knows | undefined): FlowDocument {
    const { document, faults } = validateFlow(sent, forReader(this.#deps.catalogue, knows))
    if (document !== undefined) return document
    throw invalid(faults)
  }

  /** It may go between this moment and the one in which the flow is in the store: that one decides. */
  #housed(context: string): { isContextMade: boolean } {
    return { isContextMade: this.#deps.isMade(context) }
  }

  #slugFor(name: unknown): string {
    return slugFor(typeof name === 'string' ? name : '', (slug) => this.#bySlug.has(slug))
  }

  #live(stored: StoredFlow): LiveFlow {
    return new LiveFlow(stored, this.#deps.catalogue, this.#deps.defaults)
  }

  #tell(change: FlowChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  #place(flow: LiveFlow): void {
    this.#byId.set(flow.id, flow)
    this.#bySlug.set(flow.slug, flow)
  }

  #forget(flow: LiveFlow): void {
    this.#byId.delete(flow.id)
    // Another flow may have taken a slug that this one gave up.
    if (this.#bySlug.get(flow.slug) === flow) this.#bySlug.delete(flow.slug)
  }
}

function forReader(catalogue: Catalogue, knows: Knows | undefined): Catalogue {
  if (knows === undefined) return catalogue
  return { ...catalogue, explainMissing: (context, type) => catalogue.explainMissing(context, type, knows) }
}

/** The same words for a flow that is absent and one that the caller may not see: nobody can probe for flows. */
export function flowNotFound(): MillraceError {
  return new MillraceError(
    'flow_not_found',
    'There is no such flow, or this key may not see it. GET /api/v1/flows lists the flows that the key can see.'
  )
}

/** For a flow whose components cannot be found because the context that it lives in is gone. */
export function withoutContext({ slug, context }: LiveFlow): MillraceError {
  return new MillraceError(
    'flow_context_gone',
    `Flow "${slug}" lives in the context "${context}", which is not there. Load the plugin that makes it, or move the flow to another context.`
  )
}

function invalid(faults: readonly Fault[]): MillraceError {
  const [first, ...others] = faults
  const more = others.length === 0 ? '' : ` And ${others.length} more, see errors.`
  return new MillraceError('flow_invalid', `${first!.message}${more}`, { errors: faults })
}

function slugTaken(slug: string): MillraceError {
  return new MillraceError('slug_taken', `Another flow has the slug "${slug}". Choose another one.`)
}

function slugTakenMeanwhile(slug: string): MillraceError {
  return new MillraceError(
    'slug_taken',
    `Another flow has taken the slug "${slug}" since this one was deleted. Give that one another slug, or delete it, and try again.`
  )
}

function conflict(live: LiveFlow, baseVersion: number): MillraceError {
  return new MillraceError(
    'flow_conflict',
    `Flow "${live.slug}" is at version ${live.version}, and what was sent was edited from version ${baseVersion}. ` +
      'Read the flow again, bring your changes over and save with its version.',
    { members: { current_version: live.version, sent_version: baseVersion } }
  )
}
