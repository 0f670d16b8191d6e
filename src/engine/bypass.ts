import { type AnyComponent, resolveFields } from '../flows/component/component.ts'
import { inputPortsOf, ownOutputsOf } from '../flows/component/component-ports.ts'
import { fits, type Ports } from '../flows/component/ports.ts'
import type { FlowNode } from '../flows/document/flow-document.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import type { Outputs, StepRecord } from './step-record.ts'

/** The way through a disabled node: from its first input to its first output. */
interface Passage {
  readonly input: string
  readonly output: string
}

/** What leaves a node that a test does not run. */
interface Pinned {
  readonly pinned: Outputs
}

/** What stands for running a node. */
export type Bypass = Passage | Pinned

function isPinned(bypass: Bypass | null): bypass is Pinned {
  return bypass !== null && 'pinned' in bypass
}

/** R11 and R12: null where nothing leaves it, and it is skipped. */
export function outputsOf(bypass: Bypass | null, inputs: Readonly<Record<string, unknown>>): Outputs | null {
  if (bypass === null) return null
  if (isPinned(bypass)) return bypass.pinned
  const value = inputs[bypass.input]
  return value === undefined ? null : { [bypass.output]: value }
}

/** What a step comes to that is not run, and that something leaves all the same. */
export function passedBy(
  node: { readonly id: string; readonly type: string },
  outputs: Outputs,
  bypass: Bypass | null,
  at: number
): StepRecord {
  const { id, type } = node
  const facts = { status: 'succeeded', attempts: 0, startedAt: at, durationMs: 0, error: null } as const
  return { node: id, type, ...facts, outputs, ...(isPinned(bypass) && { pinned: true }) }
}

/** Null where the node has none, the types do not fit, or its component is gone: a disabled node fails no run. */
export function bypassOf(node: FlowNode, component: AnyComponent | undefined): Passage | null {
  if (component === undefined) return null
  const { inputs, outputs } = portsOf(component, node)
  const [input] = Object.entries(inputs)
  const [output] = Object.entries(outputs)
  if (input === undefined || output === undefined || !fits(input[1].type, output[1].type)) return null
  return { input: input[0], output: output[0] }
}

/** Fields of a disabled node may be half done, and a plugin may throw at that. */
function portsOf(
  component: AnyComponent,
  { fields: given, on_error, tool }: FlowNode
): { readonly inputs: Ports; readonly outputs: Ports } {
  if (tool !== undefined) return { inputs: {}, outputs: {} }
  try {
    const fields = resolveFields(component, given as Record<string, JsonValue>)
    return {
      inputs: inputPortsOf(component, fields),
      outputs: ownOutputsOf(component, fields, on_error)
    }
  } catch {
    return { inputs: component.inputs ?? {}, outputs: component.outputs ?? {} }
  }
}
