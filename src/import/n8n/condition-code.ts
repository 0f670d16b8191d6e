import type { Writer } from './writer.ts'

/** Two values and what is asked of them. */
export interface Comparison {
  readonly type: string
  readonly left: unknown
  readonly operation: string
  readonly right: unknown
  /** Upper and lower case are the same. */
  readonly isBlind?: boolean
  /** Of the conditions that have types: how these are made of values. Those before had none. */
  readonly typed?: { readonly version: number; readonly isLoose: boolean }
}

/** What is asked of texts, once both are one: in JavaScript, of `a` and `b`. */
const OF_TEXTS: Readonly<Record<string, string>> = {
  empty: "a === ''",
  notEmpty: "a !== ''",
  equals: 'a === b',
  notEquals: 'a !== b',
  contains: 'a.includes(b)',
  notContains: '!a.includes(b)',
  startsWith: 'a.startsWith(b)',
  notStartsWith: '!a.startsWith(b)',
  endsWith: 'a.endsWith(b)',
  notEndsWith: '!a.endsWith(b)',
  regex: 'pattern(b).test(a)',
  notRegex: '!pattern(b).test(a)'
}

const OF_NUMBERS: Readonly<Record<string, string>> = {
  empty: '!there(a)',
  notEmpty: 'there(a)',
  equals: 'a === b',
  notEquals: 'a !== b',
  gt: 'a > b',
  gte: 'a >= b',
  lt: 'a < b',
  lte: 'a <= b'
}

/** Of two times that are there. */
const OF_TIMES: Readonly<Record<string, string>> = {
  equals: 'a === b',
  notEquals: 'a !== b',
  after: 'a > b',
  afterOrEquals: 'a >= b',
  before: 'a < b',
  beforeOrEquals: 'a <= b'
}

const OF_BOOLEANS: Readonly<Record<string, string>> = {
  empty: '!there(a)',
  notEmpty: 'there(a)',
  true: 'Boolean(a)',
  false: '!a',
  equals: 'a === b',
  notEquals: 'a !== b'
}

const OF_LISTS: Readonly<Record<string, string>> = {
  empty: 'size(a) === 0',
  notEmpty: 'size(a) > 0',
  contains: 'has(a, b)',
  notContains: '!has(a, b)',
  lengthEquals: 'size(a) === Number(b)',
  lengthNotEquals: 'size(a) !== Number(b)',
  lengthGt: 'size(a) > b',
  lengthGte: 'size(a) >= b',
  lengthLt: 'size(a) < b',
  lengthLte: 'size(a) <= b'
}

/** Of conditions without types. */
const UNTYPED: Readonly<Record<string, string>> = {
  equal: 'a === b',
  notEqual: 'a !== b',
  larger: '(a || 0) > (b || 0)',
  largerEqual: '(a || 0) >= (b || 0)',
  smaller: '(a || 0) < (b || 0)',
  smallerEqual: '(a || 0) <= (b || 0)',
  after: '(a || 0) > (b || 0)',
  before: '(a || 0) < (b || 0)',
  contains: 'words(a).includes(words(b))',
  notContains: '!words(a).includes(words(b))',
  startsWith: 'a.startsWith(b)',
  notStartsWith: '!a.startsWith(b)',
  endsWith: 'a.endsWith(b)',
  notEndsWith: '!a.endsWith(b)',
  isEmpty: 'none(a)',
  isNotEmpty: '!none(a)',
  regex: 'pattern(words(b)).test(words(a))',
  notRegex: '!pattern(words(b)).test(words(a))'
}

const HELPERS: Readonly<Record<string, string>> = {
  there: '(a) => a !== undefined && a !== null && !Number.isNaN(a)',
  text: `(a) => (a === undefined || a === null ? '' : typeof a === 'object' ? JSON.stringify(a) : String(a))`,
  small: `(a) => (typeof a === 'string' ? a.toLowerCase() : a)`,
  words: `(a) => String(a || '')`,
  num: '(a) => (a === undefined || a === null ? a : Number(a))',
  numOrNull: `(a) => (a === undefined || a === null || String(a).trim() === '' ? a && null : Number(a))`,
  truth: '(a) => (a === undefined || a === null ? a : Boolean(a))',
  yes: `(a) => (a === undefined || a === null || typeof a === 'boolean' ? a : /^(?:true|false)$/i.test(a) ? String(a).toLowerCase() === 'true' : typeof a === 'string' && a.trim() === '' ? a !== '' : Number(a) !== 0)`,
  when: `(a) => (a === undefined || a === null ? undefined : typeof a === 'number' ? a : +DateTime.fromISO(String(a).trim()))`,
  time: `(a) => (typeof a === 'number' ? a : Date.parse(a))`,
  size: `(a) => (typeof a === 'object' && a !== null && !Array.isArray(a) ? Object.keys(a) : (a ?? [])).length`,
  has: '(a, b) => Array.isArray(a) && a.includes(b)',
  none: `(a) => a === undefined || a === null || a === '' || Number.isNaN(a) || (typeof a === 'object' && Object.keys(a).length === 0)`,
  pattern: `(b) => { const [, body, flags] = /^\\/(.*)\\/([a-z]*)$/s.exec(b) ?? [, b, '']; return new RegExp(body, flags) }`
}

/** What is asked, and what is made of either side before. */
interface Asked {
  readonly how: string
  readonly left: (js: string) => string
  readonly right: (js: string) => string
}

const SAME = (js: string) => js

/** True or false, in JavaScript. */
export function conditionCode(comparisons: readonly Comparison[], isAny: boolean, write: Writer): string {
  if (comparisons.length === 0) return 'true'
  const asks = comparisons.map((comparison) => {
    const { how, left, right } = asked(comparison)
    return `check(${left(write.js(comparison.left))}, ${right(write.js(comparison.right))}, (a, b) => ${how})`
  })
  const code = asks.join(isAny ? ' || ' : ' && ')
  return `(() => { ${helpersOf(code)}const check = (a, b, ask) => ask(a, b); return ${code} })()`
}

/** Those that are named, and those that these name. */
function helpersOf(code: string): string {
  const used = Object.entries(HELPERS).filter(([name]) => new RegExp(`\\b${name}\\b`).test(code))
  return used.map(([name, helper]) => `const ${name} = ${helper}; `).join('')
}

function asked(comparison: Comparison): Asked {
  const { type, operation, typed } = comparison
  if (typed === undefined) return untyped(comparison)
  if (operation === 'exists' || operation === 'notExists')
    return { how: operation === 'exists' ? 'there(a)' : '!there(a)', left: SAME, right: SAME }
  if (/number/i.test(type)) return both(typed.version >= 3 ? 'numOrNull' : 'num', how(OF_NUMBERS, operation))
  if (/date/i.test(type)) return times(operation)
  if (/boolean/i.test(type)) return both(typed.version >= 2 ? 'yes' : 'truth', how(OF_BOOLEANS, operation))
  if (/array|object/i.test(type)) return lists(comparison)
  return texts(comparison)
}

function times(operation: string): Asked {
  if (/empty/i.test(operation))
    return { how: operation === 'empty' ? '!there(a)' : 'there(a)', left: SAME, right: SAME }
  return both('when', `there(a) && there(b) && ${how(OF_TIMES, operation)}`)
}

function lists({ operation, isBlind }: Comparison): Asked {
  const side = (js: string) => (isBlind === true && /contains/i.test(operation) ? `small(${js})` : js)
  const left = (js: string) =>
    isBlind === true && /contains/i.test(operation) ? `(${js} ?? []).map(small)` : js
  return { how: how(OF_LISTS, operation), left, right: side }
}

function texts({ operation, isBlind }: Comparison): Asked {
  const side = (js: string) => (isBlind === true ? `small(text(${js}))` : `text(${js})`)
  const right = (js: string) => (/regex/i.test(operation) ? `text(${js})` : side(js))
  return { how: how(OF_TEXTS, operation), left: side, right }
}

function untyped({ type, operation, isBlind }: Comparison): Asked {
  const name = /date/i.test(type) && /after|before|equal/i.test(operation) ? 'time' : ''
  const side = (js: string) => {
    const value = isBlind === true ? `small(${js})` : js
    return name === '' ? value : `${name}(${value})`
  }
  return { how: how(UNTYPED, operation), left: side, right: side }
}

function both(helper: string, asking: string): Asked {
  const side = (js: string) => `${helper}(${js})`
  return { how: asking, left: side, right: side }
}

function how(known: Readonly<Record<string, string>>, operation: string): string {
  return Object.hasOwn(known, operation) ? known[operation]! : 'a === b'
}
