import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { remembered, resultOf, shownResult, toldText } from './tool-result.ts'

type Outputs = Readonly<Record<string, unknown>>

const told = (outputs: Outputs) => toldText(resultOf('succeeded', outputs, null))
const shown = (outputs: Outputs) => shownResult(resultOf('succeeded', outputs, null))

describe('what an agent remembers of what a tool gave', () => {
  const rows: [what: string, outputs: Outputs][] = [
    ['a text', { body: 'four', response: { status: 200 } }],
    ['a value', { data: { rows: [1, null, '"'] } }],
    ['nothing', {}],
    ['null', { data: null }],
    ['a choice', { true: { total: 7 } }],
    ['the first of several that are choices elsewhere', { default: 1, other: 'x'.repeat(60_000) }],
    ['a long text', { text: 'é🙂'.repeat(3_000_000) }],
    ['a long value', { data: [{ text: 'x'.repeat(3_000_000) }], response: 'x'.repeat(1_000_000) }],
    ['a long choice', { false: 'x'.repeat(100_000) }]
  ]
  for (const [what, outputs] of rows)
    it(`is all that its model is told of ${what}, and no more`, () => {
      const kept = remembered(outputs)
      assert.equal(told(kept), told(outputs))
      assert.deepEqual(shown(kept), shown(outputs))
      assert.ok(JSON.stringify(kept).length <= 50_100)
      assert.deepEqual(remembered(kept), kept)
    })

  it('says how much was cut', () => {
    assert.match(told({ text: 'x'.repeat(60_000) }), /x… \(cut: 10100 more characters/)
  })
})
