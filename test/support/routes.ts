import assert from 'node:assert/strict'
import type { ApiClient } from './api-client.ts'
import type { Schema } from './openapi/schema-values.ts'

export interface Operation {
  readonly method: string
  /** As the API describes it, with its parameters in braces. */
  readonly path: string
  readonly description: OperationBody
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly allowEmptyValue?: boolean
  readonly schema: Schema
}

export interface ApiResponse {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface OperationBody {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly responses?: Readonly<Record<string, ApiResponse>>
  readonly security?: readonly Record<string, readonly string[]>[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly 'x-max-bytes'?: number
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
}

/** Every operation that the service says it has, with what is referred to in its place. */
export async function allOperations(client: ApiClient): Promise<Operation[]> {
  const answer = await client.get('/api/v1/openapi.json')
  assert.equal(answer.status, 200, answer.text)
  const document = answer.json<{ paths: unknown }>()
  const paths = resolved(document.paths, document, new Map()) as Record<string, Record<string, OperationBody>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, description]) => ({
      method: method.toUpperCase(),
      path,
      description
    }))
  )
}

/** What is referred to is the same thing at all its places: 57,000 parts of the description are 7,000. */
function resolved(part: unknown, document: object, known: Map<string, unknown>): unknown {
  if (Array.isArray(part)) return part.map((item) => resolved(item, document, known))
  if (typeof part !== 'object' || part === null) return part
  if (!('$ref' in part))
    return Object.fromEntries(
      Object.entries(part).map(([name, value]) => [name, resolved(value, document, known)])
    )
  const reference = String(part.$ref)
  if (!known.has(reference)) known.set(reference, resolved(target(reference, document), document, known))
  return known.get(reference)
}

function target(reference: string, document: object): unknown {
  const names = reference.replace('#/', '').split('/')
  return names.reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], document)
}

/** The path with a value for each of its parameters. */
export function fillPath(path: string, values: Readonly<Record<string, string>>, otherwise: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? otherwise)
}

/** What a route asks for in its query before it looks at anything else. */
export function neededQuery({ parameters = [] }: OperationBody): string {
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true)
  return needed.length === 0 ? '' : `?${needed.map(({ name }) => `${name}=x`).join('&')}`
}
