import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { escaped } from '../../flows/escape-html.ts'
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
  /** What it may do besides, as directives of its policy. */
  readonly policy?: readonly string[]
  /** Pages of others may show it in a frame. */
  readonly isFramed?: boolean
  /** Pages of these origins may, besides our own; `*` are all. */
  readonly framedBy?: readonly string[]
}

/** Unless it says otherwise nothing is loaded or run by it, and its address, which may hold a secret, is told to nobody. */
export function sendDocument(
  reply: FastifyReply,
  {
    status,
    style,
    head = '',
    body,
    hasForm = false,
    policy = [],
    isFramed = false,
    framedBy = []
  }: PlainDocument
): FastifyReply {
  const directives = [
    "default-src 'none'",
    `style-src 'sha256-${style.hash}'`,
    ...policy,
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors(isFramed ? ['*'] : framedBy)}`
  ]
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': directives.join('; '),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex'
    })
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<style>${style.css}</style>${body}</html>`
    )
}

/** Words of somebody else within ours: they turn nothing round that stands beside them. */
export function wordsOf(text: string): string {
  return `<bdi>${escaped(plainWords(text))}</bdi>`
}

/** As a policy can say them: a host may hold signs that begin another directive. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.:[\]_-]+$/

function frameAncestors(origins: readonly string[]): string {
  if (origins.includes('*')) return '*'
  const named = origins.filter((origin) => ORIGIN.test(origin))
  return named.length === 0 ? "'none'" : ["'self'", ...named].join(' ')
}
