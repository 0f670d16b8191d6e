import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Run, Step } from '../../../api/shapes.ts'
import { carriedBy } from '../../../editor/wiring/carried.ts'
import { outputIn, type ShownItem, type ShownRun } from '../editor-context.ts'
import { withItems } from './with-items.ts'

function step(node: string, outputs: Step['outputs'], status = 'succeeded'): Step {
  return { node, type: 't', status, attempts: 1, started_at: null, duration_ms: 1, outputs, error: null }
}

const each = step('each', { results: ['a', null], errors: [] })
const run = { id: 'r1', steps: new Map([['each', each]]) } as unknown as ShownRun
const parent = { run_id: 'r1', node: 'each', index: 1 }
const itemRun = {
  id: 'r3',
  trigger: 'for-each',
  status: 'failed',
  error: null,
  parent,
  input: { sku: 'B' },
  steps: [step('body', null, 'failed'), step('each', null, 'not reached')]
} as unknown as Run
const items = (item: Run) => new Map<string, ShownItem>([['each', { run: item, count: 2 }]])

describe('a run with an item of its For each', () => {
  const shown = withItems(run, items(itemRun))

  it('has what the item did at the nodes inside, and leaves the For each as it was', () => {
    assert.equal(shown.steps.get('body')?.status, 'failed')
    assert.equal(shown.steps.get('each')?.status, 'succeeded')
    assert.deepEqual(shown.steps.get('each')?.outputs, each.outputs)
  })

  it('has the item and its place on the wires inside', () => {
    assert.deepEqual(outputIn(shown, { node: 'each', port: 'item' }), { sku: 'B' })
    assert.equal(outputIn(shown, { node: 'each', port: 'index' }), 1)
    const kindIn = ({ steps }: ShownRun) => carriedBy({ from: 'each.item' }, steps).kind
    assert.deepEqual([kindIn(shown), kindIn(run)], ['value', 'silent'])
  })

  it('takes no item of another run', () => {
    const other = { ...itemRun, parent: { ...parent, run_id: 'r0' } }
    assert.equal(withItems(run, items(other)), run)
  })
})
