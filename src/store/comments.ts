/** What somebody wrote about a node, or about the flow as a whole. */
export interface StoredComment {
  readonly flowId: string
  readonly id: string
  /** Null: about the flow. */
  readonly node: string | null
  readonly text: string
  /** The name of the key that wrote it. */
  readonly author: string | null
  readonly createdAt: number
  /** When it was marked as done, and by whom; null while it is open. */
  readonly doneAt: number | null
  readonly doneBy: string | null
}

/**
 * Comments stand beside a flow and are no part of its versions and of its draft. Deleting the flow leaves them where they are, out of
 * reach, and with the flow they are there again.
 */
export interface CommentStore {
  /** The oldest first. */
  ofFlow(flowId: string): Promise<StoredComment[]>
  /** 'gone' where the flow is not live; 'full' where it has as many already. */
  add(comment: StoredComment, most: number): Promise<'added' | 'gone' | 'full'>
  /** Marks it as done, or as open again. Undefined where there is none. */
  mark(
    flowId: string,
    id: string,
    done: Pick<StoredComment, 'doneAt' | 'doneBy'>
  ): Promise<StoredComment | undefined>
  /** False where there is none. */
  remove(flowId: string, id: string): Promise<boolean>
}
