import type { AnyComponent } from '../component/component.ts'
import { inputPortsOf } from '../component/component-ports.ts'
import type { Field } from '../component/field-kinds.ts'
import type { PortType } from '../component/ports.ts'
import type { FlowNode } from '../document/flow-document.ts'
import { isPlainObject, type JsonValue } from '../json/exact-json.ts'
import { parseTemplate } from '../template/parse-template.ts'
import { TemplateError } from '../template/template-error.ts'
import { type OfferedTool, toolName } from './tool.ts'

type FieldMap = Readonly<Record<string, JsonValue>>
type Schema = Readonly<Record<string, JsonValue>>

/** A node that an agent calls: what it is told, and where each argument goes. */
export interface ToolMode {
  readonly offered: OfferedTool
  /** Fields that are left to the agent. */
  readonly open: ReadonlySet<string>
  /** Inputs that no wire leads to: an argument of that name is their value. Every other one is a member of `data`. */
  readonly ports: ReadonlySet<string>
}

/** What the document says of a node that is a tool; of one that offers tools by itself nothing. */
export type ToolSettings = NonNullable<FlowNode['tool']>

/**
 * How a node is called that the document makes a tool. The agent fills the fields that are left to it, and the inputs that no wire
 * leads to; of an input `data` that templates read, their variables. All else is as the author has set it.
 */
export function toolMode(
  node: Pick<FlowNode, 'id' | 'title' | 'tool'>,
  component: AnyComponent,
  fields: FieldMap,
  isWired: (input: string) => boolean
): ToolMode {
  const { name = '', description = '', fields: left = [], arguments: given, ask_first } = node.tool ?? {}
  const open = new Set(left)
  const unwired = Object.entries(inputPortsOf(component, fields)).filter(
    ([port, { type }]) => type !== 'tools' && !isWired(port)
  )
  const asksFirst = ask_first ?? acts(component, fields, open)
  const offered: OfferedTool = {
    name: name || toolName(node.title || node.id),
    description: description || [component.title, component.description].filter(Boolean).join(': '),
    parameters: withFields(
      component,
      open,
      (given as Schema | undefined) ?? derived(component, fields, { open, unwired })
    ),
    ...(asksFirst && { ask_first: true })
  }
  return { offered, open, ports: new Set(unwired.map(([port]) => port)) }
}

function acts(component: AnyComponent, fields: FieldMap, open: ReadonlySet<string>): boolean {
  if (component.acts !== undefined) return component.acts(fields, (field) => open.has(field))
  return component.effects !== 'pure'
}

interface Left {
  readonly open: ReadonlySet<string>
  readonly unwired: readonly (readonly [string, { readonly title: string; readonly type: PortType }])[]
}

const DATA = 'data'

/** Where the author says nothing of the arguments, they follow from what the node lacks. */
function derived(component: AnyComponent, fields: FieldMap, { open, unwired }: Left): Schema {
  const variables = variablesIn(component, fields, open)
  const read = [...variables.keys()]
  const properties: [string, JsonValue][] = []
  const required: string[] = []
  // What has templates can mostly do without data.
  const isNeeded = !Object.values<Field>(component.fields ?? {}).some(({ kind }) => kind === 'template')
  for (const [port, { title, type }] of unwired) {
    if (port !== DATA || read.length === 0) {
      properties.push([port, { ...OF_PORT[type], description: title }])
      if (isNeeded) required.push(port)
      continue
    }
    for (const name of read) properties.push([name, { type: 'string' }])
    required.push(...read.filter((name) => variables.get(name)))
  }
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

const OF_PORT: Readonly<Record<PortType, Schema>> = {
  text: { type: 'string' },
  data: {},
  any: {},
  table: { type: 'array', items: { type: 'object' } },
  tools: {}
}

/** The arguments, those for fields among them, and no others. */
function withFields(component: AnyComponent, open: ReadonlySet<string>, schema: Schema): Schema {
  const { properties, required, ...rest } = schema
  const all: [string, JsonValue][] = Object.entries(isPlainObject(properties) ? properties : {})
  for (const name of open) {
    const field: Field | undefined = component.fields?.[name]
    if (field !== undefined && !all.some(([known]) => known === name)) all.push([name, schemaOf(field)])
  }
  const needed = [...(Array.isArray(required) ? required : []), ...open]
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(all),
    ...(needed.length > 0 && { required: [...new Set(needed)] }),
    additionalProperties: false
  }
}

function schemaOf(field: Field): JsonValue {
  const description = [field.title, field.help].filter(Boolean).join(': ')
  switch (field.kind) {
    case 'number': {
      const { min, max, integer } = field
      return {
        type: integer === true ? 'integer' : 'number',
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
        description
      }
    }
    case 'boolean':
      return { type: 'boolean', description }
    case 'choice':
      return { type: 'string', enum: [...field.choices], description }
    case 'list': {
      const { choices, maxItems } = field
      const items = choices === undefined ? { type: 'string' } : { type: 'string', enum: [...choices] }
      return { type: 'array', items, ...(maxItems !== undefined && { maxItems }), description }
    }
    case 'rows': {
      const columns = Object.entries(field.columns).map(([name, { title, choices }]) => [
        name,
        { type: 'string', ...(choices !== undefined && { enum: [...choices] }), description: title }
      ])
      return {
        type: 'array',
        items: { type: 'object', properties: Object.fromEntries(columns) },
        description
      }
    }
    case 'json':
      return { description }
    default:
      return { type: 'string', description }
  }
}

/** Variables of the templates among its fields, by themselves or deep in JSON, and whether one of them has to be there. */
function variablesIn(
  component: AnyComponent,
  fields: FieldMap,
  open: ReadonlySet<string>
): ReadonlyMap<string, boolean> {
  const names = new Map<string, boolean>()
  for (const [name, field] of Object.entries<Field>(component.fields ?? {})) {
    if (open.has(name) || name === component.inputsFromTemplate) continue
    if (field.kind !== 'template' && field.kind !== 'json') continue
    for (const text of textsIn(fields[name])) {
      for (const { key, isNeeded } of readBy(text)) names.set(key, isNeeded || names.get(key) === true)
    }
  }
  return names
}

function* textsIn(value: unknown): Generator<string> {
  const left = [value]
  while (left.length > 0) {
    const at = left.pop()
    if (typeof at === 'string') yield at
    else if (Array.isArray(at) || isPlainObject(at)) left.push(...Object.values(at))
  }
}

function readBy(template: string): readonly { readonly key: string; readonly isNeeded: boolean }[] {
  try {
    return parseTemplate(template).fields.flatMap(({ contextName, steps: [root], fallback }) =>
      contextName === undefined ? [{ key: root!.key, isNeeded: fallback === undefined }] : []
    )
  } catch (error) {
    if (error instanceof TemplateError) return []
    throw error
  }
}

/** What a step of the node has by these arguments. */
export function withArguments(
  { open, ports }: ToolMode,
  component: AnyComponent,
  given: { readonly fields: FieldMap; readonly inputs: Readonly<Record<string, unknown>> },
  call: Readonly<Record<string, JsonValue>>
): { readonly fields: Record<string, JsonValue>; readonly inputs: Record<string, unknown> } {
  const fields = { ...given.fields }
  const inputs = new Map(Object.entries(given.inputs))
  const members: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(call)) {
    if (open.has(name)) fields[name] = asWritten(component.fields?.[name], value)
    else if (ports.has(name)) inputs.set(name, value)
    else members.push([name, value])
  }
  if (members.length > 0) {
    const wired = inputs.get(DATA)
    inputs.set(DATA, Object.fromEntries([...Object.entries(isPlainObject(wired) ? wired : {}), ...members]))
  }
  return { fields, inputs: Object.fromEntries(inputs) }
}

/** What a model writes is never read as a template: it would reach what the author did not give it. */
function asWritten(field: Field | undefined, value: JsonValue): JsonValue {
  if (field?.kind !== 'template' && field?.kind !== 'json') return value
  if (typeof value === 'string') return value.replace(/[{}]/g, (brace) => brace + brace)
  if (Array.isArray(value)) return value.map((item) => asWritten(field, item))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asWritten(field, member)]))
}
