import { depthOf, isWithin } from '../contexts/context-path.ts'
import type { Connection } from './connection.ts'

type Named = Pick<Connection, 'name' | 'kind' | 'context'>

/** A connection that flows of a context mean by its name. */
export interface SeenConnection<C extends Named = Named> {
  readonly connection: C
  /** Those of the same name above it, which it hides; nearest first. */
  readonly hides: readonly C[]
}

/** What flows in a context can name, by name. The nearest context decides, as for everything in the tree. */
export function seenFrom<C extends Named>(context: string, all: readonly C[]): SeenConnection<C>[] {
  const nearestFirst = all
    .filter((connection) => isWithin(context, connection.context))
    .sort((a, b) => depthOf(b.context) - depthOf(a.context))
  const byName = Map.groupBy(nearestFirst, ({ name }) => name)
  return [...byName.values()]
    .map(([connection, ...hides]) => ({ connection: connection!, hides }))
    .sort((a, b) => (a.connection.name < b.connection.name ? -1 : 1))
}
