import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { plainWords } from '../../flows/template/plain-words.ts'

/** How a document of its own looks, besides the built page. */
export interface DocumentStyle {
  readonly css: string
  readonly hash: string
}

export function documentStyle(css: string): DocumentStyle {
  return { css, hash: createHash('sha256').update(css).digest('base64') }
}

interface PlainDocument {
  readonly status: number
  readonly style: DocumentStyle
  /** HTML; whatever is not written by ourselves is `escaped`. */
  readonly head?: string
  readonly body: string
  /** Its form may be sent to this service. */
  readonly hasForm?: boolean
}

/** Nothing is loaded or run by it, and its address, which may hold a secret, is told to nobody. */
export function sendDocument(
  reply: FastifyReply,
  { status, style, head = '', body, hasForm = false }: PlainDocument
): FastifyReply {
  const form = hasForm ? "form-action 'self'" : "form-action 'none'"
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${style.hash}'; ${form}; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex'
    })
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<style>${style.css}</style>${body}</html>`
    )
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Words of somebody else within ours: they turn nothing round that stands beside them. */
export function wordsOf(text: string): string {
  return `<bdi>${escaped(plainWords(text))}</bdi>`
}
