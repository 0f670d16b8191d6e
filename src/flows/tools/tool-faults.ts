import type { Fault } from '../../errors.ts'
import { didYouMean } from '../closest-name.ts'
import type { AnyComponent } from '../component/component.ts'
import type { Field } from '../component/field-kinds.ts'
import type { FlowNode } from '../document/flow-document.ts'
import { isPlainObject } from '../json/exact-json.ts'
import { TOOLS_OUTPUT } from './tool.ts'

/** What is wrong with a node that its document makes a tool. */
export function toolFaults({ id, tool }: FlowNode, component: AnyComponent, path: string): Fault[] {
  if (tool === undefined) return []
  const unfit = whyNoTool(component)
  const fault = (place: string, message: string): Fault => ({
    code: 'invalid_tool',
    path: `${path}/tool${place}`,
    node: id,
    message: `Node "${id}" as a tool: ${message}`
  })
  if (unfit !== undefined) return [fault('', unfit)]
  const fields = (tool.fields ?? []).flatMap((name, at) => {
    const wrong = whyNotOpen(component, name)
    return wrong === undefined ? [] : [fault(`/fields/${at}`, wrong)]
  })
  const wrong = tool.arguments === undefined ? undefined : whyNoSchema(tool.arguments)
  return wrong === undefined ? fields : [...fields, fault('/arguments', wrong)]
}

function whyNoTool({
  title,
  trigger,
  region,
  outputs = {},
  outputsFromList
}: AnyComponent): string | undefined {
  if (trigger !== undefined) return `a ${title} starts runs and is called by nobody. Remove "tool".`
  if (region !== undefined)
    return `a ${title} holds other nodes. Put it into a flow of its own, and offer that by Run flow.`
  if (Object.hasOwn(outputs, TOOLS_OUTPUT))
    return `a ${title} offers tools by its output "tools" anyway. Remove "tool".`
  if (Object.keys(outputs).length === 0 && outputsFromList === undefined)
    return `a ${title} gives nothing back. Remove "tool".`
  return undefined
}

function whyNotOpen({ title, fields = {} }: AnyComponent, name: string): string | undefined {
  const field: Field | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field === undefined)
    return `${title} has no field "${name}" to leave to the agent.${didYouMean(name, Object.keys(fields))}`
  if (field.kind === 'secret' || field.kind === 'connection')
    return `the field "${name}" names what gets in elsewhere, which no model may choose. Set it yourself.`
  if (field.readonly === true) return `the field "${name}" is filled by the page. Take it out.`
  return field.hidden === true ? `the field "${name}" is one of the controls. Set it yourself.` : undefined
}

function whyNoSchema(schema: unknown): string | undefined {
  if (!isPlainObject(schema) || (schema.type !== undefined && schema.type !== 'object'))
    return 'its arguments are not a JSON Schema of an object. Write, for example, {"type": "object", "properties": {"id": {"type": "string"}}}.'
  if (schema.properties !== undefined && !isPlainObject(schema.properties))
    return 'the "properties" of its arguments are not an object of schemas by name.'
  return undefined
}
