import { isPlainObject, type JsonValue } from '../../plugin-api.ts'
import type { Work } from './work.ts'

/** Something that does not fit the schema, at one place. */
export interface SchemaFault {
  readonly code: 'missing_member' | 'unknown_member' | 'invalid_shape'
  /** A JSON Pointer. */
  readonly path: string
  /** What is wrong and what to do, in a sentence each. */
  readonly message: string
}

/** Where a value stands in the value that is judged. */
export interface Place {
  readonly above: Place | undefined
  readonly key: string | number
}

/** Members and items that some part of a schema has looked at. */
export type Seen = Set<string | number>

/** Nothing more is looked for. */
export class JudgementEnded extends Error {
  override readonly name = 'JudgementEnded'
}

/** What a value does not fit in a trial, of which nobody is told. No error: a stack would be written down for each. */
export class Misfit {
  readonly place: Place | undefined
  readonly words: string
  readonly code: SchemaFault['code']

  constructor(place: Place | undefined, words: string, code: SchemaFault['code']) {
    this.place = place
    this.words = words
    this.code = code
  }
}

/** In parts of schemas that are held against values: in turns, some seconds. */
const MOST_STEPS = 1_000_000
/** Below a millisecond. */
const STEPS_PER_TURN = 2_000
const STEPS_PER_TRIAL = 5
const MOST_FAULTS = 100
/** In parts of schemas inside of each other: the deepest data has 1,000 levels, and each may take a reference besides. */
const DEEPEST = 5_000

/** What is found while one value is held against a schema. */
export class Judgement {
  readonly #faults = new Map<string, SchemaFault>()
  readonly #whole: string
  #steps = 0
  #depth = 0
  #trials = 0

  /** `whole` is what the value is called, such as "The answer". */
  constructor(whole: string) {
    this.#whole = whole
  }

  get faults(): readonly SchemaFault[] {
    return [...this.#faults.values()]
  }

  /** Whether it is time to let others have their turn. Throws JudgementEnded where it takes too much. */
  isTurnOver(steps = 1): boolean {
    const before = Math.floor(this.#steps / STEPS_PER_TURN)
    this.#steps += steps
    if (this.#steps > MOST_STEPS)
      this.#endWith('takes too long to be held against the schema. Send less, or make the schema simpler.')
    return Math.floor(this.#steps / STEPS_PER_TURN) > before
  }

  enter(): void {
    if (++this.#depth > DEEPEST)
      this.#endWith('is nested too deep for the schema, or the schema refers to itself without end.')
  }

  leave(): void {
    this.#depth--
  }

  /** Undefined where the work meets nothing that does not fit. */
  *trial(work: () => Work<void>): Work<Misfit | undefined> {
    const depth = this.#depth
    if (this.isTurnOver(STEPS_PER_TRIAL)) yield
    this.#trials++
    try {
      yield work()
      return undefined
    } catch (error) {
      if (!(error instanceof Misfit)) throw error
      this.#depth = depth
      return error
    } finally {
      this.#trials--
    }
  }

  #endWith(words: string): never {
    this.#faults.clear()
    this.#faults.set('', { code: 'invalid_shape', path: '', message: `${this.#whole} ${words}` })
    throw new JudgementEnded()
  }

  /** One for each place: what is wrong with a value in a second way is seen when the first is mended. */
  add(place: Place | undefined, words: string, code: SchemaFault['code'] = 'invalid_shape'): void {
    if (this.#trials > 0) throw new Misfit(place, words, code)
    const path = pointerOf(place)
    if (this.#faults.has(path)) return
    const subject = code === 'invalid_shape' ? place : place?.above
    this.#faults.set(path, { code, path, message: `${nameOf(subject, this.#whole)} ${words}` })
    if (this.#faults.size >= MOST_FAULTS) throw new JudgementEnded()
  }
}

function keysOf(place: Place | undefined): (string | number)[] {
  const keys: (string | number)[] = []
  for (let at = place; at !== undefined; at = at.above) keys.push(at.key)
  return keys.reverse()
}

function pointerOf(place: Place | undefined): string {
  return keysOf(place)
    .map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

const LONGEST_NAME = 200

function nameOf(place: Place | undefined, whole: string): string {
  if (place === undefined) return whole
  const name = keysOf(place).join('.')
  return `"${name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name}"`
}

/** Lists and objects by that word: they may be long, and nested deeper than JSON can be written. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isPlainObject(value)) return 'an object'
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, 61)) : String(value as JsonValue)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
