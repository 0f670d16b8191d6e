import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Plan } from '../../engine/plan.ts'
import { encodeEntry } from '../record/journal-codec.ts'
import { runStartOf } from '../record/run-start.ts'
import { stepRecord, storedRun } from '../record/stored-run.test-kit.ts'
import { OutsideValues } from './outside-values.ts'

const REGION = { nodes: [{ id: 'each', isGiven: true }, { id: 'all', isGiven: true }, { id: 'line' }] }

/** Runs with a region each, whose items take the output of `all`. Says which runs were read. */
function setUp(length = 10) {
  let now = 0
  const read: string[] = []
  const outside = new OutsideValues({
    clock: { stopwatch: () => now },
    store: {
      get: async (id) => {
        read.push(id)
        const run = storedRun(Number(id.slice(4)))
        const settled = [stepRecord('all', { outputs: { out: 'x'.repeat(length) } })]
        return { ...run, journal: [encodeEntry({ at: 1, settled }, runStartOf(run))] }
      },
      readPiece: async () => undefined
    }
  })
  const of = async (seq: number, node = 'each') => {
    const given = await outside.of({ seq, runId: `run-${seq}`, node }, REGION as unknown as Plan)
    assert.equal(String(given.get('all')!.out).length, length)
  }
  return { outside, read, of, pass: (ms: number) => (now += ms) }
}

describe('what items take from outside their region', () => {
  it('is read once for all of them, also where they ask together', async () => {
    const { of, read } = setUp()
    await Promise.all([of(1), of(1), of(2)])
    await of(1)
    assert.deepEqual(read, ['run-1', 'run-2'])
  })

  it('is dropped when the region is over, and with its run', async () => {
    const { outside, of, read } = setUp()
    await Promise.all([of(1, 'a'), of(1, 'b'), of(2)])
    outside.forget(1, 'a')
    read.length = 0
    for (const node of ['a', 'b']) await of(1, node)
    assert.deepEqual(read, ['run-1'])
    outside.forget(1)
    for (const node of ['a', 'b']) await of(1, node)
    await of(2)
    assert.deepEqual(read, ['run-1', 'run-1', 'run-1'])
  })

  it('is dropped where it is too much together, and that first which was used longest ago', async () => {
    const { of, read } = setUp(12 * 1024 * 1024)
    for (const seq of [1, 2, 1, 3]) await of(seq)
    read.length = 0
    for (const seq of [1, 3]) await of(seq)
    assert.deepEqual(read, [])
    await of(2)
    assert.deepEqual(read, ['run-2'])
  })

  it('stays however long it is while its items are the last that asked', async () => {
    const { of, read } = setUp(40 * 1024 * 1024)
    for (const seq of [1, 1]) await of(seq)
    assert.deepEqual(read, ['run-1'])
  })

  it('is dropped when others ask and nobody has asked for it in a minute', async () => {
    const { of, read, pass } = setUp()
    for (const seq of [1, 2]) await of(seq)
    pass(59_000)
    await of(2)
    pass(2_000)
    await of(2)
    read.length = 0
    await of(2)
    await of(1)
    assert.deepEqual(read, ['run-1'])
  })
})
