/**
 * What is in the sandbox before anybody's code comes. It is printed as text and evaluated there, so it can name nothing
 * of this file, and nothing of Node. Whatever people's code changes inside is gone with the step.
 */
export function guest() {
  // As they are before people's code may replace them.
  const { parse, stringify, rawJSON } = JSON
  const { isArray } = Array
  // JSON prints each of them as an empty object.
  const NO_JSON = [Map, Set, WeakMap, WeakSet, Promise, Error, RegExp, ArrayBuffer]
  const MOST_LINES = 100
  const MOST_CHARACTERS = 16_000
  const LONGEST_LINE = 2_000
  const LONGEST_MESSAGE = 2_000

  const logs = []
  let logged = 0
  let state = 'pending'
  let details = {}
  let result = ''

  globalThis.console = Object.fromEntries(
    ['log', 'info', 'warn', 'error', 'debug'].map((name) => [
      name,
      (...values) => log(name === 'debug' ? 'log' : name, values)
    ])
  )
  // It would tell the time.
  delete globalThis.performance
  // Whole numbers of any size are JSON, here and in the service.
  BigInt.prototype.toJSON = function () {
    return rawJSON(String(this))
  }

  return { run, take }

  /** `work` is the code as a function, or for JSONata its text. */
  async function run(work, text, options, others) {
    const { seeds, hasLongNumbers, hasSymbols, mostCharacters } = parse(options)
    Math.random = randomFrom(seeds)
    try {
      const read = hasLongNumbers ? readLongNumber : undefined
      const data = parse(text, read)
      const named = others === undefined ? {} : parse(others, read)
      // As globals: code may have variables of the same names.
      if (typeof work !== 'string') for (const name of Object.keys(named)) globalThis[name] = named[name]
      const execute = typeof work === 'string' ? compileJsonata(work, named) : work
      const value = await execute(data)
      if (value === undefined) {
        state = 'silent'
        return
      }
      const written = write(value, hasSymbols)
      if (written.length > mostCharacters) {
        details = { size: written.length }
        state = 'too-large'
      } else {
        result = written
        state = 'returned'
      }
    } catch (error) {
      // First: where the memory is used up, to describe the error may fail too.
      state = error?.isSyntax === true ? 'syntax' : 'failed'
      details = described(error)
    }
  }

  function compileJsonata(text, named) {
    try {
      const expression = jsonata(text)
      return async (data) => {
        try {
          return await expression.evaluate(data, named)
        } catch (error) {
          throw typeof error.position === 'number' ? placedIn(text, error) : error
        }
      }
    } catch (error) {
      throw { ...placedIn(text, error), isSyntax: true }
    }
  }

  /** JSONata tells where the token ends that it stumbled over. */
  function placedIn(text, error) {
    const { position, token, message } = error
    const start = position - String(token).length
    return { message, position: text.slice(start, position) === String(token) ? start : position }
  }

  function take() {
    return [stringify({ state, ...details, logs }), result]
  }

  /** Numbers that are whole and too large for a double keep their digits as a BigInt. */
  function readLongNumber(_key, value, context) {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value
  }

  /**
   * JSON leaves functions out without a word, and prints a Map as an empty object: here they refuse. To look at every
   * member instead takes as long as all the rest.
   */
  function write(value, hasSymbols) {
    for (const type of [Function, ...NO_JSON])
      Reflect.defineProperty(type.prototype, 'toJSON', { value: refuse, configurable: true })
    try {
      return stringify(value, hasSymbols ? withoutSymbols : undefined) ?? refuse()
    } catch (error) {
      // It was out of its stack, and to look for the place would be so again.
      const isTooDeep = /call stack/.test(error?.message)
      const fault = isTooDeep ? { kind: 'nested too deep', path: 'result' } : findFault(value)
      if (fault === undefined) throw error
      throw { fault }
    }
  }

  function refuse() {
    throw new TypeError('It is not JSON')
  }

  /** The only thing that cannot refuse by itself. */
  function withoutSymbols(_key, value) {
    return typeof value === 'symbol' ? refuse() : value
  }

  function kindThatIsNoJson(value) {
    if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
    if (typeof value !== 'object' || value === null) return undefined
    for (const type of NO_JSON)
      if (value instanceof type) return `${/^[AE]/.test(type.name) ? 'an' : 'a'} ${type.name}`
    return typeof jsonata === 'function' && value._jsonata_lambda === true ? 'a function' : undefined
  }

  /** Where in the result that is which JSON does not know: the first of its kind. */
  function findFault(value, path = 'result', above = []) {
    const kind = kindThatIsNoJson(value)
    if (kind !== undefined) return { kind, path }
    if (typeof value !== 'object' || value === null) return undefined
    if (above.includes(value)) return { kind: 'an object that contains itself', path }
    for (const key of Object.keys(value)) {
      const inner = isArray(value) ? `${path}[${key}]` : `${path}.${key}`
      const fault = findFault(value[key], inner, [...above, value])
      if (fault !== undefined) return fault
    }
    return undefined
  }

  function described(error) {
    if (error?.fault !== undefined) return { fault: error.fault }
    const read = (member) => {
      try {
        return error[member]
      } catch {
        return undefined
      }
    }
    const isObject = typeof error === 'object' && error !== null
    const message = isObject ? read('message') : typeof error === 'string' ? error : undefined
    return {
      name: asText(isObject ? (read('name') ?? '') : ''),
      message: message === undefined ? `It threw ${shown(error)}, which is no Error` : asText(message),
      stack: asText((isObject && read('stack')) || ''),
      ...(isObject && typeof read('position') === 'number' && { position: read('position') })
    }
  }

  function log(level, values) {
    if (logs.length > MOST_LINES || logged > MOST_CHARACTERS) return
    const text = values.map(shown).join(' ')
    const line = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text
    logged += line.length
    const isLast = logs.length === MOST_LINES || logged > MOST_CHARACTERS
    logs.push(isLast ? { level: 'warn', text: 'Further lines were left out.' } : { level, text: line })
  }

  function shown(value) {
    if (typeof value === 'string') return value
    try {
      if (value instanceof Error) return `${value.name}: ${value.message}`
      const text = stringify(value, (_key, member) => (typeof member === 'bigint' ? `${member}n` : member))
      return text ?? String(value)
    } catch {
      return asText(value)
    }
  }

  function asText(value) {
    try {
      return String(value).slice(0, LONGEST_MESSAGE)
    } catch {
      return `something of the type ${typeof value}`
    }
  }

  /** The generator sfc32: short, and good enough for samples and shuffles. */
  function randomFrom([a, b, c, d]) {
    return () => {
      const sum = (((a + b) | 0) + d) | 0
      d = (d + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (c << 21) | (c >>> 11)
      c = (c + sum) | 0
      return (sum >>> 0) / 2 ** 32
    }
  }
}
