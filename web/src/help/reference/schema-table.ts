import { type Html, html, sentence, table } from './html.ts'
import type { ApiDescription, Schema } from './openapi-document.ts'

/** Deeper than this nobody reads; the members of such a thing are in the description as OpenAPI. */
const DEEPEST = 3

interface Row {
  readonly path: string
  readonly isRequired: boolean
  readonly schema: Schema
}

/** The members of a value, those of its members beneath them. */
export function schemaTable(schema: Schema, api: ApiDescription): Html {
  const rows = rowsOf(schema, api, '', 0)
  if (rows.length === 0) return html`<p>${typeOf(schema, api)}${aside(resolved(schema, api).description)}</p>`
  return table(
    ['Member', 'Type', 'What it is'],
    rows.map(({ path, isRequired, schema }) => [
      html`<code>${path}</code>${isRequired ? ' *' : ''}`,
      typeOf(schema, api),
      sentence(wordsOf(resolved(schema, api)))
    ])
  )
}

function rowsOf(schema: Schema, api: ApiDescription, path: string, depth: number): Row[] {
  const { properties = {}, required = [] } = membersOf(schema, api)
  return Object.entries(properties).flatMap(([name, member]) => {
    const isList = inner(member, api).items !== undefined
    const place = `${path}${name}${isList ? '[]' : ''}`
    const row = { path: place, isRequired: required.includes(name), schema: member }
    return depth + 1 >= DEEPEST ? [row] : [row, ...rowsOf(member, api, `${place}.`, depth + 1)]
  })
}

/** Of an object, or of what a list holds. */
function membersOf(schema: Schema, api: ApiDescription): Schema {
  const plain = inner(schema, api)
  return plain.items === undefined ? plain : inner(plain.items, api)
}

/** Without null, which most values may be. */
function inner(schema: Schema, api: ApiDescription): Schema {
  const plain = resolved(schema, api)
  const others = (plain.anyOf ?? plain.oneOf ?? []).filter(({ type }) => type !== 'null')
  return others.length === 1 ? resolved(others[0]!, api) : plain
}

export function resolved(schema: Schema, api: ApiDescription): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (api.components?.schemas?.[name] ?? {})
}

/** In words: `text or null`, `list of objects`. */
export function typeOf(schema: Schema, api: ApiDescription): string {
  const plain = resolved(schema, api)
  const choices = plain.anyOf ?? plain.oneOf
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeOf(choice, api)))].join(' or ')
  if (plain.const !== undefined) return JSON.stringify(plain.const)
  if (plain.enum !== undefined) return plain.enum.map((value) => JSON.stringify(value)).join(', ')
  if (plain.items !== undefined) return `list of ${severalOf(typeOf(plain.items, api))}`
  if (plain.format === 'date-time') return 'time'
  const types = typeof plain.type === 'string' ? [plain.type] : (plain.type ?? [])
  return types.length === 0 ? 'anything' : types.map((type) => NAMES[type] ?? type).join(' or ')
}

function severalOf(type: string): string {
  return /^(?:text|object|number|whole number|list|time)$/.test(type) ? `${type}s` : type
}

const NAMES: Readonly<Record<string, string>> = { string: 'text', array: 'list', integer: 'whole number' }

function wordsOf({ description = '', minimum, maximum, default: initial }: Schema): string {
  const bounds = [
    minimum === undefined || minimum === 0 ? '' : `at least ${minimum}`,
    maximum === undefined || maximum >= 2 ** 31 - 1 ? '' : `at most ${maximum}`,
    initial === undefined ? '' : `${JSON.stringify(initial)} by itself`
  ].filter((one) => one !== '')
  return [description, bounds.join(', ')].filter((one) => one !== '').join('; ')
}

function aside(description: string | undefined): string {
  return description === undefined ? '' : `: ${description}`
}
