import type { StepCall } from '../../engine/effects.ts'
import type { Plan, PlannedNode } from '../../engine/plan.ts'
import type { Turns } from '../../flows/in-turns.ts'
import { equalInTurns } from '../../flows/json/equal-json.ts'
import type { RecordedRun } from './recorded-run.ts'

/** Whether a step has the type, the fields and the inputs that it had then. When it began makes no difference. */
export function* hasWhatItHad(
  { node, inputs, references }: Pick<StepCall, 'node' | 'inputs' | 'references'>,
  recorded: RecordedRun
): Turns<boolean> {
  const step = recorded.step(node.id)
  if (step === undefined || step.node.type !== node.type) return false
  return (
    (yield* equalInTurns(step.node.fields, node.fields)) &&
    (yield* equalInTurns(step.inputs, inputs)) &&
    (yield* equalInTurns(step.read, references?.nodes))
  )
}

/** Whether the inside of a region is what it was, wires included. */
export function* isSameInside(one: Plan | undefined, other: Plan | undefined): Turns<boolean> {
  if (one === undefined || other === undefined) return one === other
  return yield* equalInTurns(insideOf(one), insideOf(other))
}

/** The nodes outside that lead to the inside of a region, or are read there. */
export function outsideOf(region: Plan, node: string): string[] {
  return region.nodes.flatMap(({ id, isGiven }) => (isGiven === true && id !== node ? [id] : []))
}

function insideOf({ nodes }: Plan): readonly unknown[] {
  const wiresOf = ({ inputs }: PlannedNode) =>
    inputs.map(({ port, from, fromPort }) => `${nodes[from]!.id}.${fromPort} ${port}`).toSorted()
  return nodes
    .map((node) => ({
      id: node.id,
      type: node.type,
      fields: node.fields,
      wires: wiresOf(node),
      bypass: node.bypass ?? false,
      leadsErrorOn: node.leadsErrorOn
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
