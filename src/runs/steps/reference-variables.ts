import type { StepCall } from '../../engine/effects.ts'
import type { PlannedReferences, StepReferences } from '../../engine/plan-references.ts'
import type { RunView } from '../../flows/component/run-view.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { ExecutableRun } from '../../store/store.ts'

type Variables = RunView['variables']

interface ReadingStep {
  readonly call: Pick<StepCall, 'node' | 'inputs' | 'references'>
  readonly run: Pick<ExecutableRun, 'id' | 'session' | 'createdAt'>
}

/** The variables of the context, and beside them what the step reads of its run. Most steps read nothing of it. */
export function withReferences(variables: Variables, { call, run }: ReadingStep): Variables {
  const planned = call.node.references
  if (planned === undefined || call.references === undefined) return variables
  return { ...variables, ...referenceVariables(planned, call.references, { call, run }) }
}

function referenceVariables(
  { names, slug }: PlannedReferences,
  { nodes, beganAt }: StepReferences,
  { call, run }: ReadingStep
): Variables {
  const data = names.has('data') ? wholeInput(call) : undefined
  return {
    ...(names.has('nodes') && { nodes: nodes as Readonly<Record<string, Record<string, JsonValue>>> }),
    ...(data !== undefined && { data }),
    ...(names.has('run') && { run: runFacts(run) }),
    ...(names.has('flow') && { flow: { slug } }),
    ...(names.has('now') && { now: new Date(beganAt).toISOString() })
  }
}

function runFacts({ id, session, createdAt }: ReadingStep['run']): Record<string, JsonValue> {
  return { id, session, created_at: new Date(createdAt).toISOString() }
}

/**
 * What came in, whatever it is: by the input `data`, or by the first other one that carries something. Where each variable of a
 * template has an input of its own, all of them by name.
 */
function wholeInput({ node, inputs }: ReadingStep['call']): JsonValue | undefined {
  const { inputs: declared = {}, inputsFromTemplate } = node.component
  const names = Object.keys(declared)
  if (names.length === 0 && inputsFromTemplate !== undefined) {
    const present = Object.entries(inputs).filter(([, value]) => value !== undefined)
    return Object.fromEntries(present) as Record<string, JsonValue>
  }
  const order = names.includes('data') ? ['data', ...names] : names
  return order.map((name) => inputs[name]).find((value) => value !== undefined) as JsonValue | undefined
}
