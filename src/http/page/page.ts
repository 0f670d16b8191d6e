import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageAnswers, PageDeps } from './answer-page.ts'

/**
 * Serves the page at addresses that nobody else takes, so it is in no plugin's way: its files, and its one document
 * for every address that a browser goes to, since those are routes within the page.
 *
 * How it answers is loaded with the first visit. Every start would wait for it, and most of them are for webhooks.
 */
export class Page {
  readonly #deps: PageDeps
  #answers: Promise<PageAnswers> | undefined

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
    this.#answers ??= import('./answer-page.ts').then(({ PageAnswers }) => new PageAnswers(this.#deps))
    return (await this.#answers).answer(this.#nameIn(request), reply, notFound)
  }

  /** The path below the mount, without the slash that it begins with. */
  #nameIn(request: FastifyRequest): string {
    return request.url.slice(this.#deps.mount.length).split('?', 1)[0]!.replace(/^\//, '')
  }
}
