import { type AnyComponent, inputPortsOf, resolveFields } from '../flows/component.ts'
import type { JsonValue } from '../flows/exact-json.ts'
import type { FlowNode } from '../flows/flow-document.ts'
import { fits, type Ports } from '../flows/ports.ts'

/** The way through a disabled node: from its first input to its first output. */
export interface Bypass {
  readonly input: string
  readonly output: string
}

/** Null where the node has none, the types do not fit, or its component is gone: a disabled node fails no run. */
export function bypassOf({ fields }: FlowNode, component: AnyComponent | undefined): Bypass | null {
  if (component === undefined) return null
  const [input] = Object.entries(inputsOf(component, fields as Record<string, JsonValue>))
  const [output] = Object.entries((component.outputs ?? {}) as Ports)
  if (input === undefined || output === undefined || !fits(input[1].type, output[1].type)) return null
  return { input: input[0], output: output[0] }
}

/** Fields of a disabled node may be half done, and a plugin may throw at that. */
function inputsOf(component: AnyComponent, fields: Readonly<Record<string, JsonValue>>): Ports {
  try {
    return inputPortsOf(component, resolveFields(component, fields))
  } catch {
    return component.inputs ?? {}
  }
}
