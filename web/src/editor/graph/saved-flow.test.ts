import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyFlow, ORDERS } from './flow.test-kit.ts'
import { openFlow, writeFlow } from './saved-flow.ts'

const read = {
  ...ORDERS,
  id: 'f1',
  version: 3,
  created_at: 'then',
  updated_at: 'now',
  paused: null,
  aliases: ['before']
}

describe('a flow as it was read', () => {
  it('is parted into the document and what the service says of it', () => {
    assert.deepEqual(openFlow(read), { id: 'f1', version: 3, document: ORDERS })
    assert.deepEqual(
      openFlow({ ...read, recent_runs: [], draft: null, failing_triggers: [] } as typeof read).document,
      ORDERS
    )
  })

  it('is written the same to the byte, whatever the order of its members', () => {
    fc.assert(
      fc.property(anyFlow, fc.boolean(), (flow, isReversed) => {
        const shuffled = isReversed ? Object.fromEntries(Object.entries(flow).reverse()) : flow
        const text = `${JSON.stringify(shuffled, null, 2)}\n`
        const { document } = openFlow({
          ...JSON.parse(text),
          id: 'f',
          version: 1,
          created_at: '',
          updated_at: ''
        })
        assert.equal(writeFlow(document), text)
      })
    )
  })
})
