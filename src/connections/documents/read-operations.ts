import type { ApiOperation } from '../../flows/step/api-operation.ts'
import {
  DocumentFault,
  isObject,
  type JsonObject,
  member,
  shortened,
  shown,
  textOf
} from './document-fault.ts'
import { readBody, readSwaggerBody } from './read-body.ts'
import { givenParameters, type OperationReading, readParameters } from './read-parameters.ts'
import { References } from './references.ts'
import { listOf, ShortSchemas } from './short-schema.ts'

/** What a document says of itself. */
export interface DocumentFacts {
  /** `OpenAPI 3.1`, for instance. */
  readonly format: string
  readonly title: string
  readonly version: string
  /** Where it says that the API is. Nothing is sent there: the connection says where. */
  readonly server: string | null
}

export interface ReadOperation {
  readonly operation: ApiOperation
  readonly tags: readonly string[]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']
const MOST_OPERATIONS = 10_000
const LONGEST_PATH = 2_000
const LONGEST_ID = 300

/** Of the schemas of one operation: more is no form that anybody fills in. */
const VALUES_OF_OPERATION = 400
/** Of all operations, tried ones included; what comes after has its outermost members only. */
const VALUES_OF_DOCUMENT = 500_000
const FEW_VALUES = 60
/** Where the whole does not fit, less deep is tried. */
const DEPTHS = [4, 2, 1]

export function readFacts(document: JsonObject): DocumentFacts {
  const { swagger, openapi, info } = document
  const version = String(openapi ?? swagger ?? '')
  const isKnown = openapi === undefined ? /^2(?:\.0)?$/.test(version) : /^3\.[0-2](?:\.|$)/.test(version)
  if (!isKnown) throw unknownFormat(version)
  const [major, minor = '0'] = version.split('.')
  return {
    format: major === '2' ? 'Swagger 2.0' : `OpenAPI ${major}.${minor}`,
    title: shortened(member(info, 'title'), 200),
    version: shortened(String(member(info, 'version') ?? ''), 100),
    server: serverOf(document)
  }
}

function unknownFormat(version: string): DocumentFault {
  const what =
    version === '' ? 'It says neither "openapi" nor "swagger".' : `Its version is ${shown(version)}.`
  return new DocumentFault(
    `The document is no OpenAPI 3.0 or 3.1, and no Swagger 2.0. ${what} Send the document of the API, or convert it first.`
  )
}

function serverOf({ servers, host, basePath, schemes }: JsonObject): string | null {
  if (typeof host === 'string')
    return shortened(`${textOf(listOf(schemes)[0]) || 'https'}://${host}${textOf(basePath)}`, 500)
  const url = shortened(member(listOf(servers)[0], 'url'), 500)
  return url === '' ? null : url
}

/** Every operation by itself, in the order of the document. Throws a DocumentFault with the place. */
export function* readOperations(document: JsonObject): Generator<ReadOperation> {
  const paths = document.paths
  if (!isObject(paths)) throw noOperations('It has no "paths".')
  const whole = {
    document,
    references: new References(document),
    schemas: new ShortSchemas(),
    isSwagger: document.openapi === undefined
  }
  const budget = { left: VALUES_OF_DOCUMENT }
  const taken = new Set<string>()
  for (const path of Object.keys(paths)) {
    if (!path.startsWith('/')) continue
    if (path.length > LONGEST_PATH) throw new DocumentFault(`The path ${shown(path)} is too long.`)
    const item = whole.references.valueOf(paths[path])
    if (item !== undefined && !isObject(item))
      throw new DocumentFault(`At /paths: what stands at ${shown(path)} is no object.`)
    for (const method of METHODS) {
      const given = member(item, method)
      if (!isObject(given)) continue
      if (taken.size >= MOST_OPERATIONS)
        throw new DocumentFault(
          `The document has more than ${MOST_OPERATIONS} operations. Send one of those that flows use alone.`
        )
      const id = idOf(given, `${method.toUpperCase()} ${path}`, taken)
      taken.add(id)
      yield readOperation({ id, method, path, given, item: item as JsonObject }, whole, budget)
    }
  }
  if (taken.size === 0) throw noOperations('None of its paths has one.')
}

function noOperations(why: string): DocumentFault {
  return new DocumentFault(`The document has no operations. ${why}`)
}

function idOf({ operationId }: JsonObject, place: string, taken: ReadonlySet<string>): string {
  const id = textOf(operationId).trim()
  return id === '' || id.length > LONGEST_ID || taken.has(id) ? place : id
}

interface Place {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly given: JsonObject
  readonly item: JsonObject
}

type Whole = Omit<OperationReading, 'budget' | 'deepest'>

function readOperation(place: Place, whole: Whole, all: { left: number }): ReadOperation {
  const isShort = all.left <= 0
  const most = isShort ? FEW_VALUES : VALUES_OF_OPERATION
  for (const deepest of isShort ? [1] : DEPTHS) {
    const budget = { left: most }
    const operation = readWithin(place, { ...whole, budget, deepest })
    all.left -= most - budget.left
    if (budget.left > 0 || deepest === 1) {
      const tags = listOf(place.given.tags).slice(0, 10)
      return { operation, tags: tags.map((tag) => shortened(tag, 50)) }
    }
  }
  throw new Error('the last depth is taken as it is')
}

function readWithin({ id, method, path, given, item }: Place, reading: OperationReading): ApiOperation {
  const parameters = givenParameters(reading, item.parameters, given.parameters)
  const consumes = given.consumes ?? member(reading.document, 'consumes')
  return {
    id,
    method: method.toUpperCase(),
    path,
    title: shortened(given.summary, 200) || shortened(given.description, 100) || id,
    description: shortened(given.description, 2_000),
    ...(given.deprecated === true && { deprecated: true as const }),
    parameters: readParameters(parameters, path, reading),
    body: reading.isSwagger
      ? readSwaggerBody(parameters, consumes, reading)
      : readBody(given.requestBody, reading)
  }
}
