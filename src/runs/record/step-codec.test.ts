import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { JournalEntry } from '../../engine/journal.ts'
import { ExactNumber, parseJson } from '../../flows/json/exact-json.ts'
import { decodeEntry, encodeEntry } from './journal-codec.ts'
import type { RunStart } from './run-start.ts'
import { decodeSteps, encodeSteps } from './step-codec.ts'
import { stepRecord } from './stored-run.test-kit.ts'

const request = { method: 'POST', headers: { a: 'b' }, query: {}, address: '127.0.0.1' }
const start: RunStart = { input: { order: 'a payload' }, request }

describe('steps as they are stored', () => {
  it('come back as they were', () => {
    const messages = [{ id: 'm', text: 'hi', sender: 'Machine', session: 's', createdAt: 1 }]
    const logs = [{ level: 'warn', text: 'odd' }] as const
    const steps = [
      stepRecord('a', { messages }),
      stepRecord('f', { messages, logs }),
      stepRecord('h', { messages, reportsUsage: true }),
      stepRecord('i', { logs, reportsUsage: true, outputs: { data: start.input } }),
      stepRecord('g', { logs, outputs: { data: start.input } }),
      stepRecord('b', { status: 'failed', outputs: null, error: { code: 'x', message: 'no' } }),
      stepRecord('c', {
        status: 'not reached',
        outputs: null,
        startedAt: null,
        durationMs: null,
        attempts: 0
      }),
      stepRecord('d', { attempts: 0, pinned: true }),
      stepRecord('e', { attempts: 0, pinned: true, outputs: { data: start.input, text: 'x' } })
    ]
    assert.deepEqual(decodeSteps(encodeSteps(steps, start), start), steps)
  })

  it('keep every digit of a number', () => {
    const outputs = parseJson('{"id":12345678901234567890,"price":1.10}') as Record<string, unknown>
    const [step] = decodeSteps(encodeSteps([stepRecord('a', { outputs })], start), start)
    assert.deepEqual(step!.outputs, {
      id: new ExactNumber('12345678901234567890'),
      price: new ExactNumber('1.10')
    })
  })

  it('hold what came with the request by name only: it is stored once, with the run', () => {
    const steps = [
      stepRecord('w', { outputs: { data: start.input, request, again: start.input, text: 'x' } })
    ]
    const text = encodeSteps(steps, start)
    assert.ok(!text.includes('a payload') && !text.includes('127.0.0.1'))
    assert.deepEqual(decodeSteps(text, start), steps)
    assert.equal(decodeSteps(text, start)[0]!.outputs!.data, start.input)
  })

  it('leave such outputs out where the request is not at hand', () => {
    const text = encodeSteps([stepRecord('w', { outputs: { data: start.input, text: 'x' } })], start)
    assert.deepEqual(decodeSteps(text, undefined), [stepRecord('w', { outputs: { text: 'x' } })])
  })

  it('hold what merely looks like the payload as it is', () => {
    const steps = [stepRecord('w', { outputs: { data: { order: 'a payload' } } })]
    assert.deepEqual(decodeSteps(encodeSteps(steps, start), undefined), steps)
  })

  it('come back for every payload, be it an object, a text or null', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.jsonValue()),
        (payload, outputs) => {
          const input = parseJson(JSON.stringify(payload))
          const rest = parseJson(JSON.stringify(outputs)) as Record<string, unknown>
          const steps = [stepRecord('w', { outputs: { data: input, ...rest } })]
          const those: RunStart = { input, request: null }
          assert.deepEqual(decodeSteps(encodeSteps(steps, those), those), steps)
        }
      )
    )
  })
})

describe('journal entries as they are stored', () => {
  it('come back as they were', () => {
    const entries: JournalEntry[] = [
      { at: 2, startedAt: 1, begun: [{ node: 'a', type: 't', attempt: 2 }] },
      { at: 2, startedAt: 1, settled: [stepRecord('w', { outputs: { data: start.input } })] },
      {
        at: 2,
        startedAt: 1,
        reopened: true,
        settled: [],
        waiting: [{ node: 'a', type: 't', attempts: 1, until: 5, error: { code: 'x', message: 'no' } }]
      }
    ]
    for (const entry of entries) assert.deepEqual(decodeEntry(encodeEntry(entry, start), start), entry)
  })

  it('hold the payload by name only', () => {
    const settled = [stepRecord('w', { outputs: { data: start.input } })]
    const text = encodeEntry({ at: 2, startedAt: 1, settled }, start)
    assert.ok(!text.includes('a payload'))
    assert.deepEqual(decodeEntry(text, undefined).settled?.[0]?.outputs, {})
  })
})
