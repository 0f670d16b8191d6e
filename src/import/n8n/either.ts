import type { N8nNode, N8nWire } from './n8n-node.ts'

const BRANCHES = /^(?:if|switch|filter|ai:textClassifier|ai:sentimentAnalysis)$/
/** Nobody looks further back, or at more wires. */
const FURTHEST = 200
const MOST_WIRES = 1_000

/** Whether the inputs of a node come from different ways of one node that takes one of them. */
export function eitherOf(nodes: readonly N8nNode[], wires: readonly N8nWire[]): (name: string) => boolean {
  const coming = Map.groupBy(wires, ({ to }) => to)
  const branches = new Set(nodes.filter(({ type }) => BRANCHES.test(type)).map(({ name }) => name))
  const known = new Map<string, boolean>()
  const find = (name: string) => {
    const ways = (coming.get(name) ?? [])
      .slice(0, FURTHEST)
      .map((wire) => branchesBefore(wire, coming, branches))
    if (ways.length < 2) return false
    const [first, ...others] = ways
    return [...first!].some(([branch, output]) =>
      others.every((way) => way.has(branch) && way.get(branch) !== output)
    )
  }
  return (name) => {
    if (!known.has(name)) known.set(name, find(name))
    return known.get(name)!
  }
}

/** The branching nodes that lead to a wire, with the output of each. */
function branchesBefore(
  wire: N8nWire,
  coming: ReadonlyMap<string, readonly N8nWire[]>,
  branches: ReadonlySet<string>
): Map<string, number> {
  const found = new Map<string, number>()
  const seen = new Set([wire.from])
  if (branches.has(wire.from)) found.set(wire.from, wire.output)
  let looked = 0
  for (const name of seen) {
    if (seen.size > FURTHEST || looked > MOST_WIRES) break
    looked += coming.get(name)?.length ?? 0
    for (const { from, output } of coming.get(name) ?? []) {
      if (branches.has(from) && !found.has(from)) found.set(from, output)
      seen.add(from)
    }
  }
  return found
}
