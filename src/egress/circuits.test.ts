import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import type { StepError } from '../engine/step-error.ts'
import type { Verdict } from '../flows/step/step-circuit.ts'
import { Circuits } from './circuits.ts'

const never = new AbortController().signal

/** Calls of which the test decides what comes of them. */
function staged() {
  const clock = manualClock()
  const news: string[] = []
  const circuits = new Circuits({
    clock,
    onNews: ({ state }, { context, name }) => void news.push(`${context} ${name} ${state}`)
  })
  const open: { readonly answer: () => void; readonly fail: () => void }[] = []
  const begin = (
    name = 'shop',
    { context = '/', verdict = 'down' as Verdict, signal = never, isLast = false } = {}
  ) =>
    circuits
      .of(context, name, { signal, isLast })
      .call(
        () =>
          new Promise<string>((resolve, reject) =>
            open.push({ answer: () => resolve('answered'), fail: () => reject(new Error('failed')) })
          ),
        () => verdict
      )
      .catch((error: StepError) => error.code ?? error.message)
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  /** All that are under way come to this. */
  const all = async (how: 'answer' | 'fail') => {
    await turn()
    for (const call of open.splice(0)) call[how]()
    await turn()
  }
  /** Five failures in a row. */
  const bringDown = async () => {
    const calls = Array.from({ length: 5 }, () => begin())
    await all('fail')
    return Promise.all(calls)
  }
  return { clock, circuits, news, open, begin, all, turn, bringDown }
}

describe('calls of a destination', () => {
  it('are few while nobody knows how it is, and as many as come once one was answered', async () => {
    const { open, begin, all, turn } = staged()
    const calls = Array.from({ length: 100 }, () => begin())
    await turn()
    assert.equal(open.length, 5)
    open.shift()!.answer()
    await turn()
    assert.equal(open.length, 99)
    await all('answer')
    assert.deepEqual(new Set(await Promise.all(calls)), new Set(['answered']))
  })

  it('are held once it is down, however many there are, and it is told once', async () => {
    const { open, news, circuits, begin, all } = staged()
    const calls = Array.from({ length: 1_000 }, () => begin())
    await all('fail')
    const came = await Promise.all(calls)
    assert.equal(came.filter((each) => each === 'failed').length, 5)
    assert.equal(came.filter((each) => each === 'destination_down').length, 995)
    assert.equal(open.length, 0)
    assert.deepEqual(news, ['/ shop down'])
    assert.equal(circuits.down, 1)
  })

  it('try it one at a time while it is down, less and less often', async () => {
    const { clock, open, begin, all, turn, bringDown } = staged()
    await bringDown()
    for (const wait of [5_000, 30_000, 120_000, 300_000, 300_000]) {
      clock.advance(wait - 1)
      assert.equal(await begin(), 'destination_down')
      clock.advance(1)
      const look = begin()
      await turn()
      assert.equal(open.length, 1)
      const another = begin()
      await turn()
      assert.equal(open.length, 1, 'it waits for what comes of the look')
      await all('fail')
      assert.deepEqual(await Promise.all([look, another]), ['failed', 'destination_down'])
    }
  })

  it('go on when one was answered, which is told once', async () => {
    const { clock, news, circuits, begin, all, bringDown } = staged()
    await bringDown()
    clock.advance(5_000)
    const looks = [begin(), begin()]
    await all('answer')
    await all('answer')
    assert.deepEqual(await Promise.all(looks), ['answered', 'answered'])
    const others = Array.from({ length: 20 }, () => begin())
    await all('answer')
    assert.deepEqual(new Set(await Promise.all(others)), new Set(['answered']))
    assert.deepEqual([news, circuits.down], [['/ shop down', '/ shop up'], 0])
  })

  it('are never held at their last attempt, and its answer counts', async () => {
    const { open, circuits, begin, all, turn, bringDown } = staged()
    await bringDown()
    const last = [begin('shop', { isLast: true }), begin('shop', { isLast: true })]
    assert.equal(await begin(), 'destination_down')
    await turn()
    assert.equal(open.length, 2)
    await all('fail')
    assert.deepEqual([await Promise.all(last), circuits.down], [['failed', 'failed'], 1])
    const answered = begin('shop', { isLast: true })
    await all('answer')
    assert.deepEqual([await answered, circuits.down], ['answered', 0])
  })

  it('are each other’s matter in one context and by one name alone', async () => {
    const { begin, all, bringDown } = staged()
    await bringDown()
    const others = [begin('bank'), begin('shop', { context: '/sales' })]
    await all('answer')
    assert.deepEqual(await Promise.all(others), ['answered', 'answered'])
  })

  it('say nothing of it where they were given up, and that it is there where they were refused for what they brought', async () => {
    for (const verdict of ['unknown', 'up'] as const) {
      const { circuits, begin, all } = staged()
      const calls = Array.from({ length: 20 }, () => begin('shop', { verdict }))
      for (let turns = 0; turns < 5; turns++) await all('fail')
      assert.deepEqual(new Set(await Promise.all(calls)), new Set(['failed']))
      assert.equal(circuits.down, 0)
    }
  })

  it('wait for no longer than their step', async () => {
    const { open, begin, all, turn } = staged()
    const abort = new AbortController()
    const calls = Array.from({ length: 5 }, () => begin())
    const late = begin('shop', { signal: abort.signal })
    await turn()
    abort.abort(new Error('over'))
    assert.equal(await late, 'over')
    assert.equal(open.length, 5)
    await all('answer')
    await Promise.all(calls)
  })
})
