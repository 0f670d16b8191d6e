import type { SeenByTrigger } from '../../store/triggers.ts'

/** So many of a list start runs at once; the others are new when it is looked at again. */
export const MOST_TAKEN = 1_000
/** Of those that are not in the list any more, so many are remembered: they may come back. */
const KEPT = 10_000
const ID_LENGTH = 16

/** Which look counts. */
interface Looked {
  /** At what: something else is looked at for the first time. */
  readonly of: string
  /** What came before this moment does not count, since the flow refused it. */
  readonly since: number
}

/** As it is stored. */
interface Memory extends Looked {
  /** Ids, one after the other, each as long as the others. */
  readonly seen: string
  /** The mark at which all of these have had their run. */
  readonly upTo: number
}

export interface Look<T extends { readonly id: string }> extends Looked {
  /** All that is there, each once. */
  readonly items: readonly T[]
  /** Whether what is there starts no runs where nothing is remembered. */
  readonly skipsFirst: boolean
  /** Whether what came since the last look does not count. */
  readonly skipsMissed: boolean
}

/** What comes of a look. */
interface Taking<T> {
  /** They start runs, in this order, each with the next mark after that of `keep`. */
  readonly fresh: readonly T[]
  /** To be stored, with all that is needed to start them, before the first of them is; undefined where nothing has changed. */
  readonly keep: SeenByTrigger | undefined
}

/**
 * Which items are new, where all that were new before have had their run. They count as seen from when they are stored, and are started
 * from there: a list may have dropped them by the time somebody goes on after a kill. They begin so far ahead that whoever still starts
 * the runs of the last look, because it has not noticed that its time is over, is behind the mark and starts none.
 */
export function takeItems<T extends { readonly id: string }>(known: SeenByTrigger, look: Look<T>): Taking<T> {
  const memory = memoryIn(known)
  const isFirst = memory?.of !== look.of
  const skips = isFirst ? look.skipsFirst : look.skipsMissed || memory.since !== look.since
  const before = isFirst ? [] : idsIn(memory.seen)
  const seen = new Set(before)
  const added = look.items.filter(({ id }) => !seen.has(id))
  if (!isFirst && !skips && added.length === 0) return { fresh: [], keep: undefined }
  const fresh = skips ? [] : added.slice(0, MOST_TAKEN)
  const present = new Set(look.items.map(({ id }) => id))
  const gone = before.filter((id) => !present.has(id)).slice(-KEPT)
  const taken = new Set(fresh.map(({ id }) => id))
  const there = look.items.filter(({ id }) => skips || seen.has(id) || taken.has(id)).map(({ id }) => id)
  const mark = known.mark + MOST_TAKEN
  const { of, since } = look
  const next: Memory = { of, since, seen: [...gone, ...there].join(''), upTo: mark + fresh.length }
  return { fresh, keep: { mark, seen: JSON.stringify(next) } }
}

/** A moment at which no flow began: what this was noted by counts from the next look. */
const FROM_NEXT_LOOK = -1

/** That what came since the last look does not count, for whoever looks next; undefined where nothing is remembered. */
export function passedOver(known: SeenByTrigger): SeenByTrigger | undefined {
  const memory = memoryIn(known)
  if (memory === undefined || memory.since === FROM_NEXT_LOOK) return undefined
  return { mark: known.mark, seen: JSON.stringify({ ...memory, since: FROM_NEXT_LOOK }) }
}

/** Whether what was noted counts, as it does from this moment on. */
export function hasCounted(known: SeenByTrigger, since: number): boolean {
  return memoryIn(known)?.since === since
}

/** Whether some that were taken have not had their run. */
export function hasLeft(known: SeenByTrigger): boolean {
  return known.mark < (memoryIn(known)?.upTo ?? 0)
}

/** Whether this has been looked at since it counts, and all that was taken of it has had its run. */
export function isDone(known: SeenByTrigger, { of, since }: Looked): boolean {
  const memory = memoryIn(known)
  return memory?.of === of && memory.since === since && !hasLeft(known)
}

function memoryIn({ seen }: SeenByTrigger): Memory | undefined {
  return seen === null ? undefined : (JSON.parse(seen) as Memory)
}

function idsIn(text: string): string[] {
  return Array.from({ length: text.length / ID_LENGTH }, (_, at) =>
    text.slice(at * ID_LENGTH, (at + 1) * ID_LENGTH)
  )
}
