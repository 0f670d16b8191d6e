import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/** Bytes that are none, in memory that is there: these are never taken for nothing. */
const NO_BYTES = new Uint8Array(1).subarray(1)

const USES = ['run', 'get', 'all', 'iterate'] as const

/**
 * All of Node 22 stores bytes that are none as NULL, once anybody has looked at the memory that they lie in: a webhook without a body could
 * not be stored. There such bytes are replaced by others that are none. To go when Node 22 does.
 */
export function keepingEmptyBytes(db: DatabaseSync, trial = new DatabaseSync(':memory:')): DatabaseSync {
  const keeps = keepsEmptyBytes(trial)
  trial.close()
  if (keeps) return db
  const prepare = db.prepare.bind(db)
  return Object.defineProperty(db, 'prepare', {
    value: (sql: string) => withNoBytes(prepare(sql)),
    // To be put in another's place, as in late-statements.ts.
    configurable: true
  })
}

function keepsEmptyBytes(db: DatabaseSync): boolean {
  const empty = new Uint8Array()
  // To look at it is what brings it about.
  Reflect.get(empty, 'buffer')
  return Object(db.prepare('SELECT ? IS NULL AS lost').get(empty)).lost === 0
}

function withNoBytes(statement: StatementSync): StatementSync {
  const own = USES.map((name) => {
    const use = (statement[name] as (...values: unknown[]) => unknown).bind(statement)
    return [name, (...values: SQLInputValue[]) => use(...values.map(withMemory))]
  })
  return Object.assign(statement, Object.fromEntries(own))
}

function withMemory(value: SQLInputValue): SQLInputValue {
  return value instanceof Uint8Array && value.length === 0 ? NO_BYTES : value
}
