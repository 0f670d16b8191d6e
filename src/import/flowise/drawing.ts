import { AGENTFLOW } from './agentflow.ts'
import { CHATFLOW } from './chatflow.ts'
import { type FlowiseNode, type FlowiseWire, START } from './flowise-node.ts'
import { Graph } from './graph.ts'
import type { Mapping } from './step.ts'

export const MAPPINGS: Readonly<Record<string, Mapping>> = { ...AGENTFLOW, ...CHATFLOW }
/** Behind the id of a node that a circle leads back to. */
export const AGAIN = ' again'

export interface Drawing {
  /** Nodes that do something by themselves. */
  readonly steps: readonly FlowiseNode[]
  readonly graph: Graph
  /** Wires between them. */
  readonly drawn: readonly FlowiseWire[]
  /** By id of any node, the step that it is, or has gone into. */
  readonly into: ReadonlyMap<string, string>
  readonly parents: ReadonlyMap<string, string>
}

function isStep({ name }: FlowiseNode): boolean {
  return Object.hasOwn(MAPPINGS, name) || /Agentflow$|^seq(?!State$)[A-Z]|^ifElseFunction$/.test(name)
}

/** Inputs by which even a chain is lent. */
const LENDING =
  /^(?:tools?|baseQueryEngine|baseChain|queryEngineTools|retriever|model|memory|embeddings|supervisor|worker)$/

export function drawingOf(nodes: readonly FlowiseNode[], wires: readonly FlowiseWire[]): Drawing {
  const leaving = Map.groupBy(wires, ({ from }) => from)
  const isLent = (id: string) => {
    const own = leaving.get(id) ?? []
    return own.length > 0 && own.every(({ input }) => LENDING.test(input) && input !== 'supervisor')
  }
  const steps = nodes.filter((node) => isStep(node) && !isLent(node.id))
  const into = new Map(steps.map(({ id }) => [id, id]))
  for (const node of nodes) if (!into.has(node.id)) settle(node, { into, leaving, wires })
  const own = new Set(steps.map(({ id }) => id))
  const drawn = wires.flatMap((wire) => {
    const to = into.get(wire.to)
    return own.has(wire.from) && to !== undefined && to !== wire.from ? [{ ...wire, to }] : []
  })
  const start = steps.find(({ name }) => name === 'startAgentflow' || name === 'seqStart')
  const first = steps
    .filter(({ id, parent }) => parent === '' && !drawn.some(({ to }) => to === id))
    .slice(0, 200)
  const begins =
    start === undefined ? first.map(({ id }) => ({ from: START, output: '0', to: id, input: '' })) : []
  const cut = withoutCircles([...begins, ...drawn])
  const parents = new Map(
    nodes.flatMap(({ id, parent }) => (own.has(parent) && own.has(id) ? [[id, parent]] : []))
  )
  const graph = new Graph(nodes, cut, { start, steps: into })
  return { steps, graph, drawn: cut.filter(({ from }) => from !== START), into, parents }
}

/** What is lent goes where it is lent to; a worker belongs to who leads it. */
function settle(
  { id, name }: FlowiseNode,
  {
    into,
    leaving,
    wires
  }: {
    into: Map<string, string>
    leaving: ReadonlyMap<string, readonly FlowiseWire[]>
    wires: readonly FlowiseWire[]
  }
): void {
  let end: string | undefined = id
  for (let steps = 0; end !== undefined && !into.has(end) && steps < 20; steps++) {
    if (name === 'worker' && end === id)
      end = wires.find(({ to, input }) => to === id && input === 'supervisor')?.from
    else end = leaving.get(end)?.[0]?.to
  }
  const found = end === undefined ? undefined : into.get(end)
  if (found !== undefined) into.set(id, found)
}

/** A wire that closes a circle leads nowhere here: the node that it comes from says so. */
function withoutCircles(wires: readonly FlowiseWire[]): FlowiseWire[] {
  const leaving = Map.groupBy(wires, ({ from }) => from)
  const state = new Map<string, 'open' | 'done'>()
  const backs = new Set<FlowiseWire>()
  for (const begin of leaving.keys()) {
    if (state.has(begin)) continue
    const path: { readonly id: string; next: number }[] = [{ id: begin, next: 0 }]
    state.set(begin, 'open')
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const wire: FlowiseWire | undefined = leaving.get(last.id)?.[last.next++]
      if (wire === undefined) {
        state.set(last.id, 'done')
        path.pop()
      } else if (state.get(wire.to) === 'open') backs.add(wire)
      else if (!state.has(wire.to)) {
        state.set(wire.to, 'open')
        path.push({ id: wire.to, next: 0 })
      }
    }
  }
  return wires.map((wire) => (backs.has(wire) ? { ...wire, to: `${wire.to}${AGAIN}` } : wire))
}
