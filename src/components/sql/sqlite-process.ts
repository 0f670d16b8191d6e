import { constants, DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import {
  MORE,
  type SqliteAnswer,
  type SqliteRequest,
  type SqliteRows,
  type SqliteStart,
  type SqliteValue
} from './sqlite-messages.ts'

/**
 * A process of its own that holds one SQLite database, started by sqlite-database.ts. SQLite computes without a pause,
 * and Node can neither interrupt it nor end a thread that is inside of it: a process can be ended at any moment, and the
 * next one that opens the file finds what was committed.
 */

/** How long a writer waits for another one, of this machine or another process. */
const BUSY_MS = 5_000

const DENIED: readonly number[] = [constants.SQLITE_ATTACH, constants.SQLITE_DETACH, constants.SQLITE_PRAGMA]
/** They tell what tables there are, and change nothing. */
const PRAGMAS: readonly (string | null)[] = [
  'table_info',
  'table_xinfo',
  'table_list',
  'index_list',
  'index_info'
]

/** What a value or a name takes besides its characters. */
const AROUND = 4

/** Rows of so many bytes go with one message, and one row at least. */
const MESSAGE_BYTES = 64 * 1024

const start = JSON.parse(process.argv[2]!) as SqliteStart
let database: DatabaseSync | undefined
/** Whether the handle refuses what would stay on it. */
let canDeny = false

function open(): DatabaseSync {
  if (!('setReturnArrays' in StatementSync.prototype))
    throw new Error(
      `Node ${process.versions.node} is too old for SQLite in flows. Install Node 22.16 or newer`
    )
  const { file, isReadOnly } = start
  const opened = new DatabaseSync(file, { readOnly: isReadOnly, defensive: true })
  opened.exec(`pragma busy_timeout = ${BUSY_MS}`)
  // Before Node 24.10 there is none, and the check of the statement is all there is: see read-statement.ts.
  const { setAuthorizer } = opened as Partial<DatabaseSync>
  setAuthorizer?.call(opened, (action, name, _, schema) =>
    isDenied(action, name, schema) ? constants.SQLITE_DENY : constants.SQLITE_OK
  )
  canDeny = setAuthorizer !== undefined
  return opened
}

function isDenied(action: number, name: string | null, schema: string | null): boolean {
  if (action === constants.SQLITE_PRAGMA) return !PRAGMAS.includes(name)
  // What is temporary, which begins with its row in a table of names, would stand before the tables of the next step.
  const isTemporary = action === constants.SQLITE_INSERT && schema === 'temp'
  return isTemporary || DENIED.includes(action)
}

/** What a statement leaves on its handle, be it only the number of the row that it inserted, is nothing to the next one. */
function renew(): void {
  const used = database
  try {
    // Before the other is closed: the last one that closes a file moves its journal into it, which takes long.
    database = used && open()
  } catch {
    // The next statement is told.
    database = undefined
  }
  used?.close()
}

function answer(request: SqliteRequest): SqliteAnswer {
  try {
    database ??= open()
    return inTransaction(database, request)
  } catch (error) {
    const { errcode = 1, message = String(error) } = error as { errcode?: number; message?: string }
    return { kind: 'error', errcode, message }
  }
}

function inTransaction(opened: DatabaseSync, request: SqliteRequest): SqliteAnswer {
  opened.exec('begin')
  try {
    const result = run(opened.prepare(request.text), request)
    opened.exec(result.kind === 'result' ? 'commit' : 'rollback')
    return result
  } finally {
    if (opened.isTransaction) opened.exec('rollback')
  }
}

function run(statement: StatementSync, request: SqliteRequest): SqliteAnswer {
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const columns = statement.columns().map(({ name }) => name)
  const values = request.values as SQLInputValue[]
  if (columns.length > 0) return readRows(statement, columns, request)
  const { changes } = statement.run(...values)
  return { kind: 'result', columns, first: NO_ROWS, count: Number(changes) }
}

function readRows(
  statement: StatementSync,
  columns: readonly string[],
  { values, maxRows, maxBytes }: SqliteRequest
): SqliteAnswer {
  const pieces: SqliteValue[][][] = []
  const named = columns.reduce((sum, { length }) => sum + length + AROUND, 0)
  let bytes = 0
  let count = 0
  let room = 0
  for (const row of statement.iterate(...(values as SQLInputValue[])) as Iterable<unknown>) {
    const read = row as SqliteValue[]
    const size = read.reduce<number>((sum, value) => sum + lengthOf(value) + AROUND, named)
    bytes += size
    if (count >= maxRows) return { kind: 'too-much', of: 'rows' }
    if (bytes > maxBytes) return { kind: 'too-much', of: 'bytes' }
    if (room <= 0) {
      pieces.push([])
      room = MESSAGE_BYTES
    }
    pieces.at(-1)!.push(read)
    room -= size
    count++
  }
  unsent = pieces.reverse()
  return { kind: 'result', columns, first: nextRows(), count }
}

const NO_ROWS: SqliteRows = { rows: [], isLast: true }

/** What is left of the last answer, the next piece at the end. */
let unsent: SqliteValue[][][] = []

function nextRows(): SqliteRows {
  const rows = unsent.pop() ?? []
  return { rows, isLast: unsent.length === 0 }
}

function lengthOf(value: SqliteValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
}

// A service that is killed tells nobody, and a statement would go on for as long as it takes.
const watch = `const { workerData } = require('node:worker_threads')
setInterval(() => { if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL') }, 1000)`
new Worker(watch, { eval: true, workerData: start.parent })

// Ctrl-C reaches all processes of a terminal; the service decides what it means.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (request: SqliteRequest | typeof MORE) => {
  if (request === MORE) return void process.send!(nextRows())
  // Nobody asked for the rest of the answer before.
  unsent = []
  process.send!(answer(request))
  if (request.mayWrite || !canDeny) renew()
})
