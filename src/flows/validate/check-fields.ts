import { type Fault, messageOf } from '../../errors.ts'
import { didYouMean } from '../closest-name.ts'
import {
  type AnyComponent,
  type Field,
  type FieldFault,
  type RowsField,
  resolveFields
} from '../component/component.ts'
import { inputPortsOf } from '../component/component-ports.ts'
import type { FlowNode } from '../document/flow-document.ts'
import type { Turns } from '../in-turns.ts'
import type { JsonValue } from '../json/exact-json.ts'
import { ExactNumber } from '../json/exact-number.ts'
import { escapePointer } from '../json/json-pointer.ts'
import { tooLong } from './field-lengths.ts'

const LONGEST_SHOWN = 200

/** The faults in the fields of one node: unknown names, values of the wrong kind, then what the component finds. */
export function* checkFields(node: FlowNode, component: AnyComponent, path: string): Turns<Fault[]> {
  const faults = checkKinds(node, component, path)
  // A component may rely on the kinds of its fields, so it is asked only when they hold.
  return faults.length > 0 ? faults : yield* componentFaults(node, component, path)
}

/** What a component says of its fields. */
export function* checkedBy(
  component: AnyComponent,
  values: Readonly<Record<string, JsonValue>>
): Turns<readonly FieldFault[]> {
  if (component.checkInTurns !== undefined) return yield* component.checkInTurns(values)
  return component.check?.(values) ?? []
}

/** What is wrong whatever the fields are for: unknown names and values of the wrong kind. */
export function checkKinds(node: FlowNode, component: AnyComponent, path: string): Fault[] {
  const faults: Fault[] = []
  const fields: Record<string, Field> = component.fields ?? {}
  for (const [written, value] of Object.entries(node.fields)) {
    const name = shortened(written)
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const message =
      field === undefined
        ? unknownField(node, component, name)
        : (tooLong(field, value) ?? misfit(field, value))
    if (message === undefined) continue
    const where = field === undefined ? '' : `Field "${name}" of node "${node.id}" `
    faults.push({
      code: field === undefined ? 'unknown_field' : 'invalid_field',
      path: `${path}/fields/${escapePointer(name)}`,
      node: node.id,
      field: name,
      message: `${where}${message}`
    })
  }
  return faults
}

/** What the component itself says, of its fields and by the inputs that follow from them. */
function* componentFaults(node: FlowNode, component: AnyComponent, path: string): Turns<Fault[]> {
  const values = resolveFields(component, node.fields as Record<string, JsonValue>)
  try {
    const faults = yield* foundBy(component, values, node, path)
    // Asked for here so that what it throws is a fault of this node, and not of whoever wants to know its inputs.
    if (faults.length === 0 && component.inputsFor !== undefined) inputPortsOf(component, values)
    return faults
  } catch (error) {
    return [failedComponent(node, component, path, error)]
  }
}

function* foundBy(
  component: AnyComponent,
  values: Record<string, JsonValue>,
  node: FlowNode,
  path: string
): Turns<Fault[]> {
  const found = yield* checkedBy(component, values)
  return found.map((fault) => ({
    code: fault.code ?? 'invalid_field',
    path: `${path}/fields/${escapePointer(fault.field)}`,
    node: node.id,
    field: fault.field,
    ...(fault.line === undefined ? {} : { line: fault.line }),
    ...(fault.column === undefined ? {} : { column: fault.column }),
    message: `Field "${fault.field}" of node "${node.id}": ${fault.message}`
  }))
}

/** A bug of its author, who has to learn what was thrown; whoever saves the flow learns whose it is. */
function failedComponent(node: FlowNode, component: AnyComponent, path: string, error: unknown): Fault {
  return {
    code: 'component_failed',
    path: `${path}/fields`,
    node: node.id,
    message:
      `The component "${component.type}" of node "${node.id}" failed to judge its fields: ${messageOf(error)} ` +
      'Change the fields, or fix the plugin that registers it.'
  }
}

function unknownField(node: FlowNode, component: AnyComponent, name: string): string {
  const known = Object.keys(component.fields ?? {})
  const list = known.length === 0 ? 'It has no fields.' : `Its fields are ${known.join(', ')}.`
  return `Node "${node.id}" (${component.title}) has no field "${name}". ${list}${didYouMean(name, known)}`
}

/** What is wrong with a value for a field, or undefined. */
function misfit(field: Field, value: unknown): string | undefined {
  switch (field.kind) {
    case 'text':
    case 'template':
    case 'secret':
    case 'connection':
      return typeof value === 'string' ? undefined : `takes text, not ${kindOf(value)}.`
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `takes true or false, not ${kindOf(value)}.`
    case 'choice':
      return typeof value === 'string' && field.choices.includes(value)
        ? undefined
        : `takes one of ${field.choices.map((choice) => `"${choice}"`).join(', ')}, not ${kindOf(value)}.`
    case 'list':
      return listMisfit(field, value)
    case 'rows':
      return rowsMisfit(field, value)
    case 'number':
      return numberMisfit(field, value)
    case 'json':
      return undefined
  }
}

function listMisfit(
  { maxItems, choices }: Extract<Field, { kind: 'list' }>,
  value: unknown
): string | undefined {
  if (!Array.isArray(value)) return `takes a list of texts, not ${kindOf(value)}.`
  const odd = value.find((item) => typeof item !== 'string')
  if (odd !== undefined) return `takes a list of texts, and one of its items is ${kindOf(odd)}.`
  if (maxItems !== undefined && value.length > maxItems)
    return `takes ${maxItems} items at most, not ${value.length}.`
  return choices === undefined ? undefined : choicesMisfit(choices, value as string[])
}

function choicesMisfit(choices: readonly string[], value: readonly string[]): string | undefined {
  const unknown = value.find((item) => !choices.includes(item))
  if (unknown !== undefined)
    return `takes some of ${choices.map((choice) => `"${choice}"`).join(', ')}, and one of its items is ${kindOf(unknown)}.`
  const twice = value.find((item, at) => value.indexOf(item) < at)
  return twice === undefined ? undefined : `has "${twice}" twice. Remove one of them.`
}

function rowsMisfit(field: RowsField, value: unknown): string | undefined {
  if (!Array.isArray(value)) return `takes a list of objects, not ${kindOf(value)}.`
  if (field.maxItems !== undefined && value.length > field.maxItems)
    return `takes ${field.maxItems} at most, not ${value.length}.`
  for (const [at, row] of value.entries()) {
    const wrong = typeof row === 'string' ? undefined : rowMisfit(field, row)
    if (wrong !== undefined) return `takes objects, and ${field.item ?? 'item'} ${at + 1} ${wrong}`
  }
  return undefined
}

function rowMisfit({ columns }: RowsField, row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return `is ${kindOf(row)}.`
  const known = Object.keys(columns)
  for (const [name, value] of Object.entries(row)) {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined
    if (column === undefined)
      return `has a member "${name}". It may have ${known.join(', ')}.${didYouMean(name, known)}`
    if (typeof value !== 'string') return `has ${kindOf(value)} as its "${name}". Write text.`
    if (column.choices !== undefined && !column.choices.includes(value))
      return `has ${kindOf(value)} as its "${name}", which is one of ${column.choices.map((choice) => `"${choice}"`).join(', ')}.`
  }
  return undefined
}

function numberMisfit(field: Extract<Field, { kind: 'number' }>, value: unknown): string | undefined {
  if (value instanceof ExactNumber)
    return `takes numbers of at most 15 digits, not ${shortened(value.source)}.`
  if (typeof value !== 'number') return `takes a number, not ${kindOf(value)}.`
  if (field.integer === true && !Number.isInteger(value)) return `takes a whole number, not ${value}.`
  if (field.min !== undefined && value < field.min) return `takes ${field.min} or more, not ${value}.`
  if (field.max !== undefined && value > field.max) return `takes ${field.max} or less, not ${value}.`
  return undefined
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (value instanceof ExactNumber) return `number ${shortened(value.source)}`
  if (typeof value === 'object') return 'an object'
  return `${typeof value === 'string' ? 'text' : typeof value} ${shortened(JSON.stringify(value))}`
}

/** Names and texts may be as long as the document; what is told of them is not. */
function shortened(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}
