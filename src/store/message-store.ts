export interface NewMessage {
  readonly id: string
  readonly session: string
  readonly sender: string
  readonly text: string
  /** Where the text is a long value of the run: which one, as JSON text. `text` is empty then. */
  readonly long?: string
  readonly createdAt: number
}

/** What somebody who read an answer thought of it. */
export type Rating = 'good' | 'bad'

export interface StoredMessage extends NewMessage {
  readonly runId: string
  readonly rating?: Rating
  readonly at: MessagePlace
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

/** A conversation with a flow, by what was printed in it. */
export interface FoundSession {
  readonly session: string
  readonly messages: number
  readonly firstAt: number
  readonly lastAt: number
}

/** Where a session stands among those of its flow: by what was printed last in it. */
export interface SessionPlace {
  readonly no: number
  readonly session: string
}

interface SessionQuery {
  readonly flowId: string
  readonly limit: number
  /** The `next` of an earlier page. */
  readonly before?: SessionPlace
}

/** A run that printed, or the topmost one of those that it belongs to. */
export interface SpeakingRun {
  readonly seq: number
  readonly id: string
  readonly flowId: string
  readonly hasEnded: boolean
}

/** A message as its readers name it. */
interface RatedMessage {
  readonly flowId: string
  readonly runId: string
  readonly id: string
}

export interface MessageStore {
  /** The newest of those that are asked for, in the order in which they were printed. */
  list(query: MessageQuery): Promise<MessagePage>
  /** Those in which something was printed last come first. */
  sessions(query: SessionQuery): Promise<{ sessions: FoundSession[]; next: SessionPlace | null }>
  /** The runs that printed in a session; in the place of one that another run started, the topmost above it. */
  speakers(flowId: string, session: string): Promise<SpeakingRun[]>
  /** Null takes it back; resolves to whether there is such a message. */
  rate(message: RatedMessage, rating: Rating | null): Promise<boolean>
  /** Deletes what was printed in a session; resolves to how many messages went. */
  forget(flowId: string, session: string): Promise<number>
}
