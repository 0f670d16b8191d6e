import type { RequestFacts } from '../flows/component.ts'
import { type JsonValue, readPayload } from '../flows/exact-json.ts'
import type { RunToPerform } from '../store/store.ts'

/** What a run starts from: all of it came with the request, and is stored with the run. */
export interface RunStart {
  /** The payload. */
  readonly input: JsonValue
  readonly request: RequestFacts | null
}

export function runStartOf(run: Pick<RunToPerform, 'input' | 'request'>): RunStart {
  return { input: readPayload(run.input), request: run.request === null ? null : readRequest(run.request) }
}

type Listed = [method: string, url: string, address: string, ...headers: string[]]
type Stored = Omit<RequestFacts, 'query'> & { readonly url: string }

/**
 * Reads what http/webhook/request-facts.ts wrote, or as an object what earlier versions did. The query is kept as it came, in
 * the address: it is taken apart here and not while the caller waits.
 */
function readRequest(text: string): RequestFacts {
  const stored = JSON.parse(text) as Listed | Stored
  if (!Array.isArray(stored)) {
    const { url, ...facts } = stored
    return { ...facts, query: readQuery(url) }
  }
  const [method, url, address, ...rest] = stored
  const headers: Record<string, string> = {}
  for (let at = 0; at < rest.length; at += 2) setOwn(headers, rest[at]!, rest[at + 1]!)
  return { method, headers, query: readQuery(url), address }
}

function readQuery(url: string): RequestFacts['query'] {
  const mark = url.indexOf('?')
  if (mark < 0) return {}
  const query = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    const before = query.get(name)
    query.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(query)
}

/** Any name is only a name, also `__proto__`. */
function setOwn(object: Record<string, string>, name: string, value: string): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  else object[name] = value
}
