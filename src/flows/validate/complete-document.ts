import { MOST } from '../document/flow-document.ts'
import { placeInTurns } from '../graph/place-nodes.ts'
import type { Turns } from '../in-turns.ts'

const READ_ONLY = ['id', 'version', 'created_at', 'updated_at', 'paused', 'aliases', 'from_file', 'warnings']

/**
 * A document as a person or a tool may send it: members that only a read flow has are dropped, and what has one
 * obvious value may be left out. Anything else stays as it is and in its order, for the validation to judge.
 */
export function* completeInTurns(sent: Readonly<Record<string, unknown>>): Turns<Record<string, unknown>> {
  const given = Object.fromEntries(Object.entries(sent).filter(([key]) => !READ_ONLY.includes(key)))
  const document = complete(given, DOCUMENT)
  if (isUnplaced(document)) document.nodes = yield* withPlaces(document.nodes, document.edges)
  yield
  if (Array.isArray(document.nodes)) document.nodes = document.nodes.map((node) => completePart(node, NODE))
  if (Array.isArray(document.notes)) document.notes = document.notes.map((note) => completePart(note, NOTE))
  return document
}

interface Unplaced {
  nodes: Record<string, unknown>[]
  readonly edges: readonly { readonly from: string; readonly to: string }[]
}

/** Sound as far as places are concerned, and not one node says where it stands. */
function isUnplaced(document: object): document is Unplaced {
  const { nodes, edges } = document as Readonly<Record<string, unknown>>
  return (
    Array.isArray(nodes) &&
    Array.isArray(edges) &&
    nodes.length <= MOST.nodes &&
    edges.length <= MOST.edges &&
    nodes.every(
      (node) => isObject(node) && typeof node.id === 'string' && !Object.hasOwn(node, 'position')
    ) &&
    edges.every((edge) => isObject(edge) && typeof edge.from === 'string' && typeof edge.to === 'string')
  )
}

function* withPlaces(nodes: Unplaced['nodes'], edges: Unplaced['edges']): Turns<Unplaced['nodes']> {
  const standing = nodes.map(({ id, parent }) => ({
    id: String(id),
    ...(typeof parent === 'string' ? { parent } : {})
  }))
  const places = yield* placeInTurns(standing, edges)
  return nodes.map((node) => ({ ...node, position: places.get(String(node.id))! }))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const DOCUMENT = { context: '/', nodes: [], edges: [] }
const NOTE = { position: { x: 0, y: 0 } }
const NODE = { ...NOTE, fields: {} }

function completePart(part: unknown, obvious: object): unknown {
  return isObject(part) ? complete(part, obvious) : part
}

function complete(given: object, obvious: object): Record<string, unknown> {
  const whole: Record<string, unknown> = { ...given }
  for (const key in obvious)
    if (!Object.hasOwn(given, key)) whole[key] = (obvious as Readonly<Record<string, unknown>>)[key]
  return whole
}
