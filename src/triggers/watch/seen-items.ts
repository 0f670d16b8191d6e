import type { SeenByTrigger } from '../../store/triggers.ts'

/** So many of a list start runs at once; the others are new when it is looked at again. */
export const MOST_TAKEN = 1_000
/** Of those that are not in the list any more, so many are remembered: they may come back. */
const KEPT = 10_000
const ID_LENGTH = 16

/** As it is stored. Ids stand one after the other, each as long as the others. */
interface Memory {
  /** Of what: something else is looked at for the first time. */
  readonly of: string
  /** What came before this moment does not count, since the flow refused it. */
  readonly since: number
  readonly seen: string
  /** Those that start runs now: the first one with the mark after `after`, and so on. */
  readonly taking: string
  readonly after: number
}

export interface Look<T extends { readonly id: string }> {
  readonly of: string
  readonly since: number
  /** All that is there, each once. */
  readonly items: readonly T[]
  /** Whether what is there starts no runs where nothing is remembered. */
  readonly skipsFirst: boolean
  /** Whether what came since the last look does not count. */
  readonly skipsMissed: boolean
}

/** What comes of a look. */
interface Taking<T> {
  /** They start runs, in this order, each with the next mark. */
  readonly fresh: readonly T[]
  readonly after: number
  /** To be stored before the first of them is started; undefined where nothing has changed. */
  readonly keep: SeenByTrigger | undefined
}

/**
 * Which items are new. What is stored names them before they are started, and the mark tells how many of them were: so whoever goes on
 * after a kill knows which have had their run. A new list begins so far ahead that whoever still starts the runs of the last one,
 * because it has not noticed that its time is over, is behind the mark and starts none.
 */
export function takeItems<T extends { readonly id: string }>(known: SeenByTrigger, look: Look<T>): Taking<T> {
  const memory = memoryIn(known)
  const isFirst = memory?.of !== look.of
  const skips = isFirst ? look.skipsFirst : look.skipsMissed || memory.since !== look.since
  const before = isFirst ? [] : seenBy(memory, known.mark)
  const seen = new Set(before)
  const added = look.items.filter(({ id }) => !seen.has(id))
  if (!isFirst && !skips && added.length === 0) return { fresh: [], after: known.mark, keep: undefined }
  const fresh = skips ? [] : added.slice(0, MOST_TAKEN)
  const present = new Set(look.items.map(({ id }) => id))
  const gone = before.filter((id) => !present.has(id)).slice(-KEPT)
  const there = look.items.filter(({ id }) => skips || seen.has(id)).map(({ id }) => id)
  const after = known.mark + MOST_TAKEN
  const next: Memory = {
    of: look.of,
    since: look.since,
    seen: [...gone, ...there].join(''),
    taking: fresh.map(({ id }) => id).join(''),
    after
  }
  return { fresh, after, keep: { mark: after, seen: JSON.stringify(next) } }
}

/** A moment at which no flow began: what this was noted by counts from the next look. */
const FROM_NEXT_LOOK = -1

/** That what came since the last look does not count, for whoever looks next; undefined where nothing is remembered. */
export function passedOver(known: SeenByTrigger): SeenByTrigger | undefined {
  const memory = memoryIn(known)
  if (memory === undefined || memory.since === FROM_NEXT_LOOK) return undefined
  return { mark: known.mark, seen: JSON.stringify({ ...memory, since: FROM_NEXT_LOOK }) }
}

/** Whether this has been looked at since it counts, and all that was taken of it has had its run. */
export function isDone(known: SeenByTrigger, { of, since }: Pick<Memory, 'of' | 'since'>): boolean {
  const memory = memoryIn(known)
  return (
    memory?.of === of && memory.since === since && known.mark >= memory.after + idsIn(memory.taking).length
  )
}

function memoryIn({ seen }: SeenByTrigger): Memory | undefined {
  return seen === null ? undefined : (JSON.parse(seen) as Memory)
}

function seenBy({ seen, taking, after }: Memory, mark: number): string[] {
  return [...idsIn(seen), ...idsIn(taking).slice(0, Math.max(0, mark - after))]
}

function idsIn(text: string): string[] {
  return Array.from({ length: text.length / ID_LENGTH }, (_, at) =>
    text.slice(at * ID_LENGTH, (at + 1) * ID_LENGTH)
  )
}
