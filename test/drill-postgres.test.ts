import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runClusterDrill } from '../bench/drill/run-cluster-drill.ts'
import { openWorkspace } from '../bench/workspace.ts'
import { ownPostgres } from './support/postgres.ts'

const postgres = ownPostgres()

/** In short form; `npm run drill -- --postgres` goes on for a minute. */
test('processes that are killed while the database restarts lose nothing', {
  timeout: 118_000
}, async (t) => {
  const workspace = openWorkspace()
  t.after(() => workspace.close())
  const report = await runClusterDrill({
    workspace,
    server: await postgres.server(),
    databaseUrl: await postgres.database(),
    // These first: what they held is taken up ten seconds later, and that is how long this takes.
    blows: [
      { atMs: 300, on: 'trigger-owner' },
      { atMs: 1_000, on: 'worker-1' },
      { atMs: 2_000, on: 'database', how: 'crash' },
      { atMs: 4_000, on: 'web-1' }
    ],
    seconds: 5,
    atLeast: 100,
    pace: 60,
    seed: 20_260_801
  })
  assert.deepEqual(report.violations, [])
  assert.equal(report.lost, 0)
  assert.equal(report.completed, report.accepted + report.unanswered)
  assert.deepEqual([report.kills, report.restarts], [3, 1])
  assert.ok(report.children > 0 && report.ticks > 0, 'no program was run, or the clock started nothing')
  assert.ok(report.failed > 0, 'nothing failed')
  assert.equal(report.alerts, report.failed)
  assert.ok(report.accepted >= 100, `only ${report.accepted} requests were accepted`)
})
