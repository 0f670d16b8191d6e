import { diffArrays } from 'diff/lib/diff/array.js'

/** A stretch of two lists that is in both, or only in one. */
interface Stretch<T> {
  readonly kind: 'same' | 'removed' | 'added'
  readonly items: readonly T[]
}

/** Beyond so many differences nobody reads what stayed in between, and to find it would take seconds. */
const MAX_DIFFERENCES = 1000

/** The shortest way from one list to another. Within a change, what was removed comes first. */
export function diffLists<T>(before: readonly T[], after: readonly T[]): Stretch<T>[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const stretches: Stretch<T>[] = [
    { kind: 'same', items: before.slice(0, start) },
    ...diffMiddle(old, fresh),
    { kind: 'same', items: before.slice(before.length - end) }
  ]
  return stretches.filter(({ items }) => items.length > 0)
}

function diffMiddle<T>(before: T[], after: T[]): Stretch<T>[] {
  const parts = diffArrays(before, after, { maxEditLength: MAX_DIFFERENCES })
  if (parts === undefined)
    return [
      { kind: 'removed', items: before },
      { kind: 'added', items: after }
    ]
  return parts.map(({ added, removed, value }) => ({
    kind: removed ? 'removed' : added ? 'added' : 'same',
    items: value
  }))
}
