import type { Edge, Size } from '../graph/flow.ts'

/** Something with a size and ports: a node, or a group as a whole. */
export interface Item extends Size {
  readonly id: string
  /** How far below its upper edge the port at this end of a wire is. */
  readonly portAt: (side: 'input' | 'output', end: string) => number
}

export interface Wire extends Edge {
  readonly source: string
  readonly target: string
}

/** Between columns there is room for wires to bend; within one, for a line of text. */
export const GAPS = { columns: 96, rows: 40 } as const
