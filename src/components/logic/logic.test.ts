import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ChildResult, ExactNumber, type JsonValue, parseJson, type StepError } from '../../plugin-api.ts'
import { compareValues, type Side } from '../expression/compare-values.ts'
import type { Operator } from '../expression/compare-words.ts'
import { failureOf, runStep, runStepInTurns } from '../step.test-kit.ts'
import { forEach } from './for-each.ts'
import { ifElse } from './if-else.ts'
import { merge } from './merge.ts'
import { returnValue } from './return.ts'
import { stop } from './stop.ts'
import { switchCase } from './switch.ts'

const ORDER = { order_id: 7, total: 120.5, status: 'Very late', tags: ['vip'], none: null }

describe('comparing', () => {
  const HOLDS: [left: Side, operator: Operator, right: Side][] = [
    ['a', 'equals', 'a'],
    [10, 'equals', '10.0'],
    [new ExactNumber('9007199254740993'), 'does not equal', '9007199254740992'],
    [null, 'equals', ''],
    ['1e3', 'equals', 1000],
    ['abc', 'contains', 'b'],
    [['vip', 7], 'contains', '7'],
    [{ a: 1 }, 'contains', 'a'],
    [['vip'], 'does not contain', 'vi'],
    ['order-7', 'starts with', 'order-'],
    ['order-7', 'ends with', '-7'],
    ['order-7', 'matches', '^order-\\d+$'],
    [`${'a'.repeat(40)}b`, 'matches', '(a+)+b$'],
    [120.5, 'is greater than', '100'],
    ['9007199254740993', 'is greater than', '9007199254740992'],
    [-2, 'is less than', '-1.5'],
    [5, 'is at least', '5.00'],
    [5, 'is at most', 5],
    ['2026-11-17T09:00:00+01:00', 'is less than', '2026-11-17T08:30:00Z'],
    [undefined, 'is empty', undefined],
    [[], 'is empty', undefined],
    [{}, 'is empty', undefined],
    ['  ', 'is empty', undefined],
    [0, 'is not empty', undefined],
    [true, 'is true', undefined],
    ['TRUE', 'is true', undefined],
    ['false', 'is false', undefined]
  ]
  for (const [left, operator, right] of HOLDS) {
    it(`${JSON.stringify(left)} ${operator} ${JSON.stringify(right) ?? ''}`, () => {
      assert.equal(compareValues(left, operator, right), true)
    })
  }

  it('is neither true nor false what is neither', () => {
    assert.equal(compareValues('yes', 'is true', undefined), false)
    assert.equal(compareValues('yes', 'is false', undefined), false)
  })

  it('tells which side cannot be ordered', () => {
    assert.throws(() => compareValues(1, 'is less than', 'many'), {
      code: 'not_comparable',
      message: /"many"/
    })
    assert.throws(() => compareValues({}, 'is less than', 1), { code: 'not_comparable', message: /"{}"/ })
    assert.throws(() => compareValues('a', 'matches', '(?=b)'), { code: 'pattern_invalid' })
  })
})

describe('a long list', () => {
  it('is asked for an item in turns, and each item once', async () => {
    const data = parseJson(`[${'1234567890123456789.10,'.repeat(100_000)}7.0]`)
    const fields = { left: '{list}', operator: 'contains', right: '7' }
    const before = process.cpuUsage()
    const { outputs, turns } = await runStepInTurns(ifElse, { fields, inputs: { data: { list: data } } })
    assert.ok(process.cpuUsage(before).user < 1_000_000)
    assert.ok(turns > 50 && 'true' in outputs)
    assert.equal(compareValues(data, 'does not contain', '7.5'), true)
  })
})

describe('If-Else', () => {
  const ran = (fields: Record<string, JsonValue>, data: unknown = ORDER) =>
    runStep(ifElse, { fields, inputs: { data } }).outputs

  it('gives the data to one of its outputs and leaves the other silent', () => {
    const fields = { left: '{total}', operator: 'is greater than', right: '100' }
    assert.deepEqual(ran(fields), { true: ORDER })
    assert.deepEqual(ran({ ...fields, right: '{order_id}00' }), { false: ORDER })
    assert.deepEqual(ran({ mode: 'Expression', expression: 'data.total > 100 && "vip" in data.tags' }), {
      true: ORDER
    })
  })

  it('takes what is absent for empty, and for nothing else', () => {
    assert.deepEqual(ran({ left: '{missing}', operator: 'is empty' }), { true: ORDER })
    assert.deepEqual(ran({ left: '{none}', operator: 'is not empty' }), { false: ORDER })
    const error = failureOf(ifElse, { fields: { left: '{missing}', right: '1' }, inputs: { data: ORDER } })
    assert.deepEqual([error.code, /"left"/.test(error.message)], ['template_missing_key', true])
  })

  it('fails with an expression that gives no condition', () => {
    const fields = { mode: 'Expression', expression: 'data.total' }
    assert.equal(failureOf(ifElse, { fields, inputs: { data: ORDER } }).code, 'not_a_condition')
  })

  const check = (fields: object) =>
    ifElse.check!({ mode: 'Compare', left: '{a}', operator: 'equals', right: '', expression: '', ...fields })

  it('is judged when it is saved, by its mode', () => {
    assert.deepEqual(check({}), [])
    assert.deepEqual(
      check({ left: '{a', expression: '1 +' }).map(({ field }) => field),
      ['left']
    )
    assert.deepEqual(
      check({ left: ' ' }).map(({ field }) => field),
      ['left']
    )
    assert.deepEqual(
      check({ operator: 'matches', right: '(' }).map(({ code }) => code),
      ['pattern_invalid']
    )
    assert.deepEqual(check({ operator: 'matches', right: '{pattern}' }), [])
    assert.deepEqual(
      check({ mode: 'Expression', left: '{a', expression: '1 +' }).map(({ field }) => field),
      ['expression']
    )
  })
})

describe('Switch', () => {
  const fields = { value: '{status}', cases: ['Paid', 'Very late', 'Default', 'very late'] }
  const ran = (status: JsonValue) => runStep(switchCase, { fields, inputs: { data: { status } } }).outputs

  it('leaves by the first case that its value equals, named in the manner of a slug', () => {
    assert.deepEqual(Object.keys(ran('Paid')), ['paid'])
    assert.deepEqual(Object.keys(ran('Very late')), ['very-late'])
    assert.deepEqual(Object.keys(ran('Default')), ['default_2'])
    assert.deepEqual(Object.keys(ran('very late')), ['very-late_2'])
    assert.deepEqual(ran('other'), { default: { status: 'other' } })
  })

  it('needs a value, and texts for its cases', () => {
    const check = (changes: object) => switchCase.check!({ ...fields, ...changes }).map(({ field }) => field)
    assert.deepEqual(
      [check({}), check({ value: '' }), check({ cases: ['a', ' '] })],
      [[], ['value'], ['cases']]
    )
  })
})

describe('Merge', () => {
  const ran = (mode: string, inputs: Record<string, unknown>) =>
    runStep(merge, { fields: { mode, inputs: 3 }, inputs }).outputs.data

  it('brings together what came, in the order of the inputs', () => {
    assert.deepEqual(ran('Combine', { in_3: { b: 3 }, in_1: { a: 1, b: 1 } }), { a: 1, b: 3 })
    assert.deepEqual(ran('Append', { in_1: [1], in_2: undefined, in_3: [2, 3] }), [1, 2, 3])
    assert.deepEqual(ran('List', { in_2: 'x', in_3: null }), ['x', null])
  })

  it('says which input does not fit', () => {
    const fails = (mode: string) =>
      failureOf(merge, { fields: { mode }, inputs: { in_1: mode === 'Append' ? [] : {}, in_2: 'x' } })
    assert.deepEqual([fails('Append').code, fails('Combine').code], ['not_a_list', 'not_an_object'])
    assert.match(fails('Append').message, /in_2/)
  })
})

describe('Stop and Return', () => {
  it('fails with a message and a code of its own', () => {
    const fields = { message: 'Order {order_id} has no customer.', code: 'no_customer' }
    const { message, code } = failureOf(stop, { fields, inputs: { data: ORDER } })
    assert.deepEqual([message, code], ['Order 7 has no customer.', 'no_customer'])
    assert.equal(stop.check!({ message: 'x', code: 'No customer' })[0]?.field, 'code')
  })

  it('keeps what it got', () => {
    assert.deepEqual(runStep(returnValue, { inputs: { data: 1 } }).outputs, { data: 1 })
  })
})

describe('For each', () => {
  describe('with failures that stop it', () => {
    const failed = { status: 'failed', error: { code: 'away', message: 'It is away.' } } as const
    const cancelled = { status: 'cancelled', error: null } as const
    const failureFrom = async (...ends: readonly Pick<ChildResult, 'status' | 'error' | 'endedAt'>[]) => {
      const children = {
        async *results() {
          for (const [index, end] of ends.entries())
            yield { index, runId: `run-${index}`, output: null, ...end }
        },
        drop: async () => {}
      }
      const step = { inputs: { items: ends.map(() => 0) }, fields: { failures: 'stop' }, children } as never
      return Promise.resolve(forEach.resume!(step, {} as never)).then(
        () => assert.fail('the step did not fail'),
        (error: StepError) => error
      )
    }

    it('is tried again after an item that failed, also where a process died that had cancelled the others', async () => {
      const { message, retryable } = await failureFrom(
        { ...cancelled, endedAt: 12 },
        { ...failed, endedAt: 9 }
      )
      assert.deepEqual([message, retryable], ['Item 1 of 2 failed (away): It is away.', true])
    })

    it('is not tried again after an item that somebody cancelled', async () => {
      const { message, retryable } = await failureFrom(
        { ...cancelled, endedAt: 9 },
        { ...failed, endedAt: 12 }
      )
      assert.deepEqual(
        [message, retryable],
        ['Item 0 of 2 failed (run_cancelled): The run of this item was cancelled.', false]
      )
    })
  })

  it('refuses a million items before it starts any, and says how many it takes', async () => {
    const items = Array.from({ length: 1_000_000 }, () => 0)
    const refused = runStepInTurns(forEach, { inputs: { items }, children: {} as never })
    await assert.rejects(refused, {
      code: 'too_many_items',
      message: 'The list has 1000000 items; one For each takes at most 100000. Send it in parts.'
    })
  })
})
