/**
 * `URL`, `TextDecoder` and `Intl` as they are in browsers, inside of the sandbox: see host-calls.js. It is printed as text and
 * evaluated there, so it can name nothing of this file.
 */
export function webGuest(host) {
  const { parse, stringify } = JSON
  const ask = (kind, text, bytes, fatal) => {
    const { value, name, message } = parse(host(kind, text, bytes, fatal))
    if (name === undefined) return value
    throw name === 'RangeError' ? new RangeError(message) : new TypeError(message)
  }

  const changed = Symbol('changed')

  class URLSearchParams {
    #pairs = [];
    [changed] = () => {}

    constructor(given = '') {
      if (typeof given === 'string') this.#pairs = ask('pairs', given)
      else {
        const pairs = given?.[Symbol.iterator] === undefined ? Object.entries(given ?? {}) : [...given]
        this.#pairs = pairs.map(([name, value]) => [String(name), String(value)])
      }
    }
    get size() {
      return this.#pairs.length
    }
    append(name, value) {
      this.#set([...this.#pairs, [String(name), String(value)]])
    }
    delete(name, value) {
      const isGone = (pair) => pair[0] === String(name) && (value === undefined || pair[1] === String(value))
      this.#set(this.#pairs.filter((pair) => !isGone(pair)))
    }
    get(name) {
      return this.#pairs.find(([own]) => own === String(name))?.[1] ?? null
    }
    getAll(name) {
      return this.#pairs.filter(([own]) => own === String(name)).map(([, value]) => value)
    }
    has(name, value) {
      return this.#pairs.some(
        ([own, held]) => own === String(name) && (value === undefined || held === String(value))
      )
    }
    set(name, value) {
      const at = this.#pairs.findIndex(([own]) => own === String(name))
      if (at < 0) return this.append(name, value)
      const others = this.#pairs.filter(([own], place) => place === at || own !== String(name))
      others[others.indexOf(this.#pairs[at])] = [String(name), String(value)]
      this.#set(others)
    }
    sort() {
      this.#set(this.#pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
    }
    forEach(each, self) {
      for (const [name, value] of this.#pairs) each.call(self, value, name, this)
    }
    keys() {
      return this.#pairs.map(([name]) => name).values()
    }
    values() {
      return this.#pairs.map(([, value]) => value).values()
    }
    entries() {
      return this.#pairs.map((pair) => [...pair]).values()
    }
    [Symbol.iterator]() {
      return this.entries()
    }
    toString() {
      return this.#pairs.map((pair) => pair.map(ofForm).join('=')).join('&')
    }
    #set(pairs) {
      this.#pairs = pairs
      this[changed](this.toString())
    }
  }

  function ofForm(text) {
    const written = encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')
    return written.replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  }

  class URL {
    #parts
    #params

    constructor(href, base) {
      this.#parts = ask('url', stringify([String(href), base === undefined ? null : String(base)]))
    }
    static canParse(href, base) {
      return URL.parse(href, base) !== null
    }
    static parse(href, base) {
      try {
        return new URL(href, base)
      } catch {
        return null
      }
    }
    get searchParams() {
      if (this.#params === undefined) this.#follow()
      return this.#params
    }
    toString() {
      return this.href
    }
    toJSON() {
      return this.href
    }
    read(part) {
      return this.#parts[part]
    }
    write(part, value) {
      const text = String(value)
      this.#parts = ask('url', stringify(part === 'href' ? [text, null] : [this.href, null, part, text]))
      if (this.#params !== undefined && (part === 'href' || part === 'search')) this.#follow()
    }
    #follow() {
      this.#params = new URLSearchParams(this.search)
      this.#params[changed] = (text) => {
        this.#parts = ask('url', stringify([this.href, null, 'search', text]))
      }
    }
  }

  const { read, write } = URL.prototype
  delete URL.prototype.read
  delete URL.prototype.write
  const WRITABLE = [
    'href',
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
  for (const part of [...WRITABLE, 'origin'])
    Object.defineProperty(URL.prototype, part, {
      get() {
        return read.call(this, part)
      },
      ...(part !== 'origin' && {
        set(value) {
          write.call(this, part, value)
        }
      }),
      configurable: true,
      enumerable: true
    })

  const NOTHING = new Uint8Array(0)

  class TextDecoder {
    #label
    #fatal
    #encoding

    constructor(label = 'utf-8', { fatal = false } = {}) {
      this.#label = String(label)
      this.#fatal = String(fatal === true)
      this.#encoding = ask('decode', this.#label, NOTHING, this.#fatal).encoding
    }
    get encoding() {
      return this.#encoding
    }
    get fatal() {
      return this.#fatal === 'true'
    }
    decode(given = NOTHING) {
      return ask('decode', this.#label, bytesOf(given), this.#fatal).text
    }
  }

  function bytesOf(given) {
    if (given instanceof ArrayBuffer) return new Uint8Array(given)
    if (ArrayBuffer.isView(given))
      return new Uint8Array(given.buffer.slice(given.byteOffset, given.byteOffset + given.byteLength))
    throw new TypeError('It is neither an ArrayBuffer nor a view of one')
  }

  class TextEncoder {
    get encoding() {
      return 'utf-8'
    }
    encode(text = '') {
      return host('encode', String(text).toWellFormed())
    }
  }

  /** Numbers and dates as they are asked about: JSON has no sign for some of them. */
  function asked(value) {
    if (value === undefined || value === null) return null
    if (Array.isArray(value)) return value.map(String)
    if (typeof value === 'bigint') return { bigint: String(value) }
    if (typeof value !== 'number') return typeof value === 'object' ? asked(Number(value)) : value
    if (Object.is(value, -0)) return { number: '-0' }
    return Number.isFinite(value) ? value : { number: String(value) }
  }

  function formatter(type, methods) {
    class Format {
      #locales
      #options

      constructor(locales, options) {
        this.#locales = locales === undefined ? null : locales
        this.#options = options === undefined || options === null ? {} : { ...options }
        this.resolvedOptions()
        // As in browsers they can be handed on: list.map(format.format).
        for (const name of methods)
          Object.defineProperty(this, name, { value: (...values) => this.#ask(name, values) })
      }
      resolvedOptions() {
        return this.#ask('resolvedOptions', [])
      }
      #ask(method, values) {
        if (type === 'DateTimeFormat' && values.length === 0 && method !== 'resolvedOptions')
          values.push(Date.now())
        if (type === 'DateTimeFormat')
          values = values.map((value) => (value === undefined ? Date.now() : value))
        return ask('intl', stringify([type, this.#locales, this.#options, method, values.map(asked)]))
      }
    }
    Object.defineProperty(Format, 'name', { value: type })
    Format.supportedLocalesOf = (locales) =>
      [locales].flat().filter((locale) => {
        const { locale: own } = new Format(locale).resolvedOptions()
        return own.split('-')[0] === String(locale).split('-')[0]
      })
    return new Proxy(Format, { apply: (_, __, given) => new Format(...given) })
  }

  const languages = {
    NumberFormat: formatter('NumberFormat', ['format', 'formatToParts', 'formatRange']),
    DateTimeFormat: formatter('DateTimeFormat', ['format', 'formatToParts', 'formatRange']),
    Collator: formatter('Collator', ['compare']),
    PluralRules: formatter('PluralRules', ['select']),
    RelativeTimeFormat: formatter('RelativeTimeFormat', ['format', 'formatToParts']),
    ListFormat: formatter('ListFormat', ['format', 'formatToParts']),
    DisplayNames: formatter('DisplayNames', ['of'])
  }

  /** Bytes of files, which the service hands in when they are first asked for: see step-compute.ts. */
  const files = {
    bytes(value) {
      const bytes = host('file', idOf(value))
      if (bytes === undefined) throw new Error('The file is read first')
      return bytes
    },
    text(value, label) {
      const said = /;\s*charset="?([\w.:-]+)/i.exec(value?.content_type ?? '')?.[1]
      return new TextDecoder(label ?? said ?? 'utf-8').decode(files.bytes(value))
    }
  }

  function idOf(value) {
    const id = typeof value === 'string' ? value : value?.file
    if (typeof id === 'string') return id
    throw new TypeError('It is no file: hand in what came as one, such as data.upload')
  }

  const globals = { files, URL, URLSearchParams, TextDecoder, TextEncoder, Intl: languages }
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })

  const DAY = { year: 'numeric', month: 'numeric', day: 'numeric' }
  const TIME = { hour: 'numeric', minute: 'numeric', second: 'numeric' }
  const ownMethod = (prototype, name, value) =>
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true })
  const dated = (parts, own) =>
    function (locales, options) {
      const says = Object.keys(options ?? {}).some((key) => own.includes(key))
      return new languages.DateTimeFormat(locales, says ? options : { ...parts, ...options }).format(this)
    }
  const DATE_KEYS = ['weekday', 'year', 'month', 'day', 'dateStyle']
  const TIME_KEYS = ['hour', 'minute', 'second', 'dayPeriod', 'timeStyle']
  ownMethod(Date.prototype, 'toLocaleString', dated({ ...DAY, ...TIME }, [...DATE_KEYS, ...TIME_KEYS]))
  ownMethod(Date.prototype, 'toLocaleDateString', dated(DAY, DATE_KEYS))
  ownMethod(Date.prototype, 'toLocaleTimeString', dated(TIME, TIME_KEYS))
  for (const { prototype } of [Number, BigInt])
    ownMethod(prototype, 'toLocaleString', function (locales, options) {
      return new languages.NumberFormat(locales, options).format(this.valueOf())
    })
  ownMethod(String.prototype, 'localeCompare', function (other, locales, options) {
    return new languages.Collator(locales, options).compare(String(this), String(other))
  })
}
