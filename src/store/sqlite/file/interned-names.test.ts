import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { cleanUp } from '../../../../test/support/clean-up.ts'
import { temporaryFolder } from '../../../../test/support/service.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { InternedNames } from './interned-names.ts'
import { migrate, readMigrations } from './migrate.ts'

function setUp() {
  const db = new DatabaseSync(':memory:')
  migrate(db, readMigrations(), 'memory')
  const known = () =>
    db
      .prepare('SELECT name FROM names ORDER BY no')
      .all()
      .map((row) => row.name)
  return { db, names: new InternedNames(db), known }
}

describe('names', () => {
  it('have one number each, which stays', () => {
    const { db, names, known } = setUp()
    const [a, b] = [names.numberOf('a'), names.numberOf('b')]
    assert.notEqual(a, b)
    assert.equal(names.numberOf('a'), a)
    assert.equal(new InternedNames(db).numberOf('b'), b)
    assert.deepEqual(known(), ['a', 'b'])
  })

  it('go with the batch that they came with', () => {
    const { db, names, known } = setUp()
    names.numberOf('before')
    names.committed()
    const restore = names.snapshot()
    db.exec('BEGIN')
    names.numberOf('lost')
    db.exec('ROLLBACK')
    restore()
    assert.deepEqual(known(), ['before'])
    names.numberOf('lost')
    assert.deepEqual(known(), ['before', 'lost'])
  })
})

describe('a store from before names', () => {
  it('keeps its runs, journals, outcomes and messages', async (t) => {
    const folder = await temporaryFolder(t)
    const db = new DatabaseSync(join(folder, 'millrace.db'))
    migrate(db, readMigrations().slice(0, 4), folder)
    db.exec(`
      INSERT INTO runs (seq, id, flow_id, flow_version, trigger, session, created_at, request, input) VALUES
        (1, 'run-1', 'flow-a', 1, 'webhook', 's', 5, NULL, x'7b7d'),
        (2, 'run-2', 'flow-b', 3, 'webhook', 's', 6, '[]', x'00ff');
      INSERT INTO journal (no, run_seq, flow_id, entry) VALUES (3, 2, 'flow-b', '"begun"');
      INSERT INTO outcomes (seq, no, flow_id, status, started_at, finished_at, nodes, steps) VALUES
        (1, 4, 'flow-a', 'succeeded', 5, 7, '["parser-1"]', '["s"]');
      INSERT INTO messages (no, run_seq, flow_id, session, created_at, id, sender, text) VALUES
        (1, 1, 'flow-a', 's', 7, 'message-1', 'Machine', 'hello');
      INSERT INTO stretches VALUES (0, 5, 6);
      UPDATE meta SET value = 4 WHERE name = 'last_number';
      UPDATE meta SET value = 1 WHERE name IN ('ended_runs', 'open_from')`)
    db.close()
    const store = await openSqliteStore({ folder })
    cleanUp(t, () => store.close())
    const { runs } = await store.runs.list({ flowIds: ['flow-a'], limit: 10 })
    assert.deepEqual(
      runs.map(({ id, flowId, outcome }) => [id, flowId, outcome?.status]),
      [['run-1', 'flow-a', 'succeeded']]
    )
    const open = await store.runs.get('run-2')
    assert.deepEqual([open?.flowId, open?.journal, open?.outcome], ['flow-b', ['"begun"'], null])
    assert.deepEqual(Buffer.from(open!.input), Buffer.from([0, 255]))
    assert.equal((await store.runs.latestWithOutput('flow-a', 'parser-1'))?.id, 'run-1')
    assert.deepEqual(
      (await store.messages.list({ flowId: 'flow-a', session: 's', limit: 10 })).messages.map(
        ({ runId, text }) => [runId, text]
      ),
      [['run-1', 'hello']]
    )
    assert.deepEqual(await store.runs.backlog(), new Map([['flow-b', 1]]))
  })
})
