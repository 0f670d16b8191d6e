import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/**
 * Has the database prepare each statement when it is first used. A store has 290 of them; a service that has started and
 * run a flow has used 50. To open a store took 14 ms of a processor with all of them prepared, and takes 6 so.
 */
export function preparingLate(db: DatabaseSync): DatabaseSync {
  const prepare = db.prepare.bind(db)
  return Object.defineProperty(db, 'prepare', {
    value: (sql: string) => new LateStatement(() => prepare(sql))
  })
}

type Use<Name extends 'run' | 'get' | 'all' | 'iterate'> = ReturnType<StatementSync[Name]>

/** Once it is prepared, its methods are those of the statement itself: to pass values on would make each use slower. */
class LateStatement {
  readonly #prepare: () => StatementSync
  #statement: StatementSync | undefined
  #asArrays = false

  constructor(prepare: () => StatementSync) {
    this.#prepare = prepare
  }

  run(...values: SQLInputValue[]): Use<'run'> {
    return this.#prepared().run(...values)
  }

  get(...values: SQLInputValue[]): Use<'get'> {
    return this.#prepared().get(...values)
  }

  all(...values: SQLInputValue[]): Use<'all'> {
    return this.#prepared().all(...values)
  }

  iterate(...values: SQLInputValue[]): Use<'iterate'> {
    return this.#prepared().iterate(...values)
  }

  setReturnArrays(isWanted: boolean): void {
    this.#asArrays = isWanted
    this.#statement?.setReturnArrays(isWanted)
  }

  #prepared(): StatementSync {
    if (this.#statement !== undefined) return this.#statement
    const statement = this.#prepare()
    if (this.#asArrays) statement.setReturnArrays(true)
    this.run = statement.run.bind(statement)
    this.get = statement.get.bind(statement)
    this.all = statement.all.bind(statement)
    this.iterate = statement.iterate.bind(statement)
    this.#statement = statement
    return statement
  }
}
