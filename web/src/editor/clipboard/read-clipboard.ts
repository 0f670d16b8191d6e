import { isTooDeep, PAYLOAD_DEPTH } from '../../../../src/flows/json/exact-json.ts'
import { readDocument } from '../../../../src/flows/validate/validate-flow.ts'
import type { Fragment } from '../commands/command.ts'
import type { Flow } from '../graph/flow.ts'
import { withoutNodes } from '../groups/groups.ts'
import { withoutParent } from '../regions/regions.ts'
import { whyNotAdd } from '../wiring/fitting-components.ts'
import type { PageCatalogue } from '../wiring/page-catalogue.ts'

type Clipboard =
  | { readonly fragment: Fragment; readonly message?: undefined; readonly foreign?: undefined }
  /** Why the text cannot be pasted, and what can be. */
  | { readonly message: string; readonly fragment?: undefined; readonly foreign?: undefined }
  /** Flows of another tool, or several: the service reads those, and they become flows of their own. */
  | { readonly foreign: true; readonly fragment?: undefined; readonly message?: undefined }

/** Reads nodes, edges and notes from text: a selection that was copied, or any flow document. */
export function readClipboard(text: string): Clipboard {
  if (text.trim() === '') return refuse('The clipboard is empty.')
  if (isTooDeep(text, PAYLOAD_DEPTH)) {
    return {
      message: `The clipboard holds JSON nested more than ${PAYLOAD_DEPTH} levels deep, which no flow can hold.`
    }
  }
  const value = parse(text)
  if (value === undefined) return refuse('The clipboard holds text, not a flow document.')
  if (looksForeign(value)) return { foreign: true }
  if (!isObject(value) || !('nodes' in value || 'notes' in value)) {
    return refuse('The clipboard holds JSON without "nodes", so it is not a flow document.')
  }
  const { nodes = [], edges = [], notes = [] } = value
  const read = readDocument({ name: 'Pasted', slug: 'pasted', nodes, edges, notes })
  if (read.document === undefined) {
    return { message: `The flow document in the clipboard is not valid. ${read.faults[0]!.message}` }
  }
  const present = new Set(read.document.nodes.map(({ id }) => id))
  const fragment = {
    nodes: read.document.nodes.map((node) => withoutParent(node, (parent) => !present.has(parent))),
    edges: read.document.edges,
    // A group names what comes with it, not what goes by the same id here.
    notes: (read.document.notes ?? []).map((note) => withoutNodes(note, (node) => !present.has(node)))
  }
  const ids = [...fragment.nodes, ...fragment.notes].map(({ id }) => id)
  if (ids.length === 0) return { message: 'The flow document in the clipboard has no nodes and no notes.' }
  const doubled = ids.find((id, index) => ids.indexOf(id) !== index)
  if (doubled === undefined) return { fragment }
  return {
    message: `The flow document in the clipboard has two parts with the id "${doubled}". Give one of them another id.`
  }
}

/** What will keep the flow from being saved once the fragment is in it, in words for the person who pasted it. */
export function pasteNotices(flow: Flow, catalogue: PageCatalogue, { nodes }: Fragment): string[] {
  const types = [...new Set(nodes.map(({ type }) => type))]
  return types.flatMap((type) => {
    const facts = catalogue.facts(type)
    if (facts === undefined)
      return [`"${type}" is unknown here. ${catalogue.explainMissing(flow.context, type)}`]
    return whyNotAdd(flow, catalogue, facts) ?? []
  })
}

const WHAT_CAN_BE = 'Copy nodes on a canvas, or the JSON of an exported flow, and paste again.'

function refuse(reason: string): Clipboard {
  return { message: `${reason} ${WHAT_CAN_BE}` }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Which tool it is of, and whether it is of any, is for the service to say. */
function looksForeign(value: unknown): boolean {
  if (Array.isArray(value)) return isObject(value[0]) && ('nodes' in value[0] || 'type' in value[0])
  if (!isObject(value)) return false
  const { nodes, edges, data, workflow, flows } = value
  const isN8n = nodes !== undefined && isObject(value.connections) && edges === undefined
  const isLangflow = isObject(data) && 'nodes' in data
  const isFlowise = Array.isArray(nodes) && isObject(nodes[0]) && isObject(nodes[0].data)
  return isN8n || isLangflow || isFlowise || isObject(workflow) || Array.isArray(flows)
}
