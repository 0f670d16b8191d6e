import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Node } from '../graph/flow.ts'
import { referencesIn } from './references.ts'

it('finds the nodes that read one another, wherever they name them', () => {
  const node = (id: string, fields: object) =>
    ({ id, type: 'parser', position: { x: 0, y: 0 }, fields }) as unknown as Node
  const nodes = [
    node('a', { template: '{x} {$nodes.a.text}' }),
    node('b', { template: '{$nodes.a.text} {$nodes.gone.text}' }),
    node('c', { expression: 'nodes["a"].text == nodes.b.text', query: { of: '{$nodes.a.text}' } })
  ]
  assert.deepEqual(referencesIn({ nodes }), [
    { read: 'a', reader: 'b' },
    { read: 'a', reader: 'c' },
    { read: 'b', reader: 'c' }
  ])
})
