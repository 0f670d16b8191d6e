import {
  type ApiDescription,
  type FoundOperation,
  operationsOf,
  pathWith,
  type Schema
} from './openapi-document.ts'
import { resolved } from './schema-table.ts'

/** An operation as a form asks for what it needs. */
export interface TriedOperation extends FoundOperation {
  readonly fields: readonly TriedField[]
  /** Null where it takes none. */
  readonly bodyType: string | null
  /** To begin with. */
  readonly body: string
  /** Its answer does not end, so a form cannot show it. */
  readonly isStream: boolean
}

interface TriedField {
  readonly name: string
  readonly in: string
  readonly isRequired: boolean
}

export function triedOperation(api: ApiDescription, id: string): TriedOperation | undefined {
  const found = operationsOf(api).find(({ operation }) => operation.operationId === id)
  if (found === undefined) return undefined
  const { parameters = [], requestBody, responses = {} } = found.operation
  const types = Object.keys(requestBody?.content ?? {})
  const bodyType = types.includes('application/json') ? 'application/json' : (types[0] ?? null)
  const schema = bodyType === null ? undefined : requestBody?.content?.[bodyType]?.schema
  return {
    ...found,
    fields: parameters
      .filter(({ in: place }) => place === 'path' || place === 'query' || place === 'header')
      .map(({ name, in: place, required = false }) => ({ name, in: place, isRequired: required })),
    bodyType,
    body: schema === undefined ? '' : JSON.stringify(exampleBody(schema, api), null, 2),
    isStream: Object.values(responses).some(({ content = {} }) => {
      const answered = Object.keys(content)
      return answered.length === 1 && answered[0] === 'text/event-stream'
    })
  }
}

/** With the members that have to be there, as empty as they may be. */
export function exampleBody(schema: Schema, api: ApiDescription): unknown {
  return exampleOf(schema, api, 0)
}

function exampleOf(schema: Schema, api: ApiDescription, depth: number): unknown {
  const plain = resolved(schema, api)
  if (plain.default !== undefined) return plain.default
  if (plain.enum !== undefined) return plain.enum[0]
  if (plain.const !== undefined) return plain.const
  const choice = (plain.anyOf ?? plain.oneOf)?.[0]
  if (choice !== undefined) return exampleOf(choice, api, depth)
  if (plain.properties !== undefined && depth < 4) {
    const members = (plain.required ?? []).flatMap((name) => {
      const member = plain.properties?.[name]
      return member === undefined ? [] : [[name, exampleOf(member, api, depth + 1)]]
    })
    return Object.fromEntries(members)
  }
  const type = typeof plain.type === 'string' ? plain.type : plain.type?.[0]
  if (type === 'string') return ''
  if (type === 'integer' || type === 'number') return plain.minimum ?? 0
  if (type === 'boolean') return false
  return type === 'array' ? [] : {}
}

/** The address below the service's root, without a slash at its beginning. */
export function triedPath(
  { path, fields }: TriedOperation,
  values: Readonly<Record<string, string>>
): string {
  const query = fields
    .filter(({ in: place, name }) => place === 'query' && (values[name] ?? '') !== '')
    .map(({ name }) => `${encodeURIComponent(name)}=${encodeURIComponent(values[name]!)}`)
  const filled = pathWith(path, values).replace(/^\//, '')
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

export function missingFields(
  { fields }: TriedOperation,
  values: Readonly<Record<string, string>>
): string[] {
  return fields
    .filter(({ name, isRequired }) => isRequired && (values[name] ?? '') === '')
    .map(({ name }) => name)
}
