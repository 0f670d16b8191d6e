import { isDeepStrictEqual } from 'node:util'
import type { Fault } from '../errors.ts'
import type { Knows } from '../flows/component/catalogue.ts'
import { draftSender } from '../flows/draft-sender.ts'
import { writeJsonInTurns } from '../flows/json/document-json.ts'
import { type DraftDocument, readDraftInTurns } from '../flows/validate/draft-document.ts'
import type { DraftStore } from '../store/drafts.ts'
import type { KeptDraftStore } from '../store/kept-drafts.ts'
import type { Signals } from '../store/shared-store.ts'
import type { Draft, Judged } from './draft.ts'
import { draftAsLive } from './draft-as-live.ts'
import { DraftReader } from './draft-reader.ts'
import { draftConflict, draftNotFound, nothingToUndo, unknownBase } from './draft-refusals.ts'
import { type DraftReview, draftWarnings, reviewDraft } from './draft-review.ts'
import { type DraftSecrets, namesDraftSender, sealableDraft, sealForDraft } from './draft-secrets.ts'
import type { Maker } from './edit.ts'
import { assertNotOfFile } from './file-flows.ts'
import type { FlowLibrary } from './flow-library.ts'
import { flowConflict, flowInvalid, flowNotFound } from './flow-refusals.ts'
import { KeptDrafts } from './kept-drafts.ts'
import type { LiveFlow } from './live-flow.ts'

export interface DraftsDeps {
  readonly store: DraftStore
  readonly keptStore: KeptDraftStore
  readonly library: FlowLibrary
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
  /** Where signing secrets are kept; they stay in the draft where this is left out. */
  readonly secrets?: DraftSecrets
  /** How the processes that share the store hear of each other; absent where there is one. */
  readonly signals?: Pick<Signals, 'tell' | 'listen'>
}

interface DraftEdit {
  /** The revision that was edited; 0 where there was no draft. */
  readonly revision: number
  /** The live version that the document is based on; absent is what it was, or the live one. */
  readonly baseVersion?: number
  readonly author: string
}

type AssertMayPut = (live: LiveFlow, context: unknown) => void

interface Publisher extends Maker {
  /** Whether they may put the flow into this context. */
  readonly assertMayPut?: AssertMayPut
}

interface Publication extends Publisher {
  readonly name?: string | null
  readonly note?: string | null
  /** The revision that was reviewed; absent: whatever it is now. */
  readonly revision?: number
  /** The live version that it was compared with; absent is whatever is live. */
  readonly liveVersion?: number
}

interface Undoing extends Publisher {
  /** The version that was published; absent is the live one. */
  readonly version?: number
}

/** What became of a flow's draft; null where it is gone: published or discarded. */
export interface DraftChange {
  readonly flow: LiveFlow
  readonly draft: Draft | null
}

/**
 * What people edit, apart from what is live: nothing but a test ever runs it. Drafts are in the store alone; they are
 * asked for by few, and seldom.
 */
export class Drafts {
  /** Those whose place something else has taken. */
  readonly kept: KeptDrafts
  readonly #deps: DraftsDeps
  readonly #reader: DraftReader
  readonly #listeners = new Set<(change: DraftChange) => void>()

  constructor(deps: DraftsDeps) {
    this.#deps = deps
    const { library } = deps
    this.kept = new KeptDrafts({ store: deps.keptStore, inTurns: (work) => library.inTurns(work) })
    this.#reader = new DraftReader({
      catalogue: library.surroundings.catalogue,
      revision: () => library.surroundings.defaults.revision(),
      inTurns: (work) => library.inTurns(work)
    })
    deps.signals?.listen(({ drafts = [] }) => {
      for (const flowId of drafts) this.#changedElsewhere(flowId)
    })
  }

  async find(flow: LiveFlow): Promise<Draft | undefined> {
    const stored = await this.#deps.store.find(flow.id)
    return stored && this.#reader.read(flow, stored)
  }

  /** Of those of the flows that have one, by their ids. */
  async ofFlows(flows: readonly LiveFlow[]): Promise<ReadonlyMap<string, Draft>> {
    const stored = await this.#deps.store.ofFlows(flows.map(({ id }) => id))
    const byFlow = new Map(stored.map((draft) => [draft.flowId, draft]))
    const drafts = new Map<string, Draft>()
    for (const flow of flows) {
      const draft = byFlow.get(flow.id)
      if (draft !== undefined) drafts.set(flow.id, await this.#reader.read(flow, draft))
    }
    return drafts
  }

  async get(flow: LiveFlow): Promise<Draft> {
    const draft = await this.find(flow)
    if (draft === undefined) throw draftNotFound(flow)
    return draft
  }

  /** Keeps whatever is a document, with all its faults. */
  async save(flow: LiveFlow, sent: Readonly<Record<string, unknown>>, edit: DraftEdit): Promise<Draft> {
    const { revision, author } = edit
    assertNotOfFile(flow)
    // What is left out is as it is live: a draft says what would be published.
    const kept = { slug: sent.slug ?? flow.slug, context: sent.context ?? flow.context }
    const { library } = this.#deps
    const { document, faults } = await library.inTurns(readDraftInTurns({ ...sent, ...kept }))
    if (document === undefined) throw flowInvalid(faults)
    const baseVersion = await this.#baseOf(flow, edit)
    const { store, now } = this.#deps
    const text = await this.#sealed(flow, document, edit)
    const result = await store.save({
      flowId: flow.id,
      revision,
      baseVersion,
      document: text,
      author,
      at: now()
    })
    if (!result.won)
      throw result.because === 'gone' ? flowNotFound() : draftConflict(flow, edit, result.draft)
    const draft = await this.#reader.read(flow, result.draft)
    if (!namesDraftSender(draft.document, flow.id)) await this.#forgetSecret(flow)
    this.#tell({ flow, draft })
    return draft
  }

  /** Discards it; it is kept where it is not what is live. */
  async remove(flow: LiveFlow, revision?: number): Promise<void> {
    const isKept = !isDeepStrictEqual((await this.get(flow)).document, flow.document)
    const removal = await this.#deps.store.remove(flow.id, { revision, isKept })
    if (removal === 'none') throw draftNotFound(flow)
    if (removal === 'stale') {
      throw draftConflict(flow, { revision: revision! }, await this.#deps.store.find(flow.id))
    }
    await this.#forgetSecret(flow)
    this.#tell({ flow, draft: null })
  }

  /** Makes it the next version. */
  async publish(flow: LiveFlow, publication: Publication): Promise<LiveFlow> {
    const { revision, liveVersion, assertMayPut, ...maker } = publication
    const draft = await this.get(flow)
    if (revision !== undefined && revision !== draft.revision) throw draftConflict(flow, { revision }, draft)
    const live = await this.#deps.library.atLeast(flow.id, Math.max(liveVersion ?? 0, draft.baseVersion))
    if (liveVersion !== undefined && liveVersion !== live.version) throw flowConflict(live, liveVersion)
    const document = await draftAsLive(live, draft, this.#deps.library)
    const published = await this.#deps.library.save(live.id, live.version, document, {
      ...maker,
      origin: 'published',
      draft: { kind: 'publishes', revision: draft.revision },
      // Who calls the flow has not been asked.
      keepsSlug: true,
      assertMayEdit: (now) => assertMayPut?.(now, document.context)
    })
    await this.ended(published)
    return published
  }

  /** The version before is live again, and what was published is the draft again. */
  async undoPublish(flow: LiveFlow, { version, assertMayPut, ...maker }: Undoing): Promise<LiveFlow> {
    const { library } = this.#deps
    const live = await library.atLeast(flow.id, version ?? 0)
    if (version !== undefined && version !== live.version) throw flowConflict(live, version)
    const published = await library.version(live.id, live.version)
    if (published.origin !== 'published') throw nothingToUndo(live)
    const before = await library.version(live.id, live.version - 1)
    const document = await library.readDocument(before.document)
    const undone = await library.save(live.id, live.version, document, {
      ...maker,
      origin: 'undone',
      draft: { kind: 'comesBack', document: published.document, author: published.author },
      keepsSlug: true,
      assertMayEdit: (now) => assertMayPut?.(now, document.context)
    })
    const draft = await this.find(undone)
    if (draft !== undefined) this.#tell({ flow: undone, draft })
    return undone
  }

  /** Makes an earlier version the draft. What it replaces is kept first. */
  async restore(
    flow: LiveFlow,
    version: number,
    { revision, author, assertMayPut }: { revision: number; author: string; assertMayPut?: AssertMayPut }
  ): Promise<Draft> {
    const { library } = this.#deps
    const { document } = await library.version(flow.id, version)
    // As a version that is made live again: the address that callers use stays as it is now.
    const restored = { ...(await library.readDocument(document)), slug: flow.slug }
    assertMayPut?.(flow, restored.context)
    await this.kept.keep(flow, 'restored')
    return this.save(flow, restored, { revision, author, baseVersion: flow.version })
  }

  /** What publishing it would do. */
  async review(flow: LiveFlow, knows?: Knows): Promise<DraftReview> {
    const draft = await this.get(flow)
    const document = await draftAsLive(flow, draft, this.#deps.library)
    const verdict = await this.#reader.verdict(document)
    return reviewDraft({ ...draft, document }, verdict, this.#deps.library, knows)
  }

  /** What keeps it from being live. */
  async faultsOf({ flow, document }: Judged, knows?: Knows): Promise<readonly Fault[]> {
    return this.#deps.library.faultsOf(flow, document, await this.#reader.verdict(document), knows)
  }

  /** What is probably not meant. */
  async warningsOf({ document }: Pick<Judged, 'document'>): Promise<readonly Fault[]> {
    return draftWarnings(await this.#reader.verdict(document), this.#deps.library)
  }

  /** Returns what ends the subscription. */
  subscribe(listener: (change: DraftChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The draft went with a save of its flow. */
  async ended(flow: LiveFlow): Promise<void> {
    await this.#forgetSecret(flow)
    this.#tell({ flow, draft: null })
  }

  /** The text that is stored, once the secret in it is kept elsewhere. */
  async #sealed(flow: LiveFlow, sent: DraftDocument, edit: DraftEdit): Promise<string> {
    const { store, library, secrets } = this.#deps
    const { document, secret } =
      secrets === undefined ? { document: sent } : sealableDraft(sent, flow, secrets)
    const text = await library.inTurns(writeJsonInTurns(document))
    if (secrets === undefined || secret === undefined) return text
    // One that is stale must not take the place of the secret that is there.
    const before = await store.find(flow.id)
    const isStale = (before?.revision ?? 0) !== edit.revision && before?.document !== text
    if (before !== undefined && isStale) throw draftConflict(flow, edit, before)
    if (await sealForDraft(secret, document, flow, secrets)) return text
    return library.inTurns(writeJsonInTurns(sent))
  }

  /** What was sealed for a draft goes with it, unless a flow that is live names it. A failure leaves a connection behind, and nothing else. */
  async #forgetSecret({ id }: LiveFlow): Promise<void> {
    const { library, secrets, onError } = this.#deps
    if (secrets?.hasDraft(id) !== true) return
    const name = draftSender(id)
    const isUsed = library
      .list()
      .some(({ document }) => document.nodes.some(({ fields }) => fields.connection === name))
    if (isUsed) return
    await secrets.forgetDraft(id).catch((error) => onError(error, 'removing the connection of a draft'))
  }

  async #baseOf(flow: LiveFlow, { revision, baseVersion }: DraftEdit): Promise<number> {
    if (baseVersion === undefined) {
      const before = revision === 0 ? undefined : await this.#deps.store.find(flow.id)
      return before?.baseVersion ?? flow.version
    }
    const live = await this.#deps.library.atLeast(flow.id, baseVersion)
    if (live.version < baseVersion) throw unknownBase(live, baseVersion)
    return baseVersion
  }

  #tell(change: DraftChange): void {
    this.#deps.signals?.tell({ drafts: [change.flow.id] })
    this.#tellListeners(change)
  }

  #tellListeners(change: DraftChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  /** Another process has saved, published or discarded one. */
  #changedElsewhere(flowId: string): void {
    const flow = this.#deps.library.find(flowId)
    if (flow === undefined || this.#listeners.size === 0) return
    this.find(flow).then(
      (draft) => this.#tellListeners({ flow, draft: draft ?? null }),
      (error) => this.#deps.onError(error, 'reading a draft that another process has saved')
    )
  }
}
