/**
 * What code in the sandbox may ask of Node: addresses, letters and the customs of languages, all of which are computed from what it
 * gives and nothing else. Questions and answers are JSON, or bytes.
 */

const MOST_FORMATS = 50
/** Whatever is written of a number or a date is short; a list may be long. */
const LONGEST_QUESTION = 1_000_000

const PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash'
]

/** By the constructor, what may be called. */
const METHODS = {
  NumberFormat: ['format', 'formatToParts', 'formatRange', 'resolvedOptions'],
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'resolvedOptions'],
  Collator: ['compare', 'resolvedOptions'],
  PluralRules: ['select', 'resolvedOptions'],
  RelativeTimeFormat: ['format', 'formatToParts', 'resolvedOptions'],
  ListFormat: ['format', 'formatToParts', 'resolvedOptions'],
  DisplayNames: ['of', 'resolvedOptions']
}

const formats = new Map()

/**
 * The function that code inside is given. It throws nothing: what is wrong is told, and thrown inside. `fileOf` gives the bytes of a file, or
 * undefined where they are not there.
 */
export function hostCalls(vm, fileOf) {
  const answers = {
    url: (text) => vm.newString(answered(() => partsOf(JSON.parse(text)))),
    pairs: (text) => vm.newString(answered(() => [...new URLSearchParams(text)])),
    intl: (text) => vm.newString(answered(() => written(text))),
    decode: (label, bytes, fatal) =>
      vm.newString(answered(() => decoded(label, bytes.toUint8Array(), fatal))),
    file: (id) => {
      const bytes = fileOf(id)
      return bytes === undefined ? vm.undefined : vm.newUint8Array(bytes)
    },
    encode: (text) => vm.newUint8Array(new TextEncoder().encode(text))
  }
  return (kind, text, bytes, fatal) => {
    const answer = answers[kind.toString()]
    return answer(text.toString(), bytes, fatal?.toString() === 'true')
  }
}

function answered(compute) {
  try {
    return JSON.stringify({ value: compute() })
  } catch (error) {
    const name = error instanceof RangeError ? 'RangeError' : 'TypeError'
    return JSON.stringify({ name, message: String(error.message).slice(0, 500) })
  }
}

function partsOf([href, base, member, value]) {
  const url = base === null ? new URL(href) : new URL(href, base)
  if (PARTS.includes(member)) url[member] = value
  return Object.fromEntries(PARTS.map((part) => [part, url[part]]))
}

function decoded(label, bytes, fatal) {
  const decoder = new TextDecoder(label, { fatal })
  return { text: decoder.decode(bytes), encoding: decoder.encoding }
}

function written(text) {
  if (text.length > LONGEST_QUESTION)
    throw new RangeError('It is too long to be written by the customs of a language')
  const [type, locales, options, method, values] = JSON.parse(text)
  if (!METHODS[type]?.includes(method)) throw new TypeError(`Intl.${type} has no ${method} here`)
  const format = formatOf(type, locales ?? undefined, options)
  const result = format[method](...values.map(valueOfQuestion))
  return method === 'resolvedOptions' ? { ...result } : (result ?? null)
}

/** To make one takes a millisecond or so, and code writes many numbers by the same. */
function formatOf(type, locales, options) {
  const key = JSON.stringify([type, locales, options])
  const known = formats.get(key)
  if (known !== undefined) return known
  const inUtc = type === 'DateTimeFormat' ? { timeZone: 'UTC', ...options } : options
  const made = new Intl[type](locales ?? 'en-US', inUtc)
  if (formats.size >= MOST_FORMATS) formats.delete(formats.keys().next().value)
  formats.set(key, made)
  return made
}

/** What JSON has no sign for. */
function valueOfQuestion(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if ('bigint' in value) return BigInt(value.bigint)
  return Number(value.number)
}
