import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import type { Scope } from '../../../../src/flows/template/read-path.ts'
import type { Flow } from '../graph/flow.ts'
import { indexWires } from '../graph/wire-index.ts'
import { drawnOutputs } from '../wiring/drawn-ports.ts'
import type { PageCatalogue } from '../wiring/page-catalogue.ts'
import { readableNodes } from './readable-nodes.ts'

/**
 * What a template may read as far as the flow itself says it, for keys that no run has shown yet: the outputs of earlier nodes,
 * what every run has, and the keys that a Webhook expects. All of it is null.
 */
export function declaredValues(
  flow: Pick<Flow, 'nodes' | 'edges'>,
  catalogue: PageCatalogue,
  id: string
): { readonly keys: Scope; readonly variables: Scope } {
  const wires = indexWires(flow)
  const byId = new Map(flow.nodes.map((node) => [node.id, node]))
  const nodes = readableNodes(flow, id).map((other) => {
    const ports = drawnOutputs(wires, catalogue, byId.get(other)!).filter(({ isInside }) => isInside !== true)
    return [other, Object.fromEntries(ports.map(({ name }) => [name, null]))] as const
  })
  return {
    keys: expectedKeys(flow, id),
    variables: {
      nodes: Object.fromEntries(nodes),
      run: { id: null, session: null, created_at: null },
      flow: { slug: null },
      data: null,
      now: null
    }
  }
}

/** The properties of the schema of a Webhook that is wired to it. */
function expectedKeys({ nodes, edges }: Pick<Flow, 'nodes' | 'edges'>, id: string): Scope {
  const feeding = edges.flatMap(({ from, to }) => {
    const source = parseEnd(to)?.node === id ? parseEnd(from) : undefined
    return source?.port === 'data' ? [source.node] : []
  })
  const schema = nodes.find((node) => feeding.includes(node.id) && node.type === 'webhook')?.fields.schema
  return nullsOf(schema as JsonValue | undefined, 0) ?? {}
}

const DEEPEST = 4

function nullsOf(schema: JsonValue | undefined, depth: number): Record<string, JsonValue> | undefined {
  const properties = isPlainObject(schema) ? schema.properties : undefined
  if (!isPlainObject(properties) || depth > DEEPEST) return undefined
  return Object.fromEntries(
    Object.entries(properties).map(([key, inner]) => [key, nullsOf(inner, depth + 1) ?? null])
  )
}
