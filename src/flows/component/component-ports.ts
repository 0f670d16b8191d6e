import type { FlowNode } from '../document/flow-document.ts'
import type { JsonValue } from '../json/exact-json.ts'
import { TOOL_OUTPUTS } from '../tools/tool.ts'
import type { AnyComponent } from './component.ts'
import { outputPortsOf, type Ports } from './ports.ts'
import { inputsOfCount, namesOfList, outputsOfList } from './ports-from-fields.ts'
import { templateInputs } from './template-inputs.ts'

/** The inputs that a node has with these fields. */
export function inputPortsOf(component: AnyComponent, fields: Readonly<Record<string, JsonValue>>): Ports {
  const { inputs = {}, inputsFromTemplate: template, inputsFromCount: count } = component
  if (!hasDynamicInputs(component)) return inputs
  const fromTemplate = template === undefined ? {} : templateInputs(fields[template])
  const counted = count === undefined ? {} : inputsOfCount(fields[count])
  return { ...inputs, ...fromTemplate, ...counted, ...component.inputsFor?.(fields) }
}

/** The outputs that a node has with these fields, but for the one of errors. */
export function ownOutputsOf(
  component: AnyComponent,
  fields: Readonly<Record<string, JsonValue>>,
  onError?: string
): Ports {
  const { outputs = {}, outputsFromList: list } = component
  if (list === undefined) return outputs
  return { ...outputsOfList(fields[list], otherPorts(component, fields, onError)), ...outputs }
}

/** All outputs that a node has: in tool mode it offers itself, and nothing else leaves it. */
export function outputsOfNode(
  component: AnyComponent,
  fields: Readonly<Record<string, JsonValue>>,
  { on_error, tool }: Pick<FlowNode, 'on_error' | 'tool'>
): Ports {
  return tool === undefined
    ? outputPortsOf(ownOutputsOf(component, fields, on_error), on_error)
    : TOOL_OUTPUTS
}

/** The names of those that follow from a list, by place in the list. */
export function listedOutputsOf(
  component: AnyComponent,
  fields: Readonly<Record<string, JsonValue>>,
  onError?: string
): readonly string[] {
  const { outputsFromList: list } = component
  return list === undefined ? [] : namesOfList(fields[list], otherPorts(component, fields, onError))
}

function otherPorts(
  component: AnyComponent,
  fields: Readonly<Record<string, JsonValue>>,
  onError: string | undefined
): string[] {
  return [component.outputs ?? {}, inputPortsOf(component, fields), outputPortsOf({}, onError)].flatMap(
    Object.keys
  )
}

/** Whether inputs follow from the fields. */
export function hasDynamicInputs(component: AnyComponent): boolean {
  const { inputsFor, inputsFromTemplate, inputsFromCount } = component
  return inputsFor !== undefined || inputsFromTemplate !== undefined || inputsFromCount !== undefined
}
