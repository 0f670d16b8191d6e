import type { FlowNode } from '../flows/document/flow-document.ts'
import type { Wire } from '../flows/graph/graph.ts'
import { TOOLS_OUTPUT } from '../flows/tools/tool.ts'
import { askFirst } from './ask-first.ts'
import { planCalled } from './plan-called.ts'
import { CALL_PORT, givenNode, type PlannedNode, type PlanScope, plainNode } from './plan-node.ts'
import { withAllBefore } from './plan-references.ts'
import { nodesReadBy } from './plan-region.ts'
import { type Starts, startsOf } from './starts.ts'
import { wiringsOf } from './wiring.ts'

/** What stands for the agent in the run of a call: what that begins with. No node can be called so. */
export const CALLER = '$call'

interface Call {
  readonly nodes: readonly PlannedNode[]
  readonly starts: Starts
}

/** What calls of one tool run: at once, or when a person has agreed. */
interface Calls {
  readonly plain: Call
  readonly asked: Call
}

interface Flow {
  readonly nodes: ReadonlyMap<string, FlowNode>
  readonly wires: readonly Wire[]
}

/** For each agent, by the wires into it that come from tools. */
export function* planTools(
  { nodes, wires }: Flow,
  scope: PlanScope
): Generator<{ agent: string; tool: string; calls: Calls }> {
  const isRun = (id: string) => nodes.get(id)?.disabled !== true && !scope.unwired.has(id)
  for (const { fromNode, fromPort, toNode } of wires) {
    if (fromPort !== TOOLS_OUTPUT || !isRun(fromNode) || !isRun(toNode)) continue
    if (!takesTools(nodes.get(toNode)!, scope)) continue
    const parts = { node: nodes.get(fromNode)!, agent: nodes.get(toNode)!, nodes, wires }
    const calls = { plain: planCall(parts, false, scope), asked: planCall(parts, true, scope) }
    yield { agent: toNode, tool: fromNode, calls }
  }
}

function takesTools({ type }: FlowNode, { catalogue, context }: PlanScope): boolean {
  const { inputs = {} } = catalogue.find(context, type) ?? {}
  return Object.values<{ readonly type: string }>(inputs).some((port) => port.type === 'tools')
}

interface Called extends Flow {
  readonly node: FlowNode
  readonly agent: FlowNode
}

/**
 * It begins with nodes that are given: those that lead to the tool or that it reads, and the call. Where a person is asked, that is a step
 * between, by the name of the agent; who says no fails the run of the call, and the tool never begins.
 */
function planCall({ node, agent, nodes, wires }: Called, asks: boolean, scope: PlanScope): Call {
  const wiresIn = wires.filter(({ toNode }) => toNode === node.id)
  const read = nodesReadBy(node, scope).filter((id) => nodes.has(id) && id !== node.id)
  const given = [...new Set([...wiresIn.map(({ fromNode }) => fromNode), ...read]), CALLER]
  const asking = asks ? [agent.id] : []
  const caller = asks ? agent.id : CALLER
  const order = [...given, ...asking, node.id]
  const calls: Wire[] = [...(asks ? [callWire(CALLER, agent.id)] : []), callWire(caller, node.id), ...wiresIn]
  const placeOf = (id: string) => order.indexOf(id)
  const wirings = wiringsOf(calls, calls, placeOf)
  const known = (id: string) => nodes.get(id) ?? { id, type: agent.type }
  const planned: PlannedNode[] = [
    ...given.map((id, index) => givenNode(known(id), index, wirings.of(id).dependents)),
    ...asking.map((id) => ({ ...plainNode(known(id), given.length, askFirst(agent)), ...wirings.of(id) })),
    planCalled(node, order.length - 1, wirings.of(node.id), scope, placeOf)
  ]
  return { nodes: withAllBefore(planned), starts: startsOf(planned, new Map()) }
}

function callWire(fromNode: string, toNode: string): Wire {
  return { fromNode, fromPort: CALL_PORT, toNode, toPort: CALL_PORT }
}
