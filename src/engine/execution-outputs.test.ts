import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import type { Effects, StepCall } from './effects.ts'
import { deferred, Stage, turnOfTheLoop } from './execution.test-kit.ts'
import { StepError } from './step-error.ts'

describe('what a component does wrong', () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  const thenable = (then: () => unknown): unknown => Object.fromEntries([['then', then]])
  const rows: [name: string, behaviour: () => unknown, code: string, message: RegExp][] = [
    ['throws', () => fail(new Error('boom')), 'step_failed', /boom/],
    ['throws text', () => fail('boom'), 'step_failed', /boom/],
    ['throws nothing', () => fail(undefined), 'step_failed', /undefined/],
    ['throws an object that is not an error', () => fail({ message: 'boom' }), 'step_failed', /boom/],
    ['throws what cannot be printed', () => fail(Object.create(null)), 'step_failed', /object/],
    ['throws with a code', () => fail(new StepError('no', { code: 'mine' })), 'mine', /no/],
    ['returns a text', () => 'text', 'output_not_an_object', /one member per output/],
    ['returns a list', () => [], 'output_not_an_object', /a list/],
    ['returns a cycle', () => ({ out: cycle }), 'output_not_json', /"out".*contains itself/],
    ['returns a function', () => ({ out: () => 1 }), 'output_not_json', /"out".*function/],
    ['returns a symbol', () => ({ out: Symbol('x') }), 'output_not_json', /"out".*symbol/],
    ['returns a thenable that throws', () => thenable(() => fail(new Error('then'))), 'step_failed', /then/],
    ['returns what cannot be asked for then', () => hostile('then', 1), 'step_failed', /get then/],
    ['returns a promise of a class that throws', () => hostilePromise(), 'step_failed', /get constructor/],
    ['returns what cannot be read', () => hostile('out', 1), 'step_failed', /get out/]
  ]
  /** Its member can be read so often, and throws from then on. */
  const hostile = (name: string, reads: number, given = {}): unknown => {
    let left = reads
    const get = () => (--left > 0 ? 'read' : fail(new Error(`get ${name}`)))
    return Object.defineProperty(given, name, { get, enumerable: true })
  }
  const hostilePromise = () => hostile('constructor', 1, Promise.resolve({}))
  for (const effects of ['pure', 'external']) {
    for (const [name, behaviour, code, message] of rows) {
      it(`fails the step and never the process: a ${effects} one that ${name}`, async () => {
        const steps = { A: behaviour }
        const stage = await new Stage(effects === 'pure' ? 'A -> B' : 'A! -> B', { steps }).play()
        assert.equal(stage.ended.status, 'failed')
        assert.equal(stage.record('A').error?.code, code)
        assert.match(stage.record('A').error!.message, message)
        assert.deepEqual(stage.invoked, ['A'])
      })
    }
  }

  function fail(reason: unknown): never {
    throw reason
  }

  it('is of no concern once the outputs were read: they are read once', async () => {
    const stage = await new Stage('A! -> B', {
      steps: { A: () => Promise.resolve(hostile('out', 2)) }
    }).play()
    assert.deepEqual([stage.ended.status, stage.record('B').outputs], ['succeeded', { out: 'B(read)' }])
  })

  it('is nothing when it returns no outputs at all', () => {
    const stage = new Stage('A; B', { steps: { A: () => undefined, B: () => null } }).start()
    assert.deepEqual([stage.record('A').outputs, stage.record('B').outputs], [{}, {}])
  })
})

describe('what a step puts out', () => {
  const late = new StepError('too much', { code: 'output_too_large', retryable: false })

  it('is kept before the step settles, and the next one begins after that', async () => {
    const kept = deferred()
    const keep = (call: StepCall) => (call.node.id === 'A' ? (kept.promise as Promise<boolean>) : undefined)
    const stage = new Stage('A -> B', { keep }).start()
    assert.deepEqual(stage.invoked, ['A'])
    kept.resolve(true)
    await turnOfTheLoop()
    assert.equal(stage.ended.status, 'succeeded')
  })

  it('fails the step where it cannot be kept, at once or later', async () => {
    const refusals: Effects['keep'][] = [
      () => {
        throw late
      },
      () => Promise.reject(late)
    ]
    for (const keep of refusals) {
      const stage = await new Stage('A', { keep, steps: { A: () => ({ out: 1 }) } }).play()
      assert.deepEqual(stage.record('A').error, { code: 'output_too_large', message: 'too much' })
      assert.equal(stage.ended.status, 'failed')
    }
  })

  it('is dropped where the step failed and it is too much, and the step keeps its own error', async () => {
    const refuse = () => Promise.reject(late)
    const steps = {
      A: ({ messages }: StepCall) => {
        messages.push({ id: 'm', text: 'last words', sender: 'Machine', session: 's', createdAt: 0 })
        throw new Error('broken')
      }
    }
    const kept = await new Stage('A', { steps }).play()
    assert.equal(kept.record('A').messages!.length, 1)
    const dropped = await new Stage('A', { steps, keep: refuse }).play()
    assert.equal(dropped.record('A').error!.message, 'broken')
    assert.equal(dropped.record('A').messages, undefined)
  })

  it('is nobody’s any more when the run was cancelled meanwhile, or is somebody else’s', async () => {
    const kept = deferred()
    const keep = () => kept.promise as Promise<boolean>
    const cancelled = new Stage('A', { keep }).start()
    cancelled.execution.cancel()
    const lost = new Stage('A', { keep: async () => false }).start()
    kept.resolve(true)
    await turnOfTheLoop()
    assert.equal(cancelled.ended.status, 'cancelled')
    assert.equal(lost.ending!.kind, 'lost')
  })

  it('has all the time it needs: the component’s is over', async () => {
    const clock = manualClock()
    const kept = deferred()
    const keep = () => kept.promise as Promise<boolean>
    const nodes = { A: { timeout_ms: 50 } }
    const steps = { A: () => Promise.resolve({ out: 1 }) }
    const stage = await new Stage('A', { clock, keep, nodes, steps }).play()
    clock.advance(100)
    kept.resolve(true)
    await turnOfTheLoop()
    assert.equal(stage.ended.status, 'succeeded')
  })
})

describe('a pure step that computes for long', () => {
  const play = async (isStored: boolean) => {
    const computed = deferred()
    const stage = await new Stage('A -> B -> C', { isStored, steps: { B: () => computed.promise } }).play()
    stage.clock.advance(999)
    await turnOfTheLoop()
    assert.deepEqual(stage.journal, [])
    stage.clock.advance(60_000)
    await turnOfTheLoop()
    const told = stage.journal.map(({ startedAt, settled = [] }) => [
      startedAt,
      settled.map(({ node }) => node)
    ])
    computed.resolve({ out: 1 })
    await turnOfTheLoop()
    assert.equal(stage.ended.status, 'succeeded')
    return told
  }

  it('has it told after a second that the run began, and what is done of it', async () => {
    assert.deepEqual(await play(true), [[manualClock().now(), ['A']]])
  })

  it('tells nobody where nothing is stored', async () => {
    assert.deepEqual(await play(false), [])
  })
})
