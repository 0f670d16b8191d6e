import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SharedProbe } from './shared-probe.ts'

function setUp() {
  const state = { now: 0, writes: 0, isFull: false, refusal: undefined as Error | undefined }
  const probe = new SharedProbe({
    write: async () => {
      state.writes++
      if (state.isFull) throw new Error('full')
    },
    refusal: () => state.refusal,
    now: () => state.now
  })
  return { state, probe }
}

describe('a probe of the store', () => {
  it('is shared by all who ask within a second', async () => {
    const { state, probe } = setUp()
    await Promise.all(Array.from({ length: 100 }, () => probe.probe()))
    state.now = 999
    await probe.probe()
    assert.equal(state.writes, 1)
    state.now = 1_000
    await probe.probe()
    assert.equal(state.writes, 2)
  })

  it('takes what is written anyway for proof', async () => {
    const { state, probe } = setUp()
    probe.wrote()
    await probe.probe()
    assert.equal(state.writes, 0)
  })

  it('fails for all who ask, and asks anew at once while there is doubt', async () => {
    const { state, probe } = setUp()
    await probe.probe()
    probe.refused()
    state.isFull = true
    await assert.rejects(probe.probe(), /full/)
    const together = await Promise.allSettled([probe.probe(), probe.probe()])
    assert.deepEqual(
      together.map(({ status }) => status),
      ['rejected', 'rejected']
    )
    assert.equal(state.writes, 3)
    state.isFull = false
    for (let asked = 0; asked < 3; asked++) await probe.probe()
    assert.equal(state.writes, 6, 'what fitted once may not fit again')
    state.now = 5_000
    await probe.probe()
    await probe.probe()
    assert.equal(state.writes, 7)
  })

  it('needs no write to tell what is known', async () => {
    const { state, probe } = setUp()
    await probe.probe()
    state.refusal = new Error('moved away')
    await assert.rejects(probe.probe(), /moved away/)
    assert.equal(state.writes, 1)
  })
})
