import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonValue } from '../../plugin-api.ts'
import { failureOf, resumeStep, waitOf } from '../step.test-kit.ts'
import { approve } from './approve.ts'
import { delay } from './delay.ts'
import { waitForCall } from './wait-for-call.ts'

const NOW = Date.UTC(2026, 10, 17, 9)
const ORDER = { id: 7, ship_at: '2026-11-18T09:00:00Z', total: 20 }

const by = (kind: 'time' | 'call' | 'answer', value: JsonValue = null) => ({ by: kind, at: NOW, value })

describe('Delay', () => {
  const until = (fields: Record<string, string>) =>
    waitOf(delay, { fields, inputs: { data: ORDER }, now: () => NOW }).until
  const check = (fields: object) => delay.check!({ for: '', until: '', ...fields }).map(({ field }) => field)
  const code = (fields: Record<string, string>) =>
    failureOf(delay, { fields, inputs: { data: ORDER }, now: () => NOW }).code

  it('waits for a time or until a moment, and gives what reached it', () => {
    assert.equal(until({ for: '15m' }), NOW + 900_000)
    assert.equal(until({ for: '{id}s' }), NOW + 7_000)
    assert.equal(until({ until: '{ship_at}' }), NOW + 86_400_000)
    assert.deepEqual(resumeStep(delay, by('time'), { inputs: { data: ORDER } }).outputs, { data: ORDER })
  })

  it('fails where the moment is past, or is not a time', () => {
    assert.equal(code({ until: '2026-11-17T08:59:59Z' }), 'wait_in_past')
    assert.equal(code({ until: '{total}' }), 'invalid_time')
    assert.equal(code({ for: '{total}' }), 'invalid_duration')
    assert.equal(code({ for: '{gone}' }), 'template_missing_key')
  })

  it('is refused at saving where that can be known', () => {
    assert.deepEqual(check({ for: '3d' }), [])
    assert.deepEqual(check({ until: '{ship_at}' }), [])
    assert.deepEqual(check({ until: '9999-12-31' }), [])
    assert.deepEqual(check({}), ['for'])
    assert.deepEqual(check({ for: '3d', until: '{ship_at}' }), ['until'])
    assert.deepEqual(check({ for: 'soon' }), ['for'])
    assert.deepEqual(check({ for: '{a' }), ['for'])
    assert.deepEqual(check({ until: 'tomorrow' }), ['until'])
    assert.deepEqual(check({ until: '2020-01-01T00:00:00Z' }), ['until'])
  })
})

describe('Wait for call', () => {
  it('waits for three days unless it says otherwise', () => {
    const wait = (fields: Record<string, string>) => waitOf(waitForCall, { fields, now: () => NOW })
    assert.deepEqual(wait({}), { kind: 'call', until: NOW + 3 * 86_400_000 })
    assert.equal(wait({ timeout: '10s' }).until, NOW + 10_000)
    assert.equal(wait({ timeout: '' }).until, null)
    assert.equal(failureOf(waitForCall, { fields: { timeout: 'x' } }).code, 'invalid_duration')
    assert.deepEqual(
      waitForCall.check!({ timeout: '3 days' }).map(({ field }) => field),
      ['timeout']
    )
  })

  it('gives what came with the call, or what it had where none came', () => {
    const call = { data: [1], request: { method: 'POST' }, deliveries: [] }
    assert.deepEqual(resumeStep(waitForCall, by('call', call)).outputs, {
      data: [1],
      request: { method: 'POST' }
    })
    assert.deepEqual(resumeStep(waitForCall, by('time'), { inputs: { data: ORDER } }).outputs, {
      timed_out: ORDER
    })
  })
})

describe('Approve', () => {
  const fields = { question: 'Refund {total}?', choices: ['Yes, do it', 'No'] }
  const inputs = { data: ORDER }

  it('asks, and waits without end unless it says otherwise', () => {
    assert.deepEqual(waitOf(approve, { fields, inputs, now: () => NOW }), {
      kind: 'answer',
      until: null,
      question: { text: 'Refund 20?', choices: ['Yes, do it', 'No'] }
    })
    assert.equal(
      waitOf(approve, { fields: { ...fields, timeout: '1d' }, inputs, now: () => NOW }).until,
      NOW + 86_400_000
    )
  })

  it('leaves by the choice, with who made it and when', () => {
    const answer = { choice: 'Yes, do it', comment: null, by: 'Ann' }
    const decided = {
      data: ORDER,
      choice: 'Yes, do it',
      comment: null,
      by: 'Ann',
      at: '2026-11-17T09:00:00.000Z'
    }
    assert.deepEqual(resumeStep(approve, by('answer', answer), { fields, inputs }).outputs, {
      'yes-do-it': decided
    })
    assert.deepEqual(resumeStep(approve, by('time'), { fields, inputs }).outputs, {
      timed_out: { ...decided, choice: null, by: null }
    })
  })

  it('needs a question, and choices that can be told apart', () => {
    const check = (changes: object) =>
      approve.check!({ timeout: '', ...fields, ...changes }).map(({ field }) => field)
    assert.deepEqual(check({}), [])
    assert.deepEqual(check({ question: ' ' }), ['question'])
    assert.deepEqual(check({ question: '{' }), ['question'])
    for (const choices of [[], ['a', ' '], ['a', 'a']]) assert.deepEqual(check({ choices }), ['choices'])
    assert.deepEqual(check({ timeout: 'soon' }), ['timeout'])
    const question = '{total:_>9000} {total:_>9000} {total:_>9000}'
    assert.equal(failureOf(approve, { fields: { ...fields, question }, inputs }).code, 'question_too_long')
  })
})
