import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CarriedOfStep } from './carried-of-step.ts'

const NEVER_PAUSES = { pause: () => undefined }
const run = { seq: 7, flowId: 'flow' }

/** Pieces as the store keeps them; a write after so many is lost with the process. */
function memory() {
  const kept = new Map<string, Uint8Array>()
  let left = Number.POSITIVE_INFINITY
  const pieces = {
    keepPiece: async (
      _run: unknown,
      { name, piece, bytes }: { name: string; piece: number; bytes: Uint8Array }
    ) => {
      if (left-- <= 0) throw new Error('died')
      kept.set(`${name} ${piece}`, bytes)
      return true
    },
    readPiece: async (_seq: number, name: string, piece: number) => kept.get(`${name} ${piece}`)
  }
  const attemptAt = (attempt: number) =>
    new CarriedOfStep({
      run,
      name: 'n',
      attempt,
      pieces,
      persist: (ask) => ask(),
      pacer: NEVER_PAUSES,
      secrets: () => undefined
    })
  const dieAfter = (writes: number) => {
    left = writes
  }
  return { attemptAt, dieAfter, live: () => dieAfter(Number.POSITIVE_INFINITY) }
}

describe('what attempts leave for later ones', () => {
  it('is there in order, also what is longer than a piece', async () => {
    const { attemptAt } = memory()
    const first = attemptAt(1)
    assert.deepEqual(await first.earlier(), [])
    const long = 'x'.repeat(1_200_000)
    for (const [index, value] of [1, long, { a: [null] }].entries()) await first.add(value, index === 0)
    const second = attemptAt(2)
    assert.deepEqual(await second.earlier(), [1, long, { a: [null] }])
    await second.add('more', false)
    assert.deepEqual(await attemptAt(3).earlier(), [1, long, { a: [null] }, 'more'])
  })

  it('is begun anew as a whole, whenever the process dies', async () => {
    const long = 'y'.repeat(1_200_000)
    for (let writes = 0; writes <= 6; writes++) {
      const { attemptAt, dieAfter, live } = memory()
      const first = attemptAt(1)
      for (let index = 0; index < 9; index++) await first.add(index, index === 0)
      const second = attemptAt(2)
      await second.earlier()
      dieAfter(writes)
      await second.add(long, true).catch(() => {})
      live()
      const found = await attemptAt(3).earlier()
      const expected = [[0, 1, 2, 3, 4, 5, 6, 7, 8], [], [long]]
      assert.ok(
        expected.some((each) => JSON.stringify(each) === JSON.stringify(found)),
        `after ${writes} writes: ${JSON.stringify(found).slice(0, 100)}`
      )
    }
  })
})
