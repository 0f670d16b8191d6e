import { BACKSLASH } from './json-tokens.ts'

const SPACE = 32
const UNICODE_ESCAPE = '\\u0000'.length
const ESCAPES: Readonly<Record<string, string | undefined>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '"': '"',
  '\\': '\\',
  '/': '/'
}

/** A text of JSON between its quotes. To call JSON.parse takes longer than all of it. */
export function readShortText(json: string, from: number, to: number): string {
  let read = ''
  let plain = from
  for (let at = from; at < to; at++) {
    const code = json.charCodeAt(at)
    if (code < SPACE) throw new SyntaxError('not JSON')
    if (code !== BACKSLASH) continue
    const length = escapeLength(json, at)
    read +=
      json.slice(plain, at) + (ESCAPES[json.charAt(at + 1)] ?? JSON.parse(`"${json.slice(at, at + length)}"`))
    plain = at + length
    at = plain - 1
  }
  return read + json.slice(plain, to)
}

/** Of the escape that begins here. */
export function escapeLength(json: string, at: number): number {
  return json.charAt(at + 1) === 'u' ? UNICODE_ESCAPE : 2
}
