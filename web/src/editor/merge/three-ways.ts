import { equalJson } from '../graph/equal-json.ts'

/** What both began with, and what has become of it on each side. Undefined is absent. */
export interface Three<T> {
  readonly base: T
  readonly mine: T
  readonly theirs: T
}

/** What only one side changed is that side's; where both did the same, or nothing, there is nothing to decide. */
export function settle<T>(three: Three<T>): { readonly value: T } | undefined {
  const { base, mine, theirs } = three
  if (equalJson(mine, theirs)) return { value: theirs }
  if (equalJson(mine, base)) return { value: theirs }
  if (equalJson(theirs, base)) return { value: mine }
  return undefined
}

export function isChanged<T>(side: T, base: T): boolean {
  return !equalJson(side, base)
}

/** Merges key by key. The order is theirs, then what only mine has: theirs is what the service keeps. */
export function mergeMaps<T>(
  maps: Three<ReadonlyMap<string, T>>,
  mergeValue: (key: string, three: Three<T | undefined>) => T | undefined
): Map<string, T> {
  const merged = new Map<string, T>()
  for (const key of new Set([...maps.theirs.keys(), ...maps.mine.keys()])) {
    const three = { base: maps.base.get(key), mine: maps.mine.get(key), theirs: maps.theirs.get(key) }
    const value = mergeValue(key, three)
    if (value !== undefined) merged.set(key, value)
  }
  return merged
}

export function mapThree<T, U>({ base, mine, theirs }: Three<T>, by: (value: T) => U): Three<U> {
  return { base: by(base), mine: by(mine), theirs: by(theirs) }
}

/** Merges two objects member by member. */
export function mergeMembers<T extends object>(
  three: Three<T | undefined>,
  mergeMember: (name: string, three: Three<unknown>) => unknown
): T {
  const members = mapThree(three, (part) => new Map<string, unknown>(Object.entries(part ?? {})))
  return Object.fromEntries(mergeMaps(members, mergeMember)) as T
}
