import type { Catalogue } from '../flows/component/catalogue.ts'
import type { Turns } from '../flows/in-turns.ts'
import { parseDocumentInTurns } from '../flows/json/document-json.ts'
import { NO_BOUNDS } from '../flows/json/reading-bounds.ts'
import type { DraftDocument } from '../flows/validate/draft-document.ts'
import type { StoredDraft } from '../store/drafts.ts'
import type { Draft } from './draft.ts'
import { type Verdict, verdictOf } from './judge-flow.ts'
import type { LiveFlow } from './live-flow.ts'

interface DraftReaderDeps {
  readonly catalogue: Catalogue
  /** Changes whenever a component may. */
  readonly revision: () => number
  readonly inTurns: <T>(work: Turns<T>) => T | Promise<T>
}

/** In characters, of all drafts that are held as they were read. The last one is, however long it is. */
const MOST_HELD = 4_000_000

interface Held {
  readonly text: string
  readonly document: Promise<DraftDocument>
}

interface Judged {
  readonly revision: number
  readonly verdict: Promise<Verdict>
}

/**
 * Reads and judges drafts. What was read last is held with what was found: a page asks for a draft again and again, and to judge a large one takes
 * seconds, though others have their turn meanwhile.
 */
export class DraftReader {
  readonly #deps: DraftReaderDeps
  /** By flow; the one that was asked for last is the last. */
  readonly #held = new Map<string, Held>()
  #characters = 0
  readonly #judged = new WeakMap<object, Judged>()

  constructor(deps: DraftReaderDeps) {
    this.#deps = deps
  }

  async read(flow: LiveFlow, stored: StoredDraft): Promise<Draft> {
    const { flowId, document: text } = stored
    const held = this.#held.get(flowId)
    const isSame = held?.text === text
    const document = isSame ? held.document : this.#parsed(text)
    this.#forget(flowId)
    this.#hold(flowId, { text, document })
    return { ...stored, flow, document: await document }
  }

  /** Of a document that nobody changes any more. Asked for twice at once, it is judged once. */
  verdict(document: DraftDocument): Promise<Verdict> {
    const revision = this.#deps.revision()
    const known = this.#judged.get(document)
    if (known?.revision === revision) return known.verdict
    const verdict = (async () => this.#deps.inTurns(verdictOf(document, this.#deps.catalogue)))()
    this.#judged.set(document, { revision, verdict })
    return verdict
  }

  async #parsed(text: string): Promise<DraftDocument> {
    // It was stored, so it was taken once, whatever is taken now.
    return (await this.#deps.inTurns(parseDocumentInTurns(text, NO_BOUNDS))) as DraftDocument
  }

  #hold(flowId: string, held: Held): void {
    this.#held.set(flowId, held)
    this.#characters += held.text.length
    for (const oldest of this.#held.keys()) {
      if (this.#characters <= MOST_HELD || oldest === flowId) return
      this.#forget(oldest)
    }
  }

  #forget(flowId: string): void {
    this.#characters -= this.#held.get(flowId)?.text.length ?? 0
    this.#held.delete(flowId)
  }
}
