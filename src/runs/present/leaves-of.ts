/** A value of a JSON text that holds no others. */
interface Leaf {
  /** The names that lead to it; null inside a list. */
  readonly path: readonly string[] | null
  /** A text without its quotes, anything else as it is written: numbers keep every digit. */
  readonly value: string
}

interface Level {
  readonly isList: boolean
  name: string
}

/** A text may have no end: it was cut there. */
const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*"?)|([{}[\],:])|([^\s{}[\],:"]+))/sy

/** The leaves of the beginning of a JSON text, as far as they are whole; a text that was cut is the last one. */
export function* leavesOf(json: string): Generator<Leaf> {
  const levels: Level[] = []
  let isName = false
  for (const { token, isLast } of tokensOf(json)) {
    const level = levels.at(-1)
    if (token === '{' || token === '[') {
      levels.push({ isList: token === '[', name: '' })
      isName = token === '{'
    } else if (token === '}' || token === ']') {
      levels.pop()
      isName = false
    } else if (token === ',') {
      isName = level?.isList === false
    } else if (token === ':') {
      isName = false
    } else if (isName) {
      level!.name = plain(token)
    } else if (token.startsWith('"') || !isLast || level === undefined) {
      const isInList = levels.some(({ isList }) => isList)
      yield { path: isInList ? null : levels.map(({ name }) => name), value: plain(token) }
    }
  }
}

function* tokensOf(json: string): Generator<{ token: string; isLast: boolean }> {
  const pattern = new RegExp(TOKEN)
  for (let found = pattern.exec(json); found !== null; found = pattern.exec(json)) {
    yield { token: found[1] ?? found[2] ?? found[3]!, isLast: pattern.lastIndex === json.length }
  }
}

/** The longest escape, less one character, and the end quote. */
const MOST_LOST = 6

/** A text that was cut may end within an escape, which is left out. */
function plain(token: string): string {
  if (!token.startsWith('"')) return token
  const whole = parsed(token)
  if (whole !== undefined) return whole
  for (let lost = 0; lost < MOST_LOST; lost++) {
    const text = parsed(`${token.slice(0, token.length - lost)}"`)
    // Half of a pair of surrogates may be left.
    if (text !== undefined) return text.replace(/[\ud800-\udbff]$/, '')
  }
  return token.slice(1)
}

function parsed(token: string): string | undefined {
  try {
    const value: unknown = JSON.parse(token)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
