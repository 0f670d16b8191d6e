import type { IncomingMessage } from 'node:http'

/** Headers that carry a credential; a flow never sees them, and they are never stored. */
const CREDENTIALS = new Set(['x-api-key', 'authorization', 'proxy-authorization', 'cookie'])

export interface Sent {
  readonly url: string
  readonly address: string
}

/**
 * What a flow may know of the request that started it, as it is stored; `readRequest` in runs/run-start.ts reads it.
 * One flat list is written three times as fast as an object of objects, and this is done while the caller waits.
 */
export function requestFacts(request: IncomingMessage, { url, address }: Sent): string {
  const facts: unknown[] = [request.method, url, address]
  const { rawHeaders } = request
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = names.of(rawHeaders[at]!)
    if (name === null) continue
    // A header that came twice is put together by Node's rules, which differ from header to header.
    if (isIn(facts, name)) return withMergedHeaders(request, facts.slice(0, 3))
    facts.push(name, rawHeaders[at + 1])
  }
  return JSON.stringify(facts)
}

function isIn(facts: readonly unknown[], name: string): boolean {
  for (let at = 3; at < facts.length; at += 2) if (facts[at] === name) return true
  return false
}

function withMergedHeaders({ headers }: IncomingMessage, facts: unknown[]): string {
  for (const [name, value] of Object.entries(headers)) {
    if (!CREDENTIALS.has(name)) facts.push(name, value)
  }
  return JSON.stringify(facts)
}

/** Names as senders write them, in lower case; null for those that are kept out. Senders write few, so they are known. */
const names = {
  known: new Map<string, string | null>(),
  of(sent: string): string | null {
    let name = this.known.get(sent)
    if (name === undefined) {
      const lower = sent.toLowerCase()
      name = CREDENTIALS.has(lower) ? null : lower
      if (this.known.size < 1_000) this.known.set(sent, name)
    }
    return name
  }
}
