import type { JsonValue } from '../../../../../src/flows/exact-json.ts'
import { wiresOf } from '../../../../../src/flows/graph.ts'
import type { FlowDocument, Run } from '../../../api/shapes.ts'

/** What came to one input of a step. */
export interface StepInput {
  readonly port: string
  readonly from: { readonly node: string; readonly port: string }
  /** Undefined where the step before it gave nothing. */
  readonly value: JsonValue | undefined
}

/** A run keeps what each step put out; what came in is that of the steps before, along the wires of its version. */
export function stepInputs(run: Run, document: FlowDocument, node: string): StepInput[] {
  const outputs = new Map(run.steps.map((step) => [step.node, step.outputs]))
  return wiresOf(document)
    .filter(({ toNode }) => toNode === node)
    .map(({ toPort, fromNode, fromPort }) => {
      const given = outputs.get(fromNode) ?? {}
      const value = Object.hasOwn(given, fromPort) ? given[fromPort] : undefined
      return { port: toPort, from: { node: fromNode, port: fromPort }, value }
    })
}
