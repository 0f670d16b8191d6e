import { dateFormat } from '../date/date-format.ts'
import { UTC } from '../date/zone.ts'
import { type FormatSpec, findContradiction, scanFormatSpec } from './format-spec.ts'
import { cutText } from './quote-text.ts'
import { makeStep, type Path, type Step } from './read-path.ts'
import { TemplateError } from './template-error.ts'
import { placeAt, printPlace } from './template-place.ts'

/** One placeholder. */
export interface Field extends Path {
  /** Where its opening brace stands. */
  readonly offset: number
  /** The path as written, trimmed. */
  readonly text: string
  readonly spec: FormatSpec | undefined
  /** How a time of the run is written; undefined for any other value, and where it is printed as it is. */
  readonly date: ((ms: number) => string) | undefined
  /** `{path:raw}`: in an address it is not escaped. */
  readonly isRaw: boolean
  /** What an absent value prints; undefined when absence is an error. */
  readonly fallback: string | undefined
}

const SHOWN = 60

export function syntaxError(source: string, offset: number, subject: string, advice: string): TemplateError {
  const place = placeAt(source, offset)
  return new TemplateError('template_syntax', `${subject} (${printPlace(place)}) ${advice}`, place)
}

/** Reads the placeholder whose `{` is at `open`; `end` is the offset after its `}`. */
export function parseField(source: string, open: number): { field: Field; end: number } {
  const path = parsePath(source, open)
  const close = findClose(source, open, path.end)
  const root = path.steps[0]!.key
  const isContext = path.text.startsWith('$') && root.length > 1
  const contextName = isContext ? root.slice(1) : undefined
  const written = source.slice(path.end, close)
  const tail = isTime(contextName, path.steps) ? parseTimeTail(written) : parseTail(written)
  if (typeof tail === 'string') throw badFormat(source, open, written, path.text, tail)
  return { field: { offset: open, text: path.text, steps: path.steps, contextName, ...tail }, end: close + 1 }
}

interface WrittenPath {
  readonly text: string
  readonly steps: readonly Step[]
  readonly end: number
}

function parsePath(source: string, open: number): WrittenPath {
  const start = skipSpace(source, open + 1)
  if (start === source.length) throw unclosed(source, open)
  if (':?}'.includes(source[start]!)) {
    throw syntaxError(source, open, 'This placeholder', EMPTY_ADVICE)
  }
  const steps: Step[] = []
  let at = start
  let end = start
  do {
    const step = source[at] === '[' ? parseBracket(source, at) : parseName(source, open, at, steps.length > 0)
    end = step.end
    steps.push(makeStep(step.key, end - start))
    at = step.next
  } while (source[at] === '.' || source[at] === '[')
  return { text: source.slice(start, end), steps, end: at }
}

const EMPTY_ADVICE =
  'names nothing. Write the name of a value, such as {customer}, or {{ and }} for literal braces.'

interface ParsedStep {
  readonly key: string
  /** Where the step's own text ends, and where reading goes on after any space. */
  readonly end: number
  readonly next: number
}

function parseName(source: string, open: number, at: number, needsDot: boolean): ParsedStep {
  const start = needsDot ? at + 1 : at
  const next = findAny(source, start, '.[:?{}')
  if (next === source.length) throw unclosed(source, open)
  const isLast = ':?{}'.includes(source[next]!)
  const key = isLast ? source.slice(start, next).trimEnd() : source.slice(start, next)
  if (key === '' && source[next] !== '{') {
    throw syntaxError(
      source,
      at,
      'The dot',
      'has no name beside it. Write names on both sides, as in {user.name}.'
    )
  }
  return { key, end: start + key.length, next }
}

function parseBracket(source: string, at: number): ParsedStep {
  const close = source.indexOf(']', at)
  if (close < 0) throw syntaxError(source, at, 'This [', 'is never closed. Write ] after the key.')
  if (close === at + 1) {
    throw syntaxError(source, at, 'This []', 'holds no key. Write one, as in {items[0]} or {user[name]}.')
  }
  const end = close + 1
  const next = skipSpace(source, end)
  const continues = next === end && (source[next] === '.' || source[next] === '[')
  if (next < source.length && !continues && !':?{}'.includes(source[next]!)) {
    throw syntaxError(source, close, 'After this ]', 'only . or [ can go on. Write {a[b].c} or {a[b][c]}.')
  }
  return { key: source.slice(at + 1, close), end, next }
}

/** The `}` that ends the placeholder. */
function findClose(source: string, open: number, from: number): number {
  const at = findAny(source, from, '{}')
  if (at === source.length) throw unclosed(source, open)
  if (source[at] === '}') return at
  const first = printPlace(placeAt(source, open))
  const advice = 'Close that one with } first, or write {{ for a literal brace.'
  throw syntaxError(source, at, 'This {', `stands inside the placeholder of ${first}. ${advice}`)
}

type Tail = Pick<Field, 'spec' | 'date' | 'isRaw' | 'fallback'>

const PLAIN = { spec: undefined, date: undefined, isRaw: false }

/** `{$now}` and `{$run.created_at}` have formats of their own. */
function isTime(contextName: string | undefined, steps: readonly Step[]): boolean {
  if (contextName === 'now') return steps.length === 1
  return contextName === 'run' && steps.length === 2 && steps[1]!.key === 'created_at'
}

/** What follows a time: nothing, `:yyyy-MM-dd`, `?fallback` or `:yyyy-MM-dd?fallback`. A format may hold text in quotes. */
function parseTimeTail(tail: string): Tail | string {
  if (tail[0] !== ':') return parseTail(tail)
  const [written = ''] = /^(?:'[^']*'|[^'?])*/.exec(tail.slice(1)) ?? []
  const rest = tail.slice(1 + written.length)
  if (rest !== '' && rest[0] !== '?') return 'its quotes are not closed'
  const fallback = rest === '' ? undefined : rest.slice(1)
  const format = written.trim()
  if (format === '') return { ...PLAIN, fallback }
  try {
    return { ...PLAIN, date: dateFormat(format, UTC, 'en'), fallback }
  } catch (error) {
    return (error as Error).message.replace(/\.$/, '')
  }
}

/** Reads what follows the path: nothing, `:spec`, `?fallback`, `:spec?fallback` or `?:spec`. */
function parseTail(tail: string): Tail | string {
  if (tail === '') return { ...PLAIN, fallback: undefined }
  if (tail[0] === ':') return parseSpecTail(tail.slice(1))
  if (tail[1] === ':') {
    const whole = parseSpecTail(tail.slice(2))
    if (typeof whole !== 'string' && whole.fallback === undefined) return { ...whole, fallback: '' }
  }
  return { ...PLAIN, fallback: tail.slice(1) }
}

const RAW = /^\s*raw\s*(\?(.*))?$/s

/** A string result is the reason why this is not a format. */
function parseSpecTail(text: string): Tail | string {
  const [raw, , fallbackOfRaw] = RAW.exec(text) ?? []
  if (raw !== undefined) return { ...PLAIN, isRaw: true, fallback: fallbackOfRaw }
  const { spec, end } = scanFormatSpec(text)
  const next = skipSpace(text, end)
  if (next === text.length || text[next] === '?') {
    const fallback = next === text.length ? undefined : text.slice(next + 1)
    return findContradiction(spec) ?? { ...PLAIN, spec: spec.text === '' ? undefined : spec, fallback }
  }
  // `?<none>` began like a spec with the fill `?`, but is an empty spec and a fallback.
  if (text[0] === '?') return { ...PLAIN, fallback: text.slice(1) }
  return 'it is not a format such as :.2f, :, or :>10'
}

function badFormat(source: string, open: number, tail: string, path: string, reason: string): TemplateError {
  const key = (path + tail).includes(']') ? 'first:second' : cutText(path + tail, SHOWN)
  const subject = `The format "${cutText(tail, SHOWN)}" of {${cutText(path, SHOWN)}}`
  const advice = `Write {[${key}]} for a key that holds a colon, {{ and }} for literal braces.`
  return syntaxError(source, open, subject, `cannot be used: ${reason}. ${advice}`)
}

function unclosed(source: string, open: number): TemplateError {
  return syntaxError(
    source,
    open,
    'This {',
    'is never closed. Write } after the name, or {{ for a literal brace.'
  )
}

function findAny(source: string, from: number, characters: string): number {
  let at = from
  while (at < source.length && !characters.includes(source[at]!)) at++
  return at
}

function skipSpace(source: string, from: number): number {
  let at = from
  while (at < source.length && source[at]!.trim() === '') at++
  return at
}
