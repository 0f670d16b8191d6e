import {
  BoundedText,
  type FieldFault,
  inFieldTurns,
  type JsonValue,
  type RunView,
  scopeOf,
  type Template,
  type TemplateTree,
  type Turns,
  templateFault,
  templateTreeFaults,
  writeJsonTo
} from '../../plugin-api.ts'

/** Longer than any text that can be written: what is too long is refused in the words of whoever writes it. */
const MOST_CHARACTERS = 8_000_000

interface Reading {
  readonly inputs: { readonly data?: unknown }
  readonly run: Pick<RunView, 'variables'>
}

/** What a template gives; the data itself, as text, where it is empty. */
export function* textOfField(step: Reading, field: string, template: Template): Turns<string> {
  const text = new BoundedText(MOST_CHARACTERS)
  yield* inFieldTurns(field, writeText(step, text, template))
  return text.toString()
}

function* writeText({ inputs, run }: Reading, text: BoundedText, template: Template): Turns<void> {
  const data = (inputs.data ?? null) as JsonValue
  const { data: scope, variables } = scopeOf(data, run.variables)
  if (template.source.trim() !== '') yield* template.renderTo(text, scope, variables)
  else if (typeof data === 'string') text.add(data)
  else if (data !== null) yield* writeJsonTo(text, data)
}

/** An object of templates with its values filled in. */
export function* objectOfField(
  { inputs, run }: Reading,
  field: string,
  tree: TemplateTree
): Turns<JsonValue> {
  const { data, variables } = scopeOf(inputs.data as JsonValue | undefined, run.variables)
  const rendered = tree.renderWithin({ left: MOST_CHARACTERS }, data, variables)
  return (yield* inFieldTurns(field, rendered)) ?? null
}

export function faultsOfCollection(collection: string): FieldFault[] {
  if (collection.trim() !== '') return []
  return [{ field: 'collection', message: 'No collection is named. Name one, such as manuals.' }]
}

export function faultsOfTemplate(field: string, template: string): FieldFault[] {
  const fault = templateFault(template)
  return fault === undefined ? [] : [{ field, ...fault }]
}

/** Empty stands for none. */
export function faultsOfObject(field: string, value: JsonValue): FieldFault[] {
  const isObject = value === '' || (typeof value === 'object' && value !== null && !Array.isArray(value))
  const faults = templateTreeFaults(value).map((fault) => ({ field, ...fault }))
  if (isObject || (typeof value === 'string' && value.trim().startsWith('{'))) return faults
  return [{ field, message: 'It must be an object, such as {"language": "{language}"}.' }]
}
