import type { Fault } from '../../errors.ts'
import { didYouMean } from '../closest-name.ts'
import type { Catalogue } from '../component/catalogue.ts'
import { referencesIn, type WrittenReference } from '../component/node-references.ts'
import type { FlowDocument, FlowNode } from '../document/flow-document.ts'
import { linksOf, topologicalOrder } from '../graph/graph.ts'
import { type Reach, reachOf } from '../graph/reach.ts'
import { orderOfRegions, parentsOf } from '../graph/regions.ts'
import type { Turns } from '../in-turns.ts'
import { escapePointer } from '../json/json-pointer.ts'
import { cutText } from '../template/quote-text.ts'
import { placeAt } from '../template/template-place.ts'

const MOST_COMPARED = 500
const NODES_PER_TURN = 20

interface Reader {
  readonly node: FlowNode
  readonly path: string
  /** Of each field those that name nodes. */
  readonly references: readonly WrittenReference[]
}

/**
 * References to nodes that do not lead to the one that reads them: of each field the first. `isIdle`: no run takes the node, or
 * runs it, so it may be half done. `before`: nodes that lead to all of these, and are not among them.
 */
export function* referenceFaults(
  document: FlowDocument,
  catalogue: Catalogue,
  isIdle: (node: FlowNode) => boolean,
  before: ReadonlySet<string> = NONE
): Turns<Fault[]> {
  const readers: Reader[] = []
  for (const [index, node] of document.nodes.entries()) {
    if (index % NODES_PER_TURN === 0) yield
    const component = isIdle(node) ? undefined : catalogue.find(document.context, node.type)
    if (component === undefined) continue
    const references = [...referencesIn(component, node.fields)].filter(namesNode)
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
  const isBefore: Reach = (from, to) => before.has(from) || leads(from, to)
  const known: Known = { ids: new Set([...ids, ...before]), parents, leads: isBefore }
  return readers.flatMap((reader) => faultsOf(reader, known))
}

const NONE: ReadonlySet<string> = new Set()

interface Known {
  readonly ids: ReadonlySet<string>
  readonly parents: ReadonlyMap<string, string>
  readonly leads: Reach
}

/** `{$nodes}` alone names none, and that is wrong too; code may look for the name while it runs. */
function namesNode({ name, node, text }: WrittenReference): boolean {
  return name === 'nodes' && (node !== undefined || text.startsWith('{'))
}

function faultsOf({ node, path, references }: Reader, known: Known): Fault[] {
  const faults = new Map<string, Fault>()
  for (const reference of references) {
    const { field, source, offset, text } = reference
    if (faults.has(field)) continue
    const wrong = wrongReference(reference, node, known)
    if (wrong === undefined) continue
    const { line, column } = placeAt(source, offset)
    const message = `Field "${field}" of node "${node.id}": ${cutText(text, 80)} ${wrong}`
    const where = { path: `${path}/fields/${escapePointer(field)}`, node: node.id, field, line, column }
    faults.set(field, { code: 'reference_not_upstream', ...where, message })
  }
  return [...faults.values()]
}

function wrongReference(
  { node: named }: WrittenReference,
  { id, parent }: FlowNode,
  { ids, parents, leads }: Known
): string | undefined {
  if (named === undefined)
    return 'names no node. Write its id and an output, such as {$nodes.parser-1.parsed_text}.'
  if (leads(named, id)) return undefined
  if (!ids.has(named)) {
    const meant = didYouMean(named, [...ids].slice(0, MOST_COMPARED))
    return `reads a node that is not there. Write the id of a node that leads to this one.${meant}`
  }
  if (named === id) return 'reads the node itself. Name one that leads to it.'
  const region = parents.get(named)
  if (region !== undefined && region !== parent)
    return `reads a node inside "${region}", which runs once for each item, in a run of its own. Read an output of "${region}" instead.`
  return `reads a node that does not lead to this one, so it may not have run by then. Wire it in before this one.`
}
