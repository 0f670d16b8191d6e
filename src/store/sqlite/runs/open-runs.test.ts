import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { InternedNames } from '../file/interned-names.ts'
import { migrate, readMigrations } from '../file/migrate.ts'
import { OpenRuns } from './open-runs.ts'

function setUp() {
  const db = new DatabaseSync(':memory:')
  migrate(db, readMigrations(), 'memory')
  const insertRun = db.prepare(
    `INSERT INTO runs (seq, id, flow, flow_version, trigger, session, created_at, input)
     VALUES (?, ?, ?, 1, 'webhook', 's', 0, x'00')`
  )
  const insertOutcome = db.prepare(
    `INSERT INTO outcomes (seq, no, flow, status, finished_at, nodes, steps)
     VALUES (?, ?, ?, 'succeeded', 0, ?, '[]')`
  )
  const names = new InternedNames(db)
  const open = new OpenRuns(db)
  const accept = (seq: number, flowId = 'a') => {
    insertRun.run(seq, `run-${seq}`, names.numberOf(flowId))
    open.accepted(seq, flowId)
  }
  const end = (seq: number, flowId = 'a') => {
    if (open.ended({ seq, flowId }))
      insertOutcome.run(seq, 1_000 + seq, names.numberOf(flowId), names.numberOf('[]'))
  }
  const commit = () => {
    open.save()
    open.committed()
  }
  const rowsAside = () =>
    db
      .prepare('SELECT seq FROM queue ORDER BY seq')
      .all()
      .map((row) => row.seq)
  return { db, open, accept, end, commit, rowsAside, reopened: () => new OpenRuns(db) }
}

describe('the open runs', () => {
  it('wait by flow, in the order of acceptance, page after page', () => {
    const { open, accept } = setUp()
    for (let seq = 1; seq <= 10; seq++) accept(seq, seq % 2 === 0 ? 'even' : 'odd')
    assert.deepEqual(open.queued('odd', 0, 2), [1, 3])
    assert.deepEqual(open.queued('odd', 3, 2), [5, 7])
    assert.deepEqual(open.queued('odd', 7, 9), [9])
    accept(11, 'odd')
    assert.deepEqual(open.queued('odd', 9, 9), [11])
    assert.deepEqual(open.queued('odd', 0, 9), [1, 3, 5, 7, 9, 11])
    assert.deepEqual(open.counts(), new Map(Object.entries({ odd: 6, even: 5 })))
  })

  it('end once, and only as a run of their own flow', () => {
    const { open, accept } = setUp()
    accept(1)
    assert.equal(open.ended({ seq: 1, flowId: 'b' }), undefined)
    assert.equal(open.ended({ seq: 1, flowId: 'a' }), 'fresh')
    assert.equal(open.ended({ seq: 1, flowId: 'a' }), undefined)
  })

  it('are found again by the next start, without a row for each', () => {
    const { open, accept, end, commit, rowsAside, reopened } = setUp()
    for (let seq = 1; seq <= 6; seq++) accept(seq)
    end(1)
    end(3)
    open.parked({ seq: 5, flowId: 'a' }, 99)
    commit()
    assert.deepEqual(rowsAside(), [5])
    const next = reopened()
    assert.deepEqual(next.queued('a', 0, 9), [2, 4, 6])
    assert.deepEqual([next.counts(), next.count], [new Map([['a', 3]]), 3])
    assert.deepEqual(next.below(6), [4, 2])
    assert.deepEqual([next.has({ seq: 5, flowId: 'a' }), next.has({ seq: 5, flowId: 'b' })], [true, false])
  })

  it('come back in their order when their wait is over, or when they are opened again', () => {
    const { open, accept, end, commit, reopened } = setUp()
    for (let seq = 1; seq <= 4; seq++) accept(seq)
    open.parked({ seq: 2, flowId: 'a' }, 99)
    end(1)
    commit()
    assert.deepEqual(open.queued('a', 0, 9), [3, 4])
    open.unparked({ seq: 2, flowId: 'a' })
    open.reopened({ seq: 1, flowId: 'a' })
    commit()
    assert.deepEqual(open.queued('a', 0, 9), [1, 2, 3, 4])
    assert.deepEqual(reopened().counts(), new Map([['a', 4]]))
  })

  it('are what they were before a batch that is taken back', () => {
    const { open, accept, commit } = setUp()
    for (let seq = 1; seq <= 4; seq++) accept(seq)
    open.parked({ seq: 2, flowId: 'a' }, 99)
    commit()
    const state = () => [open.counts(), open.count, open.queued('a', 0, 9), open.below(99)]
    const before = state()
    const restore = open.snapshot()
    open.accepted(5, 'a')
    open.ended({ seq: 1, flowId: 'a' })
    open.ended({ seq: 2, flowId: 'a' })
    open.parked({ seq: 3, flowId: 'a' }, 7)
    open.unparked({ seq: 3, flowId: 'a' })
    open.reopened({ seq: 1, flowId: 'a' })
    open.save()
    restore()
    assert.deepEqual(state(), before)
  })

  it('are not in memory while they are parked, and may end from there', () => {
    const { open, accept, commit, rowsAside } = setUp()
    for (let seq = 1; seq <= 3; seq++) accept(seq)
    open.parked({ seq: 1, flowId: 'a' }, 99)
    open.parked({ seq: 2, flowId: 'a' }, 99)
    commit()
    assert.deepEqual([open.count, open.below(99)], [1, [3]])
    const row = { state: 'parked', awaitedBy: null, detachedFrom: null, rootSeq: null, depth: null }
    assert.deepEqual({ ...(open.ended({ seq: 1, flowId: 'a' }) as object) }, row)
    open.unparked({ seq: 2, flowId: 'a' })
    commit()
    assert.deepEqual([open.count, open.queued('a', 0, 9), rowsAside()], [2, [2, 3], [2]])
  })

  it('get a row of their own when a million numbers have passed them, so that no start looks so far back', () => {
    const { accept, end, commit, rowsAside, db } = setUp()
    accept(1)
    accept(1_000_001)
    commit()
    assert.deepEqual(rowsAside(), [1])
    const mark = () => db.prepare("SELECT value FROM meta WHERE name = 'open_from'").get()?.value
    assert.equal(mark(), 1_000_001)
    end(1)
    end(1_000_001)
    commit()
    assert.deepEqual([rowsAside(), mark()], [[], 1_000_002])
  })
})

describe('a row of the queue', () => {
  it('says of its state what belongs to it, and nothing else', () => {
    const { db } = setUp()
    const columns = 'state, due_at, is_waiting, begins_paused, awaited_by, detached_from, root_seq, depth'
    const insert = db.prepare(`INSERT INTO queue (flow_id, ${columns}) VALUES ('a', ?, ?, ?, ?, ?, ?, ?, ?)`)
    const child = [5, null, 1, 1] as const
    const alone = [null, null, null, null] as const
    const sound = [
      ['queued', null, null, null, ...alone],
      ['queued', null, null, null, null, 5, 1, 1],
      ['parked', 7, null, null, ...alone],
      ['parked', 7, 1, null, ...child],
      ['paused', null, null, null, ...child],
      ['in line', null, null, 0, ...child]
    ] as const
    const unsound = [
      ['held', null, null, null, ...alone],
      ['queued', 7, null, null, ...alone],
      ['queued', null, 1, null, ...alone],
      ['parked', null, null, null, ...alone],
      ['parked', 7, null, 1, ...child],
      ['paused', 7, null, null, ...alone],
      ['in line', null, null, null, ...child],
      ['in line', 7, null, 1, ...child],
      ['in line', null, null, 1, ...alone],
      ['in line', null, null, 1, null, 5, 1, 1],
      ['queued', null, null, null, 5, 5, 1, 1],
      ['queued', null, null, null, 5, null, null, null],
      ['queued', null, null, null, null, null, 1, 1]
    ] as const
    for (const row of sound) insert.run(...row)
    for (const row of unsound) assert.throws(() => insert.run(...row), /CHECK constraint/, row.join())
  })
})
