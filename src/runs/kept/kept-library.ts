import { MillraceError, type ProblemCode } from '../../errors.ts'
import { LONGEST_MS } from '../../flows/duration.ts'
import { type JsonValue, writeJson } from '../../flows/json/exact-json.ts'
import type {
  ChangeOrigin,
  KeptChange,
  KeptQuestion,
  KeptResult,
  KeptStore
} from '../../store/kept-values.ts'

/** In characters. */
export const LONGEST_KEY = 500

/** In bytes of JSON. What is larger belongs into a database. */
export const LARGEST_VALUE = 256 * 1024

interface KeptLibraryDeps {
  readonly store: KeptStore
  readonly now: () => number
}

/** What is to become of a value. Times are counted from now. */
export type WantedChange =
  | { readonly kind: 'set'; readonly value: JsonValue; readonly expiresInMs?: number }
  | { readonly kind: 'increment'; readonly by: number; readonly expiresInMs?: number }
  | { readonly kind: 'remove' }

/** Asks the store until it answers. */
export type KeptPersist = <T>(ask: () => Promise<T>) => Promise<T>

/** The step that makes a change. It has time: people are told at once that the store is away. */
interface ChangingStep extends Omit<ChangeOrigin, 'change'> {
  /** Called once for each change. */
  readonly nameOf: (change: KeptChange) => string
  readonly persist: KeptPersist
}

/** Values that flows keep, for steps and for people: what is asked is checked here, and refused in words. */
export class KeptLibrary {
  readonly #deps: KeptLibraryDeps

  constructor(deps: KeptLibraryDeps) {
    this.#deps = deps
  }

  get(context: string, key: string): ReturnType<KeptStore['get']> {
    assertKey(key)
    return this.#deps.store.get(context, key, this.#deps.now())
  }

  list(question: Omit<KeptQuestion, 'now'>): ReturnType<KeptStore['list']> {
    return this.#deps.store.list({ ...question, now: this.#deps.now() })
  }

  /** Keeps a value for somebody, who is told what was kept: what is read later may be over by then. */
  async keep(
    context: string,
    key: string,
    wanted: Omit<Extract<WantedChange, { kind: 'set' }>, 'kind'>
  ): Promise<{ readonly updatedAt: number; readonly expiresAt: number | null }> {
    assertKey(key)
    const change = toChange({ context, key, at: this.#deps.now() }, { kind: 'set', ...wanted })
    await this.#deps.store.change(change)
    return { updatedAt: change.at, expiresAt: change.kind === 'set' ? change.expiresAt : null }
  }

  /** Resolves to what is kept now, or to what was removed. */
  async change(
    context: string,
    key: string,
    wanted: WantedChange,
    step?: ChangingStep
  ): Promise<string | null> {
    assertKey(key)
    const { store } = this.#deps
    // Times count from each asking: the store may not have answered for longer than a value is to be kept.
    const toAsk = () => toChange({ context, key, at: this.#deps.now() }, wanted)
    const origin = step && { runSeq: step.runSeq, node: step.node, change: step.nameOf(toAsk()) }
    const ask = () => store.change(toAsk(), origin)
    const result = await (step === undefined ? ask() : step.persist(ask))
    if (result.won) return result.value
    throw refusal(result.because, key)
  }
}

function toChange(place: Pick<KeptChange, 'context' | 'key' | 'at'>, wanted: WantedChange): KeptChange {
  if (wanted.kind === 'remove') return { ...place, kind: 'remove' }
  const expiresAt = wanted.expiresInMs === undefined ? null : place.at + timeOf(wanted.expiresInMs, place.key)
  if (wanted.kind === 'set')
    return { ...place, kind: 'set', value: valueText(wanted.value, place.key), expiresAt }
  if (!Number.isFinite(wanted.by))
    throw invalid(`"${place.key}" is counted by a number, and this is not one.`)
  return { ...place, kind: 'increment', by: wanted.by, expiresAt }
}

/** Components may say anything, and what no clock comes to cannot be shown. */
function timeOf(ms: number, key: string): number {
  if (ms > 0 && ms <= LONGEST_MS) return Math.ceil(ms)
  throw invalid(
    `"${short(key)}" is to be kept for ${ms} ms. Name a time above 0 and of ${LONGEST_MS} ms, ten years, at the most.`
  )
}

function valueText(value: JsonValue, key: string): string {
  const text = writeJson(value)
  const bytes = Buffer.byteLength(text)
  if (bytes <= LARGEST_VALUE) return text
  throw invalid(
    `The value for "${short(key)}" has ${Math.ceil(bytes / 1024)} kB, and ${LARGEST_VALUE / 1024} kB can be kept. Keep less, or write it to a database.`
  )
}

function assertKey(key: string): void {
  if (key === '') throw invalid('The key is empty. Name one, such as "orders:{customer}".')
  if (key.length > LONGEST_KEY)
    throw invalid(
      `The key "${short(key)}" has ${key.length} characters, and a key has at most ${LONGEST_KEY}. Shorten it, or put a Hash of it there.`
    )
}

function refusal(because: Extract<KeptResult, { won: false }>['because'], key: string): MillraceError {
  if (because === 'no_number')
    return keptError(
      'kept_value_not_number',
      `What is kept under "${short(key)}" is not a number, so it cannot be incremented. Set it to a number, or use another key.`
    )
  return keptError(
    'kept_value_not_number',
    `"${short(key)}" would become larger than ${Number.MAX_SAFE_INTEGER}, beyond which numbers are not counted one by one. Set it anew.`
  )
}

function invalid(message: string): MillraceError {
  return keptError('kept_value_invalid', message)
}

/** Trying again would end in the same way. */
function keptError(code: ProblemCode, message: string): MillraceError {
  return Object.assign(new MillraceError(code, message), { retryable: false })
}

function short(key: string): string {
  return key.length > 100 ? `${key.slice(0, 100)}…` : key
}
