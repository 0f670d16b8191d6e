import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { flowOf, node } from '../graph/flow.test-kit.ts'
import { testCatalogue } from '../wiring/page-catalogue.test-kit.ts'
import { keysThatNeverCame } from './keys-that-never-came.ts'

const catalogue = testCatalogue()
const found = (template: string, came: Parameters<typeof keysThatNeverCame>[2], more = {}) =>
  keysThatNeverCame(
    flowOf(
      ['webhook-1', node('parser-1', { fields: { template }, ...more })],
      ['webhook-1.data -> parser-1.data']
    ),
    catalogue,
    came
  ).map(({ node: id, field }) => [id, field])

describe('keys that never came', () => {
  const order = () => ({ order_id: 7 })

  it('are told with the node and the field that read them', () => {
    assert.deepEqual(found('{order_id} {custmer}', order), [['parser-1', 'template']])
  })

  it('are none that may be absent, belong to the run, or are read by what does not run', () => {
    assert.deepEqual(found('{order_id} {custmer?}', order), [])
    assert.deepEqual(found('{$run.id} {$region}', order), [])
    assert.deepEqual(found('{custmer}', order, { disabled: true }), [])
  })

  it('are not guessed where nothing has come', () => {
    assert.deepEqual(
      found('{custmer}', () => undefined),
      []
    )
  })
})
