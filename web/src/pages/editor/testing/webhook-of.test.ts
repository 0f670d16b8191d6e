import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { triggerBefore } from './webhook-of.ts'

const TRIGGERS = ['webhook', 'chat-input', 'schedule']
const catalogue = {
  facts: (type: string) => ({ type, trigger: TRIGGERS.includes(type) ? type : null })
} as unknown as Parameters<typeof triggerBefore>[1]

function flowOf(types: Readonly<Record<string, string>>, wires: readonly string[]) {
  return {
    nodes: Object.entries(types).map(([id, type]) => ({ id, type, disabled: id.endsWith('-off') })),
    edges: wires.map((wire) => ({ from: `${wire.split(' ')[0]}.out`, to: `${wire.split(' ')[1]}.in` }))
  } as unknown as Parameters<typeof triggerBefore>[0]
}

describe('what a test begins with that ends at a node', () => {
  const flow = flowOf(
    { s: 'schedule', w: 'webhook', c: 'chat-input', 'w-off': 'webhook', a: 'x', b: 'x', d: 'x', e: 'x' },
    ['s a', 'w a', 'c b', 'w-off b', 'd e']
  )

  it('is a Webhook that leads there', () => {
    assert.equal(triggerBefore(flow, catalogue, 'a'), 'w')
    assert.equal(triggerBefore(flow, catalogue, 'w'), 'w')
  })

  it('is else whatever starts runs there and is not disabled', () => {
    assert.equal(triggerBefore(flow, catalogue, 'b'), 'c')
  })

  it('is nothing where nothing that starts runs leads there', () => {
    assert.equal(triggerBefore(flow, catalogue, 'e'), undefined)
  })
})
