import type {
  FlowDocument,
  FlowEdge,
  FlowNode,
  FlowNote
} from '../../../../src/flows/document/flow-document.ts'
import { type End, parseEnd } from '../../../../src/flows/graph/graph.ts'

/**
 * What is edited is the flow document itself, as it is saved and exported, and never changed in place: a change
 * makes a new one that shares all that stayed. So nothing has to be converted, and two states are compared by
 * looking at what is not the same object.
 */
export interface Flow extends Readonly<Omit<FlowDocument, 'nodes' | 'edges' | 'notes'>> {
  readonly nodes: readonly Node[]
  readonly edges: readonly Edge[]
  readonly notes?: readonly Note[]
}

export type Node = Readonly<FlowNode>
export type Edge = Readonly<FlowEdge>
export type Note = Readonly<FlowNote>
export type NoteColour = NonNullable<FlowNote['colour']>

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export type Sizes = ReadonlyMap<string, Size>

/** Members of nodes and notes that say how they are drawn, not what they are. */
export const LAYOUT_MEMBERS: readonly string[] = ['position', 'size', 'collapsed', 'shown_fields']

export function findNode(flow: Flow, id: string): Node | undefined {
  return flow.nodes.find((node) => node.id === id)
}

// One object, so that notes that did not change are the same notes.
const NO_NOTES: readonly Note[] = []

export function notesOf(flow: Flow): readonly Note[] {
  return flow.notes ?? NO_NOTES
}

/** The ids of nodes and notes: they stand on one canvas, so an id means one thing among both. */
export function takenIds(flow: Flow): Set<string> {
  return new Set([...flow.nodes, ...notesOf(flow)].map(({ id }) => id))
}

/** Several edges may lead to one input. */
export function edgeKey({ from, to }: Edge): string {
  return `${from} -> ${to}`
}

export function isSameEdge(one: Edge, other: Edge): boolean {
  return one.from === other.from && one.to === other.to
}

export function endText({ node, port }: End): string {
  return `${node}.${port}`
}

/** The node that an end of an edge names. Text without a dot names none. */
export function nodeOfEnd(end: string): string {
  return parseEnd(end)?.node ?? ''
}

export function touches(edge: Edge, isMeant: (node: string) => boolean): boolean {
  return isMeant(nodeOfEnd(edge.from)) || isMeant(nodeOfEnd(edge.to))
}
