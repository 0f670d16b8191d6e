import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Certificate } from './certificates.ts'

/**
 * An HTTP server that misbehaves on purpose, for tests of whatever calls others. It needs nothing but Node, so the tests
 * of a plugin can use it as they are.
 *
 * | Path | What it does |
 * |---|---|
 * | `/echo` | answers with what it got: method, path, headers, body |
 * | `/slow` | never answers |
 * | `/slow-body` | sends its headers and the beginning of its body, and nothing more |
 * | `/cut-off` | closes the connection in the middle of the body |
 * | `/hung-up` | closes the connection without an answer |
 * | `/limited?times=2&after=1` | 429 with Retry-After so many times, then 200 |
 * | `/failing?times=2&status=500` | the status so many times, then 200 |
 * | `/redirect?to=URL&status=302` | redirects there |
 * | `/circle` | redirects to itself |
 * | `/bomb` | a gigabyte of zeros in a megabyte of gzip |
 * | `/not-gzip` | says gzip and is none |
 * | `/half-gzip` | gzip that ends too early |
 * | `/endless` | a body without an end |
 * | `/wrong-type` | says JSON and is a page |
 * | `/untyped` | JSON that names no type |
 * | `/nested` | JSON that is nested too deep |
 * | `/not-http` | answers in a protocol of its own |
 * | `/long-headers` | more headers than anybody reads |
 * | `/empty` | 204 |
 */
export interface MisbehavingServer {
  readonly origin: string
  url(path: string): string
  /** What arrived, in order. */
  readonly requests: readonly SeenRequest[]
  /** Resolves when nobody waits for an answer at this path: the last one who asked has all of it, or has gone. */
  left(path: string): Promise<void>
  stop(): Promise<void>
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface MisbehavingOptions {
  /** Serves HTTPS with this certificate. */
  readonly certificate?: Certificate
  /** Further paths, or others in the place of these. */
  readonly answers?: Readonly<Record<string, Answer>>
}

export type Answer = (response: ServerResponse, request: SeenRequest) => void

export async function startMisbehavingServer(options: MisbehavingOptions = {}): Promise<MisbehavingServer> {
  const requests: SeenRequest[] = []
  const departures = new Map<string, Promise<void>>()
  const answers: Readonly<Record<string, Answer>> = { ...misbehaviours(), ...options.answers }
  const listener = async (incoming: IncomingMessage, response: ServerResponse) => {
    const path = (incoming.url ?? '/').replace(/\?.*$/, '')
    departures.set(path, new Promise((resolve) => response.once('close', resolve)))
    const request = await read(incoming)
    if (request === undefined) return
    requests.push(request)
    const answer = Object.hasOwn(answers, path) ? answers[path]! : notThere
    answer(response, request)
  }
  const { certificate } = options
  const server =
    certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
  return {
    origin,
    url: (path) => origin + path,
    requests,
    left: (path) => departures.get(path) ?? Promise.resolve(),
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

/** Undefined where the caller went away in the middle of it. */
async function read(incoming: IncomingMessage): Promise<SeenRequest | undefined> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of incoming) pieces.push(piece as Buffer)
  } catch {
    return undefined
  }
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://server')
  return {
    method: incoming.method ?? '',
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    body: Buffer.concat(pieces).toString()
  }
}

const MEGABYTE = 1024 ** 2

function misbehaviours(): Record<string, Answer> {
  const counts = new Map<string, number>()
  /** Whether this is one of the first so many requests for this very address. */
  const isEarly = ({ path, query }: SeenRequest) => {
    const key = `${path}?${query}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= Number(query.get('times') ?? 1)
  }
  return {
    '/echo': (response, { method, path, query, headers, body }) =>
      sendJson(response, 200, { method, path, query: [...query], headers, body }),
    '/slow': () => undefined,
    '/slow-body': (response) => void json(response, 200).write('{"rows":['),
    '/cut-off': (response) =>
      void json(response, 200, { 'content-length': '100' }).write('{"rows":[', () =>
        response.socket?.destroy()
      ),
    '/hung-up': (response) => void response.socket?.destroy(),
    '/limited': (response, request) =>
      isEarly(request)
        ? sendJson(response, 429, { error: 'too many' }, { 'retry-after': request.query.get('after') ?? '1' })
        : sendJson(response, 200, { ok: true }),
    '/failing': (response, request) =>
      isEarly(request)
        ? sendJson(response, Number(request.query.get('status') ?? 500), { error: 'broken' })
        : sendJson(response, 200, { ok: true }),
    '/redirect': (response, { query }) =>
      void response
        .writeHead(Number(query.get('status') ?? 302), { location: query.get('to') ?? '/echo' })
        .end(),
    '/circle': (response) => void response.writeHead(302, { location: '/circle' }).end(),
    '/bomb': (response) => {
      const megabyte = gzipSync(Buffer.alloc(MEGABYTE))
      json(response, 200, { 'content-encoding': 'gzip' })
      // Members of gzip one after the other are one file of gzip.
      repeat(response, megabyte, 1024)
    },
    '/not-gzip': (response) => void json(response, 200, { 'content-encoding': 'gzip' }).end('{"plain":true}'),
    '/half-gzip': (response) =>
      void json(response, 200, { 'content-encoding': 'gzip' }).end(
        gzipSync(JSON.stringify({ text: 'x'.repeat(500) })).subarray(0, 20)
      ),
    '/endless': (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      repeat(response, Buffer.alloc(64 * 1024, 'x'), Number.POSITIVE_INFINITY)
    },
    '/wrong-type': (response) => void json(response, 200).end('<!doctype html><title>Sign in</title>'),
    '/untyped': (response) => void response.writeHead(200).end('{"id":12345678901234567890}'),
    '/nested': (response) => void json(response, 200).end('['.repeat(5000) + ']'.repeat(5000)),
    '/not-http': (response) => void response.socket?.end('220 mail.example ESMTP\r\n'),
    '/long-headers': (response) => void json(response, 200, { 'x-long': 'x'.repeat(128 * 1024) }).end('{}'),
    '/empty': (response) => void response.writeHead(204, { 'content-type': 'application/json' }).end()
  }
}

const notThere: Answer = (response, { path }) => sendJson(response, 404, { error: `nothing at ${path}` })

function json(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {}
): ServerResponse {
  return response.writeHead(status, { 'content-type': 'application/json', ...headers })
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {}
): void {
  json(response, status, headers).end(JSON.stringify(body))
}

/** Only as fast as the caller reads, and until it has gone. */
function repeat(response: ServerResponse, piece: Uint8Array, times: number): void {
  let left = times
  const go = () => {
    while (left-- > 0) {
      if (!response.write(piece)) return
    }
    response.end()
  }
  response.on('drain', go)
  response.once('close', () => {
    left = 0
  })
  go()
}
