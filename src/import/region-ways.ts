import { codeReference, keyOfOutput } from './references.ts'

/** Where what leaves a region goes on. */
export interface RegionWays {
  readonly ways: readonly Way[]
  /** By where it leads, the place of its way. */
  readonly placeOf: ReadonlyMap<string, number>
}

export interface Way {
  readonly to: readonly string[]
  readonly begins: readonly { readonly from: string; readonly output: string }[]
}

/** Of one item, what left by each way; the first of its ends that gave something. */
export function waysCode(ways: readonly Way[]): string {
  const lists = ways.map(
    ({ begins }) =>
      `[${begins.map(({ from, output }) => codeReference(keyOfOutput(from, output))).join(', ')}]`
  )
  return `return [${lists.join(', ')}].map((ends) => ends.find((end) => end !== undefined && end !== null) ?? null)`
}

/** `ends`: by where it leads, all that leads there. */
type Begins = Way['begins']

export function waysOf(ends: ReadonlyMap<string, Begins>): RegionWays {
  const byBegins = Map.groupBy(ends, ([, begins]) => JSON.stringify(begins))
  const groups = byBegins.size > MOST_WAYS ? [[...ends]] : [...byBegins.values()]
  const placeOf = new Map<string, number>()
  const ways = groups.map((same, place) => {
    for (const [end] of same) placeOf.set(end, place)
    return { to: same.map(([end]) => end.slice(end.indexOf(' ') + 1)), begins: same[0]![1] }
  })
  return { ways, placeOf }
}

const MOST_WAYS = 50
