/** What comes of a file of another tool. */

export type Verdict = 'exact' | 'adapted' | 'placeholder'

/** What became of one node. */
export interface NodeReport {
  /** Its id in the flow. */
  readonly node: string
  /** What it was called where it comes from. */
  readonly title: string
  readonly was: string
  readonly became: string
  readonly verdict: Verdict
  readonly note: string
}

/** A connection that a node asks for. */
export interface NeededConnection {
  readonly name: string
  readonly kind: string
  /** Of those that are offered for known services. */
  readonly preset?: string
}

export interface ImportedFlow {
  readonly name: string
  readonly slug: string
  /** A flow document without slug and context. */
  readonly document: Readonly<Record<string, unknown>>
  readonly nodes: readonly NodeReport[]
  readonly wires: { readonly kept: number; readonly lost: number }
  readonly connections: readonly NeededConnection[]
  /** What was pinned, by node: its outputs. */
  readonly pinned: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Of a tool, what the node that uses it has to say. */
  readonly told?: string
}

export interface Imported {
  readonly format: string
  readonly flows: readonly ImportedFlow[]
}

/** What a reader is given of the service that it reads for. */
export interface ImportHelp {
  /** A slug that is free, for a flow of this name; each call gives another. */
  readonly slugFor: (name: string) => string
}
