import { wiresOf } from '../../../../../src/flows/graph/graph.ts'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { givenToItem, isItem } from '../../../api/items.ts'
import type { FlowDocument, Run } from '../../../api/shapes.ts'

/** What came to one input of a step. */
export interface StepInput {
  readonly port: string
  readonly from: { readonly node: string; readonly port: string }
  /** Undefined where the wire was silent. */
  readonly value: JsonValue | undefined
  /** An input takes the first of its wires that carries something. */
  readonly isTaken: boolean
}

/** A run keeps what each step put out; what came in is that of the steps before, along the wires of its version. */
export function stepInputs(run: Run, document: FlowDocument, node: string): StepInput[] {
  const outputs = new Map(run.steps.map((step) => [step.node, step.outputs]))
  if (isItem(run)) outputs.set(run.parent!.node, givenToItem(run))
  const taken = new Set<string>()
  return wiresOf(document)
    .filter(({ toNode }) => toNode === node)
    .map(({ toPort, fromNode, fromPort }) => {
      const given = outputs.get(fromNode) ?? {}
      const value = Object.hasOwn(given, fromPort) ? given[fromPort] : undefined
      const isTaken = value !== undefined && !taken.has(toPort)
      if (isTaken) taken.add(toPort)
      return { port: toPort, from: { node: fromNode, port: fromPort }, value, isTaken }
    })
}
