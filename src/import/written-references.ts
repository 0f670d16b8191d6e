import { linksOf, topologicalOrder } from '../flows/graph/graph.ts'
import { type Reach, reachOf } from '../flows/graph/reach.ts'
import { orderOfRegions, parentsOf } from '../flows/graph/regions.ts'
import type { Turns } from '../flows/in-turns.ts'
import type { Become } from './become.ts'
import { referencesOf, resolveReferences } from './references.ts'

export interface Drawn extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly parent?: string
}

interface Edge {
  readonly from: string
  readonly to: string
}

interface Known {
  readonly nodes: readonly { readonly key: string; readonly title: string }[]
  readonly becomes: ReadonlyMap<string, Become>
  readonly ids: ReadonlyMap<string, string>
}

interface Written {
  readonly drawn: readonly Drawn[]
  /** By the key of a node, the titles of those that it reads and that do not lead to it. */
  readonly missing: ReadonlyMap<string, readonly string[]>
}

/** All parts of all nodes, by the keys of these, with the ids of the nodes that they read. */
export function* withReferences(
  parts: ReadonlyMap<string, readonly Drawn[]>,
  edges: readonly Edge[],
  known: Known
): Turns<Written> {
  const all = [...parts.values()].flat()
  const asked = new Set<string>()
  for (const { fields } of all) {
    yield
    for (const id of referencesOf(fields, known)) asked.add(id)
  }
  const leads = yield* readBefore(all, edges, asked)
  const titles = new Map(known.nodes.map(({ key, title }) => [key, title]))
  const missing = new Map<string, readonly string[]>()
  const drawn: Drawn[] = []
  for (const [key, own] of parts) {
    yield
    const gone = new Set<string>()
    const told = { missing: (other: string) => void gone.add(titles.get(other) ?? other) }
    for (const part of own)
      drawn.push(resolveReferences(part, { ...known, ...told, isBefore: (id: string) => leads(id, part.id) }))
    if (gone.size > 0) missing.set(key, [...gone])
  }
  return { drawn, missing }
}

/** Which nodes have run before which others, of those that are asked about. In a circle nothing comes before anything. */
function* readBefore(
  nodes: readonly Drawn[],
  edges: readonly Edge[],
  asked: ReadonlySet<string>
): Turns<Reach> {
  if (asked.size === 0) return () => true
  const links = linksOf(edges).filter(({ fromNode, toNode }) => fromNode !== toNode)
  const all = orderOfRegions(parentsOf(nodes), links)
  const ids = nodes.map(({ id }) => id)
  const { sorted } = topologicalOrder(ids, all)
  return sorted === undefined ? () => true : yield* reachOf(sorted, all, asked)
}
