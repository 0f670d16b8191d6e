import { Compile, Errors } from 'typebox/schema'
import { Settings } from 'typebox/system'
import type { Fault } from '../../errors.ts'
import type { Catalogue } from '../component/catalogue.ts'
import { type TypedNode, typedNode } from '../component/typed-node.ts'
import { FlowDocument } from '../document/flow-document.ts'
import { shapeFaults } from '../json/shape-faults.ts'
import { sizeCheck } from '../json/too-large-parts.ts'
import { checkEdges } from './check-edges.ts'
import { checkFields, checkKinds } from './check-fields.ts'
import { linkCheck } from './check-links.ts'
import { checkParents } from './check-parents.ts'
import { completeDocument } from './complete-document.ts'
import { unnamedConnections } from './connection-uses.ts'
import { lengthFaults } from './field-lengths.ts'
import { unwiredIn } from './flow-warnings.ts'
import { PATTERN_REMEDIES } from './pattern-remedies.ts'
import { sizeFaults } from './size-faults.ts'

// TypeBox stops after eight by itself, and a person would mend a document eight faults at a time.
Settings.Set({ maxErrors: 10_000 })

/**
 * Looking for errors takes 450 ms for the largest document, in which nothing else happens, and its compiled check 10.
 * Compiling takes 10 ms as well, so it waits for the first document.
 */
const compileShape = () => Compile(FlowDocument)
let shape: ReturnType<typeof compileShape> | undefined
const sizesOf = sizeCheck(FlowDocument)

/** Each explanation lists all that is known, and takes 50 µs to find; whoever mends so many has read it. */
const MOST_EXPLAINED = 100
/** Whoever has so many to mend sends the document again before the next. */
const MOST_TOLD = 1_000

export type Validation =
  | { readonly document: FlowDocument; readonly faults?: undefined }
  | { readonly faults: readonly Fault[]; readonly document?: undefined }

/**
 * Judges a document as it was sent. First its shape; only a document of the right shape is asked what it means.
 * Every fault is reported, not just the first.
 */
export function validateFlow(sent: unknown, catalogue: Catalogue): Validation {
  const read = readDocument(sent)
  if (read.document === undefined) return read
  const faults = meaningFaults(read.document, catalogue)
  return faults.length > 0 ? { faults } : read
}

/** A document of the right shape, whatever it means; what has one obvious value is filled in. */
export function readDocument(sent: unknown): Validation {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return {
      faults: [{ code: 'invalid_shape', path: '', message: 'Send the flow document as a JSON object.' }]
    }
  }
  const tooLarge = sizesOf(sent)
  if (tooLarge.length > 0) return { faults: sizeFaults(tooLarge) }
  const document = completeDocument(sent as Record<string, unknown>)
  shape ??= compileShape()
  if (shape.Check(document)) return { document }
  const [, errors] = Errors(FlowDocument, document)
  const found = shapeFaults(errors, document, PATTERN_REMEDIES)
  const faults = found.map((fault) => inItsNode(fault, document))
  return { faults }
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

function meaningFaults(document: FlowDocument, catalogue: Catalogue): Fault[] {
  const tooLong = lengthFaults(document.nodes, (type) => catalogue.find(document.context, type))
  if (tooLong.length > 0) return tooLong
  const faults: Fault[] = []
  const nodes = new Map<string, TypedNode>()
  const hasContext = catalogue.hasContext(document.context)
  const unwired = unwiredIn(document, catalogue)
  const linkFaults = linkCheck(document.nodes)
  let unknown = 0
  if (!hasContext) faults.push(unknownContext(document.context))
  const hasTooMany = document.nodes.some((node, index) => {
    const path = `/nodes/${index}`
    const component = catalogue.find(document.context, node.type)
    if (nodes.has(node.id)) {
      const message = `Two nodes have the id "${node.id}". Give one of them another id.`
      faults.push({ code: 'duplicate_node_id', path: `${path}/id`, node: node.id, message })
    }
    const fieldFaults = component === undefined ? [] : checkFields(node, component, path)
    if (component !== undefined && (unwired.has(node.id) || node.disabled === true)) {
      // What no run takes, or runs, may be half done.
      faults.push(...checkKinds(node, component, path))
    } else if (component !== undefined) {
      // A connection is no fault of the fields: what they mean otherwise is known without it.
      faults.push(...fieldFaults, ...unnamedConnections(node, component.fields ?? {}, path))
      faults.push(...linkFaults(node, path))
    }
    // Edges mean the first of two: what the second lacks is not their fault.
    if (!nodes.has(node.id)) nodes.set(node.id, typedNode(node, component, fieldFaults.length === 0))
    // In a context that is not there no type is known, and the fault is the context's.
    if (component === undefined && hasContext) {
      const why =
        ++unknown > MOST_EXPLAINED ? '' : ` ${catalogue.explainMissing(document.context, node.type)}`
      const message = `Node "${node.id}" is of the unknown type "${node.type}".${why}`
      faults.push({ code: 'unknown_type', path: `${path}/type`, node: node.id, message })
    }
    return faults.length >= MOST_TOLD
  })
  if (hasTooMany) return faults.slice(0, MOST_TOLD)
  faults.push(...doubledNotes(document), ...doubledTriggers(document, nodes))
  return [...faults, ...checkParents(document.nodes, nodes), ...checkEdges(document.edges, nodes)]
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

/** One way in per trigger: with two Webhook nodes nobody could say which one's `auth` guards the endpoint. */
function doubledTriggers(document: FlowDocument, nodes: ReadonlyMap<string, TypedNode>): Fault[] {
  const first = new Map<string, string>()
  const wired = new Set(document.edges.map((edge) => edge.to.split('.', 1)[0]))
  const faults: Fault[] = []
  document.nodes.forEach((node, index) => {
    const component = nodes.get(node.id)?.component
    if (component?.trigger === undefined || node.disabled === true || wired.has(node.id)) return
    const other = first.get(component.trigger)
    if (other !== undefined && other !== node.id) {
      const message = `"${node.id}" and "${other}" are both a ${component.title}. A flow has one: remove one of them.`
      faults.push({ code: 'duplicate_trigger', path: `/nodes/${index}`, node: node.id, message })
    }
    first.set(component.trigger, node.id)
  })
  return faults
}
