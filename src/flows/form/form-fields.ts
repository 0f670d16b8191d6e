import { isPlainObject, type JsonValue } from '../json/exact-json.ts'

export const FORM_FIELD_TYPES = [
  'text',
  'long text',
  'number',
  'email',
  'date',
  'choice',
  'checkbox',
  'file'
] as const

type FormFieldType = (typeof FORM_FIELD_TYPES)[number]

/** What a form asks for. */
export interface FormField {
  /** The key of the answer in the data. */
  readonly name: string
  readonly label: string
  readonly type: FormFieldType
  readonly required: boolean
  /** Of the type `choice`. */
  readonly choices: readonly string[]
  readonly help: string
}

const MOST_FORM_FIELDS = 100
const MOST_CHOICES = 500
const LONGEST_NAME = 100
const LONGEST_TEXT = 1_000

/** One that begins with an underscore is the form's own. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_ -]*$/u
const KEYS: ReadonlySet<string> = new Set(['name', 'label', 'type', 'required', 'choices', 'help'])

/** The fields as they can be shown, whatever a draft holds: what has no name is left out. */
export function readFormFields(value: JsonValue | undefined): FormField[] {
  if (!Array.isArray(value)) return []
  const known = new Set<string>()
  return value.flatMap((row) => {
    const field = fieldOf(row)
    if (field.name === '' || known.has(field.name)) return []
    known.add(field.name)
    return [field]
  })
}

/** One row, with all that it does not say. */
export function fieldOf(row: JsonValue | undefined): FormField {
  const said = isPlainObject(row) ? row : {}
  const name = textOf(said.name)
  const type = FORM_FIELD_TYPES.find((each) => each === said.type) ?? 'text'
  return {
    name,
    label: textOf(said.label) || name,
    type,
    required: said.required === true,
    choices: Array.isArray(said.choices) ? said.choices.map(textOf).filter((each) => each !== '') : [],
    help: textOf(said.help)
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : ''
}

/** What keeps the fields from being a form; each in a sentence that names the field. */
export function formFieldFaults(value: JsonValue): string[] {
  if (!Array.isArray(value)) return ['It is not a list. Write a list of fields, each with "name" and "type".']
  if (value.length === 0) return ['The form asks for nothing. Add a field.']
  if (value.length > MOST_FORM_FIELDS)
    return [`The form has ${value.length} fields. It may have ${MOST_FORM_FIELDS}: remove some.`]
  const known = new Set<string>()
  return value.flatMap((row, at) => {
    const faults = rowFaults(row)
    const name = isPlainObject(row) ? textOf(row.name) : ''
    if (known.has(name)) faults.push('has a name that another field has. Give each its own.')
    if (name !== '') known.add(name)
    return faults.map((fault) => `Field ${at + 1}${name === '' ? '' : ` (${name})`} ${fault}`)
  })
}

function rowFaults(row: JsonValue): string[] {
  if (!isPlainObject(row)) return ['is not an object. Write {"name": "email", "type": "email"}.']
  return [...keyFaults(row), ...nameFaults(row.name), ...typeFaults(row.type), ...choiceFaults(row)]
}

function keyFaults(row: Readonly<Record<string, JsonValue>>): string[] {
  const unknown = Object.keys(row).filter((key) => !KEYS.has(key))
  const faults = unknown.map((key) => `has "${key}", which means nothing here. Remove it.`)
  for (const key of ['label', 'help'] as const) {
    const value = row[key]
    if (value === undefined) continue
    if (typeof value !== 'string') faults.push(`has a ${key} that is not text. Write text.`)
    else if (value.length > LONGEST_TEXT)
      faults.push(`has a ${key} of more than ${LONGEST_TEXT} characters. Shorten it.`)
  }
  if (row.required !== undefined && typeof row.required !== 'boolean')
    faults.push('has a "required" that is neither true nor false. Write one of them.')
  return faults
}

function nameFaults(name: JsonValue | undefined): string[] {
  if (typeof name !== 'string' || name.trim() === '')
    return ['has no name. Write one: it is the key of the answer.']
  if (name.length > LONGEST_NAME) return [`has a name of more than ${LONGEST_NAME} characters. Shorten it.`]
  if (NAME.test(name.trim())) return []
  return [
    'has a name that is no key. Use letters, digits, spaces, hyphens and underscores, and begin with a letter or a digit.'
  ]
}

function typeFaults(type: JsonValue | undefined): string[] {
  // Left out it is text.
  if (type === undefined || FORM_FIELD_TYPES.some((each) => each === type)) return []
  const said = typeof type === 'string' ? `the type "${type}"` : 'a type that is not text'
  return [`has ${said}. Use one of: ${FORM_FIELD_TYPES.join(', ')}.`]
}

function choiceFaults({ type, choices }: Readonly<Record<string, JsonValue>>): string[] {
  if (choices !== undefined && !(Array.isArray(choices) && choices.every((each) => typeof each === 'string')))
    return ['has choices that are not a list of texts. Write ["Small", "Large"].']
  if (type !== 'choice') return []
  const given = (choices ?? []) as readonly string[]
  if (given.length === 0) return ['has nothing to choose from. Add choices.']
  if (given.length > MOST_CHOICES)
    return [`has ${given.length} choices. It may have ${MOST_CHOICES}: remove some.`]
  if (given.some((each) => each.trim() === '')) return ['has an empty choice. Write it, or remove it.']
  if (given.some((each) => each.length > LONGEST_TEXT))
    return [`has a choice of more than ${LONGEST_TEXT} characters. Shorten it.`]
  return new Set(given.map(textOf)).size === given.length ? [] : ['has the same choice twice. Remove one.']
}
