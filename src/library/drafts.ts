import type { Fault } from '../errors.ts'
import type { Knows } from '../flows/catalogue.ts'
import { type DraftDocument, readDraftDocument } from '../flows/draft-document.ts'
import type { DraftStore, StoredDraft } from '../store/drafts.ts'
import type { Signals } from '../store/shared-store.ts'
import { draftConflict, draftNotFound, unknownBase } from './draft-refusals.ts'
import type { FlowLibrary } from './flow-library.ts'
import { flowInvalid, flowNotFound } from './flow-refusals.ts'
import type { LiveFlow } from './live-flow.ts'

export interface DraftsDeps {
  readonly store: DraftStore
  readonly library: FlowLibrary
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
  /** How the processes that share the store hear of each other; absent where there is one. */
  readonly signals?: Pick<Signals, 'tell' | 'listen'>
}

/** What is edited of a flow, as it was saved last. */
export interface Draft extends Omit<StoredDraft, 'document'> {
  readonly flow: LiveFlow
  readonly document: DraftDocument
}

export interface DraftEdit {
  /** The revision that was edited; 0 where there was no draft. */
  readonly revision: number
  /** The live version that the document is based on; absent is what it was, or the live one. */
  readonly baseVersion?: number
  readonly author: string
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
  readonly #deps: DraftsDeps
  readonly #listeners = new Set<(change: DraftChange) => void>()

  constructor(deps: DraftsDeps) {
    this.#deps = deps
    deps.signals?.listen(({ drafts = [] }) => {
      for (const flowId of drafts) this.#heard(flowId)
    })
  }

  async find(flow: LiveFlow): Promise<Draft | undefined> {
    const stored = await this.#deps.store.find(flow.id)
    return stored && draftOf(flow, stored)
  }

  async get(flow: LiveFlow): Promise<Draft> {
    const draft = await this.find(flow)
    if (draft === undefined) throw draftNotFound(flow)
    return draft
  }

  /** Keeps whatever is a document, with all its faults. */
  async save(flow: LiveFlow, sent: Readonly<Record<string, unknown>>, edit: DraftEdit): Promise<Draft> {
    const { revision, author } = edit
    // What is left out is as it is live: a draft says what would be published.
    const kept = { slug: sent.slug ?? flow.slug, context: sent.context ?? flow.context }
    const { document, faults } = readDraftDocument({ ...sent, ...kept })
    if (document === undefined) throw flowInvalid(faults)
    const baseVersion = await this.#baseOf(flow, edit)
    const { store, now } = this.#deps
    const text = JSON.stringify(document)
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
    const draft = draftOf(flow, result.draft)
    this.#tell({ flow, draft })
    return draft
  }

  /** Discards it. */
  async remove(flow: LiveFlow, revision?: number): Promise<void> {
    const removal = await this.#deps.store.remove(flow.id, revision)
    if (removal === 'none') throw draftNotFound(flow)
    if (removal === 'stale') {
      throw draftConflict(flow, { revision: revision! }, await this.#deps.store.find(flow.id))
    }
    this.#tell({ flow, draft: null })
  }

  /** What keeps it from being live. */
  faultsOf({ flow, document }: Draft, knows?: Knows): readonly Fault[] {
    return this.#deps.library.faultsOf(flow, document, knows)
  }

  /** Returns what ends the subscription. */
  subscribe(listener: (change: DraftChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
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
  #heard(flowId: string): void {
    const flow = this.#deps.library.find(flowId)
    if (flow === undefined || this.#listeners.size === 0) return
    this.find(flow).then(
      (draft) => this.#tellListeners({ flow, draft: draft ?? null }),
      (error) => this.#deps.onError(error, 'reading a draft that another process has saved')
    )
  }
}

function draftOf(flow: LiveFlow, stored: StoredDraft): Draft {
  return { ...stored, flow, document: JSON.parse(stored.document) as DraftDocument }
}
