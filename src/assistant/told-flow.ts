import type { FlowDocument } from '../flows/document/flow-document.ts'
import type { EditedDocument } from './flow-edits.ts'

/** In characters of JSON: more fills what a model can take. */
export const LONGEST_FLOW = 200_000

/** How it is drawn is nothing to a model. */
const DRAWN = new Set(['position', 'size', 'collapsed', 'shown_fields'])

/** The flow as a model is told of it: what it does, and nothing of how it is drawn. */
export function toldFlow(document: EditedDocument): string {
  const { name, description, nodes, edges } = document
  return JSON.stringify({ name, description, nodes: nodes.map(withoutDrawing), edges })
}

function withoutDrawing(node: object): object {
  return Object.fromEntries(Object.entries(node).filter(([member]) => !DRAWN.has(member)))
}

/** The types of its nodes, each once. */
export function typesIn(document: EditedDocument): string[] {
  const types = document.nodes.map(({ type }) => type).filter((type) => typeof type === 'string')
  return [...new Set(types)]
}

/** Drafts hold anything; what reads a document passes over what is no node. */
export function asDocument(document: EditedDocument): FlowDocument {
  return document as unknown as FlowDocument
}
