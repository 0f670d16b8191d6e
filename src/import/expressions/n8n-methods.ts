import type { Token } from './tokens.ts'

type Kind = 'String' | 'Array' | 'Number' | 'Object' | 'Boolean' | 'Date'

const NUMBERS = 'self.map(Number)'
const JSON_TEXT = '(self) => JSON.stringify(self)'
const KEEP = (isKept: string) =>
  `(self, ...names) => Object.fromEntries(Object.entries(self).filter(([name, value]) => ${isKept}))`

/** What n8n lets values do in expressions, and JavaScript does not. */
const METHODS: Readonly<Record<string, Partial<Record<Kind, string>>>> = {
  toJsonString: { Object: JSON_TEXT },
  parseJson: { String: '(self) => JSON.parse(self)' },
  toNumber: {
    String: `(self) => { const n = Number(self.replace(/[$€£¥]/g, '')); if (Number.isNaN(n)) throw new Error('cannot convert to number'); return n }`,
    Number: '(self) => self',
    Boolean: '(self) => Number(self)'
  },
  toInt: { String: '(self, base) => parseInt(self, base)', Number: '(self) => Math.round(self)' },
  toFloat: { String: '(self) => parseFloat(self)', Number: '(self) => self' },
  toBoolean: {
    String: `(self) => self !== '' && !['false', 'no', '0'].includes(self.toLowerCase())`,
    Number: '(self) => self !== 0',
    Boolean: '(self) => self'
  },
  toDateTime: {
    String: `(self, format) => (format === undefined ? DateTime.fromISO(self) : /^m?s$/.test(format) ? DateTime.fromMillis(Number(self) * (format === 's' ? 1000 : 1)) : DateTime.fromFormat(self, format))`,
    Number: `(self, format = 'ms') => DateTime.fromMillis(self * (format === 's' ? 1000 : 1))`,
    Date: '(self) => DateTime.fromJSDate(self)'
  },
  toDate: { String: '(self) => new Date(self)', Number: '(self) => new Date(self)' },
  extractEmail: {
    String: `(self) => self.match(/[^\\s<>()[\\]\\\\.,;:@"]+(?:\\.[^\\s<>()[\\]\\\\.,;:@"]+)*@(?:[a-z\\d-]+\\.)+[a-z]{2,}/i)?.[0]`
  },
  extractDomain: {
    String: `(self) => self.match(/^(?:(?:https?|ftp):\\/\\/|mailto:)?(?:[^\\s@/]+@)?((?:[\\w-]+\\.)+[a-z\\d-]{2,}|localhost)(?:[:/?#]|$)/i)?.[1]`
  },
  extractUrl: { String: `(self) => self.match(/(?:https?|ftp):\\/\\/[^\\s]+/i)?.[0]` },
  extractUrlPath: {
    String: '(self) => { try { return new URL(self).pathname } catch { return undefined } }'
  },
  isUrl: {
    String: `(self) => /^(?:https?|ftp):\\/\\/(?:[\\w-]+\\.)*[\\w-]+(?::\\d+)?(?:[/?#]\\S*)?$/i.test(self)`
  },
  isEmail: { String: `(self) => /^[^\\s@]+@(?:[a-z\\d-]+\\.)+[a-z]{2,}$/i.test(self)` },
  isDomain: { String: `(self) => /^(?:[\\w-]+\\.)+[a-z]{2,}$/i.test(self)` },
  isNumeric: {
    String: `(self) => !self.includes(' ') && !Number.isNaN(Number(self)) && !Number.isNaN(parseFloat(self))`
  },
  removeTags: { String: `(self) => self.replace(/<[^>]*>?/g, '')` },
  removeMarkdown: {
    String: `(self) => self.replace(/^([\\s\\t]*)([*\\-+]|\\d\\.)\\s+/gm, '$1').replace(/~~/g, '').replace(/\`{3}.*\\n/g, '').replace(/<[^>]*>/g, '').replace(/!\\[.*?\\][[(].*?[\\])]/g, '').replace(/\\[(.*?)\\][[(].*?[\\])]/g, '$1').replace(/>/g, '').replace(/^#{1,6}\\s*([^#\\n]*)\\s*(#{1,6})?/gm, '$1').replace(/([*_]{1,3})(\\S.*?\\S)\\1/g, '$2').replace(/\`(.+?)\`/g, '$1').replace(/\\n{2,}/g, '\\n\\n')`
  },
  toTitleCase: {
    String: `(self) => self.replace(/[^\\s-]+/g, (word) => word[0].toUpperCase() + word.slice(1))`
  },
  toSentenceCase: {
    String: `(self) => self.toLowerCase().replace(/(^|[.!?])([^\\p{L}]*)(\\p{L})/gu, (_, end, gap, letter) => end + gap + letter.toUpperCase())`
  },
  toSnakeCase: {
    String: `(self) => self.toLowerCase().replace(/[ -]/g, '_').replace(/[\\u2000-\\u206F\\u2E00-\\u2E7F\\\\'!"#$%&()*+,./:;<=>?@[\\]^\`{|}~]/g, '')`
  },
  urlEncode: {
    String: '(self, isWhole) => (isWhole ? encodeURI(self) : encodeURIComponent(self))',
    Object: '(self) => new URLSearchParams(self).toString()'
  },
  urlDecode: { String: '(self, isWhole) => (isWhole ? decodeURI(self) : decodeURIComponent(self))' },
  base64Encode: {
    String: `(self) => { const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', bytes = new TextEncoder().encode(self); let text = ''; for (let at = 0; at < bytes.length; at += 3) { const [a, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]]; text += signs[a >> 2] + signs[((a & 3) << 4) | ((b ?? 0) >> 4)] + (b === undefined ? '=' : signs[((b & 15) << 2) | ((c ?? 0) >> 6)]) + (c === undefined ? '=' : signs[c & 63]) } return text }`
  },
  base64Decode: {
    String: `(self) => { const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', bytes = []; let held = 0, bits = 0; for (const sign of self.replace(/-/g, '+').replace(/_/g, '/').replace(/[^\\w+/]/g, '')) { held = ((held << 6) | signs.indexOf(sign)) & 0xffff; bits += 6; if (bits >= 8) { bits -= 8; bytes.push((held >> bits) & 255) } } return new TextDecoder().decode(new Uint8Array(bytes)) }`
  },
  quote: {
    String: `(self, sign = '"') => sign + self.replaceAll('\\\\', '\\\\\\\\').replaceAll(sign, '\\\\' + sign) + sign`
  },
  first: { Array: '(self) => self[0]' },
  last: { Array: '(self) => self.at(-1)' },
  sum: { Array: `(self) => ${NUMBERS}.reduce((a, b) => a + b, 0)` },
  average: { Array: `(self) => ${NUMBERS}.reduce((a, b) => a + b, 0) / self.length` },
  max: { Array: `(self) => Math.max(...${NUMBERS})` },
  min: { Array: `(self) => Math.min(...${NUMBERS})` },
  unique: {
    Array: `(self, ...keys) => { const seen = new Set(); return self.filter((item) => { const key = JSON.stringify(keys.length === 0 ? item : keys.map((name) => item?.[name])); return !seen.has(key) && seen.add(key) }) }`
  },
  removeDuplicates: {
    Array: `(self, ...keys) => { const seen = new Set(); return self.filter((item) => { const key = JSON.stringify(keys.length === 0 ? item : keys.map((name) => item?.[name])); return !seen.has(key) && seen.add(key) }) }`
  },
  compact: {
    Array: `(self) => self.filter((item) => item !== null && item !== undefined && item !== '' && item !== 'nil' && !(typeof item === 'object' && Object.keys(item).length === 0))`,
    Object: `(self) => Object.fromEntries(Object.entries(self).filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== 'nil'))`
  },
  pluck: {
    Array: `(self, ...names) => self.map((item) => (names.length === 1 ? item?.[names[0]] : names.map((name) => item?.[name])))`
  },
  randomItem: { Array: '(self) => self[Math.floor(Math.random() * self.length)]' },
  chunk: {
    Array: `(self, size) => Array.from({ length: Math.ceil(self.length / size) }, (_, at) => self.slice(at * size, (at + 1) * size))`
  },
  append: { Array: '(self, ...items) => [...self, ...items]' },
  difference: {
    Array: `(self, other) => self.filter((item) => !other.some((each) => JSON.stringify(each) === JSON.stringify(item)))`
  },
  intersection: {
    Array: `(self, other) => self.filter((item) => other.some((each) => JSON.stringify(each) === JSON.stringify(item)))`
  },
  smartJoin: {
    Array: `(self, key, value) => Object.fromEntries(self.map((item) => [item[key], item[value]]))`
  },
  round: { Number: `(self, places = 0) => Number(self.toFixed(places))` },
  floor: { Number: '(self) => Math.floor(self)' },
  ceil: { Number: '(self) => Math.ceil(self)' },
  abs: { Number: '(self) => Math.abs(self)' },
  isEven: { Number: '(self) => self % 2 === 0' },
  isOdd: { Number: '(self) => Math.abs(self % 2) === 1' },
  isInteger: { Number: '(self) => Number.isInteger(self)' },
  format: {
    Number: '(self, languages, options) => new Intl.NumberFormat(languages, options).format(self)',
    Date: '(self, format) => DateTime.fromJSDate(self).toFormat(format)'
  },
  plus: { Date: '(self, ...by) => DateTime.fromJSDate(self).plus(...by)' },
  minus: { Date: '(self, ...by) => DateTime.fromJSDate(self).minus(...by)' },
  keys: { Object: '(self) => Object.keys(self)' },
  values: { Object: '(self) => Object.values(self)' },
  hasField: { Object: '(self, name) => Object.hasOwn(self, name)' },
  removeField: { Object: KEEP('name !== names[0]') },
  removeFieldsContaining: { Object: KEEP('!String(value).includes(names[0])') },
  keepFieldsContaining: { Object: KEEP('String(value).includes(names[0])') },
  merge: { Object: '(self, other) => ({ ...other, ...self })' }
}

/** Nothing here does these. */
const NOT_HERE = new Set([
  'hash',
  'replaceSpecialChars',
  'renameKeys',
  'diffTo',
  'diffToNow',
  'isInLast',
  'setZone',
  'setLocale'
])

/** They need DateTime. */
const OF_DATES = new Set(['toDateTime', 'plus', 'minus', 'format'])

const FUNCTIONS: Readonly<Record<string, string>> = {
  $if: 'const $if = (is, then, other) => (is ? then : (other ?? false))',
  $ifEmpty: 'const $ifEmpty = (value, other) => ($isEmpty(value) ? other : value)',
  $max: 'const $max = (...all) => Math.max(...all)',
  $min: 'const $min = (...all) => Math.min(...all)',
  $not: 'const $not = (value) => !value'
}

const IS_EMPTY = `const $isEmpty = (value) => value === undefined || value === null || value === '' || (typeof value === 'object' && value.toMillis === undefined && Object.keys(value).length === 0)`

/** Methods of these are JavaScript's, or stand in front of the code already. */
const OWN = new Set([
  'Math',
  'Object',
  'Number',
  'JSON',
  'Date',
  'Array',
  'String',
  'Promise',
  'DateTime',
  'console',
  '$input'
])

interface Methods {
  readonly code: readonly string[]
  readonly isOfDates: boolean
  /** Those that somebody has to write. */
  readonly unknown: readonly string[]
}

export const NO_METHODS: Methods = { code: [], isOfDates: false, unknown: [] }

/** What has to stand in front of an expression for the methods of n8n in it. `after`: signs behind the names of nodes. */
export function methodsIn(tokens: readonly Token[], after: ReadonlySet<number>): Methods {
  const called = new Set<string>()
  const named = new Set<string>()
  const unknown = new Set<string>()
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'name') continue
    named.add(text)
    const [of, dot] = [tokens[at - 2], tokens[at - 1]]
    const isMethod = (dot?.text === '.' || dot?.text === '?.') && tokens[at + 1]?.text === '('
    if (!isMethod || OWN.has(of?.text ?? '') || after.has(at - 1)) continue
    if (NOT_HERE.has(text)) unknown.add(text)
    if (Object.hasOwn(METHODS, text)) called.add(text)
  }
  const lines = [...called].flatMap((name) =>
    Object.entries(METHODS[name]!).map(([kind, method]) => `  [${kind}, '${name}', ${method}]`)
  )
  const functions = Object.entries(FUNCTIONS).filter(([name]) => named.has(name))
  const code = functions.map(([, line]) => line)
  if (named.has('$isEmpty') || named.has('$ifEmpty')) code.unshift(IS_EMPTY)
  if (lines.length > 0)
    code.push(`for (const [type, name, method] of [
${lines.join(',\n')}
]) Object.defineProperty(type.prototype, name, { configurable: true, writable: true, value(...given) { return method(this, ...given) } })`)
  return { code, isOfDates: [...called].some((name) => OF_DATES.has(name)), unknown: [...unknown] }
}

/** `x.isEmpty()` is asked of what may be missing: `$isEmpty(x)`. */
export function withEmptiness(source: string, tokens: readonly Token[]): string {
  const edits: { at: number; to: number; text: string }[] = []
  /** By the sign that ends a call, where the value that it is of begins: a chain of them is looked through once. */
  const begun = new Map<number, number>()
  for (const [at, { text }] of tokens.entries()) {
    const isAsked = text === 'isEmpty' || text === 'isNotEmpty'
    if (
      !isAsked ||
      tokens[at - 1]?.text !== '.' ||
      tokens[at + 1]?.text !== '(' ||
      tokens[at + 2]?.text !== ')'
    )
      continue
    const first = operandBefore(tokens, at - 2, begun)
    begun.set(at + 2, first)
    const begin = tokens[first]!.from
    edits.push({ at: begin, to: begin, text: text === 'isEmpty' ? '$isEmpty(' : '!$isEmpty(' })
    edits.push({ at: tokens[at - 1]!.from, to: tokens[at + 2]!.to, text: ')' })
  }
  let written = ''
  let from = 0
  for (const { at, to, text } of edits.sort((one, other) => one.at - other.at)) {
    written += source.slice(from, at) + text
    from = to
  }
  return written + source.slice(from)
}

const OPENS: Readonly<Record<string, string>> = { ')': '(', ']': '[' }

/** Where `a.b(c)[0]` begins, by the place of its last sign. */
function operandBefore(tokens: readonly Token[], last: number, begun: ReadonlyMap<number, number>): number {
  let at = last
  for (;;) {
    const known = begun.get(at)
    if (known !== undefined) return known
    const open = OPENS[tokens[at]?.text ?? '']
    if (open !== undefined) {
      at = openingOf(tokens, at)
      const before = tokens[at - 1]
      if (before === undefined || !(before.kind === 'name' || before.text === ')' || before.text === ']'))
        return at
      at--
      continue
    }
    const dot = tokens[at - 1]?.text
    if (at < 2 || (dot !== '.' && dot !== '?.')) return at
    at -= 2
  }
}

function openingOf(tokens: readonly Token[], last: number): number {
  let depth = 0
  for (let at = last; at > 0; at--) {
    const { text, kind } = tokens[at]!
    if (kind === 'sign' && (text === ')' || text === ']')) depth++
    if (kind === 'sign' && (text === '(' || text === '[')) depth--
    if (depth === 0) return at
  }
  return 0
}
