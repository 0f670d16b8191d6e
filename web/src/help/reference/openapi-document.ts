/** As much of an OpenAPI document as the reference shows; it is the service's own. */
export interface ApiDescription {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, ApiResponse>>
  }
}

export interface ApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly description?: string
    readonly required?: boolean
    readonly content?: Content
  }
  readonly responses?: Readonly<Record<string, ApiResponse>>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface ApiResponse {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Content
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly default?: unknown
  readonly additionalProperties?: unknown
}

export interface FoundOperation {
  /** In capitals. */
  readonly method: string
  readonly path: string
  readonly operation: ApiOperation
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

export function operationsOf({ paths }: ApiDescription): FoundOperation[] {
  return Object.entries(paths).flatMap(([path, byMethod]) =>
    METHODS.flatMap((method) => {
      const operation = byMethod[method]
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }]
    })
  )
}

/**
 * What is told of once: several requests may do the same, as those of each method of a webhook do. First of them is the one by whose id the
 * others are named.
 */
export function toldOnce(operations: readonly FoundOperation[]): FoundOperation[][] {
  const byWords = Map.groupBy(
    operations,
    ({ operation: { tags = [], summary } }) => `${tags.join(' ')}: ${summary}`
  )
  return [...byWords.values()].map((same) => same.toSorted((a, b) => idLength(a) - idLength(b)))
}

function idLength({ operation }: FoundOperation): number {
  return operation.operationId.length
}

/** The path with what its parameters are; those without a value stay as they are written. */
export function pathWith(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? ''
    return value === '' ? whole : encodeURIComponent(value)
  })
}
