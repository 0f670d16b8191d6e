import type { Port } from '../../../../../../src/flows/component/ports.ts'
import { type End, parseEnd } from '../../../../../../src/flows/graph/graph.ts'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import type { Flow } from '../../../../editor/graph/flow.ts'
import type { ComponentFacts } from '../../../../editor/wiring/page-catalogue.ts'

/**
 * Where the values of a template come from. Where the inputs of the node follow from the template, each variable is
 * an input; else the template reads the keys of the data that the node gets. A trigger gets what it gives: the payload.
 * Of several wires into one input, the first that carries something counts.
 */
export type TemplateSource =
  | { readonly kind: 'inputs'; readonly feeds: ReadonlyMap<string, readonly End[]> }
  | { readonly kind: 'data'; readonly feeds: readonly End[] }

type Component = Pick<ComponentFacts, 'inputs' | 'inputs_from_template'>

export interface SourceOptions {
  readonly field: string
  /** Where it reads another input than the first that has keys. */
  readonly input?: string | undefined
}

export function templateSource(
  flow: Flow,
  node: string,
  component: Component,
  { field, input = dataInput(component.inputs) }: SourceOptions
): TemplateSource {
  if (component.inputs_from_template === field) return { kind: 'inputs', feeds: feedsOf(flow, node) }
  if (Object.keys(component.inputs).length === 0) return { kind: 'data', feeds: [{ node, port: 'data' }] }
  return { kind: 'data', feeds: input === undefined ? [] : (feedsOf(flow, node).get(input) ?? []) }
}

/** The nodes whose outputs are read. */
export function feedingNodes(source: TemplateSource): readonly string[] {
  const feeds = source.kind === 'inputs' ? [...source.feeds.values()].flat() : source.feeds
  return [...new Set(feeds.map((feed) => feed.node))]
}

/** What the template would read, as far as it is known; undefined where nothing has come that way yet. */
export function sampleFrom(
  source: TemplateSource,
  read: (end: End) => JsonValue | undefined
): JsonValue | undefined {
  const first = (ends: readonly End[]) => ends.map(read).find((value) => value !== undefined)
  if (source.kind === 'data') return first(source.feeds)
  const values = [...source.feeds].flatMap(([name, ends]) => {
    const value = first(ends)
    return value === undefined ? [] : [[name, value] as const]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}

/** Text has no keys, so an input of it is not what a template reads. */
function dataInput(inputs: Readonly<Record<string, Port>>): string | undefined {
  return Object.entries(inputs).find(([, port]) => port.type !== 'text')?.[0]
}

function feedsOf(flow: Flow, node: string): ReadonlyMap<string, readonly End[]> {
  const feeds = new Map<string, End[]>()
  for (const { from, to } of flow.edges) {
    const [source, target] = [parseEnd(from), parseEnd(to)]
    if (source === undefined || target?.node !== node) continue
    feeds.set(target.port, [...(feeds.get(target.port) ?? []), source])
  }
  return feeds
}
