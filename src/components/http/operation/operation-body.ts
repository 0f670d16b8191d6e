import {
  type ApiBody,
  type ApiOperation,
  asFile,
  BoundedText,
  givenBytes,
  inFieldTurns,
  isPlainObject,
  type JsonValue,
  StepError,
  type TemplateScope,
  type Turns
} from '../../../plugin-api.ts'
import { type Body, type BodySource, encodeBody } from '../build-body.ts'
import { encodeText, printedWithin } from '../build-url.ts'
import { fitValue } from './fit-value.ts'
import { writeAsPairs } from './write-parameter.ts'

interface BodyRequest {
  readonly source: BodySource
  readonly data: JsonValue | undefined
  readonly scope: TemplateScope
  readonly boundary: string
}

const MOST_CHARACTERS = 64 * 1024 ** 2
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i
const MULTIPART_TYPE = /^multipart\/form-data\b/i

/** What is sent, in the type that the operation takes; null where it takes nothing, or nothing is given. */
export function* buildOperationBody(operation: ApiOperation, request: BodyRequest): Turns<Body | null> {
  const { id, body } = operation
  if (body === null) {
    if (request.source.kind === 'data') return null
    throw new StepError(`The operation "${id}" takes no body. Leave the field "body" empty.`, {
      code: 'body_unexpected',
      retryable: false
    })
  }
  const value = yield* inFieldTurns('body', givenValue(request))
  const fitted = value === undefined ? undefined : yield* fitValue(value, body.schema, 'The body')
  if (fitted !== undefined) return yield* encodeAs(body, fitted, request.boundary)
  if (!body.required) return null
  throw new StepError(
    `The operation "${id}" needs a body, and there is none. Write it in the field "body", or lead data to the node.`,
    { code: 'body_missing', retryable: false }
  )
}

function* givenValue({ source, data, scope }: BodyRequest): Turns<JsonValue | undefined> {
  if (source.kind === 'data') return data
  const room = { left: MOST_CHARACTERS }
  return source.kind === 'tree'
    ? yield* source.tree.renderWithin(room, scope.data, scope.variables)
    : yield* source.template.renderValueWithin(room, scope.data, scope.variables)
}

function* encodeAs(body: ApiBody, value: JsonValue, boundary: string): Turns<Body> {
  const { content_type: contentType } = body
  if (JSON_TYPE.test(contentType)) {
    const { content } = yield* encodeBody(value, 'JSON', boundary)
    return { content, contentType }
  }
  if (FORM_TYPE.test(contentType)) return { content: yield* encodeForm(body, value), contentType }
  if (MULTIPART_TYPE.test(contentType)) return yield* encodeBody(value, 'Multipart', boundary)
  if (asFile(value) !== undefined || givenBytes(value) !== undefined) {
    const bytes = yield* encodeBody(value, 'Binary', boundary)
    return { ...bytes, contentType: contentType.includes('*') ? bytes.contentType : contentType }
  }
  const { content } = yield* encodeBody(value, 'Text', boundary)
  return { content, contentType: contentType.includes('*') ? 'text/plain; charset=utf-8' : contentType }
}

/** As the operation says of its members, and the usual where it says nothing: a list repeats its name, an object is JSON. */
function* encodeForm({ encoding = {} }: ApiBody, value: JsonValue): Turns<string> {
  if (!isPlainObject(value))
    throw new StepError(
      'The body is sent as a form, which is made of names and values. Write it as an object of templates.',
      { code: 'body_not_an_object', retryable: false }
    )
  const form = new BoundedText(MOST_CHARACTERS)
  const add = (name: string, text: string) => form.add(`${form.length === 0 ? '' : '&'}${name}=${text}`)
  for (const [name, member] of Object.entries(value)) {
    const style = Object.hasOwn(encoding, name) ? encoding[name] : undefined
    if (style !== undefined) {
      for (const [sent, text] of yield* writeAsPairs(name, member, style)) add(sent, text)
      continue
    }
    for (const item of Array.isArray(member) ? member : [member]) {
      if (item === null) continue
      add(encodeText(name), encodeText(yield* printedWithin(item, MOST_CHARACTERS)))
      if (form.isTurnOver(16)) yield
    }
  }
  return form.toString()
}
