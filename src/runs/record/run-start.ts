import type { RequestFacts } from '../../flows/component/component.ts'
import type { Turns } from '../../flows/in-turns.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { LongRef } from '../../flows/json/long-value.ts'
import { isShort, readPayload, readPayloadInTurns } from '../../flows/json/read-payload.ts'
import type { ExecutableRun } from '../../store/store.ts'

/** What a run starts from: all of it came with the request, and is stored with the run. */
export interface RunStart {
  /** The payload. */
  readonly input: JsonValue
  readonly request: RequestFacts | null
}

/** Values that are stored by themselves: steps only name them. */
export interface StoredValues extends RunStart {
  /** Where a long value is stored; undefined for any other. */
  readonly refOf?: (value: unknown) => LongRef | undefined
}

export const NOTHING_STORED: StoredValues = { input: null, request: null }

type Started = Pick<ExecutableRun, 'input' | 'request'>

/** A short payload is read at once, and needs no turns. */
export function hasShortInput({ input }: Started): boolean {
  return isShort(input)
}

export function* runStartInTurns({ input, request }: Started): Turns<RunStart> {
  return { input: yield* readPayloadInTurns(input), request: requestOf(request) }
}

/** All in one turn. */
export function runStartOf({ input, request }: Started): RunStart {
  return { input: readPayload(input), request: requestOf(request) }
}

function requestOf(request: string | null): RequestFacts | null {
  return request === null ? null : readRequest(request)
}

type Listed = [method: string, url: string, address: string, ...headers: string[]]

/**
 * Reads what http/webhook/request-facts.ts wrote. The query is kept as it came, in the address: it is taken apart here and not
 * while the caller waits.
 */
export function readRequest(text: string): RequestFacts {
  const list = JSON.parse(text) as Listed
  const [method, url, address] = list
  const headers: Record<string, string> = {}
  for (let at = 3; at < list.length; at += 2) setOwn(headers, list[at]!, list[at + 1]!)
  return { method, headers, query: readQuery(url), address }
}

/** The address that was called, without its query. */
export function requestPath(text: string): string {
  const [, url] = JSON.parse(text) as Listed
  return url.split('?', 1)[0]!
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
