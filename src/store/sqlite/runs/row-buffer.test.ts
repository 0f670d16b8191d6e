import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { acceptMany, sampleRun } from '../../contract/subject.test-kit.ts'
import { openFor } from '../sqlite-subject.test-kit.ts'
import { RowBuffer } from './row-buffer.ts'

function setUp() {
  const db = new DatabaseSync(':memory:')
  db.exec('CREATE TABLE words (no INTEGER NOT NULL, word TEXT NOT NULL)')
  const rows = () =>
    db
      .prepare('SELECT no, word FROM words ORDER BY rowid')
      .all()
      .map(({ no, word }) => [no, word])
  return { buffer: new RowBuffer(db, 'words', ['no', 'word']), rows }
}

test('rows are inserted in their order, however many there are', () => {
  const { buffer, rows } = setUp()
  const expected = Array.from({ length: 53 }, (_, no) => [no, `word ${no}`] as const)
  for (const [no, word] of expected.slice(0, 3)) buffer.add([no, word])
  buffer.save()
  for (const [no, word] of expected.slice(3)) buffer.add([no, word])
  buffer.save()
  buffer.save()
  assert.deepEqual(rows(), expected)
})

test('what is rolled back does not come with the next batch', () => {
  const { buffer, rows } = setUp()
  const restore = buffer.snapshot()
  buffer.add([1, 'lost'])
  restore()
  buffer.add([2, 'kept'])
  buffer.save()
  assert.deepEqual(rows(), [[2, 'kept']])
})

test('one run with an id that exists is refused alone, wherever it stands in its batch', async (t) => {
  const { store } = await openFor(t)
  const [known] = await acceptMany(store, 1)
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      store.runs.accept(index === 20 ? sampleRun({ id: known!.id }) : sampleRun({ id: `run-${index}` }))
    )
  )
  assert.deepEqual(
    results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : [])),
    [20]
  )
  const { runs } = await store.runs.list({ limit: 100 })
  assert.equal(runs.length, 40)
})
