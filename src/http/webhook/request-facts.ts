import type { IncomingMessage } from 'node:http'
import { proofShape } from '../../flows/proof-shape.ts'
import { holdsAddress, isSecretName, redactQuery } from '../../flows/request-secrets.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { Start } from '../../runs/record/new-run.ts'

interface Sent {
  readonly url: string
  readonly address: string
  /** Further names, in lower case, of headers and query parameters that are redacted; null where there are none. */
  readonly hidden: ReadonlySet<string> | null
  /** Names of headers that are redacted are kept, with what they looked like: for whoever sets up what is to prove the sender. */
  readonly tellsProofs?: boolean | undefined
}

/** What a webhook starts its flow with. */
export function webhookStart(
  flow: LiveFlow,
  input: Uint8Array,
  request: IncomingMessage,
  url: string,
  address: string
): Start {
  const hidden = flow.webhook?.hidden ?? null
  return { flow, trigger: 'webhook', input, request: requestFacts(request, { url, address, hidden }) }
}

/**
 * What a flow may know of the request that started it, as it is stored; `readRequest` in runs/record/run-start.ts reads it.
 * One flat list is written three times as fast as an object of objects, and this is done while the caller waits.
 */
export function requestFacts(request: IncomingMessage, { url, address, hidden, tellsProofs }: Sent): string {
  const facts: unknown[] = [request.method, withoutSecrets(url, hidden), address]
  const { rawHeaders } = request
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = headers.of(rawHeaders[at]!)
    if (header === null || hidden?.has(header.name)) continue
    const { name, isAddress } = header
    // A header that came twice is put together by Node's rules, which differ from header to header.
    if (isIn(facts, name)) return withMergedHeaders(request, facts.slice(0, 3), { hidden, tellsProofs })
    const value = rawHeaders[at + 1]!
    facts.push(name, isAddress ? withoutSecrets(value, hidden) : value)
  }
  if (tellsProofs === true) facts.push(...proofsOf(request, hidden))
  return JSON.stringify(facts)
}

/** Names and shapes of the headers that are not kept. */
function proofsOf(request: IncomingMessage, hidden: Sent['hidden']): string[] {
  return Object.entries(request.headers).flatMap(([name, value]) =>
    isSecretName(name) || hidden?.has(name) ? [name, proofShape(name, String(value))] : []
  )
}

function isIn(facts: readonly unknown[], name: string): boolean {
  for (let at = 3; at < facts.length; at += 2) if (facts[at] === name) return true
  return false
}

function withMergedHeaders(
  request: IncomingMessage,
  facts: unknown[],
  { hidden, tellsProofs }: Pick<Sent, 'hidden' | 'tellsProofs'>
): string {
  for (const [name, value] of Object.entries(request.headers)) {
    if (isSecretName(name) || hidden?.has(name)) continue
    facts.push(name, holdsAddress(name) ? withoutSecrets(String(value), hidden) : value)
  }
  if (tellsProofs === true) facts.push(...proofsOf(request, hidden))
  return JSON.stringify(facts)
}

function withoutSecrets(address: string, hidden: Sent['hidden']): string {
  if (!address.includes('?')) return address
  return redactQuery(address, (name) => isSecretName(name) || hidden?.has(name.toLowerCase()) === true)
}

interface Header {
  /** In lower case. */
  readonly name: string
  readonly isAddress: boolean
}

/** Headers by their names as senders write them; null for those that are redacted. Senders write few, so they are known. */
const headers = {
  known: new Map<string, Header | null>(),
  of(sent: string): Header | null {
    let header = this.known.get(sent)
    if (header === undefined) {
      const name = sent.toLowerCase()
      header = isSecretName(name) ? null : { name, isAddress: holdsAddress(name) }
      if (this.known.size < 1_000) this.known.set(sent, header)
    }
    return header
  }
}
