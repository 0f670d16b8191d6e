import type { FastifyInstance } from 'fastify'
import { MillraceError, messageOf } from '../../errors.ts'
import { parseJson } from '../../flows/json/exact-json.ts'
import { namedPlugin } from '../named-plugin.ts'
import { readTexts } from './gather-body.ts'

const JSON_TYPE = 'application/json'

/** Reads JSON bodies so that numbers keep every digit: for routes that take a payload. An empty body is none. */
export function readExactJson(app: FastifyInstance): void {
  app.removeContentTypeParser(JSON_TYPE)
  readWith(app, parseJson)
}

/** The same for some routes only. */
export function withExactJson(app: FastifyInstance, routes: (scope: FastifyInstance) => void): void {
  const plugin = namedPlugin('exact JSON', async (scope) => {
    readExactJson(scope)
    routes(scope)
  })
  app.register(plugin)
}

/** Reads JSON bodies; an empty one is none, since many clients name a type even where they send nothing. */
export function readJson(app: FastifyInstance): void {
  // Fastify reads text/plain too; here that is a body of a wrong type.
  app.removeAllContentTypeParsers()
  readWith(app, JSON.parse)
}

function readWith(app: FastifyInstance, parse: (text: string) => unknown): void {
  readTexts(app, JSON_TYPE, (_request, sent, done) => {
    // Some editors and senders put a byte order mark before what they write; it is no part of it.
    const text = sent.startsWith('\uFEFF') ? sent.slice(1) : sent
    try {
      done(null, text === '' ? undefined : parse(text))
    } catch (error) {
      done(badJson(error))
    }
  })
}

function badJson(error: unknown): MillraceError {
  return new MillraceError('bad_request', `The body is not valid JSON: ${messageOf(error)}`)
}
