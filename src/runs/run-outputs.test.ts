import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import type { StepCall } from '../engine/effects.ts'
import { LazyAbort } from '../engine/lazy-abort.ts'
import { plan } from '../engine/plan.test-kit.ts'
import type { StepError } from '../engine/step-error.ts'
import { Pacing } from './pacing.ts'
import { RunOutputs } from './run-outputs.ts'

const LONG = 'x'.repeat(100_000)

function setUp(limits = { step: 1_000_000, run: 2_000_000 }) {
  const input = { payload: LONG }
  const outputs = new RunOutputs({ storedValues: [input, null], limits, pacing: new Pacing(manualClock()) })
  return { outputs, input }
}

function call(said: readonly string[] = []): StepCall {
  const [node] = plan('A').nodes
  const messages = said.map((text, n) => {
    return { id: String(n), text, sender: 'Machine', session: 's', createdAt: 0 }
  })
  return { node: node!, inputs: {}, attempt: 1, messages, abort: new LazyAbort() }
}

async function refusalOf(keep: () => Promise<boolean> | undefined): Promise<StepError> {
  try {
    await keep()
  } catch (error) {
    return error as StepError
  }
  return assert.fail('it was taken')
}

describe('what steps put out', () => {
  it('is measured at once where it is short', () => {
    const { outputs } = setUp()
    assert.equal(outputs.keep(call(['hi']), { text: 'a', data: { b: [1] }, none: null }), undefined)
    const { bytes } = outputs.left
    assert.equal(bytes, 1_000_000)
  })

  it('is nothing where it came with the request', () => {
    const { outputs, input } = setUp({ step: 10, run: 10 })
    assert.equal(outputs.keep(call(), { data: input, request: null }), undefined)
  })

  it('is measured in bytes of JSON where it is long', async () => {
    const sizes: [value: unknown, bytes: number][] = [
      [LONG, 100_002],
      ['é'.repeat(70_000), 140_002],
      ['\u0001'.repeat(70_000), 420_002],
      [Array.from({ length: 40_000 }, () => 1), 80_001]
    ]
    for (const [value, bytes] of sizes) {
      const exactly = setUp({ step: 1_000_000, run: bytes }).outputs
      assert.equal(await exactly.keep(call(), { value }), true)
      assert.equal(exactly.left.bytes, 0)
      const less = setUp({ step: bytes - 1, run: 1_000_000 }).outputs
      assert.equal((await refusalOf(() => less.keep(call(), { value }))).code, 'output_too_large')
    }
  })

  it('counts once where one step puts it out twice', async () => {
    const { outputs } = setUp({ step: 100_002, run: 100_002 })
    assert.equal(await outputs.keep(call([LONG]), { message: LONG }), true)
  })

  it('fails the step that puts out too much, with the size, the limit and what to do', async () => {
    const { outputs } = setUp({ step: 1_000_000, run: 5_000_000 })
    const error = await refusalOf(() => outputs.keep(call(), { text: 'x'.repeat(2 * 1024 ** 2) }))
    assert.deepEqual([error.code, error.retryable], ['output_too_large', false])
    assert.equal(
      error.message,
      "It would put out about 2 MB, and a step may put out 977 kB. Put out less, or raise step_output_bytes among the limits of the flow's context."
    )
  })

  it('fails the step with which all put out too much', async () => {
    const { outputs } = setUp({ step: 150_000, run: 250_000 })
    assert.equal(await outputs.keep(call(), { text: LONG }), true)
    assert.equal(await outputs.keep(call(), { text: `${LONG}!` }), true)
    const error = await refusalOf(() => outputs.keep(call(), { text: LONG.slice(1) }))
    assert.match(
      error.message,
      /^It would put out about 98 kB, and all steps of a run together may put out 244 kB, of which 49 kB were left\..*run_output_bytes/
    )
    const short = await refusalOf(() => outputs.keep(call(), { text: 'x'.repeat(60_000) }))
    assert.equal(short.code, 'output_too_large')
  })

  it('is refused where JSON cannot hold it', async () => {
    const cyclic: unknown[] = Array.from({ length: 20_000 }, () => 'text')
    cyclic.push({ cyclic })
    const error = await refusalOf(() => setUp().outputs.keep(call(), { cyclic }))
    assert.equal(error.code, 'output_not_json')
    assert.match(error.message, /^Output "cyclic": .*contains itself/)
  })
})
