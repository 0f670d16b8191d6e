import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BulkResult, type BulkWork, PARALLEL, runBulk } from './run-bulk.ts'

const BUSY = new Error('no room')

function bulk(count: number, act: BulkWork['act'], more: Partial<BulkWork> = {}) {
  const results: BulkResult[] = []
  const waits: number[] = []
  const work: BulkWork = {
    ids: Array.from({ length: count }, (_, index) => `run-${index}`),
    act,
    isBusy: (error) => error === BUSY,
    wait: async (ms) => void waits.push(ms),
    onResult: (result) => results.push(result),
    isStopped: () => false,
    ...more
  }
  return { results, waits, done: runBulk(work) }
}

describe('a bulk action on runs', () => {
  it('is done to every run, once', async () => {
    const { results, done } = bulk(50, async (id) => `new-${id}`)
    await done
    assert.equal(new Set(results.map(({ id }) => id)).size, 50)
    assert.ok(results.every(({ id, startedId }) => startedId === `new-${id}`))
  })

  it('keeps only a few under way at a time', async () => {
    let now = 0
    let most = 0
    await bulk(40, async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setImmediate(resolve))
      now--
      return undefined
    }).done
    assert.equal(most, PARALLEL)
  })

  it('goes on after one that is refused, and says why', async () => {
    const refusal = new Error('has not failed')
    const { results, done } = bulk(3, async (id) => {
      if (id === 'run-1') throw refusal
      return undefined
    })
    await done
    assert.deepEqual(
      results.filter(({ error }) => error !== undefined),
      [{ id: 'run-1', error: refusal }]
    )
    assert.equal(results.length, 3)
  })

  it('waits longer and longer while the service has no room, and then says so', async () => {
    const { results, waits, done } = bulk(1, () => Promise.reject(BUSY))
    await done
    assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 8000, 8000])
    assert.deepEqual(results, [{ id: 'run-0', error: BUSY }])
  })

  it('begins no other once it is stopped', async () => {
    let done = 0
    const { results, done: over } = bulk(100, async () => void done++, { isStopped: () => done >= 10 })
    await over
    assert.ok(results.length >= 10 && results.length <= 10 + PARALLEL)
  })
})
