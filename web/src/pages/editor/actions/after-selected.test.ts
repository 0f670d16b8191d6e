import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { flowOf, ORDERS } from '../../../editor/graph/flow.test-kit.ts'
import { testCatalogue } from '../../../editor/wiring/page-catalogue.test-kit.ts'
import { afterSelected } from './after-selected.ts'

const catalogue = testCatalogue()
const after = (flow: typeof ORDERS, selected: readonly string[], type: string) => {
  const found = afterSelected(flow, catalogue, new Set(selected), { facts: catalogue.facts(type) })
  return found && [`${found.handle.node}.${found.handle.port}`, found.offer.port]
}

describe('what is added while a node is selected', () => {
  it('goes behind it, from an output that leads nowhere yet', () => {
    assert.deepEqual(after(flowOf(['webhook-1']), ['webhook-1'], 'parser'), ['webhook-1.data', 'data'])
    // Its data leads to the Parser already; the facts of the request are another matter.
    assert.deepEqual(after(ORDERS, ['webhook-1'], 'parser'), ['webhook-1.data', 'data'])
    assert.deepEqual(after(ORDERS, ['parser-1'], 'chat-output'), ['parser-1.parsed_text', 'text'])
  })

  it('stands by itself where it cannot follow', () => {
    assert.equal(after(ORDERS, ['chat-output-1'], 'webhook'), undefined)
    assert.equal(after(ORDERS, [], 'parser'), undefined)
    assert.equal(after(ORDERS, ['webhook-1', 'parser-1'], 'parser'), undefined)
  })
})
