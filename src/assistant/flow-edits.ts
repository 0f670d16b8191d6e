import { isPlainObject, type JsonValue } from '../flows/json/exact-json.ts'

type Part = Readonly<Record<string, unknown>>

/** A flow as somebody edits it, whatever its faults. */
export interface EditedDocument extends Part {
  readonly nodes: readonly Part[]
  readonly edges: readonly Part[]
}

interface Edge {
  readonly from: string
  readonly to: string
}

/** What a model wants to be different: only that, so that a small one need not repeat a whole flow, and loses nothing of it. */
interface FlowEdits {
  /** For the person, in a few sentences. */
  readonly summary: string
  readonly name?: string
  readonly description?: string
  readonly nodes: readonly Part[]
  readonly removeNodes: readonly string[]
  readonly edges: readonly Edge[]
  readonly removeEdges: readonly Edge[]
}

const NODE_ID = /^[A-Za-z0-9_-]{1,100}$/
/** What of a node is taken as it is given; null takes it away. Where it stands and what it is called by others is not the model's. */
const MEMBERS = ['title', 'retry', 'timeout_ms', 'on_error', 'disabled', 'tool', 'parent'] as const

/** The arguments of a call of the tool; a text says what is wrong with them. */
export function readEdits(given: JsonValue): FlowEdits | string {
  if (!isPlainObject(given)) return 'The arguments are not an object.'
  const { summary, name, description, nodes, remove_nodes, edges, remove_edges } = given
  const lists = { nodes, remove_nodes, edges, remove_edges }
  for (const [member, list] of Object.entries(lists))
    if (list !== undefined && list !== null && !Array.isArray(list)) return `"${member}" is not a list.`
  const parts = listOf(nodes)
  if (!parts.every((node) => isPlainObject(node) && typeof node.id === 'string'))
    return 'Each entry of "nodes" is an object with "id".'
  const [wires, cut] = [listOf(edges), listOf(remove_edges)]
  if (![...wires, ...cut].every(isEdge))
    return 'Each entry of "edges" and "remove_edges" is {"from":"node.output","to":"node.input"}.'
  const edits: FlowEdits = {
    summary: typeof summary === 'string' ? summary : '',
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    nodes: parts as unknown as Part[],
    removeNodes: listOf(remove_nodes).filter((id) => typeof id === 'string'),
    edges: wires as unknown as Edge[],
    removeEdges: cut as unknown as Edge[]
  }
  return isNothing(edits) ? 'It changes nothing: name nodes or edges.' : edits
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

function isEdge(value: JsonValue): boolean {
  return isPlainObject(value) && typeof value.from === 'string' && typeof value.to === 'string'
}

function isNothing({ name, description, nodes, removeNodes, edges, removeEdges }: FlowEdits): boolean {
  const lists = [nodes, removeNodes, edges, removeEdges]
  return name === undefined && description === undefined && lists.every((list) => list.length === 0)
}

interface Edited {
  readonly document: EditedDocument
  /** What could not be done, in words for the model. */
  readonly wrong: readonly string[]
}

/**
 * The document with the edits in it. Nothing is judged but what keeps an edit from being made. `first`: where it began. What was there then
 * keeps its place among what came since: of wires into one input the first counts, and no list of changes shows an order.
 */
export function applyEdits(
  document: EditedDocument,
  edits: FlowEdits,
  first: EditedDocument = document
): Edited {
  const wrong: string[] = []
  const nodes = new Map<string, Part>()
  const unnamed: Part[] = []
  for (const node of document.nodes)
    if (typeof node.id === 'string' && !nodes.has(node.id)) nodes.set(node.id, node)
    else unnamed.push(node)
  removeNodes(nodes, edits.removeNodes, wrong)
  for (const given of edits.nodes) putNode(nodes, given, wrong)
  const { name, description } = edits
  const edges = edgesAfter(document.edges, edits, nodes)
  return {
    document: {
      ...document,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      nodes: [...inOrderOf(first.nodes, [...nodes.values()], ({ id }) => id), ...unnamed],
      edges: inOrderOf(first.edges, edges, keyOf)
    },
    wrong
  }
}

function inOrderOf(first: readonly Part[], parts: readonly Part[], key: (part: Part) => unknown): Part[] {
  // Of several with one key, the first.
  const places = new Map(first.map((part, at) => [key(part), at] as const).toReversed())
  const placeOf = (part: Part) => places.get(key(part)) ?? first.length
  return parts.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function removeNodes(nodes: Map<string, Part>, ids: readonly string[], wrong: string[]): void {
  for (const id of ids) if (!nodes.delete(id)) wrong.push(`There is no node "${id}" to remove.`)
  const gone = new Set(ids)
  for (const [id, node] of nodes) {
    if (typeof node.parent !== 'string' || !gone.has(node.parent)) continue
    const { parent: _, ...outside } = node
    nodes.set(id, outside)
  }
}

function putNode(nodes: Map<string, Part>, given: Part, wrong: string[]): void {
  const id = String(given.id)
  const before = nodes.get(id)
  const type = given.type ?? before?.type
  if (before === undefined && !NODE_ID.test(id))
    return void wrong.push(`"${id.slice(0, 120)}" cannot be an id: use letters, digits, - and _.`)
  if (typeof type !== 'string') return void wrong.push(`There is no node "${id}". A new node needs a "type".`)
  const isSameType = before !== undefined && before.type === type
  const node: Record<string, unknown> = {
    ...before,
    id,
    type,
    // The fields of another component would mean nothing here.
    fields: fieldsAfter(isSameType ? before.fields : {}, given)
  }
  for (const member of MEMBERS) {
    if (given[member] === null) delete node[member]
    else if (given[member] !== undefined) node[member] = given[member]
  }
  nodes.set(id, node)
}

function fieldsAfter(before: unknown, { fields, reset_fields: reset }: Part): Record<string, unknown> {
  const gone = new Set(Array.isArray(reset) ? reset : [])
  const kept = Object.entries(Object(before) as object).filter(([name]) => !gone.has(name))
  const given = isPlainObject(fields as JsonValue) ? Object.entries(fields as object) : []
  return Object.fromEntries([...kept, ...given])
}

function edgesAfter(
  before: readonly Part[],
  { edges, removeEdges, removeNodes: gone }: FlowEdits,
  nodes: ReadonlyMap<string, unknown>
): readonly Part[] {
  const cut = new Set(removeEdges.map(keyOf))
  const removed = new Set(gone)
  const isLoose = (end: unknown) => {
    const node = String(end).split('.', 1)[0]!
    return removed.has(node) && !nodes.has(node)
  }
  const kept = before.filter((edge) => !cut.has(keyOf(edge)) && !isLoose(edge.from) && !isLoose(edge.to))
  const there = new Set(kept.map(keyOf))
  const added = edges.filter((edge) => {
    const isNew = !there.has(keyOf(edge))
    there.add(keyOf(edge))
    return isNew
  })
  return [...kept, ...added.map(({ from, to }) => ({ from, to }))]
}

function keyOf({ from, to }: { readonly from?: unknown; readonly to?: unknown }): string {
  return `${String(from)} -> ${String(to)}`
}
