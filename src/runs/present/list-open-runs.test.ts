import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { FoundRun, RunFilter } from '../../store/store.ts'
import { listOpenRuns } from './list-open-runs.ts'
import type { PresentedSummary } from './run-shape.ts'

/** Open runs, newest first, by whether each goes on; a store that gives at most `most` at once. */
function openRuns(continues: readonly boolean[], most: number) {
  const runs = continues.map((_, index) => ({ seq: continues.length - index }) as FoundRun)
  const list = async ({ before = Number.MAX_SAFE_INTEGER, limit }: RunFilter) => {
    const rest = runs.filter(({ seq }) => seq < before)
    const page = rest.slice(0, Math.min(limit, most))
    return { runs: page, next: page.length < rest.length ? page.at(-1)!.seq : null }
  }
  const statusOf = (seq: number) => (continues[continues.length - seq] ? 'in progress' : 'queued')
  const present = ({ seq }: FoundRun) => ({ id: String(seq), status: statusOf(seq) }) as PresentedSummary
  return { store: { list }, present, ids: runs.map(({ seq }) => String(seq)), statusOf }
}

describe('a page of open runs', () => {
  it('is full as long as there are runs of the state, whatever lies between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('queued' as const, 'in progress' as const),
        async (continues, limit, most, status) => {
          const { store, present, ids, statusOf } = openRuns(continues, most)
          const expected = ids.filter((id) => statusOf(Number(id)) === status)
          const found: string[] = []
          let before: number | null = null
          do {
            const place: { before?: number } = before === null ? {} : { before }
            const { runs, next } = await listOpenRuns(store, { status, limit, ...place }, present)
            found.push(...runs.map(({ id }) => id))
            if (next !== null) assert.equal(runs.length, limit, 'only the last page may be short')
            if (expected.length > 0) assert.ok(runs.length > 0, 'no page is empty')
            before = next
          } while (before !== null)
          assert.deepEqual(found, expected)
        }
      )
    )
  })

  it('that was searched for text ends where the store ended the search', async () => {
    const { store, present } = openRuns([false, true, false, true], 3)
    const asked = { status: 'in progress' as const, limit: 5, text: 'x', effort: { runs: 3, ms: 1 } }
    const { runs, next } = await listOpenRuns(store, asked, present)
    assert.deepEqual([runs.map(({ id }) => id), next], [['3'], 2])
  })
})
