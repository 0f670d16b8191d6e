import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { BatchMember } from './group-commit.ts'

/** Past this the memory is emptied, and the table tells again. */
const maxRemembered = 10_000

/** The id of the flow that a row belongs to, as a column. */
export const flowIdOf = (row: string) => `(SELECT name FROM names WHERE names.no = ${row}.flow) AS flow_id`
/** What a row's number is compared with where one name is asked for, such as the id of a flow, and where several are, as JSON. */
export const numberOfName = (parameter: string) => `(SELECT no FROM names WHERE name = ${parameter})`
export const numbersOfNames = (parameter: string) =>
  `(SELECT no FROM names WHERE name IN (SELECT value FROM json_each(${parameter})))`

/**
 * Numbers for what comes again with every run: ids of flows, and lists of nodes. Rows have the number, which is a
 * byte or two instead of 36, in every table and index.
 */
export class InternedNames implements BatchMember {
  readonly #find: StatementSync
  readonly #add: StatementSync
  readonly #numbers = new Map<string, number>()
  /** In the batch that is being written: gone with it when it is rolled back. */
  #added: string[] = []

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('SELECT no FROM names WHERE name = ?')
    this.#add = db.prepare('INSERT INTO names (name) VALUES (?)')
  }

  /** To be called inside a batch: a name that is new is written with it. */
  numberOf(name: string): number {
    return this.#numbers.get(name) ?? this.#lookUp(name)
  }

  snapshot(): () => void {
    const length = this.#added.length
    return () => {
      for (const name of this.#added.splice(length)) this.#numbers.delete(name)
    }
  }

  /** They are in the table already. */
  save(): void {}

  committed(): void {
    this.#added = []
  }

  #lookUp(name: string): number {
    const found = this.#find.get(name) as { no: number } | undefined
    const no = found?.no ?? Number(this.#add.run(name).lastInsertRowid)
    if (found === undefined) this.#added.push(name)
    if (this.#numbers.size >= maxRemembered) this.#numbers.clear()
    this.#numbers.set(name, no)
    return no
  }
}
