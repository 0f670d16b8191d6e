import { isPlainObject, type JsonValue, jsonIn } from './json/exact-json.ts'

/** A request that starts a flow with this body. */
interface WebhookSending {
  readonly method: string
  /** With its question mark; empty where the body says it all. */
  readonly query: string
  /** Null where the method has none. */
  readonly body: string | null
}

/** By POST where the Webhook takes it, else by the first of its methods. Of a GET the query is the payload. */
export function webhookSending(methods: readonly string[], body: string): WebhookSending {
  const method = methods.includes('POST') ? 'POST' : (methods[0] ?? 'POST')
  if (method !== 'GET') return { method, query: '', body }
  const query = queryOf(body)
  return { method, query: query === '' ? '' : `?${query}`, body: null }
}

/** An object of plain values, and of lists of them, can be written so; a name that repeats is a list. */
function queryOf(body: string): string {
  const value = readObject(body)
  const pairs = Object.entries(value).flatMap(([name, each]) =>
    (Array.isArray(each) ? each : [each])
      .filter(isPlain)
      .map((one): [string, string] => [name, String(one ?? '')])
  )
  return String(new URLSearchParams(pairs))
}

function isPlain(value: JsonValue): boolean {
  return !Array.isArray(value) && !isPlainObject(value)
}

function readObject(body: string): Readonly<Record<string, JsonValue>> {
  const value = jsonIn(body)
  return isPlainObject(value) ? value : {}
}
