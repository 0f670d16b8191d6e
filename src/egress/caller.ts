import { pipeline, Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import type { Dispatcher } from 'undici'
import { StepError } from '../engine/step-error.ts'
import type { IncomingAnswer, OutgoingRequest, StreamedBody } from '../flows/step/step-connection.ts'
import type { Destination } from './address-policy.ts'
import type { Egress } from './egress.ts'
import type { HttpAnswer } from './http-client.ts'
import { countRedirect, type Hop, redirected } from './redirects.ts'

/** What holds for the calls of one step, or of one connection that it uses. */
export interface CallRules {
  /** Where relative URLs begin; undefined where there are none. */
  readonly base?: URL
  /** The address that this call may reach besides those that all may. */
  readonly trustedFor: (url: URL) => Destination | null
  /** The headers that really go to this URL. */
  readonly headersFor: (
    url: URL,
    headers: Readonly<Record<string, string>>
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** What is really called: the address with what only the other side is to read in it. */
  readonly addressFor?: (url: URL) => URL
  /** To be waited for before each request to this URL. */
  readonly turnFor?: (url: URL) => Promise<void> | undefined
  /** Called once for a call that is answered with 401: whether its headers are others now, and it is worth a repeat. */
  readonly renewSignIn?: (url: URL) => Promise<boolean>
  /** Throws where no call may go to this URL, which an answer or the flow has named. */
  readonly assertMayLead?: (url: URL) => void
  readonly signal: AbortSignal
}

/** HTTP for steps: through the guard, and by the rules of the connection that a call is made for. */
export class Caller {
  readonly #egress: Pick<Egress, 'fetch' | 'request'>
  readonly #rules: CallRules

  constructor(egress: Pick<Egress, 'fetch' | 'request'>, rules: CallRules) {
    this.#egress = egress
    this.#rules = rules
  }

  readonly request = async (
    url: string | URL,
    { method = 'GET', headers = {}, body = null, redirect = 'follow' }: OutgoingRequest = {}
  ): Promise<IncomingAnswer> => {
    let hop: Hop = { url: this.#urlOf(url), method, headers: lowerCased(headers), hasBody: body !== null }
    const renew = this.#renewal()
    for (let redirects = 0; ; redirects = countRedirect(redirects, hop.url)) {
      let answer = await this.#send(hop, body)
      if (answer.statusCode === 401 && (await renew(hop.url))) {
        await answer.body.dump()
        answer = await this.#send(hop, body)
      }
      const location = answer.headers.location
      const next = redirect === 'manual' ? undefined : redirected(hop, answer.statusCode, one(location))
      if (next === undefined) return incoming(answer, hop)
      await answer.body.dump()
      hop = next
    }
  }

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { redirect = 'follow', method = 'GET', body = null } = init
    const headers = Object.fromEntries(new Headers(init.headers))
    let hop: Hop = { url: this.#urlOf(url), method, headers, hasBody: body !== null }
    const renew = this.#renewal()
    for (let redirects = 0; ; redirects = countRedirect(redirects, hop.url)) {
      let answer = await this.#fetchOnce(hop, init)
      // A body that comes as a stream has been read.
      if (answer.status === 401 && !(body instanceof ReadableStream) && (await renew(hop.url))) {
        await answer.body?.cancel()
        answer = await this.#fetchOnce(hop, init)
      }
      const location = answer.headers.get('location') ?? undefined
      const next = redirect === 'follow' ? redirected(hop, answer.status, location) : undefined
      if (next === undefined) return answer
      await answer.body?.cancel()
      hop = next
    }
  }

  /** Asks for another sign-in at the first refusal of a call, and at no other. */
  #renewal(): (url: URL) => Promise<boolean> {
    let isAsked = false
    return async (url) => {
      if (isAsked || this.#rules.renewSignIn === undefined) return false
      isAsked = true
      return this.#rules.renewSignIn(url)
    }
  }

  async #fetchOnce({ url, method, headers, hasBody }: Hop, init: RequestInit): Promise<Response> {
    this.#rules.assertMayLead?.(url)
    await this.#rules.turnFor?.(url)
    const { body = null, redirect, signal } = init
    const options: RequestInit = {
      ...init,
      method,
      headers: await this.#rules.headersFor(url, headers),
      body: hasBody ? body : null,
      redirect: redirect === 'error' ? 'error' : 'manual',
      signal: either(this.#rules.signal, signal)
    }
    return this.#egress.fetch(this.#addressOf(url), options, this.#rules.trustedFor(url))
  }

  #addressOf(url: URL): URL {
    return this.#rules.addressFor?.(url) ?? url
  }

  #urlOf(url: string | URL): URL {
    return urlFrom(url, this.#rules.base)
  }

  async #send({ url, method, headers, hasBody }: Hop, given: OutgoingRequest['body']) {
    this.#rules.assertMayLead?.(url)
    const body = hasBody ? given : null
    const sent = { 'accept-encoding': 'gzip, deflate, br', ...headers, ...sizeOf(body) }
    const turn = this.#rules.turnFor?.(url)
    if (turn !== undefined) await turn
    const signed = this.#rules.headersFor(url, sent)
    return this.#egress.request(
      this.#addressOf(url),
      {
        method: method as Dispatcher.HttpMethod,
        headers: signed instanceof Promise ? await signed : signed,
        body: isStreamed(body)
          ? Readable.from(body.read(), { objectMode: false })
          : (body as string | Buffer | null),
        signal: this.#rules.signal
      },
      this.#rules.trustedFor(url)
    )
  }
}

function isStreamed(body: OutgoingRequest['body']): body is StreamedBody {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
}

/** Else it would be sent in chunks, which some do not take. */
function sizeOf(body: OutgoingRequest['body']): Record<string, string> {
  return isStreamed(body) ? { 'content-length': String(body.size) } : {}
}

/**
 * A URL without a scheme follows the base, path after path, as people read it: `/orders` after `https://shop.example/v1`
 * is `https://shop.example/v1/orders`. So nothing that a template puts there leads to another host.
 */
export function urlFrom(url: string | URL, base: URL | undefined): URL {
  if (url instanceof URL) return url
  if (/^https?:\/\//i.test(url)) return parsed(url)
  if (base === undefined) throw notAbsolute(url)
  if (url === '' || url.startsWith('?')) return parsed(`${base.href}${url}`)
  return parsed(`${base.href.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`)
}

function parsed(url: string): URL {
  const found = URL.parse(url)
  if (found !== null) return found
  throw new StepError(`"${url}" is not a URL.`, { code: 'url_invalid', retryable: false })
}

function notAbsolute(url: string): StepError {
  return new StepError(
    `"${url}" is not a complete URL. Begin it with http:// or https://, or choose a connection whose address it follows.`,
    { code: 'url_invalid', retryable: false }
  )
}

/** Ends with the step, or with the call itself. */
function either(step: AbortSignal, own: AbortSignal | null | undefined): AbortSignal {
  return own == null ? step : AbortSignal.any([step, own])
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function incoming(
  { statusCode, headers, body, opaque: sentBy }: HttpAnswer,
  { url, method }: Hop
): IncomingAnswer {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
  }
  // The headers tell of the body that there would be.
  const isBare = method === 'HEAD' || [204, 205, 304].includes(statusCode) || joined['content-length'] === '0'
  const whole = isBare ? body : decompressed(body, joined['content-encoding'])
  return {
    status: statusCode,
    headers: joined,
    url: url.href,
    body: whole,
    readEvery: (waitMs) => {
      const end = sentBy.client?.readEvery(waitMs)
      if (end !== undefined) body.once('close', end)
    },
    discard: async () => {
      if (whole === body) await body.dump()
      else whole.destroy()
    }
  }
}

/** Applied in the order of the header, so undone from its end. */
function decompressed(body: Readable, encoding: string | undefined): Readable {
  if (encoding === undefined) return body
  const steps = encoding
    .split(',')
    .reverse()
    .flatMap((name) => decompressor(name.trim().toLowerCase()) ?? [])
  // Whoever reads the last one learns of errors there; a body that nobody reads to its end does not hold its socket.
  return steps.length === 0 ? body : (pipeline([body, ...steps], () => undefined) as unknown as Readable)
}

function decompressor(encoding: string) {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createUnzip()
    case 'deflate':
      return zlib.createInflate()
    case 'br':
      return zlib.createBrotliDecompress()
    case 'zstd':
      // Not before Node 22.15.
      return (zlib as Partial<typeof zlib>).createZstdDecompress?.()
    default:
      return undefined
  }
}
