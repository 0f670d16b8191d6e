import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fillDocument } from './page-document.ts'
import type { PageFiles } from './page-files.ts'
import { fileHeaders, pageHeaders } from './page-headers.ts'
import { linkToken } from './sign-in.ts'

export interface PageDeps {
  readonly files: PageFiles
  /** Where the service is mounted, without a slash at the end. */
  readonly prefix: string
  readonly signIn: (reply: FastifyReply, token: string) => Promise<unknown>
}

const A_YEAR = 'public, max-age=31536000, immutable'

const NOT_BUILT =
  'The page of Millrace has not been built. Start Millrace with "npm start", which builds it; the API works without it.\n'

/**
 * Serves the page at addresses that nobody else takes, so it is in no plugin's way: its files, and its one document
 * for every address that a browser goes to, since those are routes within the page.
 */
export class Page {
  readonly #deps: PageDeps

  constructor(deps: PageDeps) {
    this.#deps = deps
  }

  /** Whether an address that nobody takes may be one of the page's. */
  mayTake(request: FastifyRequest): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    return !/^(?:api|v1)(?:\/|$)/.test(this.#nameIn(request))
  }

  /** Answers, unless the address turns out to be nothing of the page's. */
  async answer(request: FastifyRequest, reply: FastifyReply, notFound: () => unknown): Promise<unknown> {
    const name = this.#nameIn(request)
    const token = name === 'sign-in' ? linkToken(request) : undefined
    if (token !== undefined) return this.#deps.signIn(reply, token)
    if (name === '' || name === 'index.html') return this.#sendDocument(reply)
    const file = await this.#deps.files.find(name, String(request.headers['accept-encoding'] ?? ''))
    if (file !== undefined) {
      reply.headers({ ...fileHeaders, vary: 'accept-encoding' })
      if (file.encoding !== null) reply.header('content-encoding', file.encoding)
      return reply
        .header('cache-control', file.isImmutable ? A_YEAR : 'no-cache')
        .type(file.type)
        .send(file.bytes)
    }
    // A missing script must not be answered with a document: browsers would say something about its type instead.
    return isNavigation(request) && !name.startsWith('assets/') ? this.#sendDocument(reply) : notFound()
  }

  async #sendDocument(reply: FastifyReply): Promise<FastifyReply> {
    const html = await this.#deps.files.document()
    if (html === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
    const nonce = randomBytes(16).toString('base64')
    return reply
      .headers(pageHeaders(nonce))
      .type('text/html; charset=utf-8')
      .send(fillDocument(html, { base: `${this.#deps.prefix}/`, nonce }))
  }

  /** The path below the prefix, without the slash that it begins with. */
  #nameIn(request: FastifyRequest): string {
    return request.url.slice(this.#deps.prefix.length).split('?', 1)[0]!.replace(/^\//, '')
  }
}

function isNavigation({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate'
}
