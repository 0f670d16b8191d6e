import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { acceptAndEnd, sampleOutcome } from '../../contract/subject.test-kit.ts'
import { openTwo } from '../shared-stores.test-kit.ts'
import { createPrune } from './prune-runs.ts'

const postgres = sharedPostgres()

test('a run that is retried when retention has found it, and ends, is not deleted', async (t) => {
  const { a, sql } = await openTwo(t, postgres)
  for (const rule of [{ endedBefore: 5000 }, { keep: 0 }]) {
    const run = await acceptAndEnd(a, { createdAt: 1000 }, { status: 'failed', finishedAt: 2000 })
    let isFound = false
    const prune = createPrune({
      async query<Row>(statement: string | { readonly text: string }, values: readonly unknown[] = []) {
        const text = typeof statement === 'string' ? statement : statement.text
        const rows = await sql<Row>(text, [...values])
        if (!isFound && text.includes('LIMIT $2')) {
          isFound = true
          await a.runs.reopen(run, '"again"')
          await a.runs.end(run, sampleOutcome({ finishedAt: 9000 }))
        }
        return rows
      }
    })
    assert.equal(Number(await prune({ ...rule, slice: 10 })), 0)
    assert.equal((await a.runs.get(run.id))?.outcome?.status, 'succeeded')
    await a.runs.prune({ endedBefore: 10_000, slice: 10 })
  }
})
