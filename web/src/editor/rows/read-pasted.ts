import { isPlainObject, type JsonValue, jsonIn } from '../../../../src/flows/json/exact-json.ts'
import { isSecretName } from '../curl/curl-sign-in.ts'
import type { KeyValue } from './key-values.ts'

interface Pasted {
  readonly rows: readonly KeyValue[]
  /** Names of what looks like a secret, which a flow must not keep. */
  readonly leftOut: readonly string[]
}

/** Rows out of JSON, a query string, an address with one, or lines as `Key: value`; undefined for any other text. */
export function readPasted(text: string): Pasted | undefined {
  const rows = fromJson(text) ?? fromLines(text) ?? fromQuery(text)
  if (rows === undefined || rows.length === 0) return undefined
  const kept = rows.filter(({ key, value }) => !isSecretName(key) || isPlain(value) || isReference(value))
  const leftOut = rows.filter((row) => !kept.includes(row)).map(({ key }) => key)
  return { rows: kept, leftOut: [...new Set(leftOut)] }
}

/** A limit of tokens is a number, and says nothing of one. */
function isPlain(value: JsonValue): boolean {
  return value === null || ['number', 'boolean'].includes(typeof value)
}

/** A template alone, such as `{$token}`, tells nobody a secret. */
function isReference(value: JsonValue): boolean {
  return typeof value === 'string' && /^\s*(?:\w+\s+)?\{[^{}]+\}\s*$/.test(value)
}

function fromJson(text: string): KeyValue[] | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  const value = jsonIn(text)
  return isPlainObject(value)
    ? Object.entries(value).map(([key, member]) => ({ key, value: member }))
    : undefined
}

const LINE = /^([^\s:=?&/]{1,200}):(?:\s+(.*))?$/

/** Headers as a browser shows them, also with their first line. */
function fromLines(text: string): KeyValue[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const headers = /^(?:HTTP\/|[A-Z]+ \S+ HTTP\/)/.test(lines[0] ?? '') ? lines.slice(1) : lines
  const found = headers.map((line) => LINE.exec(line.trim()))
  if (found.some((line) => line === null)) return undefined
  return found.map((line) => ({ key: line![1]!, value: line![2] ?? '' }))
}

/** What follows the `?` of an address, or is a query by itself. */
function fromQuery(text: string): KeyValue[] | undefined {
  const query = text
    .trim()
    .replace(/^(?:[a-z][a-z0-9+.-]*:\/\/[^\s?]*|\/[^\s?]*|[^\s?=]*)\?/i, '')
    .replace(/#.*$/, '')
  if (!/^[^=&\s]+=[^&\n]*(?:&[^=&\s]+(?:=[^&\n]*)?)*$/.test(query)) return undefined
  return [...new URLSearchParams(query)].map(([key, value]) => ({ key, value }))
}
