import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '../../clock.test-kit.ts'
import type { Change } from '../../store/store.ts'
import { Publisher } from './publisher.ts'

function change(no: number, flowId = 'a'): Change {
  return { kind: 'journal', no, flowId, runId: 'run-1', entry: '{}' }
}

function listen(publisher: Publisher, flowId: string | null): { heard: number[]; leave: () => void } {
  const heard: number[] = []
  return { heard, leave: publisher.subscribe(flowId, ({ no }) => heard.push(no)) }
}

describe('the publisher', () => {
  it('tells what a turn brought in the order of its numbers', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { minLength: 1 }), (numbers) => {
        const clock = manualClock()
        const publisher = new Publisher(clock)
        const { heard } = listen(publisher, 'a')
        for (const no of numbers) publisher.publish(change(no))
        assert.deepEqual(heard, [])
        clock.turn()
        assert.deepEqual(
          heard,
          numbers.toSorted((a, b) => a - b)
        )
      })
    )
  })

  it('tells every listener of the flow, and no other', () => {
    const clock = manualClock()
    const publisher = new Publisher(clock)
    const [first, second, other] = ['a', 'a', 'b'].map((flow) => listen(publisher, flow))
    publisher.publish(change(1))
    clock.turn()
    publisher.publish(change(2))
    clock.turn()
    assert.deepEqual([first!.heard, second!.heard, other!.heard], [[1, 2], [1, 2], []])
  })

  it('tells who listens to all flows of every one, in one order', () => {
    const clock = manualClock()
    const publisher = new Publisher(clock)
    assert.equal(publisher.hasListeners('b'), false)
    const [all, one] = [listen(publisher, null), listen(publisher, 'a')]
    assert.equal(publisher.hasListeners('b'), true)
    for (const [no, flowId] of [
      [3, 'a'],
      [1, 'b'],
      [2, 'c']
    ] as const) {
      publisher.publish(change(no, flowId))
    }
    clock.turn()
    assert.deepEqual([all.heard, one.heard], [[1, 2, 3], [3]])
    all.leave()
    assert.equal(publisher.hasListeners('b'), false)
  })

  it('tells in turns what takes long, and all of it in order', () => {
    const clock = manualClock()
    const soon: (() => void)[] = []
    const publisher = new Publisher({ stopwatch: clock.stopwatch, soon: (then) => void soon.push(then) })
    const heard: number[] = []
    publisher.subscribe('a', ({ no }) => {
      clock.advance(5)
      heard.push(no)
    })
    for (const no of [1, 2, 3, 4]) publisher.publish(change(no))
    soon.shift()!()
    assert.deepEqual(heard, [1, 2])
    publisher.publish(change(5))
    while (soon.length > 0) soon.shift()!()
    assert.deepEqual(heard, [1, 2, 3, 4, 5])
  })

  it('tells nobody who has left, even in the same turn', () => {
    const clock = manualClock()
    const publisher = new Publisher(clock)
    const { heard, leave } = listen(publisher, 'a')
    publisher.publish(change(1))
    leave()
    clock.turn()
    assert.deepEqual(heard, [])
  })

  it('knows whether anybody listens', () => {
    const publisher = new Publisher(manualClock())
    assert.equal(publisher.hasListeners('a'), false)
    const [first, second] = [listen(publisher, 'a'), listen(publisher, 'a')]
    first.leave()
    assert.equal(publisher.hasListeners('a'), true)
    second.leave()
    assert.equal(publisher.hasListeners('a'), false)
  })

  it('lets one leave twice without taking along who came meanwhile', () => {
    const clock = manualClock()
    const publisher = new Publisher(clock)
    const gone = listen(publisher, 'a')
    gone.leave()
    const { heard } = listen(publisher, 'a')
    gone.leave()
    publisher.publish(change(1))
    clock.turn()
    assert.deepEqual(heard, [1])
  })
})
