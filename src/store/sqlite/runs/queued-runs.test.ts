import assert from 'node:assert/strict'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { InternedNames } from '../file/interned-names.ts'
import { migrate, readMigrations } from '../file/migrate.ts'
import { OpenRuns } from './open-runs.ts'
import { prepareQueue } from './queued-runs.ts'
import { prepareSources } from './run-sources.ts'

function setUp() {
  const db = new DatabaseSync(':memory:')
  migrate(db, readMigrations(), 'memory')
  const flow = new InternedNames(db).numberOf('a')
  const insertRun = db.prepare(
    `INSERT INTO runs (seq, id, flow, flow_version, trigger, session, created_at, input)
     VALUES (?, ?, ${flow}, 1, 'webhook', 's', 0, x'3131')`
  )
  const insertEntry = db.prepare(`INSERT INTO journal (run_seq, flow, entry) VALUES (?, ${flow}, ?)`)
  const open = new OpenRuns(db)
  return {
    db,
    open,
    accept: (seq: number, entry?: string) => {
      insertRun.run(seq, `run-${seq}`)
      open.accepted(seq, 'a')
      if (entry !== undefined) insertEntry.run(seq, entry)
    }
  }
}

/** The same database; `rows` counts what its statements bring out of it. */
function counting(db: DatabaseSync) {
  const counted = { rows: 0 }
  const wrapped = {
    prepare: (sql: string) => {
      const statement = db.prepare(sql)
      const all = statement.all.bind(statement)
      statement.all = ((...values: Parameters<StatementSync['all']>) => {
        const rows = all(...values)
        counted.rows += rows.length
        return rows
      }) as StatementSync['all']
      return statement
    }
  }
  return { db: wrapped as unknown as DatabaseSync, counted }
}

describe('a page of queued runs', () => {
  it('is read with the journals of its runs, and with none of those in between', () => {
    const { db, open, accept } = setUp()
    for (let seq = 1; seq <= 1_000; seq++) accept(seq, `"${seq}"`)
    for (let seq = 2; seq <= 999; seq++) open.ended({ seq, flowId: 'a' })
    const { db: watched, counted } = counting(db)
    const queue = prepareQueue(watched, open)
    counted.rows = 0
    const { runs } = queue.queued('a', 0, { runs: 500, bytes: 1e6 })
    assert.deepEqual(
      runs.map(({ seq, journal, input }) => [seq, journal, input]),
      [
        [1, ['"1"'], '11'],
        [1_000, ['"1000"'], '11']
      ]
    )
    assert.ok(counted.rows <= 6, `${counted.rows} rows were read for two runs with one entry each`)
  })
})

describe('the list of open runs', () => {
  it('holds those that are parked too, each once and newest first, however many there are', () => {
    const { db, open, accept } = setUp()
    for (let seq = 1; seq <= 3_000; seq++) accept(seq)
    for (let seq = 1; seq <= 3_000; seq++) if (seq % 3 !== 0) open.parked({ seq, flowId: 'a' }, 99)
    const chunks = [...prepareSources(db, open)({ status: 'open', limit: 1 }, 2_990)]
    assert.deepEqual(
      chunks.flat(),
      Array.from({ length: 2_989 }, (_, index) => 2_989 - index)
    )
    assert.ok(chunks.every((chunk) => chunk.length <= 512))
  })
})

describe('runs that are due', () => {
  it('are given out only where they are parked, whatever their row says', () => {
    const { db, open, accept } = setUp()
    for (const seq of [1, 2]) accept(seq)
    open.parked({ seq: 2, flowId: 'a' }, 5)
    db.exec("INSERT INTO queue (seq, flow_id, state, due_at) VALUES (1, 'a', 'parked', 5)")
    const queue = prepareQueue(db, open)
    const page = queue.takeDue('a', 9, { runs: 10, bytes: 1e6 })
    assert.deepEqual([page.runs.map(({ seq }) => seq), page.isLast], [[2], true])
    assert.deepEqual(queue.takeDue('a', 9, { runs: 10, bytes: 1e6 }).runs, [])
    assert.deepEqual(open.queued('a', 0, 10), [1, 2])
  })
})
