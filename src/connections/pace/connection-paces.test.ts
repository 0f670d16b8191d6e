import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../../clock.test-kit.ts'
import { ConnectionPaces, OwnSlots, type PaceSlots } from './connection-paces.ts'

function setUp(slots?: (own: OwnSlots) => PaceSlots) {
  const clock = manualClock()
  const own = new OwnSlots(() => clock.stopwatch())
  const paces = new ConnectionPaces({ slots: slots?.(own) ?? own, clock })
  const since = clock.stopwatch()
  const sent: [name: string, ms: number][] = []
  const { signal } = new AbortController()
  const send = (name: string, { rate = 2, id = 'c', by = signal } = {}) =>
    paces.turn(id, rate, by).then(() => void sent.push([name, clock.stopwatch() - since]))
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      await turnOfTheLoop()
      clock.advance(100)
    }
    await turnOfTheLoop()
  }
  return { send, sent, pass, clock }
}

describe('requests of a connection with a rate', () => {
  it('go one by one in their order, the first at once', async () => {
    const { send, sent, pass } = setUp()
    for (const name of ['a', 'b', 'c', 'd']) void send(name)
    void send('other', { id: 'other' })
    await pass(2_000)
    assert.deepEqual(
      sent.sort(([, one], [, other]) => one - other),
      [
        ['a', 0],
        ['other', 0],
        ['b', 500],
        ['c', 1_000],
        ['d', 1_500]
      ]
    )
    void send('e')
    await pass(100)
    assert.deepEqual(sent.at(-1), ['e', 2_000], 'nobody has sent for long enough')
  })

  it('leave the line where they are given up, and others come sooner', async () => {
    const { send, sent, pass } = setUp()
    const gone = new AbortController()
    void send('a')
    const given = send('b', { by: gone.signal })
    void send('c')
    await pass(100)
    gone.abort(new Error('cancelled'))
    await assert.rejects(given, /cancelled/)
    await pass(1_000)
    assert.deepEqual(sent, [
      ['a', 0],
      ['c', 500]
    ])
    await assert.rejects(send('d', { by: gone.signal }), /cancelled/)
  })

  it('take moments a second ahead and no further, and only while somebody waits', async () => {
    const wanted: number[] = []
    const { send, sent, pass } = setUp((own) => ({
      reserve: async (id, everyMs, count) => {
        wanted.push(count)
        return own.reserve(id, everyMs, count)
      }
    }))
    for (let at = 0; at < 12; at++) void send(String(at), { rate: 5 })
    await pass(3_000)
    assert.deepEqual([sent.length, wanted], [12, [1, 5, 5, 1]])
    await pass(5_000)
    assert.equal(wanted.length, 4)
  })

  it('go by another rate from the moment on that one of them comes with it', async () => {
    const { send, sent, pass } = setUp()
    for (const name of ['a', 'b', 'c']) void send(name, { rate: 0.001 })
    await pass(500)
    void send('d', { rate: 2 })
    await pass(2_500)
    assert.deepEqual(
      sent.map(([name]) => name),
      ['a', 'b', 'c', 'd']
    )
    void send('e', { rate: 0.001 })
    await pass(2_000)
    void send('f', { rate: 2 })
    await pass(2_000)
    assert.equal(sent.at(-1)![0], 'f')
  })

  it('fail, to be tried again, where nobody can tell when', async () => {
    const { send } = setUp(() => ({ reserve: () => Promise.reject(new Error('gone')) }))
    await assert.rejects(send('a'), { code: 'rate_unavailable', retryable: true })
  })
})
