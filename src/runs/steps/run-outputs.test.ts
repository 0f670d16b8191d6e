import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import type { StepCall } from '../../engine/effects.ts'
import { LazyAbort } from '../../engine/lazy-abort.ts'
import { plan } from '../../engine/plan.test-kit.ts'
import type { StepError } from '../../engine/step-error.ts'
import { MillraceError } from '../../errors.ts'
import { ExactNumber } from '../../flows/json/exact-json.ts'
import { type LongRef, LongValue } from '../../flows/json/long-value.ts'
import { decodeSteps, encodeSteps, messagesOf } from '../record/step-codec.ts'
import { stepRecord } from '../record/stored-run.test-kit.ts'
import { Pacing } from './pacing.ts'
import { RunOutputs, type RunOutputsDeps } from './run-outputs.ts'

const LONG = 'x'.repeat(100_000)

/** A store of pieces in memory. */
function setUp(limits = { step: 1_000_000, run: 2_000_000 }) {
  const input = { payload: LONG }
  const pieces = new Map<string, Uint8Array>()
  const kept: string[] = []
  const store: RunOutputsDeps['store'] = {
    keepPiece: async (_run, { name, piece, bytes }) => {
      kept.push(name)
      pieces.set(`${name}:${piece}`, bytes)
      return true
    },
    readPiece: async (_seq, name, piece) => pieces.get(`${name}:${piece}`)
  }
  const deps: RunOutputsDeps = {
    run: { seq: 7, flowId: 'flow' },
    start: { input, request: null },
    limits,
    pacing: new Pacing(manualClock()),
    store,
    persist: (write) => write()
  }
  return { outputs: new RunOutputs(deps), again: () => new RunOutputs(deps), input, kept, store, deps }
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

describe('a long value', () => {
  it('is stored once, however many steps pass it on and say it', async () => {
    const { outputs, kept } = setUp()
    const text = LONG
    await outputs.keep(call(), { parsed_text: text })
    await outputs.keep(call([text]), { message: text, short: 'a' })
    assert.deepEqual([...new Set(kept)], ['outputs/A/parsed_text'])
    assert.equal(outputs.left.bytes, 1_000_000, 'it counts once')
    const messages = call([text]).messages
    const steps = [
      stepRecord('A', { outputs: { parsed_text: text } }),
      stepRecord('B', { outputs: { message: text, short: 'a' }, messages })
    ]
    const encoded = encodeSteps(steps, outputs)
    assert.ok(encoded.length < 1_000, encoded.slice(0, 2_000))
    const ref = [7, 'outputs/A/parsed_text', 1, 100_002]
    const [a, b] = decodeSteps(encoded, undefined)
    assert.deepEqual(a!.outputs, { parsed_text: new LongValue(ref as unknown as LongRef) })
    assert.deepEqual([b!.outputs!.short, b!.messages![0]!.text], ['a', a!.outputs!.parsed_text])
    assert.deepEqual(
      messagesOf(steps, outputs).map(({ text, long }) => [text, long]),
      [['', JSON.stringify(ref)]]
    )
    assert.equal(
      encodeSteps([a!, b!], { input: null, request: null }),
      encoded,
      'also when it is not in memory'
    )
  })

  it('is in memory again when its run goes on, and is not stored again', async () => {
    const { outputs, again, kept } = setUp()
    const value = {
      list: Array.from({ length: 60_000 }, (_, n) => n),
      id: new ExactNumber('12345678901234567890')
    }
    await outputs.keep(call(), { value })
    const stored = decodeSteps(
      encodeSteps([stepRecord('A', { outputs: { value, short: 'abc' } })], outputs),
      undefined
    )
    const before = kept.length
    const resumed = again()
    const settled = await resumed.restore(new Map([['A', stored[0]!]]))
    assert.deepEqual(settled.get('A')!.outputs, { value, short: 'abc' })
    await resumed.keep(call(), { passedOn: settled.get('A')!.outputs!.value })
    assert.equal(kept.length, before)
    assert.ok(resumed.left.of === 'step' && resumed.refOf(settled.get('A')!.outputs!.value) !== undefined)
  })

  it('is read back at once where none is long', () => {
    const { outputs } = setUp()
    const settled = new Map([['A', stepRecord('A', { outputs: { text: 'abc' } })]])
    assert.equal(outputs.restore(settled), settled)
  })

  it('is written in pieces that join to its JSON', async () => {
    const { outputs, deps } = setUp({ step: 5_000_000, run: 5_000_000 })
    const text = `${'é"'.repeat(600_000)}!`
    assert.equal(await outputs.keep(call(), { text }), true)
    const [seq, name, count] = outputs.refOf(text)!
    assert.equal(count, 4)
    const pieces = await Promise.all(
      Array.from({ length: count }, (_, piece) => deps.store.readPiece(seq, name, piece))
    )
    assert.equal(Buffer.concat(pieces as Uint8Array[]).toString(), JSON.stringify(text))
  })

  it('leaves nothing behind where it is too much', async () => {
    const { outputs, kept } = setUp({ step: 150_000, run: 1_000_000 })
    await refusalOf(() => outputs.keep(call(), { fits: LONG, tooMuch: `${LONG}!` }))
    assert.deepEqual(kept, [])
  })

  it('is nobody’s where the run has ended or the service stops', async () => {
    const { deps } = setUp()
    const ended = new RunOutputs({ ...deps, store: { ...deps.store, keepPiece: async () => false } })
    assert.equal(await ended.keep(call(), { text: LONG }), false)
    const refuse = async () => {
      throw new MillraceError('store_unwritable', 'The service stops.')
    }
    const stopped = new RunOutputs({ ...deps, persist: refuse })
    assert.equal(await stopped.keep(call(), { text: LONG }), false)
  })
})
