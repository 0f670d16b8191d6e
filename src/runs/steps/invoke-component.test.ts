import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import { SecretSpellings } from '../../connections/redaction/secret-spellings.ts'
import { DOCUMENT_LIMITS } from '../../documents/document-reader.ts'
import type { StepCall } from '../../engine/effects.ts'
import { LazyAbort } from '../../engine/lazy-abort.ts'
import { DEFAULT_OUTPUT_LIMITS } from '../../engine/output-limit.ts'
import { plan } from '../../engine/plan.test-kit.ts'
import { StepError } from '../../engine/step-error.ts'
import type { AnyComponent, ComponentEffects, Step } from '../../flows/component/component.ts'
import type { OpenConnection } from '../../flows/step/step-connection.ts'
import { noChildren } from '../children/no-children.ts'
import { NO_FILES } from '../files/no-files.test-kit.ts'
import { NO_LIVE_TEXT } from '../live-text/live-text.ts'
import { acceptedRun } from '../record/stored-run.test-kit.ts'
import { NO_PIECES } from './carried-of-step.ts'
import { invokeComponent } from './invoke-component.ts'
import { Pacing } from './pacing.ts'
import type { RunInContext } from './run-in-context.ts'
import type { RunScope } from './run-scope.ts'
import { NO_STEP_WATCH } from './step-watch.ts'

const CANARY = 'canary/1'

function invoke(run: AnyComponent['run'], { effects = 'external' as ComponentEffects, hooks = {} } = {}) {
  const [node] = plan('A!').nodes
  const call: StepCall = {
    node: { ...node!, effects, component: { ...node!.component, run } },
    inputs: {},
    attempt: 1,
    messages: [],
    abort: new LazyAbort()
  }
  const clock = manualClock()
  const context: RunScope = {
    path: '/shop',
    decorations: {},
    variables: {},
    onRunStart: [],
    onRunEnd: [],
    aroundStep: undefined,
    outputLimits: DEFAULT_OUTPUT_LIMITS,
    ...hooks
  }
  const around: RunInContext = {
    run: acceptedRun(7),
    start: { input: null, request: null },
    context,
    outputs: { left: { bytes: 1000, of: 'step', most: 1000 }, pieces: NO_PIECES },
    pacing: new Pacing(clock),
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
      connections: {
        openByName: (path, { name }, { secrets }) => {
          secrets.add(SecretSpellings.of([CANARY]))
          return { name, kind: path, secrets: { token: CANARY } } as unknown as OpenConnection
        }
      }
    },
    liveText: NO_LIVE_TEXT,
    children: noChildren,
    persist: (ask) => ask(),
    newId: clock.newId,
    now: clock.now
  }
  const result = invokeComponent.bind(null, call, around, NO_STEP_WATCH)
  return { result, call }
}

describe('what leaves a component that opened a secret', () => {
  it('is rid of it: outputs, their names, messages, logs', async () => {
    const { result, call } = invoke(async ({ connection, run, log }) => {
      const { token } = connection('shop').secrets
      run.say({ text: `I am ${token}` })
      log(`told ${token}`)
      return { data: { echo: [`?t=${encodeURIComponent(token!)}`], [token!]: 1, other: 5 } }
    })
    assert.deepEqual(await result(), { data: { echo: ['?t=•••'], '•••': 1, other: 5 } })
    assert.equal(call.messages[0]!.text, 'I am •••')
    assert.deepEqual(call.logs, [{ level: 'log', text: 'told •••' }])
  })

  it('is rid of it also where it answers at once', () => {
    const { result } = invoke(({ connection }) => ({ data: connection('shop').secrets.token }))
    assert.deepEqual(result(), { data: '•••' })
  })

  it('is rid of it in errors, which keep their code and what they say of a retry', async () => {
    const fail = (step: Step) => {
      const { token } = step.connection('shop').secrets
      return new StepError(`401 for ${token}`, {
        code: 'bad_key',
        retryable: false,
        cause: token,
        retryAfterMs: 5
      })
    }
    const expected = {
      message: '401 for •••',
      code: 'bad_key',
      retryable: false,
      retryAfterMs: 5
    }
    await assert.rejects(async () => invoke(async (step) => Promise.reject(fail(step))).result(), expected)
    assert.throws(
      invoke((step) => {
        throw fail(step)
      }).result,
      expected
    )
  })

  it('is rid of it in what a step said that is ended from outside, and in what it then fails with', () => {
    const { result, call } = invoke(({ connection, run, ifTimedOut }) => {
      const { token } = connection('shop').secrets
      run.say({ text: `I am ${token}` })
      ifTimedOut(new StepError(`sent ${token}`, { code: 'unknown', retryable: false }))
      return new Promise(() => {})
    })
    result()
    call.abort.abort(new Error('too late'))
    assert.equal(call.messages[0]!.text, 'I am •••')
    const { message, code, retryable } = call.timeoutError!() as StepError
    assert.deepEqual([message, code, retryable], ['sent •••', 'unknown', false])
  })

  it('is rid of it before a hook sees it', async () => {
    const seen: unknown[] = []
    const aroundStep: RunScope['aroundStep'] = async (inner, step) => {
      const outputs = await inner(step)
      seen.push(outputs)
      return outputs
    }
    const { result } = invoke(async ({ connection }) => ({ data: connection('shop').secrets.token }), {
      hooks: { aroundStep }
    })
    await result()
    assert.deepEqual(seen, [{ data: '•••' }])
  })

  it('is the very value where no secret was opened', async () => {
    const outputs = { data: { a: 1 } }
    assert.equal(await invoke(async () => outputs).result(), outputs)
    assert.equal(invoke(() => outputs).result(), outputs)
  })

  it('is an error where the component says that it is pure', () => {
    const { result } = invoke(({ connection }) => ({ data: connection('shop').name }), { effects: 'pure' })
    assert.throws(result, { code: 'pure_component', retryable: false })
  })
})
