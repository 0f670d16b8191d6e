import type { Fault } from '../../errors.ts'
import { didYouMean } from '../closest-name.ts'
import type { Catalogue } from '../component/catalogue.ts'
import { referencesIn, type WrittenReference } from '../component/node-references.ts'
import { ERROR_OUTPUT, type Ports } from '../component/ports.ts'
import type { TypedNode } from '../component/typed-node.ts'
import type { FlowDocument, FlowNode } from '../document/flow-document.ts'
import { linksOf, topologicalOrder } from '../graph/graph.ts'
import { type Reach, reachOf } from '../graph/reach.ts'
import { orderOfRegions, parentsOf } from '../graph/regions.ts'
import { REFERENCE_MEMBERS } from '../graph/run-references.ts'
import type { Turns } from '../in-turns.ts'
import { escapePointer } from '../json/json-pointer.ts'
import { cutText } from '../template/quote-text.ts'
import { placeAt } from '../template/template-place.ts'

const MOST_COMPARED = 500
const MOST_SHOWN = 12
const NODES_PER_TURN = 20

interface Reader {
  readonly node: FlowNode
  readonly path: string
  /** Of each field those that name nodes. */
  readonly references: readonly WrittenReference[]
}

interface Checked {
  readonly document: FlowDocument
  readonly catalogue: Catalogue
  readonly nodes: ReadonlyMap<string, TypedNode>
  /** No run takes the node, or runs it, so it may be half done. */
  readonly isIdle: (node: FlowNode) => boolean
  readonly around?: NodesAround | undefined
}

/** Where a part of a flow is judged: what stands around it. */
export interface NodesAround {
  /** Nodes that lead to all of these, and are not among them. */
  readonly before: ReadonlySet<string>
  /** All that are drawn. */
  readonly drawn: ReadonlySet<string>
}

/**
 * References to nodes that do not lead to the one that reads them, and to what neither they nor the run have: of each field the first.
 */
export function* referenceFaults({
  document,
  catalogue,
  nodes,
  isIdle,
  around = NOTHING_AROUND
}: Checked): Turns<Fault[]> {
  const readers: Reader[] = []
  for (const [index, node] of document.nodes.entries()) {
    if (index % NODES_PER_TURN === 0) yield
    const component = isIdle(node) ? undefined : catalogue.find(document.context, node.type)
    if (component === undefined) continue
    const references = [...referencesIn(component, node.fields)].filter(canBeWrong)
    if (references.length > 0) readers.push({ node, path: `/nodes/${index}`, references })
  }
  if (readers.length === 0) return []
  const links = linksOf(document.edges).filter(({ fromNode, toNode }) => fromNode !== toNode)
  const parents = parentsOf(document.nodes)
  const all = orderOfRegions(parents, links)
  const ids = [...new Set(document.nodes.map(({ id }) => id))]
  const { sorted } = topologicalOrder(ids, all)
  // A cycle is a fault of its own, and nothing in it comes before anything.
  if (sorted === undefined) return []
  yield
  const asked = readers.flatMap(({ references }) => references.flatMap(({ node }) => node ?? []))
  const leads = yield* reachOf(sorted, all, asked)
  const isBefore: Reach = (from, to) => around.before.has(from) || leads(from, to)
  const known: Known = {
    ids: new Set([...ids, ...around.before]),
    parents,
    leads: isBefore,
    nodes,
    others: around.drawn
  }
  return readers.flatMap((reader) => faultsOf(reader, known))
}

const NOTHING_AROUND: NodesAround = { before: new Set(), drawn: new Set() }

interface Known {
  readonly ids: ReadonlySet<string>
  readonly parents: ReadonlyMap<string, string>
  readonly leads: Reach
  readonly nodes: ReadonlyMap<string, TypedNode>
  /** Nodes that are drawn, and no part of what is judged. */
  readonly others: ReadonlySet<string>
}

/** `{$nodes}` alone names none, and that is wrong too; code may look for the name while it runs. */
function canBeWrong({ name, node, text, member }: WrittenReference): boolean {
  if (name === 'nodes') return node !== undefined || text.startsWith('{')
  return member !== undefined && Object.hasOwn(REFERENCE_MEMBERS, name)
}

function faultsOf({ node, path, references }: Reader, known: Known): Fault[] {
  const faults = new Map<string, Fault>()
  for (const reference of references) {
    const { field, source, offset, text } = reference
    if (faults.has(field)) continue
    const misled = reference.name === 'nodes' ? wrongReference(reference, node, known) : undefined
    const wrong = misled ?? absentMember(reference, known)
    if (wrong === undefined) continue
    const { line, column } = placeAt(source, offset)
    const message = `Field "${field}" of node "${node.id}": ${cutText(text, 80)} ${wrong}`
    const where = { path: `${path}/fields/${escapePointer(field)}`, node: node.id, field, line, column }
    const code = misled === undefined ? 'reference_to_nothing' : 'reference_not_upstream'
    faults.set(field, { code, ...where, message })
  }
  return [...faults.values()]
}

/** What is read is there in no run; undefined where it may be. */
function absentMember(reference: WrittenReference, { nodes }: Known): string | undefined {
  const { name, node, member, mayBeAbsent } = reference
  if (member === undefined || mayBeAbsent === true) return undefined
  const optional = ` Write {…?} if it may be absent.`
  if (name === 'run' || name === 'flow') {
    const members: readonly string[] = REFERENCE_MEMBERS[name]
    if (members.includes(member)) return undefined
    return `is in no run. There is ${members.map((each) => `$${name}.${each}`).join(', ')}.${didYouMean(member, members)}${optional}`
  }
  const typed = node === undefined ? undefined : nodes.get(node)
  // What a placeholder of another tool would put out nobody knows.
  if (typed?.outputs === undefined || typed.component?.placeholder === true) return undefined
  if (Object.hasOwn(typed.outputs, member)) return undefined
  return `reads an output that "${node}" (${typed.component!.title}) does not have.${outputsWords(typed.outputs, member)}${optional}`
}

function outputsWords(outputs: Ports, member: string): string {
  const names = Object.keys(outputs)
  if (member === ERROR_OUTPUT) return ' It has one where its "on_error" is "output".'
  const shown = names.slice(0, MOST_SHOWN).join(', ')
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : ''
  const list = names.length === 0 ? ' It has none.' : ` Its outputs are ${shown}${more}.`
  return `${list}${didYouMean(member, names.slice(0, MOST_COMPARED))}`
}

function wrongReference(
  { node: named }: WrittenReference,
  { id, parent }: FlowNode,
  { ids, parents, leads, others }: Known
): string | undefined {
  if (named === undefined)
    return 'names no node. Write its id and an output, such as {$nodes.parser-1.parsed_text}.'
  if (leads(named, id)) return undefined
  if (!ids.has(named) && !others.has(named)) {
    const meant = didYouMean(named, [...ids].slice(0, MOST_COMPARED))
    return `reads a node that is not there. Write the id of a node that leads to this one.${meant}`
  }
  if (named === id) return 'reads the node itself. Name one that leads to it.'
  const region = parents.get(named)
  if (region !== undefined && region !== parent)
    return `reads a node inside "${region}", which runs once for each item, in a run of its own. Read an output of "${region}" instead.`
  return `reads a node that does not lead to this one, so it may not have run by then. Wire it in before this one.`
}
