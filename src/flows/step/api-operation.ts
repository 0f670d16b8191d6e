/** What a schema says of a value, as far as forms and conversions need it: without references, and only so deep. */
export interface ShortSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  readonly nullable?: true
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly default?: string | number | boolean
  readonly example?: string | number | boolean
  readonly properties?: { readonly [name: string]: ShortSchema }
  readonly required?: readonly string[]
  readonly items?: ShortSchema
  /** One of them holds. */
  readonly any_of?: readonly ShortSchema[]
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

/** As OpenAPI names them, and how Swagger 2 wrote lists with tabs. */
type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'tabDelimited'
  | 'deepObject'
  | 'json'

export interface ValueStyle {
  readonly style: ParameterStyle
  readonly explode: boolean
}

export interface ApiParameter extends ValueStyle {
  /** What it is called in a node; where two have the same name, the later one begins with its place: `query.id`. */
  readonly name: string
  /** What it is called in a request, where that is something else. */
  readonly sent_as?: string
  readonly in: ParameterPlace
  readonly required: boolean
  readonly description: string
  /** Reserved characters of URLs are sent as they are. */
  readonly allow_reserved?: true
  readonly schema: ShortSchema
}

export interface ApiBody {
  readonly required: boolean
  readonly content_type: string
  readonly description: string
  readonly schema: ShortSchema
  /** How members of a form are written, of those that are not written as usual. */
  readonly encoding?: { readonly [member: string]: ValueStyle }
}

/** One call that an API offers, by its document. */
export interface ApiOperation {
  /** Its operationId, or `GET /path`. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly title: string
  readonly description: string
  readonly deprecated?: true
  readonly parameters: readonly ApiParameter[]
  readonly body: ApiBody | null
}
