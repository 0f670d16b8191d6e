import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LazyAbort } from '../../engine/lazy-abort.ts'
import type { ExecutedChild, NewChild } from '../../store/children.ts'
import type { Outcome } from '../../store/store.ts'
import { BATCH, ItemsInPlace, inputsOf } from './items-in-place.ts'

const SUCCEEDED = { status: 'succeeded', steps: '[]' } as unknown as Outcome
const FAILED = { status: 'failed', steps: '[]' } as unknown as Outcome
const RULES = { atOnce: 1, stopsOnFailure: true }

/** Items are executed by `execute`, which is given their index. */
function inPlace(
  execute: (index: number) => Outcome | undefined | Promise<Outcome | undefined>,
  isStorable = true
) {
  const abort = new LazyAbort()
  const batches: number[][] = []
  let pauses = 0
  let cancelled = 0
  const items = new ItemsInPlace({
    executor: { execute: (child) => execute(child.parent.index), cancel: () => cancelled++ },
    newItem: (_input, index) => ({ input: Buffer.from('{}'), parent: { index } }) as unknown as NewChild,
    record: async (children: readonly ExecutedChild[]) => {
      batches.push(children.map(({ child }) => child.parent.index))
      return isStorable
    },
    abort,
    pause: () => {
      pauses++
      return abort.reason === undefined ? undefined : Promise.reject(abort.reason)
    }
  })
  return { items, batches, abort, pauses: () => pauses, cancelled: () => cancelled }
}

const list = (length: number) => new Array(length).fill({})

describe('items in place', () => {
  it('are recorded in order and in batches, with a chance for others after each', async () => {
    const { items, batches, pauses } = inPlace(() => SUCCEEDED)
    assert.equal(await items.execute(inputsOf(list(BATCH + 2), RULES)), 'all')
    assert.deepEqual(
      batches.map((batch) => [batch[0], batch.length]),
      [
        [0, BATCH],
        [BATCH, 2]
      ]
    )
    assert.equal(pauses(), BATCH + 2)
  })

  it('end with the first that fails, which is recorded, where the rules say so', async () => {
    const executed: number[] = []
    const fails = (index: number) => {
      executed.push(index)
      return index === 1 ? FAILED : SUCCEEDED
    }
    const stops = inPlace(fails)
    assert.equal(await stops.items.execute(inputsOf(list(4), RULES)), 'all')
    assert.deepEqual([executed, stops.batches], [[0, 1], [[0, 1]]])
    const continues = inPlace(fails)
    await continues.items.execute(inputsOf(list(4), { ...RULES, stopsOnFailure: false }))
    assert.deepEqual(continues.batches, [[0, 1, 2, 3]])
  })

  it('leave the rest to runs of their own from the first that needs one', async () => {
    const { items, batches } = inPlace(async (index) => (index === 2 ? undefined : SUCCEEDED))
    assert.equal(await items.execute(inputsOf(list(4), RULES)), 2)
    assert.deepEqual(batches, [[0, 1]])
  })

  it('are left to runs of their own where the store refuses what is in them', async () => {
    const { items } = inPlace(() => SUCCEEDED, false)
    assert.equal(await items.execute(inputsOf(list(3), RULES)), 0)
    const stopped = inPlace(() => FAILED, false)
    assert.equal(await stopped.items.execute(inputsOf(list(3), RULES)), 0)
  })

  it('stop at the next pause once their parent is cancelled', async () => {
    const gone = new Error('cancelled')
    const { items, abort, batches } = inPlace((index) => {
      if (index === 1) abort.abort(gone)
      return SUCCEEDED
    })
    await assert.rejects(items.execute(inputsOf(list(4), RULES)), gone)
    assert.deepEqual(batches, [])
  })

  it('are cancelled with their parent while they wait for something', async () => {
    const gone = new Error('cancelled')
    let answer = (_outcome: Outcome) => {}
    const { items, abort, cancelled } = inPlace(() => new Promise((resolve) => (answer = resolve)))
    const ended = items.execute(inputsOf(list(2), RULES))
    abort.abort(gone)
    assert.equal(cancelled(), 1)
    answer(SUCCEEDED)
    await assert.rejects(ended, gone)
  })
})
