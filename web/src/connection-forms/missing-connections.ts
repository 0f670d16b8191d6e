import type { UseState } from '../../../src/flows/validate/connection-uses.ts'

/** A place that names a connection which is not there, or is of another kind. */
export interface Trouble {
  readonly node: string
  /** What is looked up. */
  readonly name: string
  readonly kinds: readonly string[]
  readonly state: UseState
}

/** A name that nodes of one flow miss. */
export interface MissingConnection {
  readonly name: string
  readonly nodes: readonly string[]
  /** The kinds that fit all of them; those of the first one where none does. */
  readonly kinds: readonly string[]
  /** There is one of this name, and it is of a kind that does not fit. */
  readonly isWrongKind: boolean
}

export function missingConnections(troubles: readonly Trouble[]): MissingConnection[] {
  const byName = Map.groupBy(
    troubles.filter(({ state }) => state !== 'found'),
    ({ name }) => name
  )
  return [...byName].map(([name, places]) => {
    const [first, ...others] = places
    const common = first!.kinds.filter((kind) => others.every(({ kinds }) => kinds.includes(kind)))
    return {
      name,
      nodes: [...new Set(places.map(({ node }) => node))],
      kinds: common.length === 0 ? first!.kinds : common,
      isWrongKind: places.every(({ state }) => state === 'wrong_kind')
    }
  })
}
