import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { problems } from '../../errors.ts'
import { apiHeaders } from '../api-headers.ts'
import type { Refusals } from '../operations/refusals.ts'

interface Cause {
  readonly status: number
  /** Not STATUS_CODES of node:http: imported into a module, it loads Node's own fetch, which takes 20 ms of the start. */
  readonly phrase: string
  readonly detail: string
}

const CAUSES: Readonly<Record<string, Cause>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    phrase: 'Request Timeout',
    detail: 'The request did not arrive in time. Send it again, faster.'
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    detail: 'The headers are too large. Send fewer or shorter ones.'
  }
}

const NO_HOST: Cause = {
  status: 400,
  phrase: 'Bad Request',
  detail: 'The request has no Host header, and HTTP/1.1 asks for one.'
}

const EXPECTS_MORE: Cause = {
  status: 417,
  phrase: 'Expectation Failed',
  detail: 'The header Expect asks for what is not known here. Send 100-continue, or leave it away.'
}

const TUNNEL: Cause = {
  status: 400,
  phrase: 'Bad Request',
  detail: 'CONNECT is not served: this is no proxy.'
}

const NOT_HTTP: Cause = {
  status: 400,
  phrase: 'Bad Request',
  detail: 'What was sent is not a valid HTTP request.'
}

/** Answers what Node cannot read as HTTP, and so never becomes a request: with a problem document as well. */
export function answerUnreadable(
  error: Error & { readonly code?: string },
  socket: Socket,
  refusals: Pick<Refusals, 'add'>
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  answerOn(socket, CAUSES[error.code ?? ''] ?? NOT_HTTP, refusals)
  socket.destroy(error)
}

/** Answers what Node would refuse by itself, without a problem document. */
export function answerUnserved(server: Server, refusals: Pick<Refusals, 'add'>): void {
  server.on('checkExpectation', ({ socket }) => {
    answerOn(socket, EXPECTS_MORE, refusals)
    socket.destroySoon()
  })
  server.on('connect', (_request, socket: Socket) => {
    // Node has let go of it: nobody else listens.
    socket.on('error', () => {})
    answerOn(socket, TUNNEL, refusals)
    socket.destroySoon()
  })
}

/** Whether it was answered: a server that does not ask for the header itself has to. */
export function lacksHost(request: IncomingMessage, refusals: Pick<Refusals, 'add'>): boolean {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return false
  answerOn(request.socket, NO_HOST, refusals)
  request.socket.destroySoon()
  return true
}

function answerOn(socket: Socket, { status, phrase, detail }: Cause, refusals: Pick<Refusals, 'add'>): void {
  const code = 'bad_request'
  refusals.add(code, status, { address: socket.remoteAddress ?? '' })
  const body = JSON.stringify({ type: 'about:blank', title: problems[code].title, status, code, detail })
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    'Content-Type: application/problem+json',
    ...Object.entries(apiHeaders).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close'
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
}
