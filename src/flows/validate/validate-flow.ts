import type { Fault } from '../../errors.ts'
import type { Catalogue } from '../component/catalogue.ts'
import { type TypedNode, typedNode } from '../component/typed-node.ts'
import { FlowDocument, type FlowNode } from '../document/flow-document.ts'
import { atOnce, type Turns } from '../in-turns.ts'
import { sizeCheck } from '../json/too-large-parts.ts'
import { toolFaults } from '../tools/tool-faults.ts'
import { edgeFaults } from './check-edges.ts'
import { checkFields, checkKinds } from './check-fields.ts'
import { linkCheck } from './check-links.ts'
import { checkParents } from './check-parents.ts'
import { type NodesAround, referenceFaults } from './check-references.ts'
import { askedTriggers, doubledTriggers } from './check-triggers.ts'
import { completeInTurns } from './complete-document.ts'
import { unnamedConnections } from './connection-uses.ts'
import { lengthFaults } from './field-lengths.ts'
import { unwiredIn } from './flow-warnings.ts'
import { PATTERN_REMEDIES } from './pattern-remedies.ts'
import { shapeCheck } from './shape-check.ts'
import { sizeFaults } from './size-faults.ts'

const shape = shapeCheck(FlowDocument, PATTERN_REMEDIES)
const sizesOf = sizeCheck(FlowDocument)

/** Each explanation lists all that is known, and takes 50 µs to find; whoever mends so many has read it. */
export const MOST_EXPLAINED = 100
/** Whoever has so many to mend sends the document again before the next. */
const MOST_TOLD = 1_000

export type Validation =
  | { readonly document: FlowDocument; readonly faults?: undefined }
  | { readonly faults: readonly Fault[]; readonly document?: undefined }

/**
 * Judges a document as it was sent. First its shape; only a document of the right shape is asked what it means.
 * Every fault is reported, not just the first. `around`: where the document is a part of one.
 */
export function* validateInTurns(
  sent: unknown,
  catalogue: Catalogue,
  around?: NodesAround
): Turns<Validation> {
  const read = yield* readInTurns(sent)
  if (read.document === undefined) return read
  const faults = yield* meaningFaults(read.document, catalogue, around)
  return faults.length > 0 ? { faults } : read
}

export function validateFlow(sent: unknown, catalogue: Catalogue): Validation {
  return atOnce(validateInTurns(sent, catalogue))
}

/** A document of the right shape, whatever it means; what has one obvious value is filled in. */
export function* readInTurns(sent: unknown): Turns<Validation> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return {
      faults: [{ code: 'invalid_shape', path: '', message: 'Send the flow document as a JSON object.' }]
    }
  }
  const tooLarge = sizesOf(sent)
  if (tooLarge.length > 0) return { faults: sizeFaults(tooLarge) }
  yield
  const document = yield* completeInTurns(sent as Record<string, unknown>)
  yield
  const found = yield* shape(document)
  if (found === undefined) return { document: document as FlowDocument }
  return { faults: found.map((fault) => inItsNode(fault, document)) }
}

export function readDocument(sent: unknown): Validation {
  return atOnce(readInTurns(sent))
}

/** A place such as nodes.7 says nothing to people, who know the node by its id. */
function inItsNode(fault: Fault, { nodes }: Readonly<Record<string, unknown>>): Fault {
  const [, index] = /^\/nodes\/(\d+)\//.exec(fault.path) ?? []
  if (index === undefined || fault.path.endsWith(`/${index}/id`)) return fault
  const { id } = (nodes as Record<string, unknown>[])[Number(index)]!
  if (typeof id !== 'string') return fault
  return { ...fault, node: id, message: `Node "${id}": ${fault.message}` }
}

export function unknownContext(context: string): Fault {
  const message = `There is no context "${context}". Use "/" or a context that GET /api/v1/contexts lists.`
  return { code: 'unknown_context', path: '/context', message }
}

/** What is wrong with the fields and wires of a document of the right shape. */
export function* meaningFaults(
  document: FlowDocument,
  catalogue: Catalogue,
  around?: NodesAround
): Turns<Fault[]> {
  const tooLong = yield* lengthFaults(document.nodes, (type) => catalogue.find(document.context, type))
  if (tooLong.length > 0) return tooLong
  const faults: Fault[] = []
  const nodes = new Map<string, TypedNode>()
  if (!catalogue.hasContext(document.context)) faults.push(unknownContext(document.context))
  const judge = yield* nodeJudge(document, catalogue)
  for (const [index, node] of document.nodes.entries()) {
    yield
    const judged = yield* judge(node, `/nodes/${index}`, nodes.has(node.id))
    faults.push(...judged.faults)
    // Edges mean the first of two: what the second lacks is not their fault.
    if (!nodes.has(node.id)) nodes.set(node.id, judged.typed)
    if (faults.length >= MOST_TOLD) return faults.slice(0, MOST_TOLD)
  }
  faults.push(...doubledNotes(document), ...doubledTriggers(document, nodes))
  yield
  faults.push(...checkParents(document.nodes, nodes))
  faults.push(...(yield* edgeFaults(document.edges, nodes)))
  const unwired = unwiredIn(document, catalogue)
  const isIdle = (node: FlowNode) => node.disabled === true || unwired.has(node.id)
  return [...faults, ...(yield* referenceFaults({ document, catalogue, nodes, isIdle, around }))]
}

interface JudgedNode {
  readonly faults: readonly Fault[]
  readonly typed: TypedNode
}

type NodeJudge = (node: FlowNode, path: string, isTaken: boolean) => Turns<JudgedNode>

/** Of the nodes, one after the other. */
function* nodeJudge(document: FlowDocument, catalogue: Catalogue): Turns<NodeJudge> {
  const hasContext = catalogue.hasContext(document.context)
  yield
  const unwired = unwiredIn(document, catalogue)
  yield
  const linkFaults = linkCheck(document.nodes)
  const isAsked = askedTriggers(document)
  let unknown = 0

  function unknownType({ id, type }: FlowNode, path: string): Fault {
    const why = ++unknown > MOST_EXPLAINED ? '' : catalogue.explainMissing(document.context, type)
    const message = `Node "${id}" is of the unknown type "${type}". ${why}`.trimEnd()
    return { code: 'unknown_type', path: `${path}/type`, node: id, message }
  }

  return function* (node, path, isTaken) {
    const faults: Fault[] = []
    const component = catalogue.find(document.context, node.type)
    if (isTaken) {
      const message = `Two nodes have the id "${node.id}". Give one of them another id.`
      faults.push({ code: 'duplicate_node_id', path: `${path}/id`, node: node.id, message })
    }
    if (component === undefined) {
      // In a context that is not there no type is known, and the fault is the context's.
      if (hasContext) faults.push(unknownType(node, path))
      return { faults, typed: typedNode(node, component, true) }
    }
    const found = isAsked(node, component)
      ? yield* checkFields(node, component, path)
      : checkKinds(node, component, path)
    const fieldFaults = [...withoutOpen(node, found), ...toolFaults(node, component, path)]
    const isIdle = unwired.has(node.id) && component.placeholder !== true
    if (isIdle || node.disabled === true) {
      // What no run takes, or runs, may be half done.
      faults.push(...checkKinds(node, component, path))
    } else {
      // A connection is no fault of the fields: what they mean otherwise is known without it.
      faults.push(...fieldFaults, ...unnamedConnections(node, component.fields ?? {}, path))
      faults.push(...linkFaults(node, path))
    }
    return { faults, typed: typedNode(node, component, fieldFaults.length === 0) }
  }
}

/** What is left to an agent may be empty, or wrong: the agent fills it. */
function withoutOpen({ tool }: FlowNode, faults: Fault[]): Fault[] {
  const open = tool?.fields
  return open === undefined
    ? faults
    : faults.filter(({ field }) => field === undefined || !open.includes(field))
}

/** Nodes and notes stand on one canvas, so an id means one thing among both. */
function doubledNotes({ nodes, notes = [] }: FlowDocument): Fault[] {
  const taken = new Set(nodes.map((node) => node.id))
  return notes.flatMap(({ id }, index) => {
    if (!taken.has(id)) {
      taken.add(id)
      return []
    }
    const message = `The id "${id}" of a note is taken by a node or another note. Give the note another id.`
    return [{ code: 'duplicate_note_id', path: `/notes/${index}/id`, message }]
  })
}
