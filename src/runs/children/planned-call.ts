import { type Plan, PlanError } from '../../engine/plan.ts'
import { plainNode } from '../../engine/plan-node.ts'
import { startsOf } from '../../engine/starts.ts'
import type { AnyComponent } from '../../flows/component/component.ts'
import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import type { AskedCall } from '../../flows/step/step-calls.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { runStartOf } from '../record/run-start.ts'
import { CALL_TRIGGER } from './run-result.ts'

/** What the run of a call is started with. */
interface GivenCall {
  readonly name: string
  readonly arguments: AskedCall['arguments']
  readonly node: string
  readonly ask_first?: boolean
}

export function givenCall({ name, arguments: given, tool }: AskedCall): JsonValue {
  const { node, ask_first } = tool
  return { name, arguments: given, node, ...(ask_first === true && { ask_first }) }
}

export function isCall({ trigger }: Pick<ExecutableRun, 'trigger'>): boolean {
  return trigger === CALL_TRIGGER
}

/** What an agent's call runs, as it was asked. */
export function planOfCall(plan: Plan, agent: string, run: Pick<ExecutableRun, 'input' | 'request'>): Plan {
  const { input } = runStartOf(run)
  const asked = isPlainObject(input) ? (input as Partial<GivenCall>) : {}
  return toolPlan(plan, agent, { node: asked.node ?? '', asksFirst: asked.ask_first === true })
}

export function toolPlan(
  plan: Plan,
  agent: string,
  { node, asksFirst }: { readonly node: string; readonly asksFirst: boolean }
): Plan {
  const plans = plan.tools.get(agent)?.get(node)
  if (plans === undefined)
    throw new PlanError(agent, 'tool_gone', `No wire leads to it from a tool "${node}".`)
  return asksFirst ? plans.asked : plans.plain
}

/** A plan with the agent alone, which finds out something by itself. */
export function planOfAnswer(
  plan: Plan,
  { id, type }: { readonly id: string; readonly type: string },
  component: Pick<AnyComponent, 'run' | 'reportsUsage'>
): Plan {
  const own: AnyComponent = { type, title: type, effects: 'pure', ...component }
  const nodes = [plainNode({ id, type }, 0, own)]
  return { ...plan, nodes, starts: startsOf(nodes, new Map()), regions: new Map(), tools: new Map() }
}
