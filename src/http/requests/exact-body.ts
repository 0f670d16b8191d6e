import type { FastifyInstance } from 'fastify'
import { MillraceError, messageOf } from '../../errors.ts'
import { parseJson } from '../../flows/exact-json.ts'

/** Reads JSON bodies so that numbers keep every digit: for routes that take a payload. An empty body is none. */
export function readExactJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, readWith(parseJson, body as string))
    } catch (error) {
      done(badJson(error))
    }
  })
}

/** Reads JSON bodies; an empty one is none, since many clients name a type even where they send nothing. */
export function readJson(app: FastifyInstance): void {
  // Fastify reads text/plain too; here that is a body of a wrong type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, readWith(JSON.parse, body as string))
    } catch (error) {
      done(badJson(error))
    }
  })
}

/** Some editors and senders put a byte order mark before what they write; it is no part of it. */
function readWith(parse: (text: string) => unknown, body: string): unknown {
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body
  return text === '' ? undefined : parse(text)
}

function badJson(error: unknown): MillraceError {
  return new MillraceError('bad_request', `The body is not valid JSON: ${messageOf(error)}`)
}
