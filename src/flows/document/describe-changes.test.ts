import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ComparedDocument, compareFlows } from './compare-flows.ts'
import { describeChanges } from './describe-changes.ts'
import { EXAMPLE_FLOW } from './example-flow.ts'

const TITLES: Readonly<Record<string, string>> = { parser: 'Parser', webhook: 'Webhook' }

function changes(before: ComparedDocument, after: ComparedDocument): string | null {
  return describeChanges(compareFlows(before, after, (type) => TITLES[type]))
}

const parser = (id: string, fields: object = {}, more: object = {}) => ({
  id,
  type: 'parser',
  fields,
  ...more
})

function flow(nodes: readonly object[], more: object = {}) {
  return { name: 'Orders', slug: 'orders', nodes, edges: [], ...more }
}

const one = flow([parser('a', { template: '{x}', mode: 'Parser' })])

describe('what changed, in a sentence', () => {
  for (const [expected, before, after] of [
    [null, one, { ...one }],
    [null, one, flow([parser('a', { mode: 'Parser', template: '{x}' })])],
    ['Parser: template', one, flow([parser('a', { template: '{y}', mode: 'Parser' })])],
    ['Parser: template, mode', one, flow([parser('a')])],
    [
      'Parser: signing secret, on error',
      one,
      flow([parser('a', { template: '{x}', mode: 'Parser', signing_secret: 's' }, { on_error: 'output' })])
    ],
    ['Mine: title', one, flow([{ ...one.nodes[0], title: 'Mine' }])],
    ['Layout', one, flow([{ ...one.nodes[0], position: { x: 1, y: 2 } }])],
    ['Parser added', flow([]), one],
    ['Parser removed', one, flow([])],
    [
      'Parser (a): template; Parser (b) added',
      flow([parser('a')]),
      flow([parser('a', { template: '' }), parser('b')])
    ],
    ['New added', flow([]), flow([{ id: 'New', type: 'unheard' }])],
    [
      'Name; address; 2 wires; 1 note',
      flow([]),
      flow([], {
        name: 'Other',
        slug: 'other',
        edges: [
          { from: 'a.x', to: 'b.y' },
          { from: 'a', to: 7 }
        ],
        notes: [{ id: 'n' }]
      })
    ],
    [
      'A added; b added; c added; and 3 more',
      flow([]),
      flow(
        ['A', 'b', 'c', 'd', 'e'].map((id) => ({ id, type: 'x' })),
        { name: 'Other' }
      )
    ]
  ] as const) {
    it(expected ?? 'is null where nothing has', () => assert.equal(changes(before, after), expected))
  }

  it('is made of anything that can be a draft', () => {
    const odd = { nodes: [{}, { id: 7, fields: { a: 1 } }, { id: 'a', type: {}, fields: null }], edges: [{}] }
    assert.equal(typeof changes(EXAMPLE_FLOW, odd), 'string')
    assert.equal(typeof changes(odd, EXAMPLE_FLOW), 'string')
    assert.equal(changes(odd, odd), null)
  })
})
