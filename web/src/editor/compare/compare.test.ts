import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { applyCommand } from '../commands/apply-command.ts'
import type { Command } from '../commands/command.ts'
import { anyCommand, anyFlow, edge, node, note, ORDERS } from '../graph/flow.test-kit.ts'
import { compareFlows, summarise, touchedParts } from './compare-flows.ts'
import { diffLists } from './diff-lists.ts'
import { diffText, diffWords } from './diff-text.ts'

describe('diffLists', () => {
  const shown = (before: string, after: string) =>
    diffLists([...before], [...after])
      .map(({ kind, items }) => ({ same: '', removed: '-', added: '+' })[kind] + items.join(''))
      .join(' ')

  it('finds the shortest way', () => {
    assert.equal(shown('abc', 'abc'), 'abc')
    assert.equal(shown('', 'x'), '+x')
    assert.equal(shown('x', ''), '-x')
    assert.equal(shown('', ''), '')
    assert.equal(shown('axc', 'abc'), 'a -x +b c')
  })

  it('leads from one list to the other and back, and is as short as can be', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const stretches = diffLists(before, after)
        const side = (gone: string) =>
          stretches.filter(({ kind }) => kind !== gone).flatMap(({ items }) => items)
        assert.deepEqual([side('added'), side('removed')], [before, after])
        const same = stretches.filter(({ kind }) => kind === 'same').flatMap(({ items }) => items).length
        assert.equal(same, longestCommon(before, after))
      }),
      { numRuns: 500 }
    )
  })

  it('gives up on what nobody would read, and is still right', () => {
    const [before, after] = [
      Array.from({ length: 3000 }, (_, n) => n),
      Array.from({ length: 3000 }, (_, n) => -n)
    ]
    assert.deepEqual(
      diffLists(before, after).map(({ kind, items }) => [kind, items.length]),
      [
        ['same', 1],
        ['removed', 2999],
        ['added', 2999]
      ]
    )
  })
})

/** By the table that every textbook has. */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  const rows = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0))
  for (let i = 1; i <= one.length; i++) {
    for (let j = 1; j <= other.length; j++) {
      rows[i]![j] =
        one[i - 1] === other[j - 1] ? rows[i - 1]![j - 1]! + 1 : Math.max(rows[i - 1]![j]!, rows[i]![j - 1]!)
    }
  }
  return rows[one.length]![other.length]!
}

describe('diffText', () => {
  it('goes by lines, and by words where one line took the place of another', () => {
    assert.deepEqual(diffText('Hello {name},\nthank you.', 'Hello {customer},\nthank you.\nBye'), [
      {
        kind: 'removed',
        parts: [
          { kind: 'same', text: 'Hello {' },
          { kind: 'removed', text: 'name' },
          { kind: 'same', text: '},' }
        ],
        before: 1
      },
      {
        kind: 'added',
        parts: [
          { kind: 'same', text: 'Hello {' },
          { kind: 'added', text: 'customer' },
          { kind: 'same', text: '},' }
        ],
        after: 1
      },
      { kind: 'same', parts: [{ kind: 'same', text: 'thank you.' }], before: 2, after: 2 },
      { kind: 'added', parts: [{ kind: 'added', text: 'Bye' }], after: 3 }
    ])
  })

  it('holds every line of both texts, with its number', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n', ' ', 'é')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffText(before, after)
        for (const [side, kind, whole] of [
          ['before', 'added', before],
          ['after', 'removed', after]
        ] as const) {
          const own = lines.filter((line) => line.kind !== kind)
          assert.equal(own.map(({ parts }) => parts.map((part) => part.text).join('')).join('\n'), whole)
          assert.deepEqual(
            own.map((line) => line[side]),
            own.map((_, index) => index + 1)
          )
        }
      })
    )
  })

  it('parts words from signs', () => {
    assert.deepEqual(diffWords('a.b', 'a.c'), [
      { kind: 'same', text: 'a.' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'c' }
    ])
  })
})

describe('compareFlows', () => {
  const changes: Command[] = [
    { kind: 'set-field', node: 'parser-1', field: 'template', value: 'Order {order_id}' },
    { kind: 'set-field', node: 'parser-1', field: 'separator', value: ',' },
    { kind: 'change-node', node: 'parser-1', changes: { title: 'Say' } },
    { kind: 'move', positions: { 'webhook-1': { x: 9, y: 9 } } },
    { kind: 'remove', ids: ['chat-output-1'] },
    {
      kind: 'insert',
      fragment: {
        nodes: [node('prompt-1')],
        edges: [edge('webhook-1.data -> prompt-1.a')],
        notes: [note('note-1')]
      }
    },
    { kind: 'change-flow', changes: { name: 'New' } }
  ]
  const after = changes.reduce(applyCommand, ORDERS)
  const comparison = compareFlows(ORDERS, after)

  it('tells what was added, removed, changed and moved', () => {
    assert.deepEqual(comparison.nodes.added, [node('prompt-1')])
    assert.deepEqual(comparison.nodes.removed, [ORDERS.nodes[2]])
    assert.deepEqual(
      comparison.nodes.changed.map(({ id, isMoved, changes: found }) => [
        id,
        isMoved,
        found.map(({ name, isField }) => [name, isField])
      ]),
      [
        ['webhook-1', true, []],
        [
          'parser-1',
          false,
          [
            ['title', false],
            ['template', true],
            ['separator', true]
          ]
        ]
      ]
    )
    assert.deepEqual(comparison.edges, {
      added: [edge('webhook-1.data -> prompt-1.a')],
      removed: [ORDERS.edges[1]]
    })
    assert.deepEqual(comparison.notes.added, [note('note-1')])
    assert.deepEqual(
      comparison.flow.map(({ name, before, after: now }) => [name, before, now]),
      [['name', 'Orders', 'New']]
    )
  })

  it('compares texts word by word', () => {
    const template = comparison.nodes.changed[1]?.changes.find(({ name }) => name === 'template')
    assert.equal(template?.lines?.length, 2)
  })

  it('comes to one line', () => {
    assert.equal(
      summarise(comparison),
      '1 node added, 1 node removed, 1 node changed, 1 node moved, 1 wire added, 1 wire removed, 1 note touched, 1 setting changed'
    )
    assert.equal(summarise(compareFlows(ORDERS, ORDERS)), 'No differences')
  })

  it('finds something exactly where something was done', () => {
    fc.assert(
      fc.property(anyFlow, anyCommand, (flow, command) => {
        const changed = applyCommand(flow, command)
        const isReordered = changed !== flow && compareFlows(flow, changed).isSame
        if (isReordered) assert.deepEqual(new Set(changed.edges), new Set(flow.edges))
        if (changed === flow) assert.ok(compareFlows(flow, changed).isSame)
        const back = compareFlows(changed, flow)
        const there = compareFlows(flow, changed)
        assert.deepEqual(
          [back.nodes.added, back.edges.added, back.notes.added],
          [there.nodes.removed, there.edges.removed, there.notes.removed]
        )
      })
    )
  })

  it('names the parts to point at after an undo', () => {
    assert.deepEqual(touchedParts(ORDERS, after), ['webhook-1', 'parser-1', 'prompt-1', 'note-1'])
  })
})
