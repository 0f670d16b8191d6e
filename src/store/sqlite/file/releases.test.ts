import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { NEVER } from '../../waits.ts'
import { awaitedBy } from '../runs/queue-rows.ts'
import type { GroupCommit } from './group-commit.ts'
import { migrate, readMigrations } from './migrate.ts'
import { prepareReleases } from './releases.ts'

test('what a store that cannot be written has left of a release goes on with the next one', async () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, readMigrations(), 'memory')
  const add = db.prepare(
    "INSERT INTO queue (seq, flow_id, state, due_at, awaited_by, root_seq, depth) VALUES (?, 'a', 'parked', ?, ?, 1, 1)"
  )
  for (let seq = 1; seq <= 1_200; seq++) add.run(seq, NEVER, 5)
  let isWritable = false
  const write = async (op: () => unknown) => {
    if (!isWritable) throw new Error('disk full')
    return op()
  }
  const releases = prepareReleases(db, { write } as Pick<GroupCommit, 'write'>)
  const parked = () => db.prepare(`SELECT count(*) AS runs FROM queue WHERE due_at = ${NEVER}`).get()?.runs
  await releases.begin(awaitedBy(5), 1)
  assert.equal(parked(), 700)
  isWritable = true
  await releases.begin(awaitedBy(6), 1)
  assert.equal(parked(), 0)
})
