import { Type } from '../../flows/json/schema-builder.ts'
import type { PresentedRun, PresentedStep } from '../../runs/present/run-shape.ts'
import { RunSummary, Step } from '../../runs/present/run-shape.ts'

const { logs: _, pinned: __, ...ownStepMembers } = Step.properties
const { id, flow_id, flow_version, trigger, status, created_at, started_at, finished_at, error } =
  RunSummary.properties

/** A run for who started it and waited for its end, and may not read others. */
export const OwnRun = Type.Object(
  {
    ...{ id, flow_id, flow_version, trigger, status, created_at, started_at, finished_at, error },
    input: Type.Unknown(),
    steps: Type.Array(Type.Object(ownStepMembers))
  },
  { description: 'For keys without the right read' }
)

export function ownRun(run: PresentedRun): object {
  const { id, flow_id, flow_version, trigger, status, created_at, started_at, finished_at } = run
  const { error, input, steps = [] } = run
  const times = { created_at, started_at, finished_at }
  return { id, flow_id, flow_version, trigger, status, ...times, error, input, steps: steps.map(ownStep) }
}

function ownStep({ logs: _, pinned: __, ...step }: PresentedStep): object {
  return step
}
