import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { threadMs } from '../../../test/support/thread-ms.ts'
import { manualClock } from '../../clock.test-kit.ts'
import { AnswerWatch, type Waiting } from './answer-watch.ts'
import type { FlowAnswer } from './flow-answer.ts'

const FAILED = { by: 'end', status: 'failed' } as const
const RUN = { id: 'run', flowId: 'flow' }

function watching() {
  const clock = manualClock()
  const store = { get: async () => undefined, readPiece: async () => undefined }
  const watch = new AnswerWatch({ clock, store, onError: assert.fail })
  const told: (readonly [name: string, answer: FlowAnswer | undefined])[] = []
  const wait = (name: string, ms = 1_000): Waiting =>
    watch.wait(RUN.id, ms, { answered: (answer) => told.push([name, answer]) })
  return { clock, watch, told, wait }
}

describe('callers of one run', () => {
  it('are told once each, whoever of them has left', () => {
    for (const leaving of ['a', 'b', 'c']) {
      const { clock, watch, told, wait } = watching()
      const all = new Map(['a', 'b', 'c'].map((name) => [name, wait(name)]))
      watch.leave(all.get(leaving)!)
      watch.leave(all.get(leaving)!)
      wait('d')
      watch.ended(RUN, 'failed')
      const left = ['a', 'b', 'c', 'd'].filter((name) => name !== leaving)
      assert.deepEqual(told.map(([name]) => name).sort(), left)
      assert.ok(told.every(([, answer]) => answer?.by === FAILED.by))
      assert.ok(!watch.isAwaited(RUN.id))
      clock.advance(2_000)
      assert.deepEqual([told.length, clock.timers], [3, 0])
    }
  })

  it('are told when their own time is over', () => {
    const { clock, watch, told, wait } = watching()
    wait('soon', 200)
    wait('late', 5_000)
    wait('soon too', 200)
    clock.advance(400)
    assert.deepEqual(
      told.map(([name, answer]) => [name, answer]),
      [
        ['soon', undefined],
        ['soon too', undefined]
      ]
    )
    watch.ended(RUN, 'failed')
    assert.deepEqual(told.at(-1), ['late', FAILED])
  })

  it('hear once that they wait for long, those who still do then', () => {
    const { clock, watch } = watching()
    const heard: string[] = []
    const wait = (name: string) =>
      watch.wait(name, 60_000, { answered: () => {}, waitsLong: () => void heard.push(name) })
    const first = wait('first')
    wait('answered')
    clock.advance(200)
    wait('later')
    watch.ended({ id: 'answered', flowId: 'flow' }, 'failed')
    clock.advance(200)
    assert.deepEqual(heard, ['first'])
    clock.advance(1_000)
    assert.deepEqual(heard, ['first', 'later'])
    watch.leave(first)
    watch.stop()
    const many = watching()
    for (let at = 0; at < 500; at++)
      many.watch.wait(String(at), 60_000, {
        answered: () => {},
        waitsLong: () => void heard.push('one of many')
      })
    many.clock.advance(1_000)
    assert.equal(heard.length, 502)
    many.watch.stop()
  })

  it('are told in turns where they are many, whatever ended their wait, and not who leaves meanwhile', () => {
    for (const end of ['answer', 'time', 'stop']) {
      const { clock, watch, told, wait } = watching()
      const all = Array.from({ length: 1_000 }, (_, at) => wait(String(at)))
      if (end === 'answer') watch.ended(RUN, 'failed')
      else if (end === 'time') clock.advance(2_000)
      else watch.stop()
      if (end !== 'stop') assert.ok(told.length > 0 && told.length < 500, String(told.length))
      const before = told.length
      for (const waiting of all) watch.leave(waiting)
      clock.turn()
      assert.equal(told.length, before)
      assert.equal(before === 1_000, end === 'stop', 'nobody has another turn once the service has stopped')
    }
    const { clock, watch, told, wait } = watching()
    for (let n = 0; n < 1_000; n++) wait(String(n))
    watch.ended(RUN, 'failed')
    clock.turn()
    assert.equal(new Set(told.map(([name]) => name)).size, 1_000)
  })

  it('cost no more each where they are many', () => {
    const { clock, told, wait } = watching()
    for (let n = 0; n < 20_000; n++) wait('one of many')
    const since = threadMs()
    clock.advance(2_000)
    clock.turn()
    assert.equal(told.length, 20_000)
    // Looking for each among the others took seconds.
    assert.ok(threadMs() - since < 1_000)
  })
})
