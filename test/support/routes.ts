import assert from 'node:assert/strict'
import type { ApiClient } from './api-client.ts'

export interface Operation {
  readonly method: string
  /** As the API describes it, with its parameters in braces. */
  readonly path: string
  readonly description: OperationBody
}

export interface OperationBody {
  readonly summary?: string
  readonly parameters?: readonly { name: string; in: string; required?: boolean }[]
  readonly responses?: Readonly<Record<string, unknown>>
  readonly security?: readonly Record<string, readonly string[]>[]
  readonly requestBody?: unknown
}

/** Every operation that the service says it has. */
export async function allOperations(client: ApiClient): Promise<Operation[]> {
  const answer = await client.get('/api/v1/openapi.json')
  assert.equal(answer.status, 200, answer.text)
  const { paths } = answer.json<{ paths: Record<string, Record<string, OperationBody>> }>()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, description]) => ({
      method: method.toUpperCase(),
      path,
      description
    }))
  )
}

/** The path with a value for each of its parameters. */
export function fillPath(path: string, values: Readonly<Record<string, string>>, otherwise: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? otherwise)
}
