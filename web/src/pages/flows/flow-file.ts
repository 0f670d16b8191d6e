import { isPlainObject, type JsonValue, jsonIn, writeJson } from '../../../../src/flows/json/exact-json.ts'
import { isOwn } from '../../../../src/import/own.ts'
import type { NewFlow } from '../../api/flows.ts'
import type { FlowDocument, ListedFlow } from '../../api/shapes.ts'
import { openFlow } from '../../editor/graph/saved-flow.ts'

/** The document of a flow: what is saved, exported and kept in git, without what the service adds. */
function documentOf(flow: ListedFlow): FlowDocument {
  return openFlow(flow).document as FlowDocument
}

/** The text of the file that a flow is exported to. It ends with a line break, as files in git do. */
export function exportedText(flow: ListedFlow): string {
  return `${writeJson(documentOf(flow), 2)}\n`
}

/** The same for several flows: a list, as it can be imported again. */
export function exportedTexts(flows: readonly ListedFlow[]): string {
  if (flows.length === 1) return exportedText(flows[0]!)
  return `${writeJson(flows.map(documentOf), 2)}\n`
}

/** A flow like this one under a name of its own; the service finds its slug. */
export function copyOf(flow: ListedFlow, takenNames: ReadonlySet<string>): NewFlow {
  const { slug: _, ...document } = documentOf(flow)
  const base = `${flow.name} (copy)`
  let name = base
  for (let n = 2; takenNames.has(name); n++) name = `${flow.name} (copy ${n})`
  return { ...document, name: name.slice(0, 200) }
}

/**
 * The flows in a file of ours: a document, a list of them, or an answer of the API; undefined where it is another tool's, or
 * none, which the service tells apart. Whether each is valid is for the service to say too. A slug that is taken here is left
 * out, so that the service finds another and nothing is overwritten.
 */
export function readFlowFile(text: string, takenSlugs: ReadonlySet<string>): NewFlow[] | undefined {
  const value = jsonIn(text) ?? null
  const flows = hasNamesOnce(text, value) ? flowsIn(value) : []
  if (flows.length === 0 || !flows.every(isOurs)) return undefined
  return flows.map((flow) => {
    const { slug, ...rest } = flow
    return (typeof slug === 'string' && !takenSlugs.has(slug)
      ? { ...rest, slug }
      : rest) as unknown as NewFlow
  })
}

const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g

/** Where an object has a name twice nobody can say which is meant, and only one of them is in the value: the service tells the place. */
function hasNamesOnce(text: string, value: JsonValue): boolean {
  let names = 0
  for (const [, isName] of text.matchAll(STRINGS)) if (isName !== undefined) names++
  return names === membersIn(value)
}

function membersIn(value: JsonValue): number {
  const inner = isPlainObject(value) ? Object.values(value) : Array.isArray(value) ? value : []
  const own = isPlainObject(value) ? inner.length : 0
  return inner.reduce<number>((sum, each) => sum + membersIn(each), own)
}

/** An empty one may leave out its edges, and says nothing else of whose it is. */
function isOurs(flow: { readonly [key: string]: JsonValue }): boolean {
  return (
    isOwn(flow) || (Array.isArray(flow.nodes) && flow.nodes.length === 0 && flow.connections === undefined)
  )
}

function flowsIn(value: JsonValue): { [key: string]: JsonValue }[] {
  if (Array.isArray(value)) return value.flatMap(flowsIn)
  if (!isPlainObject(value)) return []
  if (Array.isArray(value.flows)) return value.flows.flatMap(flowsIn)
  if (!Array.isArray(value.nodes)) return []
  const { recent_runs: _runs, draft: _draft, ...flow } = value
  return [flow]
}
