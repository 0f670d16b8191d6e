import { isData } from './expression-data.ts'

/** Steps of one evaluation, each a node or what takes as long: together some 30 ms, while everything else waits. */
const MOST_STEPS = 200_000

/** Characters that are copied or compared in the time of a step. */
const CHARACTERS_PER_STEP = 64
/** Characters that a function of CEL looks at one by one in the time of a step. */
const LOOKED_AT_PER_STEP = 8
/** Items of a list that are compared with a number or a short text in the time of a step. */
const ITEMS_PER_STEP = 8
/** The same with texts that are alike at their beginning. */
const SAME_CHARACTERS_PER_STEP = 1024
/** To list the keys of an object takes so much for each. */
const STEPS_PER_KEY = 2
const STEPS_PER_COPY = 3
/** A pair of values in a comparison in depth. */
const STEPS_PER_PAIR = 2
/** A time in a time zone is written out and read again for each of its parts. */
const STEPS_PER_ZONE = 2_000
/** CEL reads durations by a pattern that takes the cube of their length. */
const LONGEST_DURATION = 64

/** All steps are used up; what is under way is given up. */
export class StepsSpent extends Error {
  override readonly name = 'StepsSpent'
}

/** What one evaluation may do. It is used again for the next. */
export class StepBudget {
  #left = 0
  #hasNotes = false
  #keys = new WeakMap<object, readonly string[]>()
  #made = new WeakMap<object, unknown>()

  begin(): void {
    // Most evaluations look at no list or object as a whole.
    if (this.#hasNotes) {
      this.#keys = new WeakMap()
      this.#made = new WeakMap()
      this.#hasNotes = false
    }
    this.#left = MOST_STEPS
  }

  get spent(): number {
    return MOST_STEPS - this.#left
  }

  get isSpent(): boolean {
    return this.#left < 0
  }

  step(): void {
    if (--this.#left < 0) throw new StepsSpent()
  }

  /** For a value that is copied, as it may hold numbers that CEL does not know. */
  copy(): void {
    this.pay(STEPS_PER_COPY)
  }

  pay(steps: number): void {
    this.#left -= Math.ceil(steps)
    if (this.#left < 0) throw new StepsSpent()
  }

  /** The keys of an object, listed once. CEL lists them whenever it asks for the type of an object. */
  keysOf(value: object): readonly string[] {
    const known = this.#keys.get(value)
    if (known !== undefined) return known
    const keys = Object.keys(value)
    this.pay(keys.length * STEPS_PER_KEY)
    this.#keys.set(value, keys)
    this.#hasNotes = true
    return keys
  }

  read(...texts: readonly string[]): void {
    for (const text of texts) if (text.length > LOOKED_AT_PER_STEP) this.pay(text.length / LOOKED_AT_PER_STEP)
  }

  /** Two texts, lists or bytes that become one. */
  join(left: unknown, right: unknown): void {
    if (typeof left === 'string' && typeof right === 'string')
      this.pay((left.length + right.length) / CHARACTERS_PER_STEP)
    else if (hasLength(left) && hasLength(right)) this.pay(left.length + right.length)
  }

  compareTexts(left: unknown, right: unknown): void {
    if (typeof left === 'string' && typeof right === 'string')
      this.pay(Math.min(left.length, right.length) / CHARACTERS_PER_STEP)
  }

  /** Pays for a comparison in depth, as far as it goes: whether the two are the same. */
  compare(left: unknown, right: unknown): boolean {
    this.pay(STEPS_PER_PAIR)
    if (left === right) return true
    if (Array.isArray(left) && Array.isArray(right))
      return left.length === right.length && left.every((item, at) => this.compare(item, right[at]))
    if (isData(left) && isData(right)) return this.#compareMembers(left, right)
    this.compareTexts(left, right)
    // biome-ignore lint/suspicious/noDoubleEquals: 1n is 1, in CEL too.
    return left == right
  }

  #compareMembers(
    left: Readonly<Record<string, unknown>>,
    right: Readonly<Record<string, unknown>>
  ): boolean {
    const keys = this.keysOf(left)
    return (
      keys.length === this.keysOf(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && this.compare(left[key], right[key]))
    )
  }

  /** Pays for a search in a list, as far as it goes. */
  find(item: unknown, list: readonly unknown[]): void {
    if (typeof item === 'object' && item !== null) list.some((each) => this.compare(item, each))
    else this.pay(list.length / ITEMS_PER_STEP)
    if (typeof item === 'string') this.pay((list.length * item.length) / SAME_CHARACTERS_PER_STEP)
  }

  /** What is made of a value, once for each evaluation. */
  madeOf(value: object, make: () => unknown): unknown {
    if (!this.#made.has(value)) this.#made.set(value, make())
    this.#hasNotes = true
    return this.#made.get(value)
  }

  call(name: string, values: readonly unknown[]): void {
    const [first, second] = values
    if (name === 'duration' && typeof first === 'string' && first.length > LONGEST_DURATION)
      throw new StepsSpent()
    if (name.startsWith('get') && values.length > 1) this.pay(STEPS_PER_ZONE)
    if (name === 'join' && Array.isArray(first)) this.#payForJoin(first, second)
    // Where the part is not short, the search takes the product of both lengths at the worst.
    if (SEARCHES.has(name) && typeof first === 'string' && typeof second === 'string')
      this.pay((first.length * second.length) / CHARACTERS_PER_STEP)
    for (const value of values) this.#payForValue(value)
  }

  #payForJoin(items: readonly unknown[], separator: unknown): void {
    const between = typeof separator === 'string' ? separator.length : 0
    for (const item of items)
      this.pay(1 + (between + (typeof item === 'string' ? item.length : 0)) / CHARACTERS_PER_STEP)
  }

  #payForValue(value: unknown): void {
    if (typeof value === 'string') this.read(value)
    else if (isData(value)) this.keysOf(value)
    else if (value instanceof Uint8Array) this.pay(value.length / LOOKED_AT_PER_STEP)
  }
}

const SEARCHES = new Set(['indexOf', 'lastIndexOf', 'split'])

function hasLength(value: unknown): value is { readonly length: number } {
  return Array.isArray(value) || value instanceof Uint8Array
}
