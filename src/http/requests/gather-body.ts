import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MillraceError, messageOf } from '../../errors.ts'
import { type BodyMemory, bodyMemory } from './body-memory.ts'

type Done = (error: Error | null, body?: Buffer) => void

/** Reads what is sent to its end, unless it is larger than the limit. */
export function gatherBody(
  request: FastifyRequest,
  sent: Readable,
  limit: number,
  done: Done,
  memory: BodyMemory = bodyMemory
): void {
  const announced = Number(request.headers['content-length'])
  if (announced > limit) return done(bodyTooLarge(limit))
  const body = new GatheredBody()
  const reservation = { refuse: (error: MillraceError) => settle(error) }
  const letGo = () => memory.give(reservation)
  const settle = (error: Error | null) => {
    sent.off('data', onData).off('end', onEnd).off('error', onError)
    request.raw.off('close', letGo)
    letGo()
    if (error === null) done(null, body.take())
    else done(error)
  }
  const onData = (chunk: Buffer | string) => {
    // A stream that a hook put in its place may give text.
    const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (body.length + part.length > limit) settle(bodyTooLarge(limit))
    else {
      body.add(part)
      // Most come in one part, and are whole with it.
      if (body.length !== announced) memory.take(reservation, body.size)
    }
  }
  const onEnd = () => settle(null)
  const onError = (error: Error) => settle(hasStatus(error) ? error : cutShort(error))
  // Where a hook has put another stream in its place, that may not be told of a sender who has gone.
  if (sent !== request.raw) request.raw.on('close', letGo)
  sent.on('data', onData).on('end', onEnd).on('error', onError).resume()
}

const FIRST_BYTES = 1_024
const NO_BODY = Buffer.alloc(0)

/**
 * One buffer that grows. Parts that are kept until the last one has come cost hundreds of bytes each, and a sender can
 * make them as small as one byte.
 */
export class GatheredBody {
  #bytes: Buffer = NO_BODY
  /** The first part is left where it is until there is a second one: most bodies come in one part. */
  #isCopied = false
  #length = 0

  get length(): number {
    return this.#length
  }

  /** What it takes in memory, in bytes. */
  get size(): number {
    return this.#bytes.length
  }

  add(part: Buffer): void {
    const length = this.#length + part.length
    if (this.#length === 0) this.#bytes = part
    else {
      if (!this.#isCopied || length > this.#bytes.length) this.#grow(length)
      this.#bytes.set(part, this.#length)
    }
    this.#length = length
  }

  /** All that was added, in no more memory than it needs. */
  take(): Buffer {
    return this.#bytes.length === this.#length
      ? this.#bytes
      : Buffer.from(this.#bytes.subarray(0, this.#length))
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, length * 2))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
    this.#isCopied = true
  }
}

/** Fastify's own parsers, for the routes of plugins: they read the same, but keep no parts. */
export function gatherBodiesOfPlugins(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  readTexts(app, 'application/json', (request, text, done) => void parseJson(request, text, done))
  readTexts(app, 'text/plain', (_request, text, done) => done(null, text))
}

type TextParser = (
  request: FastifyRequest,
  text: string,
  done: (error: Error | null, body?: unknown) => void
) => void

/** Bodies of this type are gathered, up to the limit of their route, and handed to the parser as text. */
export function readTexts(app: FastifyInstance, type: string, parse: TextParser): void {
  app.addContentTypeParser(type, (request, sent, done) => {
    gatherBody(request, sent, request.routeOptions.bodyLimit, (error, body) => {
      if (error === null) parse(request, body!.toString(), done)
      else done(error)
    })
  })
}

function hasStatus(error: Error): boolean {
  const { statusCode } = error as { readonly statusCode?: unknown }
  return typeof statusCode === 'number' && statusCode >= 400
}

export function cutShort(error: Error): MillraceError {
  return new MillraceError('bad_request', `The body did not arrive whole: ${messageOf(error)}`, {
    cause: error
  })
}

function bodyTooLarge(limit: number): MillraceError {
  return new MillraceError(
    'body_too_large',
    `The body is larger than the ${limit} bytes that this address takes. Send less. MILLRACE_BODY_LIMIT sets the limit of webhooks.`
  )
}
