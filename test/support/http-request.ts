import { type IncomingMessage, request } from 'node:http'

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | Iterable<Uint8Array>
  readonly signal?: AbortSignal
}

/**
 * Sends a request on a connection of its own and resolves to the answer, whose body is still to be read.
 * Not fetch: that one opens connections ahead of need, refuses some methods and sets headers by itself.
 */
export function sendRequest({ method, url, headers, body, signal }: HttpRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false as const, ...(signal === undefined ? {} : { signal }) }
    const sent = request(url, options, resolve)
    sent.on('error', reject)
    if (body === undefined || body instanceof Uint8Array) {
      if (body === undefined && mayHaveBody(method)) sent.setHeader('content-length', 0)
      sent.end(body)
      return
    }
    for (const chunk of body) sent.write(chunk)
    sent.end()
  })
}

/** Otherwise Node sends an empty body in chunks. */
function mayHaveBody(method: string): boolean {
  return !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)
}
