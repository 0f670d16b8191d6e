export interface NewMessage {
  readonly id: string
  readonly session: string
  readonly sender: string
  readonly text: string
  /** Where the text is a long value of the run: which one, as JSON text. `text` is empty then. */
  readonly long?: string
  readonly createdAt: number
}

export interface StoredMessage extends NewMessage {
  readonly runId: string
}

/** Where a message stands among those of its store: by the end of its run, then by its order in the run. */
export interface MessagePlace {
  readonly no: number
  readonly place: number
}

interface MessageQuery {
  readonly flowId: string
  /** Left out: those of all sessions. */
  readonly session?: string
  readonly limit: number
  /** Only those that stand before this place: the `next` of an earlier page. */
  readonly before?: MessagePlace
}

export interface MessagePage {
  readonly messages: StoredMessage[]
  /** Where to go on for older ones; null where there are none. */
  readonly next: MessagePlace | null
}

export interface MessageStore {
  /** The newest of those that are asked for, in the order in which they were printed. */
  list(query: MessageQuery): Promise<MessagePage>
}
