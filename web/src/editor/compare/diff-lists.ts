/** A stretch of two lists that is in both, or only in one. */
interface Stretch<T> {
  readonly kind: 'same' | 'removed' | 'added'
  readonly items: readonly T[]
}

/** Beyond so many differences nobody reads what stayed in between, and to find it would take seconds. */
const MAX_DIFFERENCES = 1000

/** The shortest way from one list to another (Myers). Within a change, what was removed comes first. */
export function diffLists<T>(before: readonly T[], after: readonly T[]): Stretch<T>[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  return joined([
    ...marked('same', before.slice(0, start)),
    ...diffMiddle(old, fresh),
    ...marked('same', before.slice(before.length - end))
  ])
}

type Marked<T> = readonly [kind: Stretch<T>['kind'], item: T]

function marked<T>(kind: Stretch<T>['kind'], items: readonly T[]): Marked<T>[] {
  return items.map((item) => [kind, item] as const)
}

function diffMiddle<T>(before: readonly T[], after: readonly T[]): Marked<T>[] {
  const trace = before.length === 0 || after.length === 0 ? undefined : findWay(before, after)
  if (trace === undefined) return [...marked('removed', before), ...marked('added', after)]
  return walkBack(before, after, trace)
}

/**
 * For each number of differences, how far one gets on each diagonal k = x - y. The rows are kept: the way is found by
 * walking them back.
 */
function findWay<T>(before: readonly T[], after: readonly T[]): Map<number, number>[] | undefined {
  const trace: Map<number, number>[] = []
  let row = new Map<number, number>([[1, 0]])
  const most = Math.min(before.length + after.length, MAX_DIFFERENCES)
  for (let differences = 0; differences <= most; differences++) {
    trace.push(row)
    const next = new Map(row)
    for (let k = -differences; k <= differences; k += 2) {
      let x = isDown(row, k, differences) ? row.get(k + 1)! : row.get(k - 1)! + 1
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++
      next.set(k, x)
      if (x >= before.length && x - k >= after.length) return trace
    }
    row = next
  }
  return undefined
}

/** Whether the way onto diagonal k comes by adding an item rather than removing one. */
function isDown(row: ReadonlyMap<number, number>, k: number, differences: number): boolean {
  if (k === -differences) return true
  return k !== differences && (row.get(k - 1) ?? -1) < (row.get(k + 1) ?? -1)
}

function walkBack<T>(
  before: readonly T[],
  after: readonly T[],
  trace: readonly Map<number, number>[]
): Marked<T>[] {
  const way: Marked<T>[] = []
  let [x, y] = [before.length, after.length]
  for (let differences = trace.length - 1; differences >= 0; differences--) {
    const row = trace[differences]!
    const k = x - y
    const from = isDown(row, k, differences) ? k + 1 : k - 1
    const startX = differences === 0 ? 0 : row.get(from)!
    const startY = differences === 0 ? 0 : startX - from
    while (x > startX && y > startY) {
      way.push(['same', before[--x]!])
      y--
    }
    if (differences === 0) break
    if (y > startY) way.push(['added', after[--y]!])
    else way.push(['removed', before[--x]!])
  }
  return way.reverse()
}

function joined<T>(marks: readonly Marked<T>[]): Stretch<T>[] {
  const stretches: { kind: Stretch<T>['kind']; items: T[] }[] = []
  for (const [kind, item] of removedFirst(marks)) {
    const last = stretches.at(-1)
    if (last?.kind === kind) last.items.push(item)
    else stretches.push({ kind, items: [item] })
  }
  return stretches
}

function removedFirst<T>(marks: readonly Marked<T>[]): Marked<T>[] {
  const sorted: Marked<T>[] = []
  let added: Marked<T>[] = []
  for (const mark of marks) {
    if (mark[0] === 'added') added.push(mark)
    else if (mark[0] === 'removed') sorted.push(mark)
    else {
      sorted.push(...added, mark)
      added = []
    }
  }
  return [...sorted, ...added]
}
