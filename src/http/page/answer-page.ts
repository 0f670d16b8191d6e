import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie } from '../session/session-cookie.ts'
import { followSignInLink, linkToken, type SignInDeps } from '../session/sign-in.ts'
import { fillDocument } from './page-document.ts'
import { type PageFile, PageFiles } from './page-files.ts'
import { fileHeaders, pageHeaders } from './page-headers.ts'
import { preloadLinks } from './page-preloads.ts'

const A_YEAR = 'public, max-age=31536000, immutable'

const NOT_BUILT =
  'The page of Millrace has not been built. Start Millrace with "npm start", which builds it; the API works without it.\n'

export interface PageDeps extends SignInDeps {
  /** The folder of the built page. */
  readonly folder: string
}

/** What the page answers, by the name of what is asked for: the path below the prefix. */
export class PageAnswers {
  readonly #deps: PageDeps
  readonly #files: PageFiles

  constructor(deps: PageDeps) {
    this.#deps = deps
    this.#files = new PageFiles(deps.folder)
  }

  async answer(name: string, reply: FastifyReply, notFound: () => unknown): Promise<unknown> {
    const { request } = reply
    const token = name === 'sign-in' ? linkToken(request) : undefined
    if (token !== undefined) return followSignInLink(reply, token, this.#deps)
    if (name === '' || name === 'index.html') return this.#sendDocument(name, reply)
    const file = await this.#files.find(name, String(request.headers['accept-encoding'] ?? ''))
    if (file !== undefined) return sendFile(reply, file)
    // A missing script must not be answered with a document: browsers would say something about its type instead.
    return isNavigation(request) && !name.startsWith('assets/') ? this.#sendDocument(name, reply) : notFound()
  }

  async #sendDocument(name: string, reply: FastifyReply): Promise<FastifyReply> {
    const html = await this.#files.document()
    if (html === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
    const hasSession = readCookie(reply.request.headers.cookie, this.#deps.cookie.name) !== undefined
    const links = preloadLinks(await this.#files.preloads(), name, hasSession)
    const nonce = randomBytes(16).toString('base64')
    return reply
      .headers(pageHeaders(nonce))
      .type('text/html; charset=utf-8')
      .send(fillDocument(html, { base: `${this.#deps.prefix}/`, nonce, links }))
  }
}

function sendFile(reply: FastifyReply, file: PageFile): FastifyReply {
  reply.headers({ ...fileHeaders, vary: 'accept-encoding' })
  if (file.encoding !== null) reply.header('content-encoding', file.encoding)
  return reply
    .header('cache-control', file.isImmutable ? A_YEAR : 'no-cache')
    .type(file.type)
    .send(file.bytes)
}

function isNavigation({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate'
}
