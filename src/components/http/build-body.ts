import {
  asFile,
  BoundedText,
  compileTemplate,
  compileTemplateTree,
  type GivenBytes,
  givenBytes,
  inFieldTurns,
  isPlainObject,
  type JsonValue,
  parseJsonInTurns,
  StepError,
  type Template,
  type TemplateScope,
  type TemplateTree,
  type Turns,
  writeJsonTo
} from '../../plugin-api.ts'
import type { Headers } from './build-headers.ts'
import { encodeForm, encodeText, printedWithin } from './build-url.ts'
import type { BODY_TYPES } from './fields.ts'
import { looksLikeJson, renderJson } from './json-template.ts'
import { bytesOf, encodeMultipart, headerType, pieceOf } from './multipart.ts'
import type { BodyContent } from './streamed-body.ts'

export type BodyType = (typeof BODY_TYPES)[number]

/** What the field says: nothing, a text, or JSON whose texts are templates. */
export type BodySource =
  | { readonly kind: 'data' }
  | { readonly kind: 'text'; readonly template: Template }
  | { readonly kind: 'tree'; readonly tree: TemplateTree }

export function bodySource(body: JsonValue): BodySource {
  if (body === null || body === '') return { kind: 'data' }
  if (typeof body === 'string') return { kind: 'text', template: compileTemplate(body) }
  return { kind: 'tree', tree: compileTemplateTree(body) }
}

interface BodyRequest {
  readonly source: BodySource
  readonly type: BodyType
  readonly method: string
  readonly headers: Headers
  readonly data: JsonValue | undefined
  readonly scope: TemplateScope
  /** The same for every attempt, so that a body that is sent again is the same. */
  readonly boundary: string
  /** Whether base64 stands for its bytes where no type is said: whom a flow answers wants them, while an API may ask for base64. */
  readonly takesBase64?: boolean
}

export interface Body {
  readonly content: BodyContent
  /** What its header says, unless the node says otherwise. */
  readonly contentType: string
}

const MOST_CHARACTERS = 64 * 1024 ** 2
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Methods whose request is about its body: an empty field means the data. */
const WITH_DATA = ['POST', 'PUT', 'PATCH']

/** Null where the request has none. */
export function* buildBody(request: BodyRequest): Turns<Body | null> {
  const { source, method, data } = request
  const type = request.type === 'Auto' ? typeByHeader(request) : request.type
  if (type === 'None') return null
  if (source.kind === 'data') {
    if (data === undefined || !WITH_DATA.includes(method)) return null
    return yield* encoded(data, type, request)
  }
  if (source.kind === 'text') return yield* textBody(source.template, type, request)
  const { scope } = request
  const room = { left: MOST_CHARACTERS }
  const value = yield* inFieldTurns('body', source.tree.renderWithin(room, scope.data, scope.variables))
  return yield* encoded(value ?? null, type, request)
}

/** What the node says in a header holds for a body of which nothing else is said. */
function typeByHeader({ headers }: BodyRequest): BodyType {
  const type = headers['content-type'] ?? ''
  if (type.startsWith(FORM_TYPE)) return 'Form'
  return type.startsWith('multipart/form-data') ? 'Multipart' : 'Auto'
}

function* textBody(template: Template, type: BodyType, request: BodyRequest): Turns<Body> {
  const { scope } = request
  switch (type) {
    case 'Auto':
      return (
        (yield* inFieldTurns('body', fileBody(template, request))) ??
        (yield* inFieldTurns('body', autoBody(template, scope)))
      )
    case 'JSON': {
      const content = yield* inFieldTurns('body', renderJson(template, scope, MOST_CHARACTERS))
      yield* assertJson(content)
      return { content, contentType: JSON_TYPE }
    }
    case 'Form': {
      const text = new BoundedText(MOST_CHARACTERS)
      yield* inFieldTurns('body', template.renderTo(text, scope.data, scope.variables, encodeText))
      return { content: text.toString(), contentType: FORM_TYPE }
    }
    default: {
      const room = { left: MOST_CHARACTERS }
      const rendering = template.renderValueWithin(room, scope.data, scope.variables)
      const value = yield* inFieldTurns('body', rendering)
      return yield* encoded(value ?? '', type, request)
    }
  }
}

/** A template that is one value, where that is a file. */
function* fileBody(template: Template, request: BodyRequest): Turns<Body | undefined> {
  if (template.literals.length !== 2 || template.literals.join('') !== '') return undefined
  const { data, variables } = request.scope
  const value = yield* template.renderValueWithin({ left: MOST_CHARACTERS }, data, variables)
  const bytes = bytesIn(value, request)
  return bytes && bodyOf(bytes)
}

function* encoded(value: JsonValue, type: BodyType, request: BodyRequest): Turns<Body> {
  const bytes = type === 'Auto' ? bytesIn(value, request) : undefined
  return bytes === undefined ? yield* encodeBody(value, type, request.boundary) : bodyOf(bytes)
}

/** What is sent as its bytes though nothing is said. */
function bytesIn(value: JsonValue | undefined, { takesBase64 = false }: BodyRequest): GivenBytes | undefined {
  const given = givenBytes(value)
  if (given === undefined || 'file' in given.source) return given
  return takesBase64 && isNothingBut(value) && BASE64.test(given.source.base64) ? given : undefined
}

/** As API Request gives what is no text, and others files of which they have all. */
function isNothingBut(value: JsonValue | undefined): boolean {
  return Object.keys(Object(value)).every((name) => MEMBERS.includes(name))
}

const MEMBERS = ['base64', 'content_type', 'filename', 'size']
const BASE64 = /^[A-Za-z0-9+/_\s-]*={0,2}\s*$/

function bodyOf(given: GivenBytes): Body {
  const piece = pieceOf(given, 'The body')
  return { content: piece instanceof Uint8Array ? piece : [piece], contentType: headerType(given) }
}

/** JSON where it looks like JSON and is; otherwise the text as it is. */
function* autoBody(template: Template, scope: TemplateScope): Turns<Body> {
  if (looksLikeJson(template)) {
    const content = yield* renderJson(template, scope, MOST_CHARACTERS)
    if (yield* isJson(content)) return { content, contentType: JSON_TYPE }
  }
  const text = new BoundedText(MOST_CHARACTERS)
  yield* template.renderTo(text, scope.data, scope.variables)
  const content = text.toString()
  return { content, contentType: (yield* isJson(content)) ? JSON_TYPE : TEXT_TYPE }
}

export function* encodeBody(value: JsonValue, type: BodyType, boundary: string): Turns<Body> {
  switch (type) {
    case 'Form':
      return {
        content: yield* encodeForm(membersOf(value, type), MOST_CHARACTERS),
        contentType: FORM_TYPE
      }
    case 'Multipart': {
      const contentType = `multipart/form-data; boundary=${boundary}`
      const content = yield* encodeMultipart(membersOf(value, type), boundary, MOST_CHARACTERS)
      return { content, contentType }
    }
    case 'Text':
      return { content: yield* printedWithin(value, MOST_CHARACTERS), contentType: TEXT_TYPE }
    case 'Binary':
      return yield* binary(value)
    default: {
      // Where nothing is said a file is sent as what it is: whom it is sent to could do nothing with its id.
      if (type === 'Auto' && asFile(value) !== undefined) return bodyOf(givenBytes(value)!)
      const text = new BoundedText(MOST_CHARACTERS)
      yield* writeJsonTo(text, value)
      return { content: text.toString(), contentType: JSON_TYPE }
    }
  }
}

function* binary(value: JsonValue): Turns<Body> {
  const given = givenBytes(value)
  if (given !== undefined) return bodyOf(given)
  const content = bytesOf(yield* printedWithin(value, MOST_CHARACTERS), 'The body')
  return { content, contentType: 'application/octet-stream' }
}

function membersOf(value: JsonValue, type: BodyType): { readonly [name: string]: JsonValue } {
  if (isPlainObject(value)) return value
  throw new StepError(
    `A body of the type ${type} is made of names and values, and this one is ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}. Write the body as an object of templates, or choose another type.`,
    { code: 'body_not_an_object', retryable: false }
  )
}

function* isJson(text: string): Turns<boolean> {
  return (yield* jsonFault(text)) === undefined
}

function* jsonFault(text: string): Turns<string | undefined> {
  try {
    yield* parseJsonInTurns(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function* assertJson(text: string): Turns<void> {
  const fault = yield* jsonFault(text)
  if (fault === undefined) return
  throw new StepError(
    `The body is not JSON once its template is filled in: ${fault}. Write it as an object of templates, or choose the body type Text.`,
    { code: 'body_not_json', retryable: false }
  )
}
