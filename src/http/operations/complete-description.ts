import type { RouteOptions } from 'fastify'
import { type ProblemCode, problems } from '../../errors.ts'
import { bytesInWords } from '../requests/body-limits.ts'
import { bodyOf } from './describe-routes.ts'
import { namedSchemas, withReferences } from './named-schemas.ts'
import { refusalsOf } from './refused-answers.ts'

/** As much of the description as is completed here. */
export interface ApiDocument {
  readonly paths: Record<string, Record<string, ApiOperation>>
  readonly components: Record<string, Record<string, unknown>>
}

interface ApiOperation {
  requestBody?: {
    readonly content: Record<string, { schema?: unknown }>
    required?: boolean
    description?: string
    'x-max-bytes'?: number
  }
  parameters?: ApiParameter[]
  responses: Record<string, { description?: string; readonly $ref?: string }>
}

interface ApiParameter {
  readonly in: string
  readonly required?: boolean
  readonly schema: { readonly type?: string }
  allowEmptyValue?: boolean
}

/** Writes what the schemas of routes do not hold: refusals, limits of bodies, what may be left blank or out. */
export function completeDescription(document: ApiDocument, routes: readonly RouteOptions[]): unknown {
  const responses: Record<string, unknown> = { Refused: REFUSED }
  for (const route of routes) {
    const operation = document.paths[pathOf(route.url)]?.[String(route.method).toLowerCase()]
    if (operation === undefined) continue
    completeBody(operation, route)
    for (const parameter of operation.parameters ?? []) completeParameter(parameter)
    for (const [status, codes] of refusalsOf(route)) {
      const name = codes.join('.')
      responses[name] ??= refusedWith(codes)
      operation.responses[status] = { $ref: `#/components/responses/${name}` }
    }
    for (const answer of Object.values(operation.responses)) completeAnswer(answer)
    operation.responses.default = { $ref: '#/components/responses/Refused' }
  }
  const components = { ...document.components, responses, schemas: namedSchemas() }
  return { ...document, paths: withReferences(document.paths), components }
}

function pathOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}')
}

function completeBody({ requestBody }: ApiOperation, route: RouteOptions): void {
  if (requestBody === undefined) return
  const { config, bodyLimit } = route
  // As it was: names of members that follow a pattern are lost on whoever writes the description.
  for (const content of Object.values(requestBody.content)) content.schema = bodyOf(route)
  requestBody.required = config?.takes?.isOptional !== true
  if (bodyLimit === undefined) return
  requestBody.description = `${bytesInWords(bodyLimit)} at the most`
  requestBody['x-max-bytes'] = bodyLimit
}

/** A form sends what nobody has filled in, and that counts as left out. See validate-with-typebox.ts. */
function completeParameter(parameter: ApiParameter): void {
  const { in: place, required } = parameter
  if (place !== 'query' || required === true) return
  parameter.allowEmptyValue = true
}

/** The writer of descriptions has a word of its own for answers that are described by their schema. */
function completeAnswer(answer: { description?: string }): void {
  if (answer.description === 'Default Response') answer.description = 'Done'
}

function refusalOf(description: string, codes?: readonly ProblemCode[]) {
  const problem = { $ref: '#/components/schemas/Problem' }
  const narrowed = { allOf: [problem, { type: 'object', properties: { code: { enum: codes } } }] }
  return {
    description,
    content: { 'application/problem+json': { schema: codes === undefined ? problem : narrowed } }
  }
}

function refusedWith(codes: readonly ProblemCode[]) {
  return refusalOf(codes.map((code) => `${code}: ${problems[code].title}`).join('; '), codes)
}

const REFUSED = refusalOf('Refused by a plugin, or by what stands before Millrace')
