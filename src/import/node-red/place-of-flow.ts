import type { Members } from '../values.ts'
import type { RedFile, RedNode } from './red-node.ts'

export interface Variant {
  readonly subflow: string
  readonly slug: string
  /** Its settings, which are variables inside. */
  readonly env: ReadonlyMap<string, string>
  readonly raw: Members
}

/** How flows of a file name each other. */
export interface Names {
  /** By id of a Link in that other flows run: the slug of what it begins. */
  readonly calledIn: ReadonlyMap<string, string>
  /** By id of a node that runs another flow, the slug of that. */
  readonly runs: ReadonlyMap<string, string>
  readonly variants: readonly Variant[]
}

/** A tab or a subflow, and what is known of the others. */
export interface PlaceOfFlow extends Names {
  readonly id: string
  readonly name: string
  readonly info: string
  readonly isDisabled: boolean
  readonly env: ReadonlyMap<string, string>
  readonly file: RedFile
  readonly subflow?: Variant
}

export interface PlaceOfPiece extends PlaceOfFlow {
  readonly isFirst: boolean
  /** Of a subflow: the nodes that its input leads to. */
  readonly entered: readonly RedNode[]
}
