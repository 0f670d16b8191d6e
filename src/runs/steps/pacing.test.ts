import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LazyAbort } from '../../engine/lazy-abort.ts'
import { inTurns } from '../../flows/in-turns.ts'
import { Pacing } from './pacing.ts'

/** A loop and a stopwatch that the test turns by hand. */
function setUp() {
  let now = 0
  let soon: (() => void)[] = []
  const pacing = new Pacing({ stopwatch: () => now, soon: (then) => void soon.push(then) })
  const turn = async () => {
    const all = soon
    soon = []
    for (const then of all) then()
    await new Promise((resolve) => setImmediate(resolve))
  }
  /** Takes so many slices of 5 ms, and notes each of them. */
  const compute = (
    name: string,
    slices: number,
    log: string[],
    abort = new LazyAbort(),
    pacer = pacing.begin(abort)
  ) => {
    function* work() {
      for (let slice = 1; slice <= slices; slice++) {
        now += 5
        log.push(`${name}${slice}`)
        yield
      }
      return name
    }
    return Promise.resolve(inTurns(work(), pacer))
  }
  /** The same for a step that executes items. */
  const execute = (name: string, slices: number, log: string[], abort = new LazyAbort()) =>
    compute(name, slices, log, abort, pacing.beginItems(abort))
  return { pacing, turn, compute, execute, isIdle: () => soon.length === 0 }
}

describe('pacing', () => {
  it('lets a short computation end at once', () => {
    const { pacing } = setUp()
    function* work() {
      for (let n = 0; n < 1_000; n++) yield
      return 'done'
    }
    assert.equal(inTurns(work(), pacing.begin(new LazyAbort())), 'done')
    assert.equal(pacing.isCrowded, false)
  })

  it('puts a long one aside after its turn, and goes on with the oldest first', async () => {
    const { turn, compute, isIdle } = setUp()
    const log: string[] = []
    const all = Promise.all([compute('a', 5, log), compute('b', 3, log)])
    assert.deepEqual(log, ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'])
    await turn()
    assert.deepEqual(log.slice(6), ['a4', 'a5'])
    await turn()
    await turn()
    assert.deepEqual(await all, ['a', 'b'])
    await turn()
    assert.ok(isIdle(), 'nothing is left to do')
  })

  it('is crowded while four are under way, and says when there is room', async () => {
    const { pacing, turn, compute } = setUp()
    let room = 0
    pacing.whenRoom(() => room++)
    const all = [1, 2, 3, 4].map((n) => compute(String(n), n === 1 ? 7 : 4, []))
    assert.equal(pacing.isCrowded, true)
    await turn()
    assert.equal(pacing.isCrowded, true, 'the first one waits again')
    assert.equal(room, 0)
    for (let n = 0; n < 3; n++) await turn()
    assert.equal(pacing.isCrowded, false, 'the first one is done')
    assert.ok(room > 0)
    for (let n = 0; n < 4; n++) await turn()
    assert.deepEqual(await Promise.all(all), ['1', '2', '3', '4'])
  })

  it('computes nothing more while too much waits to be written', async () => {
    const { pacing, turn, compute } = setUp()
    const log: string[] = []
    const done = compute('a', 4, log)
    let written = () => {}
    const writing = pacing.writing(
      32 * 1024 * 1024,
      () => new Promise<void>((resolve) => (written = resolve))
    )
    await turn()
    await turn()
    assert.deepEqual([log.length, pacing.isCrowded], [3, true])
    written()
    await writing
    await turn()
    assert.equal(await done, 'a')
    assert.equal(pacing.isCrowded, false)
  })

  it('gives up what was aborted meanwhile', async () => {
    const { turn, compute } = setUp()
    const log: string[] = []
    const abort = new LazyAbort()
    const done = compute('a', 4, log, abort)
    abort.abort(new Error('cancelled'))
    await Promise.all([assert.rejects(done, /cancelled/), turn()])
    assert.equal(log.length, 3)
  })

  it('lets steps with items go on in turn, with each other and with a computation, and others begin meanwhile', async () => {
    const { pacing, turn, compute, execute, isIdle } = setUp()
    const log: string[] = []
    let room = 0
    pacing.whenRoom(() => room++)
    const all = [...['a', 'b', 'c', 'd'].map((name) => execute(name, 7, log)), compute('x', 5, log)]
    log.length = 0
    assert.equal(pacing.isCrowded, false)
    for (let n = 0; n < 3; n++) await turn()
    assert.deepEqual([log, room], [['a4', 'a5', 'x4', 'x5', 'b4', 'b5'], 3])
    for (let n = 0; n < 15; n++) await turn()
    const names = await Promise.all(all)
    assert.deepEqual(names, ['a', 'b', 'c', 'd', 'x'])
    assert.deepEqual(log.slice(6), ['c4', 'c5', 'd4', 'd5', 'a6', 'a7', 'b6', 'b7', 'c6', 'c7', 'd6', 'd7'])
    for (let n = 0; n < 3; n++) await turn()
    assert.ok(isIdle(), 'nothing is left to do')
  })

  it('gives up a step with items that was aborted meanwhile', async () => {
    const { turn, execute } = setUp()
    const abort = new LazyAbort()
    const done = execute('a', 4, [], abort)
    abort.abort(new Error('cancelled'))
    await Promise.all([assert.rejects(done, /cancelled/), turn()])
  })
})
