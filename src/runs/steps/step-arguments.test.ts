import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock, NOON } from '../../clock.test-kit.ts'
import { DOCUMENT_LIMITS } from '../../documents/document-reader.ts'
import type { StepCall } from '../../engine/effects.ts'
import { LazyAbort } from '../../engine/lazy-abort.ts'
import { DEFAULT_OUTPUT_LIMITS } from '../../engine/output-limit.ts'
import { plan } from '../../engine/plan.test-kit.ts'
import { MillraceError } from '../../errors.ts'
import type { KeptStore } from '../../store/kept-values.ts'
import { noChildren } from '../children/no-children.ts'
import { Persistence } from '../execute/persistence.ts'
import { NO_FILES } from '../files/no-files.test-kit.ts'
import { KeptLibrary } from '../kept/kept-library.ts'
import { NO_LIVE_TEXT } from '../live-text/live-text.ts'
import { acceptedRun } from '../record/stored-run.test-kit.ts'
import { NO_PIECES } from './carried-of-step.ts'
import { Pacing } from './pacing.ts'
import type { RunInContext } from './run-in-context.ts'
import type { RunScope } from './run-scope.ts'
import { assertFreeName } from './run-view.ts'
import { stepArguments } from './step-arguments.ts'

const request = { method: 'POST', headers: {}, query: {}, address: '::1' }

function call(more: Partial<StepCall> = {}): StepCall {
  const [node] = plan('A!').nodes
  return { node: node!, inputs: { data: 1 }, attempt: 2, messages: [], abort: new LazyAbort(), ...more }
}

const NOTHING_AROUND: RunScope = {
  path: '/shop',
  decorations: {},
  variables: {},
  onRunStart: [],
  onRunEnd: [],
  aroundStep: undefined,
  outputLimits: DEFAULT_OUTPUT_LIMITS
}

function around(more: Partial<RunInContext> = {}): RunInContext {
  const clock = manualClock()
  const { newId, now } = clock
  const run = acceptedRun(7, { session: 'talk' })
  return {
    run,
    start: { input: { a: 1 }, request },
    context: NOTHING_AROUND,
    outputs: { left: { bytes: 100, of: 'step', most: 100 }, pieces: NO_PIECES },
    pacing: new Pacing(clock),
    liveText: NO_LIVE_TEXT,
    children: noChildren,
    persist: (ask) => ask(),
    outside: {
      spending: {
        payFor: async () => ({ end: () => null }),
        costOfRun: async () => 0,
        joinCommit: () => {},
        save: async () => {}
      },
      history: async () => ({ messages: [], summary: null }),
      files: NO_FILES,
      kept: { get: () => assert.fail(), change: () => assert.fail() },
      knowledge: {
        collections: { visible: () => assert.fail() },
        knowledge: { write: () => assert.fail(), search: () => assert.fail() }
      },
      addresses: { of: () => undefined },
      resources: { use: () => assert.fail('nothing is opened') },
      sandbox: { compute: () => assert.fail('nothing is computed') },
      documents: { read: () => assert.fail('nothing is read'), limits: DOCUMENT_LIMITS },
      circuits: { of: () => assert.fail('nobody is called') },
      egress: {
        fetch: () => assert.fail('nobody is called'),
        request: () => assert.fail('nobody is called')
      },
      connections: { openByName: () => assert.fail('no connection is used') }
    },
    newId,
    now,
    ...more
  }
}

describe('the logs of a step', () => {
  it('are kept up to a number of lines and of characters', () => {
    const lines = call()
    const { log } = stepArguments(lines, around())
    log('first')
    log('second', 'error')
    assert.deepEqual(lines.logs, [
      { level: 'log', text: 'first' },
      { level: 'error', text: 'second' }
    ])
    for (let n = 0; n < 200; n++) log('more')
    assert.deepEqual([lines.logs!.length, lines.logs!.at(-1)!.text], [101, 'Further lines were left out.'])
    const long = call()
    for (let n = 0; n < 5; n++) stepArguments(long, around()).log('x'.repeat(5_000))
    assert.deepEqual([long.logs!.length, long.logs!.at(-1)!.level], [4, 'warn'])
  })
})

describe('what a component gets', () => {
  it('is its inputs and fields, its node and the attempt', () => {
    const { inputs, fields, node, attempt } = stepArguments(call(), around())
    assert.deepEqual([inputs, fields, node, attempt], [{ data: 1 }, { text: '' }, 'A', 2])
  })

  it('is the run as it was accepted, with its payload and request', () => {
    const { run } = stepArguments(call(), around())
    assert.deepEqual([run.id, run.flowId, run.flowVersion, run.trigger], ['run-7', 'flow-1', 1, 'webhook'])
    assert.deepEqual([run.input, run.request, run.session], [{ a: 1 }, request, 'talk'])
  })

  it('is a key that is the same for every attempt at the step', () => {
    const keys = [1, 2].map((attempt) => stepArguments(call({ attempt }), around()).idempotencyKey)
    assert.deepEqual(keys, ['run-7/A', 'run-7/A'])
  })

  it('is a pause that can be taken out, and has to be waited for after a while', async () => {
    const clock = manualClock()
    const { pause } = stepArguments(call(), around({ pacing: new Pacing(clock) }))
    assert.equal(pause(), undefined)
    clock.advance(5)
    assert.equal(pause(), undefined)
    clock.advance(5)
    assert.ok(pause() instanceof Promise)
  })

  it('is what the step may put out, and no more can be said', () => {
    const { outputLimit, run } = stepArguments(call(), around())
    assert.equal(outputLimit.bytes, 100)
    run.say({ text: 'x'.repeat(60) })
    assert.throws(() => run.say({ text: 'x'.repeat(60) }), { code: 'output_too_large' })
  })

  it('is a signal that is aborted with the step', () => {
    const abort = new LazyAbort()
    const { signal } = stepArguments(call({ abort }), around())
    assert.equal(signal.aborted, false)
    abort.abort(new Error('cancelled'))
    assert.equal(signal.aborted, true)
    assert.match(String(signal.reason), /cancelled/)
  })

  it('is a fetch through the guard, which ends with the step or with the call', async () => {
    const asked: [url: unknown, init: RequestInit][] = []
    const egress = {
      fetch: async (url: string | URL, init: RequestInit = {}) => {
        asked.push([url, init])
        return new Response('hello')
      }
    }
    const abort = new LazyAbort()
    const { outside } = around()
    const { fetch } = stepArguments(
      call({ abort }),
      around({ outside: { ...outside, egress: { ...outside.egress, ...egress } } })
    )
    const own = new AbortController()
    assert.equal(await (await fetch('https://a.example', { method: 'POST' })).text(), 'hello')
    await fetch('https://a.example', { signal: own.signal })
    const signals = asked.map(([, { signal }]) => signal!)
    assert.deepEqual([String(asked[0]![0]), asked[0]![1].method], ['https://a.example/', 'POST'])
    own.abort()
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false, true]
    )
    abort.abort(new Error('cancelled'))
    assert.equal(signals[0]!.aborted, true)
  })

  it('can be taken apart, as contract and examples do', () => {
    const { inputs, fields, run, signal } = stepArguments(call(), around())
    const { say, request: facts } = run
    say({ text: 'hi' })
    assert.ok(inputs && fields && signal && facts)
  })

  it('has what the context decorates runs with', () => {
    const { run } = stepArguments(
      call(),
      around({ context: { ...NOTHING_AROUND, decorations: { region: 'eu' } } })
    )
    assert.equal(run.region, 'eu')
    assert.equal(run.id, 'run-7')
  })
})

describe('variables of the context', () => {
  const variables = { region: 'eu', retries: 3 }
  const context = { ...NOTHING_AROUND, variables }

  it('are members of the run', () => {
    assert.deepEqual(stepArguments(call(), around({ context })).run.variables, variables)
  })

  it('fill the fields that read them, and leave the plan as it is', () => {
    const [node] = plan('A!').nodes
    const fields = { url: 'https://{$region}.acme.com', plain: '{$region}', count: 1 }
    const reading = { ...node!, fields, variableFields: ['url'] }
    const step = stepArguments(call({ node: reading }), around({ context }))
    assert.deepEqual(step.fields, { url: 'https://eu.acme.com', plain: '{$region}', count: 1 })
    assert.equal(fields.url, 'https://{$region}.acme.com')
  })

  it('that are missing fail the step, whatever else is in order', () => {
    const [node] = plan('A!').nodes
    const reading = { ...node!, fields: { url: '{$nowhere}' }, variableFields: ['url'] }
    assert.throws(() => stepArguments(call({ node: reading }), around({ context })), {
      code: 'variable_missing',
      retryable: false
    })
  })
})

describe('decorating the run', () => {
  it('cannot take the place of what every component relies on', () => {
    const { run } = stepArguments(call(), around())
    for (const name of [...Object.keys(run), '', '__proto__']) {
      assert.throws(() => assertFreeName(name), /cannot decorate the run/, name)
    }
    assert.throws(() => assertFreeName(undefined as unknown as string), /cannot decorate the run/)
  })

  it('takes any other name', () => {
    for (const name of ['region', 'db', 'constructor', 'toString', 'flow_id']) assertFreeName(name)
  })
})

describe('saying something', () => {
  it('keeps the message with the step, as the machine’s in the run’s session unless said otherwise', () => {
    const made = call()
    const { run } = stepArguments(made, around())
    run.say({ text: 'one' })
    run.say({ text: 'two', sender: 'User', session: 'mine' })
    assert.deepEqual(
      made.messages.map(({ id: _, ...message }) => message),
      [
        { text: 'one', sender: 'Machine', session: 'talk', createdAt: NOON },
        { text: 'two', sender: 'User', session: 'mine', createdAt: NOON }
      ]
    )
    assert.notEqual(made.messages[0]!.id, made.messages[1]!.id)
  })

  it('makes text of whatever a plugin says', () => {
    const made = call()
    const { say } = stepArguments(made, around()).run as { say(message: object): void }
    say({ text: 5, sender: {}, session: null })
    const { text, sender, session } = made.messages[0]!
    assert.deepEqual([text, sender, session], ['5', '[object Object]', 'null'])
  })
})

describe('what a step asks of the store', () => {
  const away = () => Promise.reject(new MillraceError('store_unwritable', 'The disk is full.'))

  it('is asked for again while the store is away, and is the same change each time', async () => {
    const clock = manualClock()
    const names: (string | undefined)[] = []
    const change: KeptStore['change'] = async (_change, origin) => {
      names.push(origin?.change)
      return names.length < 3 ? away() : { won: true, value: '1' }
    }
    const kept = new KeptLibrary({ store: { change } as KeptStore, now: clock.now })
    const { persist } = new Persistence(clock)
    const given = around({ persist, outside: { ...around().outside, kept } })
    const counting = stepArguments(call(), given).kept.increment('orders')
    for (let turn = 0; turn < 3; turn++) {
      await turnOfTheLoop()
      clock.advance(1_000)
    }
    assert.equal(await counting, 1)
    assert.deepEqual(names, Array(3).fill('1 increment 1 orders'))
  })

  it('is asked for no more when its attempt is over', async () => {
    const clock = manualClock()
    const { persist } = new Persistence(clock)
    const given = around({ persist, outside: { ...around().outside, history: away } })
    const step = call()
    const asking = stepArguments(step, given).history(1)
    await turnOfTheLoop()
    step.abort.abort(new Error('Its time is over.'))
    clock.advance(1_000)
    await assert.rejects(asking, /Its time is over/)
    assert.equal(clock.timers, 0)
  })
})
