import { MillraceError } from '../errors.ts'
import type { CommentStore, StoredComment } from '../store/comments.ts'
import type { Signals } from '../store/shared-store.ts'
import { flowNotFound } from './flow-refusals.ts'

interface CommentsDeps {
  readonly store: CommentStore
  readonly now: () => number
  readonly newId: () => string
  /** How the processes that share the store hear of each other; absent where there is one. */
  readonly signals?: Pick<Signals, 'tell' | 'listen'>
}

const MOST = 500

/** What people write about a flow and its nodes, beside it. */
export class Comments {
  readonly #deps: CommentsDeps
  readonly #listeners = new Set<(flowId: string) => void>()

  constructor(deps: CommentsDeps) {
    this.#deps = deps
    deps.signals?.listen(({ comments = [] }) => {
      for (const flowId of comments) this.#tellListeners(flowId)
    })
  }

  list(flowId: string): Promise<readonly StoredComment[]> {
    return this.#deps.store.ofFlow(flowId)
  }

  async add(written: Pick<StoredComment, 'flowId' | 'node' | 'text' | 'author'>): Promise<StoredComment> {
    const { store, now, newId } = this.#deps
    const comment = { ...written, id: newId(), createdAt: now(), doneAt: null, doneBy: null }
    const added = await store.add(comment, MOST)
    if (added === 'gone') throw flowNotFound()
    if (added === 'full') throw full()
    this.#tell(written.flowId)
    return comment
  }

  /** Marks it as done, by somebody, or as open again (null). */
  async mark(flowId: string, id: string, doneBy: string | null): Promise<StoredComment> {
    const { store, now } = this.#deps
    const marked = await store.mark(flowId, id, { doneAt: doneBy === null ? null : now(), doneBy })
    if (marked === undefined) throw notFound()
    this.#tell(flowId)
    return marked
  }

  async remove(flowId: string, id: string): Promise<void> {
    if (!(await this.#deps.store.remove(flowId, id))) throw notFound()
    this.#tell(flowId)
  }

  /** Of flows whose comments have changed. Returns what ends the subscription. */
  subscribe(listener: (flowId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #tell(flowId: string): void {
    this.#deps.signals?.tell({ comments: [flowId] })
    this.#tellListeners(flowId)
  }

  #tellListeners(flowId: string): void {
    for (const listener of this.#listeners) listener(flowId)
  }
}

function notFound(): MillraceError {
  return new MillraceError('comment_not_found', 'The flow has no such comment.')
}

function full(): MillraceError {
  return new MillraceError('comments_full', `A flow has ${MOST} comments at the most. Remove some first.`)
}
