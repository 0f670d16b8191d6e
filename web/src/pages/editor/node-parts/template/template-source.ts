import type { JsonValue } from '../../../../../../src/flows/exact-json.ts'
import { type End, parseEnd } from '../../../../../../src/flows/graph.ts'
import type { Port } from '../../../../../../src/flows/ports.ts'
import { edgeInto, type Flow } from '../../../../editor/graph/flow.ts'
import type { ComponentFacts } from '../../../../editor/wiring/page-catalogue.ts'

/**
 * Where the values of a template come from. Where the inputs of the node follow from the template, each variable is
 * an input; else the template reads the keys of the data that the node gets. A trigger gets what it gives: the payload.
 */
export type TemplateSource =
  | { readonly kind: 'inputs'; readonly feeds: ReadonlyMap<string, End> }
  | { readonly kind: 'data'; readonly feed: End | undefined }

type Component = Pick<ComponentFacts, 'inputs' | 'inputs_from_template'>

export function templateSource(
  flow: Flow,
  node: string,
  component: Component,
  field: string
): TemplateSource {
  if (component.inputs_from_template === field) return { kind: 'inputs', feeds: feedsOf(flow, node) }
  if (Object.keys(component.inputs).length === 0) return { kind: 'data', feed: { node, port: 'data' } }
  const input = dataInput(component.inputs)
  return { kind: 'data', feed: input === undefined ? undefined : feedOf(flow, `${node}.${input}`) }
}

/** The nodes whose outputs are read. */
export function feedingNodes(source: TemplateSource): readonly string[] {
  const feeds = source.kind === 'inputs' ? [...source.feeds.values()] : [source.feed]
  return [...new Set(feeds.flatMap((feed) => feed?.node ?? []))]
}

/** What the template would read, as far as it is known; undefined where nothing has come that way yet. */
export function sampleFrom(
  source: TemplateSource,
  read: (end: End) => JsonValue | undefined
): JsonValue | undefined {
  if (source.kind === 'data') return source.feed === undefined ? undefined : read(source.feed)
  const values = [...source.feeds].flatMap(([name, end]) => {
    const value = read(end)
    return value === undefined ? [] : [[name, value] as const]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}

/** Text has no keys, so an input of it is not what a template reads. */
function dataInput(inputs: Readonly<Record<string, Port>>): string | undefined {
  return Object.entries(inputs).find(([, port]) => port.type !== 'text')?.[0]
}

function feedOf(flow: Flow, to: string): End | undefined {
  const edge = edgeInto(flow, to)
  return edge === undefined ? undefined : parseEnd(edge.from)
}

function feedsOf(flow: Flow, node: string): ReadonlyMap<string, End> {
  const feeds = new Map<string, End>()
  for (const { from, to } of flow.edges) {
    const [source, target] = [parseEnd(from), parseEnd(to)]
    if (source !== undefined && target?.node === node) feeds.set(target.port, source)
  }
  return feeds
}
