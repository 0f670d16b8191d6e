import type { DraftStanding } from '../graph/draft-standing.ts'
import type { Flow } from '../graph/flow.ts'
import { draftBody, type EditedFlow, openDraft, openEdited, type ReadDraft } from '../graph/read-draft.ts'
import { openFlow, type ReadFlow, type SavedFlow } from '../graph/saved-flow.ts'
import { mergeFlows } from '../merge/merge-flows.ts'

/** What is asked of the service. */
export interface DraftCalls {
  /** Null where there is none. */
  readDraft(): Promise<ReadDraft | null>
  readFlow(): Promise<ReadFlow>
  readVersion(version: number): Promise<Flow>
  saveDraft(body: object): Promise<ReadDraft>
}

/** What the service tells, or may have told while nobody was listening. */
type DraftNews =
  | { readonly kind: 'draft saved'; readonly revision: number }
  | { readonly kind: 'draft gone' }
  | { readonly kind: 'flow saved'; readonly version: number }
  | { readonly kind: 'unknown' }

/**
 * The draft of a flow as the service has it, its states numbered as saving needs them: each state that the page came to
 * know is one more edition, whether a draft was saved, discarded or published, or another version went live where there is
 * no draft. The service itself counts revisions of drafts and versions of flows, and neither grows through all of that.
 *
 * After a save without an answer, whatever is read first is the next edition: it is compared with what was sent.
 */
export class ServerDraft {
  readonly #calls: DraftCalls
  readonly #onNewEdition: (edition: number) => void
  #edition: number
  #standing: DraftStanding
  /** What was told while an answer was on its way, which may know of it already. */
  #pendingNews: DraftNews[] | undefined

  /** Begins with what was read when the flow was opened. */
  constructor(calls: DraftCalls, opened: SavedFlow & EditedFlow, onNewEdition: (edition: number) => void) {
    this.#calls = calls
    this.#onNewEdition = onNewEdition
    this.#edition = opened.edition
    this.#standing = opened.standing
  }

  readonly save = ({ document }: Pick<SavedFlow, 'document'>): Promise<SavedFlow> =>
    this.#ask(async () => openDraft(await this.#calls.saveDraft(draftBody(document, this.#standing))))

  readonly read = (): Promise<SavedFlow> => this.#ask(() => this.#readUpToDate())

  receive(news: DraftNews): void {
    if (this.#pendingNews !== undefined) this.#pendingNews.push(news)
    else if (isNews(news, this.#standing)) this.#onNewEdition(this.#edition + 1)
  }

  async #ask(request: () => Promise<EditedFlow>): Promise<SavedFlow> {
    this.#pendingNews = []
    try {
      const { document, standing } = await request()
      this.#edition++
      this.#standing = standing
      return { edition: this.#edition, document, standing }
    } finally {
      const pending = this.#pendingNews
      this.#pendingNews = undefined
      for (const news of pending) this.receive(news)
    }
  }

  async #readUpToDate(): Promise<EditedFlow> {
    const draft = await this.#calls.readDraft()
    if (draft === null) return openEdited(await this.#calls.readFlow(), null)
    return openDraft(draft.behind ? await this.#catchUp(draft) : draft)
  }

  /**
   * A version went live past the draft. What it changed is brought into the draft, which would take it back otherwise
   * when it is published; what both changed stays as it is in the draft.
   */
  async #catchUp(draft: ReadDraft): Promise<ReadDraft> {
    const [base, flow] = await Promise.all([
      this.#calls.readVersion(draft.base_version),
      this.#calls.readFlow()
    ])
    const live = openFlow(flow)
    const { document, standing } = openDraft(draft)
    const merged = mergeFlows({ base, mine: document, theirs: live.document }, { otherwise: 'mine' })
    return this.#calls.saveDraft({ ...draftBody(merged.flow, standing), base_version: live.version })
  }
}

function isNews(news: DraftNews, { revision, liveVersion }: DraftStanding): boolean {
  switch (news.kind) {
    case 'draft saved':
      return news.revision > revision
    case 'draft gone':
      return revision > 0
    case 'flow saved':
      return news.version > liveVersion
    case 'unknown':
      return true
  }
}
