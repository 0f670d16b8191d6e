import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { LiveFlow } from '../../library/live-flow.ts'
import { FlowLimits, type FlowLimitsDeps } from './flow-limits.ts'

const flowOf = (concurrency: number) => ({ id: 'flow-1', webhook: { concurrency } }) as unknown as LiveFlow

function setUp(concurrencyOfRemoved: FlowLimitsDeps['library']['concurrencyOfRemoved']) {
  const told: string[] = []
  let live: LiveFlow | undefined
  const limits = new FlowLimits({
    library: { find: () => live, concurrencyOfRemoved },
    onMore: () => told.push('more'),
    onError: (_, doing) => told.push(doing)
  })
  const becomes = (flow: LiveFlow | undefined) => {
    live = flow
  }
  return { limits, told, becomes }
}

describe('the limit of a flow', () => {
  it('is that of its live version, where it sets one', () => {
    const { limits, becomes } = setUp(async () => assert.fail('it is not deleted'))
    becomes(flowOf(3))
    assert.equal(limits.of('flow-1'), 3)
    becomes(flowOf(0))
    assert.equal(limits.of('flow-1'), Number.POSITIVE_INFINITY)
  })

  it('stays when the flow is deleted, and is its own again when that is taken back', () => {
    const { limits, becomes } = setUp(async () => assert.fail('it was seen before it was deleted'))
    limits.flowChanged({ kind: 'deleted', flow: flowOf(2) })
    assert.equal(limits.of('flow-1'), 2)
    becomes(flowOf(4))
    limits.flowChanged({ kind: 'saved', flow: flowOf(4) })
    assert.equal(limits.of('flow-1'), 4)
  })

  it('is read where the flow was deleted before this process began: until then one run may go on', async () => {
    const { limits, told } = setUp(async () => 5)
    assert.deepEqual([limits.of('flow-1'), limits.of('flow-1')], [1, 1])
    await turnOfTheLoop()
    assert.deepEqual([limits.of('flow-1'), told], [5, ['more']])
  })

  it('is asked for again after the store has not answered', async () => {
    let asked = 0
    const { limits, told } = setUp(async () => {
      if (asked++ === 0) throw new Error('away')
      return 0
    })
    assert.equal(limits.of('flow-1'), 1)
    await turnOfTheLoop()
    assert.equal(limits.of('flow-1'), 1)
    await turnOfTheLoop()
    assert.equal(limits.of('flow-1'), Number.POSITIVE_INFINITY)
    assert.deepEqual(told, ['reading the limit of a deleted flow', 'more'])
  })
})
