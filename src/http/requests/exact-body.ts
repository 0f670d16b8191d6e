import type { FastifyInstance } from 'fastify'
import { systemClock } from '../../clock.ts'
import { MillraceError, messageOf } from '../../errors.ts'
import { parseDocumentInTurns } from '../../flows/json/document-json.ts'
import { MAX_DEPTH, PAYLOAD_DEPTH } from '../../flows/json/exact-json.ts'
import { parseJsonInTurns } from '../../flows/json/parse-json-in-turns.ts'
import { BeyondBounds, MOST_MEMBERS } from '../../flows/json/reading-bounds.ts'
import { SharedPace, type TurnClock } from '../../flows/shared-pace.ts'
import { namedPlugin } from '../named-plugin.ts'
import { readTexts } from './gather-body.ts'

const JSON_TYPE = 'application/json'

/** Reads JSON bodies so that numbers keep every digit: for routes that take a payload. An empty body counts as absent. */
export function readExactJson(app: FastifyInstance, clock: TurnClock = systemClock()): void {
  const pace = new SharedPace(clock)
  app.removeContentTypeParser(JSON_TYPE)
  readWith(app, (text) => pace.run(parseJsonInTurns(text, MAX_DEPTH, MOST_MEMBERS)))
}

/** The same for some routes only. */
export function withExactJson(app: FastifyInstance, routes: (scope: FastifyInstance) => void): void {
  const plugin = namedPlugin('exact JSON', async (scope) => {
    readExactJson(scope)
    routes(scope)
  })
  app.register(plugin)
}

/**
 * What is read in turns: flow documents above all. The largest flow, of 10,000 nodes and 50,000 edges, has some 300,000 values; 10 MB
 * of nothing but `{}` have three million, and whoever looks through them holds the thread for a second each time.
 */
const MOST = { depth: PAYLOAD_DEPTH, members: 20_000, values: 1_000_000 }

/** Reads JSON bodies; an empty one counts as absent, since many clients name a type even where they send nothing. */
export function readJson(app: FastifyInstance, clock: TurnClock = systemClock()): void {
  const pace = new SharedPace(clock)
  // Fastify reads text/plain too; here that is a body of a wrong type.
  app.removeAllContentTypeParsers()
  readWith(app, (text) => pace.run(parseDocumentInTurns(text, MOST)))
}

function readWith(app: FastifyInstance, parse: (text: string) => unknown): void {
  readTexts(app, JSON_TYPE, (_request, sent, done) => {
    // Some editors and senders put a byte order mark before what they write; it is no part of it.
    const text = sent.startsWith('\uFEFF') ? sent.slice(1) : sent
    const refuse = (error: unknown) => done(badJson(error))
    try {
      const body = text === '' ? undefined : parse(text)
      if (body instanceof Promise) body.then((read) => done(null, read), refuse)
      else done(null, body)
    } catch (error) {
      refuse(error)
    }
  })
}

function badJson(error: unknown): MillraceError {
  if (error instanceof BeyondBounds && error.what !== 'depth') {
    const message = `The body is too large: ${error.message}. Send less: split the flow into several, which Run Flow joins.`
    return new MillraceError('body_too_large', message)
  }
  return new MillraceError('bad_request', `The body is not valid JSON: ${messageOf(error)}`)
}
