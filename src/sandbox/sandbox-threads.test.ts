import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { systemClock } from '../clock.ts'
import { NEVER, poolOfFile, startPool, step } from './sandbox-pool.test-kit.ts'
import { SandboxPool, sandboxSize } from './sandbox-pool.ts'
import { SandboxWorker } from './sandbox-worker.ts'

const { compute, value } = poolOfFile()

describe('the threads of the sandbox', () => {
  it('are as many as cores besides that of the service, two at least and eight at most', () => {
    assert.deepEqual([1, 2, 3, 6, 64].map(sandboxSize), [2, 2, 2, 5, 8])
  })

  it('take a hundred steps at once, of which one ends its thread', async (t) => {
    const two = startPool(t, 2)
    const bad = compute('return new Array(3e7).join()', { timeoutMs: 30 }, two)
    const good = Array.from({ length: 100 }, (_, n) => value('return data + 1', { text: `${n}` }, two))
    assert.deepEqual(
      await Promise.all(good),
      Array.from({ length: 100 }, (_, n) => n + 1)
    )
    assert.equal((await bad).kind, 'failed')
    assert.ok(two.threads <= 2)
  })

  it('are shared by contexts in turn, and by the flows of each: many steps of one hold up another by one of them', async (t) => {
    const { startTimer } = systemClock()
    // On a busy machine any step may take a second, and would be one that takes long.
    const own = startPool(t, 1, {
      startTimer: (ms, then) => (ms === 1_000 ? { stop: () => {} } : startTimer(ms, then))
    })
    const ended: string[] = []
    const names = ['/xa1', '/xa2', '/xa3', '/xb1', '/xb2', '/xc1', '/yd1', '/yd2', '/ze1']
    await Promise.all(
      names.map(async (name) => {
        await own.compute(step('return 1'), NEVER, { context: name.slice(0, 2), flow: name.slice(0, 3) })
        ended.push(name)
      })
    )
    assert.deepEqual(ended, ['/xa1', '/xa2', '/yd1', '/ze1', '/xb1', '/yd2', '/xc1', '/xa3', '/xb2'])
  })

  it('are never all given to steps of flows that took long', async (t) => {
    const { startTimer } = systemClock()
    const timers: (() => void)[] = []
    const own = startPool(t, 2, {
      startTimer: (ms, then) => {
        // Both begin at once, and nothing that rests is let go.
        if (ms === 10) return startTimer(0, then)
        if (ms === 1_000) timers.push(then)
        return { stop: () => {} }
      }
    })
    const [first, second] = [new AbortController(), new AbortController()]
    const started = (source: string, flow: string, signal = NEVER) =>
      own.compute(step(source), signal, { context: flow.slice(0, 2), flow })
    const long = started('for (;;) {}', '/a-1', first.signal)
    // A second passes.
    timers[0]!()
    const queued = ['/a-1'].map((flow) => started('for (;;) {}', flow, second.signal))
    assert.equal((await started('return 1', '/b-1')).result, '1')
    assert.equal((await started('return 2', '/b-1')).result, '2')
    assert.deepEqual([timers.length, own.threads], [3, 2], 'the one that is queued has not begun')
    assert.equal((await started('return 3', '/a-2')).result, '3', 'a flow of which nothing is known')
    // So is this one, until it takes long; then another one of its context waits, and there is a thread for others.
    queued.push(started('for (;;) {}', '/a-3', second.signal))
    timers.at(-1)!()
    queued.push(started('for (;;) {}', '/a-4', second.signal))
    assert.equal((await started('return 4', '/b-1')).result, '4')
    assert.equal((await started('return 5', '/a-2')).result, '5')
    assert.deepEqual([timers.length, own.threads], [7, 3], 'neither of those that are queued has begun')
    second.abort(new Error('second'))
    first.abort(new Error('first'))
    await Promise.all([long, ...queued].map((each) => assert.rejects(each, /first|second/)))
  })

  it('are there for a context although flows of another one take long by surprise', async (t) => {
    let isLong = false
    const { startTimer } = systemClock()
    const own = startPool(t, 2, {
      startTimer: (ms, then) => {
        if (ms === 10) return startTimer(0, then)
        // A second passes as soon as each has begun.
        if (ms === 1_000 && isLong) setImmediate(then)
        return { stop: () => {} }
      }
    })
    const started = (source: string, flow: string, signal = NEVER) =>
      own.compute(step(source), signal, { context: flow.slice(0, 2), flow })
    const flows = ['/a-1', '/a-2', '/a-3', '/a-4', '/a-5']
    for (const flow of flows) await started('return 1', flow)
    isLong = true
    const over = new AbortController()
    const long = flows.map((flow) => started('for (;;) {}', flow, over.signal))
    await eventually(async () => own.threads, 3)
    assert.equal((await started('return 2', '/b-1')).result, '2')
    assert.equal(own.threads, 4)
    over.abort(new Error('over'))
    await Promise.all(long.map((each) => assert.rejects(each, /over/)))
  })

  it('are not begun before the first step, and let go when none comes', async (t) => {
    const timers: { ms: number; then: () => void }[] = []
    const startTimer = (ms: number, then: () => void) => {
      const timer = { ms, then }
      timers.push(timer)
      return { stop: () => void timers.splice(timers.indexOf(timer), 1) }
    }
    const own = startPool(t, 2, { startTimer })
    assert.equal(own.threads, 0)
    await value('return 1', {}, own)
    assert.deepEqual([own.threads, timers.map(({ ms }) => ms)], [1, [30_000]])
    timers[0]!.then()
    assert.equal(own.threads, 0)
    assert.equal(await value('return 2', {}, own), 2)
  })

  it('drop what nobody waits for any more', async (t) => {
    const own = startPool(t, 1)
    await value('return 1', {}, own)
    const [first, second, third] = [0, 1, 2].map(() => new AbortController())
    const running = own.compute(step('for (;;) {}'), first!.signal)
    const queued = own.compute(step('return 1'), second!.signal)
    const last = own.compute(step('return 1'), third!.signal)
    second!.abort(new Error('second'))
    await assert.rejects(queued, /second/)
    first!.abort(new Error('first'))
    await assert.rejects(running, /first/)
    assert.equal((await last).result, '1')
    await assert.rejects(own.compute(step('return 1'), first!.signal), /first/)
  })

  it('have answered in time also where the service has no time to hear it', async (t) => {
    const held = new Int32Array(new SharedArrayBuffer(4))
    const { startTimer } = systemClock()
    const own = startPool(t, 1, {
      startTimer: (ms, then) => {
        if (ms !== 5_200) return startTimer(ms, then)
        // The service stands still until the step has long been done, and then looks at its timers first.
        Atomics.wait(held, 0, 0, 300)
        then()
        return { stop: () => {} }
      }
    })
    assert.equal(await value('return 1', { timeoutMs: 5_000 }, own), 1)
    assert.equal(own.threads, 1)
  })

  it('take no step along that had not begun', async (t) => {
    const clock = systemClock()
    let started = 0
    const startWorker = () => {
      const thread = new SandboxWorker(clock)
      started += 1
      if (started === 1) void thread.end()
      return thread
    }
    const own = new SandboxPool({ size: 1, clock, startWorker })
    t.after(() => own.close())
    assert.deepEqual(await Promise.all([value('return 1', {}, own), value('return 2', {}, own)]), [1, 2])
    assert.equal(started, 2)
    // One that ends every thread before it begins fails.
    const fatal = await compute('return 1', { memoryMb: 1n as never }, own)
    assert.equal(fatal.kind === 'failed' && fatal.why, 'crash')
    assert.equal(await value('return 3', {}, own), 3)
  })

  it('are closed in the middle of steps, which never settle', async () => {
    const own = new SandboxPool({ size: 1, clock: systemClock() })
    const settled: unknown[] = []
    for (const source of ['for (;;) {}', 'return 1'])
      own.compute(step(source), NEVER).then(
        (answer) => settled.push(answer),
        (error) => settled.push(error)
      )
    await own.close()
    assert.deepEqual([settled, own.threads], [[], 0])
  })
})
