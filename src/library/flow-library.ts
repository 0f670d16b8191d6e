import type { Plan } from '../engine/plan.ts'
import type { Fault } from '../errors.ts'
import type { Knows } from '../flows/component/catalogue.ts'
import { compareInTurns } from '../flows/document/compare-flows.ts'
import { describeChanges, describeFirst } from '../flows/document/describe-changes.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { atOnce, type Turns } from '../flows/in-turns.ts'
import { parseDocumentInTurns, writeJsonInTurns } from '../flows/json/document-json.ts'
import { NO_BOUNDS } from '../flows/json/reading-bounds.ts'
import { MOST_SLUGS_TRIED, slugFor } from '../flows/slug.ts'
import type { NodesAround } from '../flows/validate/check-references.ts'
import type { Validation } from '../flows/validate/validate-flow.ts'
import type { Alias, Pause } from '../store/flow-standing.ts'
import type { FlowNews } from '../store/shared-store.ts'
import type { FlowStore, SaveRefusal, StoredFlow } from '../store/store.ts'
import type { FlowVersion, VersionQuestion } from '../store/versions.ts'
import { AliasCounter } from './alias-counter.ts'
import type { Edit, Maker } from './edit.ts'
import { assertNotOfFile, withoutFile } from './file-flows.ts'
import { flowConflict, flowNotFound, refusalOf, slugTaken, slugTakenMeanwhile } from './flow-refusals.ts'
import { FlowVersions } from './flow-versions.ts'
import { type FlowWithDraft, FlowWrites } from './flow-writes.ts'
import { checkFlow, judgeFlow, type Surroundings, soundDocument, type Verdict } from './judge-flow.ts'
import type { LibraryDeps } from './library-deps.ts'
import { LiveFlow } from './live-flow.ts'
import { type FlowChange, LiveFlows } from './live-flows.ts'
import { assertCallable } from './operation-faults.ts'
import { publishingFaults } from './publishing-faults.ts'

type SentFlow = Readonly<Record<string, unknown>>

/**
 * The flows of this service. Live versions are held in memory and replaced in the same moment in which a save is
 * durable, so the webhook always runs the live version and nothing has to be registered or can drift.
 */
export class FlowLibrary {
  readonly #deps: LibraryDeps
  readonly #flows = new LiveFlows()
  readonly aliasCalls: AliasCounter
  readonly #versions: FlowVersions
  readonly #writes: FlowWrites

  constructor(deps: LibraryDeps) {
    this.#deps = deps
    const asLive = (stored: StoredFlow, read?: FlowDocument) =>
      new LiveFlow(deps.followsFolder ? stored : withoutFile(stored), deps.catalogue, deps.defaults, read)
    const readLive = (stored: StoredFlow) => {
      const document = this.readDocument(stored.document)
      return document instanceof Promise
        ? document.then((read) => asLive(stored, read))
        : asLive(stored, document)
    }
    this.#writes = new FlowWrites({ flows: this.#flows, peers: deps.peers, asLive, readLive })
    const readDocument = (text: string) => this.readDocument(text)
    this.#versions = new FlowVersions(this.#flows, { ...deps, readDocument })
    this.aliasCalls = new AliasCounter(deps)
  }

  async load(): Promise<void> {
    this.#writes.load(await this.#deps.store.live())
  }

  /** Takes over what all processes have saved and removed since the last time. */
  bringIn(readSince: (revision: number) => Promise<FlowNews>): Promise<void> {
    return this.#writes.bringIn(readSince)
  }

  /** By id or slug. */
  find(reference: string): LiveFlow | undefined {
    return this.#flows.get(reference) ?? this.#flows.withSlug(reference)
  }

  get(reference: string): LiveFlow {
    const flow = this.find(reference)
    if (flow === undefined) throw flowNotFound()
    return flow
  }

  list(): LiveFlow[] {
    return this.#flows.list()
  }

  /** Those whose ids are greater, which were made later, in order. */
  after(id: string): Iterable<LiveFlow> {
    return this.#flows.after(id)
  }

  async create(sent: SentFlow, maker: Maker = {}, taken: readonly string[] = []): Promise<LiveFlow> {
    const { knows, author = null, mayTake } = maker
    const isTaken = (slug: string) => this.#flows.withSlug(slug) !== undefined || taken.includes(slug)
    const slugged = sent.slug ?? slugFor(sent.name, isTaken)
    const judged = await this.#judge({ ...sent, slug: slugged }, knows)
    // Asked while it is there for certain: should it go before the flow is in the store, the store refuses the flow.
    const isContextMade = this.#deps.isMade(judged.context)
    const document = await this.withoutSecrets(judged)
    const { slug, context } = document
    this.#assertNoId(slug)
    const text = await this.inTurns(writeJsonInTurns(document))
    const written = await this.#writes.save(() =>
      this.#deps.store.create({
        id: this.#deps.newId(),
        slug,
        context,
        document: text,
        createdAt: this.#deps.now(),
        facts: { origin: 'created', author, changes: describeFirst(document) },
        isContextMade,
        mayTake
      })
    )
    if (written instanceof LiveFlow) return written
    if (written !== 'slug_taken' || sent.slug != null || taken.length === MOST_SLUGS_TRIED)
      throw refusalOf(written, document)
    // Made in the same moment, or that of a deleted flow. Nobody asked for this very slug, so the next one will do.
    await this.#deps.peers?.catchUp()
    return this.create(sent, maker, [...taken, slug])
  }

  /** All of them with their drafts, or none. */
  createAll(flows: readonly FlowWithDraft[]): Promise<readonly LiveFlow[] | SaveRefusal> {
    return this.#writes.createAll(flows, this.#deps)
  }

  /** Flows that are written together with something else. */
  readonly push: FlowWrites['push'] = (removed, write) => this.#writes.push(removed, write)

  /** Saves what was edited from `baseVersion` as the next version. */
  async save(id: string, baseVersion: number, sent: SentFlow, edit: Edit = {}): Promise<LiveFlow> {
    const { knows, assertMayEdit } = edit
    const live = await this.atLeast(id, baseVersion)
    assertMayEdit?.(live)
    if (live.version !== baseVersion) throw flowConflict(live, baseVersion)
    // What is left out stays: a document without its context must not leave that context's guards behind.
    const kept = { slug: sent.slug ?? live.slug, context: sent.context ?? live.context }
    const document = await this.#judge({ ...sent, ...kept }, knows)
    if (document.slug !== live.slug) this.#assertNoId(document.slug)
    return this.#save(live, document, edit)
  }

  /** The flow, at this version or a newer one if there is such: another process may have saved it a moment ago. */
  async atLeast(id: string, version: number): Promise<LiveFlow> {
    if (this.get(id).version < version) await this.#deps.peers?.catchUp()
    return this.get(id)
  }

  /** What documents are judged by. */
  get surroundings(): Surroundings {
    return this.#deps
  }

  /** Computes what may take long. */
  inTurns<T>(work: Turns<T>): T | Promise<T> {
    return this.#deps.pace === undefined ? atOnce(work) : this.#deps.pace.run(work)
  }

  /** A document as it is stored, so it was taken once, whatever is taken now. */
  readDocument(text: string): FlowDocument | Promise<FlowDocument> {
    return this.inTurns(parseDocumentInTurns(text, NO_BOUNDS) as Turns<FlowDocument>)
  }

  /** Whether a document is sound. */
  async check(sent: unknown, knows: Knows | undefined, around?: NodesAround): Promise<Validation> {
    return this.inTurns(checkFlow(sent, this.#deps, knows, around))
  }

  /** What keeps a document that was judged from becoming the flow's next version. */
  faultsOf(live: LiveFlow, sent: SentFlow, verdict: Verdict, knows?: Knows): Promise<readonly Fault[]> {
    return publishingFaults({ live, slug: sent.slug, verdict, knows }, this.#deps, this)
  }

  /** Makes an earlier version live again, as a version of its own. It is judged anew: components may have gone. */
  async restore(id: string, version: number, maker: Maker = {}): Promise<LiveFlow> {
    const live = this.get(id)
    const { document } = await this.version(id, version)
    // Another flow may have taken the slug meanwhile; addresses that callers use stay as they are now.
    const restored = { ...(await this.readDocument(document)), slug: live.slug }
    return this.save(id, live.version, restored, { ...maker, origin: 'restored' })
  }

  async remove(id: string, { author }: Pick<Maker, 'author'> = {}): Promise<void> {
    const live = this.get(id)
    assertNotOfFile(live)
    const { store, now } = this.#deps
    await this.#writes.remove(live.id, () => store.remove(live.id, now(), author))
  }

  /** Pauses a flow, in one way or the other, or lets it go on. It makes no version. */
  async setPaused(id: string, paused: Omit<Pause, 'since'> | null): Promise<LiveFlow> {
    const { store, now, peers } = this.#deps
    if (this.get(id).paused?.mode === paused?.mode) return this.get(id)
    const flow = await this.#writes.change(() => {
      const at = now()
      return store.setPaused(id, paused && { ...paused, since: at }, at)
    })
    // The others may have accepted runs as if nothing were, until they heard of it.
    if (paused !== null && peers !== undefined) await store.pauseQueued(id)
    return flow
  }

  /** Gives the flow another slug, as a version of its own; it still answers to the former one. */
  async changeSlug(id: string, slug: string, maker: Omit<Maker, 'knows'> = {}): Promise<LiveFlow> {
    const live = this.get(id)
    if (live.slug === slug) return live
    this.#assertNoId(slug)
    return this.#save(live, { ...live.document, slug }, { ...maker, keepsSlug: true })
  }

  /** With all that came by them until now. */
  async aliases(id: string): Promise<Alias[]> {
    await this.aliasCalls.save()
    return this.#deps.store.aliases(id)
  }

  /** The flow no longer answers to this former slug. */
  removeAlias(id: string, slug: string): Promise<LiveFlow> {
    return this.#writes.change(() => this.#deps.store.removeAlias(id, slug))
  }

  /** A flow that was deleted, as it was last. */
  removed(id: string): Promise<StoredFlow | undefined> {
    return this.#deps.store.removed(id)
  }

  /** Takes a deletion back. The document is judged anew: components and its context may have gone. */
  async undelete(id: string, { knows, mayTake }: Maker = {}): Promise<LiveFlow> {
    const removed = await this.removed(id)
    if (removed === undefined) throw flowNotFound()
    const document = soundDocument(await this.check(await this.readDocument(removed.document), knows))
    const isContextMade = this.#deps.isMade(document.context)
    const { store, now } = this.#deps
    const written = await this.#writes.save(() => store.undelete(id, { at: now(), isContextMade, mayTake }))
    if (written instanceof LiveFlow) return written
    throw written === 'slug_taken' ? slugTakenMeanwhile(document.slug) : refusalOf(written, document)
  }

  /** Returns what ends the subscription. */
  subscribe(listener: (change: FlowChange) => void): () => void {
    return this.#flows.subscribe(listener)
  }

  versions(id: string, question: VersionQuestion): ReturnType<FlowStore['versions']> {
    return this.#versions.list(this.get(id), question)
  }

  async version(id: string, version: number): Promise<FlowVersion> {
    return this.#versions.get(this.get(id), version)
  }

  contextOf(flowId: string, version: number): Promise<string | undefined> {
    return this.#versions.contextOf(flowId, version)
  }

  plan(flowId: string, version: number, context: string | null = null): Plan | Promise<Plan> {
    return this.#versions.plan(flowId, version, context)
  }

  /** Flows are found by id first: one whose slug is another's id could not be reached by it. */
  #assertNoId(slug: string): void {
    if (this.#flows.get(slug) !== undefined) throw slugTaken(slug)
  }

  /** The document with its secrets brought to where they are kept. */
  readonly withoutSecrets = (document: FlowDocument): FlowDocument | Promise<FlowDocument> =>
    this.#deps.sealSecrets?.(document) ?? document

  async #save(live: LiveFlow, judged: FlowDocument, edit: Edit): Promise<LiveFlow> {
    assertNotOfFile(live)
    const isContextMade = this.#deps.isMade(judged.context)
    const document = await this.withoutSecrets(judged)
    const { slug, context } = document
    const { origin = 'saved', author = null, name = null, note = null, draft } = edit
    const titleOf = (type: string) => this.#deps.catalogue.find(context, type)?.title
    const changes = describeChanges(await this.inTurns(compareInTurns(live.document, document, titleOf)))
    const text = await this.inTurns(writeJsonInTurns(document))
    const written = await this.#writes.save(() =>
      this.#deps.store.save({
        id: live.id,
        baseVersion: live.version,
        slug,
        context,
        document: text,
        at: this.#deps.now(),
        facts: { origin, author, name, note, changes },
        ...(draft === undefined ? {} : { draft }),
        ...(edit.keepsSlug && { keepsSlug: true }),
        isContextMade,
        mayTake: edit.mayTake
      })
    )
    if (written instanceof LiveFlow) return written
    await this.#deps.peers?.catchUp()
    throw written === 'stale' ? flowConflict(this.get(live.id), live.version) : refusalOf(written, document)
  }

  async #judge(sent: SentFlow, knows: Knows | undefined): Promise<FlowDocument> {
    const document = soundDocument(await this.inTurns(judgeFlow(sent, this.#deps, knows, this)))
    await assertCallable(document, this.#deps)
    return document
  }
}
