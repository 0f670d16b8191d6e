import { writeJson } from '../../../flows/json/exact-json.ts'
import { objectOfPairs } from '../../../flows/repeated-names.ts'

/**
 * The query of an address as the payload of a request that has no body: texts, a name that repeats gives a list. All of it, since a flow reads
 * what it was sent, such as the token of a link in a mail; but what the node hides is neither stored nor shown.
 */
export function queryPayload(url: string, hidden: ReadonlySet<string> | null): Uint8Array {
  const [address] = url.split('#', 1)
  const mark = address!.indexOf('?')
  const pairs = mark < 0 ? [] : [...new URLSearchParams(address!.slice(mark + 1))]
  const shown = pairs.filter(([name]) => hidden?.has(name.toLowerCase()) !== true)
  return Buffer.from(writeJson(objectOfPairs(shown)))
}

/** Whether the query is the payload: of a GET, which has no body that anybody may count on, and of a DELETE that came without one. */
export function isQueryPayload(method: string, body: unknown): boolean {
  if (method === 'GET') return body === undefined
  return method === 'DELETE' && (body === undefined || (body instanceof Uint8Array && body.length === 0))
}
