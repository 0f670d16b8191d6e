import type { PortType } from '../../../../src/flows/component/ports.ts'
import type { Fragment } from '../commands/command.ts'
import { type Edge, endText, type Flow, findNode, nodeOfEnd, type Point, takenIds } from '../graph/flow.ts'
import { freeId } from '../graph/free-ids.ts'
import { pathText } from '../template/template-path.ts'
import { bestPort } from './best-port.ts'
import type { Handle } from './judge-wire.ts'
import type { ComponentFacts, PageCatalogue } from './page-catalogue.ts'

/** A component that could stand at the loose end of a wire, and where the wire would end. */
interface FittingComponent {
  readonly facts: ComponentFacts
  readonly port: string
  /** What the new node begins with, where its template has to make the input first. */
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * What quick-add offers when a wire is dropped on empty canvas: what takes the very type of the wire first, what starts runs
 * last.
 */
export function componentsThatFit(flow: Flow, catalogue: PageCatalogue, handle: Handle): FittingComponent[] {
  const type = typeAt(flow, catalogue, handle)
  if (type === undefined) return []
  const rank = ({ facts, port }: FittingComponent) => {
    if (facts.trigger !== null) return 2
    const ports = handle.side === 'output' ? facts.inputs : facts.outputs
    // A component whose template makes its inputs has none of them yet.
    return (ports[port]?.type ?? type) === type ? 0 : 1
  }
  return allThatFit(flow, catalogue, handle, type).toSorted((one, other) => rank(one) - rank(other))
}

/** Why a wire from or to here cannot lead to a component; undefined where it can. */
export function whyNotFit(
  flow: Flow,
  catalogue: PageCatalogue,
  facts: ComponentFacts,
  handle: Handle
): string | undefined {
  const type = typeAt(flow, catalogue, handle)
  if (type === undefined) return undefined
  const found =
    handle.side === 'output' ? inputFor(facts, handle, type) : outputFor(flow, catalogue, facts, type)
  if (found !== undefined) return undefined
  if (handle.side === 'input') {
    const gives = Object.keys(facts.outputs).length > 0 ? `No output of it gives ${type}` : 'It has no output'
    return whyNotAdd(flow, catalogue, facts) ?? `${gives}, which this input takes.`
  }
  if (facts.trigger !== null) return 'It starts runs, so no wire leads to it.'
  return Object.keys(facts.inputs).length === 0 ? 'It has no input.' : `No input of it takes ${type}.`
}

function allThatFit(
  flow: Flow,
  catalogue: PageCatalogue,
  handle: Handle,
  type: PortType
): FittingComponent[] {
  return catalogue.components.flatMap((facts) => {
    const found =
      handle.side === 'output' ? inputFor(facts, handle, type) : outputFor(flow, catalogue, facts, type)
    return found === undefined ? [] : [{ facts, ...found }]
  })
}

/** Why another node of this component would make the flow one that cannot be saved, or undefined. */
export function whyNotAdd(flow: Flow, catalogue: PageCatalogue, facts: ComponentFacts): string | undefined {
  if (facts.trigger === null) return undefined
  const wired = new Set(flow.edges.map(({ to }) => nodeOfEnd(to)))
  const other = flow.nodes.find(
    (node) => !wired.has(node.id) && catalogue.facts(node.type)?.trigger === facts.trigger
  )
  return other === undefined
    ? undefined
    : `The flow already has a ${catalogue.titleOf(other)} (${other.id}), and a flow can have only one. Use that one or remove it.`
}

/** A new node of a component, with the wire that asked for it. */
export function newNode(
  flow: Flow,
  position: Point,
  added: Pick<FittingComponent, 'facts'> & Partial<FittingComponent>,
  wiredTo?: Handle
): Fragment {
  const { type } = added.facts
  const id = freeId(type, takenIds(flow))
  const edges =
    wiredTo === undefined || added.port === undefined ? [] : [wire({ node: id, port: added.port }, wiredTo)]
  return { nodes: [{ id, type, position, fields: { ...added.fields } }], edges, notes: [] }
}

function wire(end: { node: string; port: string }, handle: Handle): Edge {
  return handle.side === 'output'
    ? { from: endText(handle), to: endText(end) }
    : { from: endText(end), to: endText(handle) }
}

type Found = Pick<FittingComponent, 'port' | 'fields'>

function inputFor(facts: ComponentFacts, handle: Handle, type: PortType): Found | undefined {
  const port = bestPort(facts.inputs, type, 'to it')
  if (port !== undefined) return { port, fields: {} }
  const template = facts.inputs_from_template
  // A template that says nothing yet can name what the wire brings.
  const name = handle.port
  const variable = template === null || facts.fields[template]?.default !== '' ? undefined : pathText([name])
  return variable === undefined ? undefined : { port: name, fields: { [template!]: `{${variable}}` } }
}

function outputFor(
  flow: Flow,
  catalogue: PageCatalogue,
  facts: ComponentFacts,
  type: PortType
): Found | undefined {
  const port = bestPort(facts.outputs, type, 'from it')
  return port === undefined || whyNotAdd(flow, catalogue, facts) !== undefined
    ? undefined
    : { port, fields: {} }
}

function typeAt(flow: Flow, catalogue: PageCatalogue, { node, port, side }: Handle): PortType | undefined {
  const found = findNode(flow, node)
  if (found === undefined) return undefined
  const { inputs, outputs } = catalogue.typed(found)
  return (side === 'input' ? inputs : outputs)?.[port]?.type
}
