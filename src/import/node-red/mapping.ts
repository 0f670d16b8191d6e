import type { Become } from '../become.ts'
import type { RedNode } from './red-node.ts'
import type { Writer } from './writer.ts'

/** A node whose failures a Catch gets. */
interface Source {
  /** Its id in the flow. */
  readonly id: string
  readonly title: string
  readonly type: string
  /** The message that it got, as code. */
  readonly message: string
}

/** How a run comes to a node that starts messages. */
type Way =
  | { readonly kind: 'schedule'; readonly cron: string; readonly note: string }
  | { readonly kind: 'asked'; readonly asked: string }

/** Where a node stands. */
export interface Place {
  readonly way?: Way
  /** Whether runs of this flow come by it; a flow has one Webhook and one Schedule. */
  readonly isServed: boolean
  /** Of a Catch: the nodes that it watches. */
  readonly sources: readonly Source[]
  /** Whether its messages come out of a For each, as one list. */
  readonly isList: boolean
  /** How many wires lead to it, where each brings a message of its own. */
  readonly inputs: number
  readonly isInRegion: boolean
  /** Headers that nodes of the flow set by name. */
  readonly headers: readonly string[]
  /** Whether an HTTP response answers what comes by it. */
  readonly isAnswered: boolean
  /** The slug of the flow that a subflow, or what a link leads to, has become. */
  readonly flowOf: (key: string) => string | undefined
  readonly config: (id: string) => RedNode | undefined
}

export type Mapping = (node: RedNode, write: Writer, place: Place) => Become | undefined
