import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ExactNumber, type JsonValue, MAX_DEPTH, PAYLOAD_DEPTH, writeJson } from '../flows/json/exact-json.ts'
import { StepError } from './step-error.ts'
import { readOutputs } from './step-outputs.ts'

function refusalOf(returned: unknown): StepError {
  try {
    readOutputs(returned, [])
  } catch (error) {
    assert.ok(error instanceof StepError)
    return error
  }
  return assert.fail('it was taken')
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

describe('readOutputs', () => {
  it('takes an object as it is', () => {
    const outputs = { text: 'a', data: { b: [1, null, new ExactNumber('1.10')] }, none: undefined, big: 5n }
    assert.deepEqual(readOutputs(outputs, []), outputs)
  })

  it('takes nothing as no outputs', () => {
    assert.deepEqual([readOutputs(undefined, []), readOutputs(null, [])], [{}, {}])
  })

  it('refuses what is not an object and says what to return', () => {
    for (const returned of ['text', 5, true, [1], () => 1, 5n]) {
      const error = refusalOf(returned)
      assert.deepEqual([error.code, error.retryable], ['output_not_an_object', false])
      assert.match(error.message, /return an object with one member per output/)
    }
  })

  it('refuses what JSON would leave out, and names the output', () => {
    for (const value of [() => 1, Symbol('a'), class {}]) {
      const error = refusalOf({ good: 1, bad: value })
      assert.equal(error.code, 'output_not_json')
      assert.match(error.message, /^Output "bad": a (function|symbol) cannot/)
    }
  })

  it('refuses a cycle', () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    assert.match(refusalOf({ out: cycle }).message, /^Output "out": .* contains itself\. Return plain data/)
  })

  it('does not look into the run’s own input: it is stored with the run', () => {
    const input = { toJSON: () => assert.fail('looked') } as unknown as JsonValue
    assert.deepEqual(Object.keys(readOutputs({ data: input }, [input])), ['data'])
  })

  it('refuses what could not be stored and shown with all that stands around it', () => {
    assert.match(refusalOf({ out: nested(PAYLOAD_DEPTH + 1) }).message, /nested deeper/)
    const outputs = readOutputs({ out: nested(PAYLOAD_DEPTH) }, [])
    const shown = { runs: [{ steps: [{ node: 'a', outputs }] }] }
    assert.ok(writeJson(shown).length > 2 * MAX_DEPTH - 10)
  })

  it('either takes what is returned, and then it can be written, or refuses it', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (returned) => {
        try {
          writeJson(readOutputs(returned, []))
        } catch (error) {
          assert.ok(error instanceof StepError, String(error))
        }
      })
    )
  })
})
