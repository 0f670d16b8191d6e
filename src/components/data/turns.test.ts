import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runStep, runStepInTurns } from '../step.test-kit.ts'
import { dataComponents } from './data-components.ts'

const ROWS = Array.from({ length: 1_200 }, (_, id) => {
  return { id, customer: `c${id % 7}`, at: '2026-03-02T10:15:00Z', by: { name: 'Ann' } }
})

/** Enough fields for each to have something to do; Limit, which only cuts, is done at once. */
const CASES: readonly [type: string, fields: Record<string, unknown>, inputs?: Record<string, unknown>][] = [
  ['select', { mode: 'Keep all', fields: [{ field: 'by.name', as: 'name' }] }],
  ['filter', { expression: 'data.by.name.size() == 3' }],
  ['sort', { keys: ['customer'] }, { data: [...ROWS, ...ROWS, ...ROWS, ...ROWS] }],
  ['remove-duplicates', { fields: ['customer'] }],
  ['remove-duplicates', { fields: [], keep: 'last' }],
  ['aggregate', { group_by: ['customer'], aggregates: [{ operation: 'count', field: '', as: 'n' }] }],
  ['join', { keys: [{ left: 'id', right: 'id' }] }, { left: ROWS, right: ROWS }],
  ['split-out', { field: 'rows', keep: 'all members' }, { data: [{ of: 1, rows: ROWS }] }],
  ['split-text', {}, { text: 'a,'.repeat(1_000) }],
  ['convert', { mode: 'Data to JSON' }],
  ['batch', { size: 1 }, { data: [...ROWS, ...ROWS] }],
  ['convert', { mode: 'Rows to CSV' }],
  ['convert', { mode: 'Data to XML' }],
  ['convert', { mode: 'Data to form' }, { data: Object.fromEntries(ROWS.map((row) => [row.id, row.at])) }],
  ['date', { operation: 'Format', date: '{at}', format: 'yyyy', as: 'year' }],
  ['hash', { text: '{id}', as: 'hash' }],
  ['random-id', { as: 'key' }],
  ['random-id', { count: 500 }]
]

describe('work on a long list', () => {
  for (const [type, fields, inputs = { data: ROWS }] of CASES)
    it(`lets others have their turn, and comes to the same: ${type} ${JSON.stringify(fields)}`, async () => {
      const component = dataComponents.find((each) => each.type === type)!
      const options = { fields: fields as never, inputs: inputs as never }
      const { outputs, turns } = await runStepInTurns(component, options)
      assert.ok(turns > 1, 'it holds the thread until it is done')
      assert.deepEqual(outputs, runStep(component, options).outputs)
    })

  it('is tried with every component that has some', () => {
    const tried = new Set(CASES.map(([type]) => type))
    assert.deepEqual(
      dataComponents.map(({ type }) => type).filter((type) => !tried.has(type)),
      // The others work elsewhere.
      ['limit', 'html', 'extract-text']
    )
  })
})
