import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/**
 * node:sqlite has come to what we use in Node 22.16. A package runs on the Node that is there, from 22.13 on: on those before
 * 22.16 a database gets what it lacks. To go when they do.
 */
export function onAnyNode(db: DatabaseSync): DatabaseSync {
  if (Reflect.has(db, 'isTransaction')) return db
  const prepare = db.prepare.bind(db)
  let isOpen = true
  const close = db.close.bind(db)
  return Object.defineProperties(db, {
    isOpen: { get: () => isOpen },
    isTransaction: { get: () => !succeeds(() => db.exec('BEGIN; ROLLBACK')) },
    close: {
      value: () => {
        close()
        isOpen = false
      }
    },
    // To be put in another's place, as in late-statements.ts.
    prepare: { value: (sql: string) => adapt(prepare(sql), sql), configurable: true }
  })
}

const READS = ['get', 'all', 'iterate'] as const

/** There `?1` is taken for a name, and rows do not come as arrays. */
function adapt(statement: StatementSync, sql: string): StatementSync {
  const numbers = new Set([...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)))
  const given = numbers.size === 0 ? (values: SQLInputValue[]) => values : byNumber(numbers)
  let asArrays = false
  const shown = (row: unknown) => (asArrays && row !== undefined ? Object.values(row as object) : row)
  const own = Object.fromEntries(
    [...READS, 'run' as const].map((name) => [name, (statement[name] as Use).bind(statement)])
  )
  return Object.assign(statement, {
    setReturnArrays: (isWanted: boolean) => {
      asArrays = isWanted
    },
    run: (...values: SQLInputValue[]) => own.run!(...given(values)),
    get: (...values: SQLInputValue[]) => shown(own.get!(...given(values))),
    all: (...values: SQLInputValue[]) => (own.all!(...given(values)) as unknown[]).map(shown),
    *iterate(...values: SQLInputValue[]) {
      for (const row of own.iterate!(...given(values)) as Iterable<unknown>) yield shown(row)
    }
  })
}

type Use = (...values: unknown[]) => unknown

/** A number that the statement does not use is refused there. */
function byNumber(numbers: ReadonlySet<number>) {
  return (values: SQLInputValue[]): unknown[] => {
    const named = values.map((value, index) => [index + 1, value] as const)
    const used = named.filter(([number]) => numbers.has(number))
    return [Object.fromEntries(used.map(([number, value]) => [`?${number}`, value]))]
  }
}

/** Opens a database that is there; SQLite by itself would make one where none is any more. */
export function openExisting(path: string): DatabaseSync {
  const address = pathToFileURL(path)
  address.searchParams.set('mode', 'rw')
  try {
    return new DatabaseSync(address)
  } catch (error) {
    if (!(error instanceof TypeError) || !existsSync(path)) throw error
    return new DatabaseSync(path)
  }
}

function succeeds(body: () => unknown): boolean {
  try {
    body()
    return true
  } catch {
    return false
  }
}
