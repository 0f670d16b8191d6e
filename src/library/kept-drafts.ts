import type { Turns } from '../flows/in-turns.ts'
import { parseDocumentInTurns } from '../flows/json/document-json.ts'
import { NO_BOUNDS } from '../flows/json/reading-bounds.ts'
import type { DraftDocument } from '../flows/validate/draft-document.ts'
import type { KeptBecause, KeptDraftStore, KeptDraftSummary } from '../store/kept-drafts.ts'
import { keptDraftNotFound } from './draft-refusals.ts'
import type { LiveFlow } from './live-flow.ts'

interface KeptDraftsDeps {
  readonly store: KeptDraftStore
  readonly inTurns: <T>(work: Turns<T>) => T | Promise<T>
}

interface KeptDraft extends KeptDraftSummary {
  readonly document: DraftDocument
}

/** Drafts whose place something else has taken: nobody loses work by restoring a version. */
export class KeptDrafts {
  readonly #deps: KeptDraftsDeps

  constructor(deps: KeptDraftsDeps) {
    this.#deps = deps
  }

  /** Undefined where there is no draft. */
  keep({ id }: LiveFlow, because: KeptBecause): Promise<KeptDraftSummary | undefined> {
    return this.#deps.store.keep(id, because)
  }

  /** Newest first. */
  list({ id }: LiveFlow): Promise<KeptDraftSummary[]> {
    return this.#deps.store.ofFlow(id)
  }

  async read(flow: LiveFlow, number: number): Promise<KeptDraft> {
    const stored = await this.#deps.store.read(flow.id, number)
    if (stored === undefined) throw keptDraftNotFound(flow, number)
    // It was stored, so it was taken once, whatever is taken now.
    const document = await this.#deps.inTurns(parseDocumentInTurns(stored.document, NO_BOUNDS))
    return { ...stored, document: document as DraftDocument }
  }
}
