import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { applyCommand } from '../commands/apply-command.ts'
import type { Command } from '../commands/command.ts'
import { edge, flowOf, node, note, ORDERS } from '../graph/flow.test-kit.ts'
import type { Flow } from '../graph/flow.ts'
import { type Conflict, describeConflict } from './conflict.ts'
import { type Merge, mergeFlows } from './merge-flows.ts'

function edited(flow: Flow, ...commands: Command[]): Flow {
  return commands.reduce(applyCommand, flow)
}

function mergeOf(base: Flow, mine: Command[], theirs: Command[]): Merge {
  return mergeFlows({ base, mine: edited(base, ...mine), theirs: edited(base, ...theirs) })
}

const setTemplate = (value: string): Command => ({
  kind: 'set-field',
  node: 'parser-1',
  field: 'template',
  value
})
const setSeparator: Command = { kind: 'set-field', node: 'parser-1', field: 'separator', value: ',' }
const removeParser: Command = { kind: 'remove', ids: ['parser-1'] }
const move = (x: number): Command => ({ kind: 'move', positions: { 'parser-1': { x, y: 0 } } })
const add = (...ids: string[]): Command => ({
  kind: 'insert',
  fragment: { nodes: ids.map((id) => node(id)), edges: [], notes: [] }
})

describe('edits that do not touch the same thing', () => {
  const rows: [name: string, mine: Command[], theirs: Command[]][] = [
    ['two fields of one node', [setTemplate('x')], [setSeparator]],
    [
      'a field and a title',
      [setTemplate('x')],
      [{ kind: 'change-node', node: 'parser-1', changes: { title: 'T' } }]
    ],
    ['a field and a place', [setTemplate('x')], [move(5)]],
    ['two nodes', [add('prompt-1')], [add('chat-input-1')]],
    ['a wire and a field', [{ kind: 'disconnect', edge: ORDERS.edges[0]! }], [setTemplate('x')]],
    [
      'the name and a note',
      [{ kind: 'change-flow', changes: { name: 'N' } }],
      [{ kind: 'insert', fragment: { nodes: [], edges: [], notes: [note('note-1')] } }]
    ],
    [
      'a node that is removed and another that is changed',
      [{ kind: 'remove', ids: ['chat-output-1'] }],
      [setTemplate('x')]
    ],
    ['the same edit', [setTemplate('x'), setSeparator], [setTemplate('x')]]
  ]
  for (const [name, mine, theirs] of rows) {
    it(`are both kept: ${name}`, () => {
      const merge = mergeOf(ORDERS, mine, theirs)
      assert.deepEqual(merge.conflicts, [])
      // Each set of edits applied after the other gives the same, up to the order of nodes.
      assert.deepEqual(sorted(merge.flow), sorted(edited(ORDERS, ...theirs, ...mine)))
    })
  }

  it('leave the order of theirs, with mine after it', () => {
    const { flow } = mergeOf(ORDERS, [add('a-1')], [add('b-1')])
    assert.deepEqual(
      flow.nodes.map(({ id }) => id),
      ['webhook-1', 'parser-1', 'chat-output-1', 'b-1', 'a-1']
    )
  })
})

describe('where a thing stands', () => {
  it('is nothing to ask about: mine stays', () => {
    const merge = mergeOf(ORDERS, [move(1)], [move(2)])
    assert.deepEqual([merge.flow.nodes[1]?.position.x, merge.conflicts], [1, []])
  })

  it('does not keep a node that the other side removed', () => {
    const merge = mergeOf(ORDERS, [move(1)], [removeParser])
    assert.deepEqual(merge, mergeOf(ORDERS, [removeParser], [move(1)]))
    assert.deepEqual([merge.flow.nodes.length, merge.flow.edges, merge.conflicts], [2, [], []])
  })
})

describe('two new things with one id', () => {
  it('are two things: mine gets another id, and its wires follow', () => {
    const mine: Command = {
      kind: 'insert',
      fragment: {
        nodes: [node('prompt-1', { title: 'Mine' })],
        edges: [edge('webhook-1.data -> prompt-1.a')],
        notes: []
      }
    }
    const merge = mergeOf(ORDERS, [mine], [add('prompt-1')])
    assert.deepEqual([...merge.renamed], [['prompt-1', 'prompt-2']])
    assert.deepEqual(
      merge.flow.nodes.slice(3).map(({ id, title }) => [id, title]),
      [
        ['prompt-1', undefined],
        ['prompt-2', 'Mine']
      ]
    )
    assert.ok(merge.flow.edges.some(({ to }) => to === 'prompt-2.a'))
    assert.deepEqual(merge.conflicts, [])
  })

  it('are one thing when they are the same', () => {
    const merge = mergeOf(ORDERS, [add('prompt-1'), setTemplate('x')], [add('prompt-1')])
    assert.equal(merge.flow.nodes.length, 4)
  })

  it('may be a note and a node', () => {
    const noted: Command = { kind: 'insert', fragment: { nodes: [], edges: [], notes: [note('x-1')] } }
    const { flow } = mergeOf(ORDERS, [noted], [add('x-1')])
    assert.deepEqual(flow.notes, [note('x-2')])
  })
})

describe('a conflict', () => {
  const only = (merge: Merge): Conflict => {
    assert.equal(merge.conflicts.length, 1, JSON.stringify(merge.conflicts))
    return merge.conflicts[0]!
  }

  it('is a field that both changed; it shows both and is settled by choosing', () => {
    const three = {
      base: ORDERS,
      mine: edited(ORDERS, setTemplate('m')),
      theirs: edited(ORDERS, setTemplate('t'))
    }
    const conflict = only(mergeFlows(three))
    assert.deepEqual(conflict, {
      part: 'field',
      node: 'parser-1',
      field: 'template',
      id: 'field/parser-1/template',
      base: 'Order {order_id} from {customer}',
      mine: 'm',
      theirs: 't',
      choice: undefined
    })
    for (const choice of ['mine', 'theirs'] as const) {
      const merge = mergeFlows(three, { choices: new Map([[conflict.id, choice]]) })
      assert.equal(merge.flow.nodes[1]?.fields.template, three[choice].nodes[1]?.fields.template)
      assert.equal(only(merge).choice, choice)
    }
  })

  it('is a node that one side removed and the other changed; with the node its wires come back', () => {
    const three = {
      base: ORDERS,
      mine: edited(ORDERS, removeParser),
      theirs: edited(ORDERS, setTemplate('t'))
    }
    const conflict = only(mergeFlows(three))
    assert.deepEqual([conflict.part, conflict.id, conflict.mine], ['node', 'node/parser-1', undefined])
    const kept = mergeFlows(three, { choices: new Map([[conflict.id, 'theirs']]) }).flow
    assert.deepEqual(sorted(kept), sorted(three.theirs))
    const removed = mergeFlows(three, { choices: new Map([[conflict.id, 'mine']]) }).flow
    assert.deepEqual(removed, three.mine)
  })

  it('is a node that one side removed and the other wired', () => {
    const wired: Command = { kind: 'connect', edge: edge('webhook-1.request -> parser-1.data') }
    const conflict = only(mergeOf(ORDERS, [wired], [removeParser]))
    assert.deepEqual([conflict.part, conflict.theirs], ['node', undefined])
  })

  it('is an input that both feed differently', () => {
    const base = flowOf(['a-1', 'b-1', 'c-1'])
    const feed = (from: string): Command => ({ kind: 'connect', edge: edge(`${from} -> c-1.in`) })
    const merge = mergeOf(base, [feed('a-1.x')], [feed('b-1.x')])
    const conflict = only(merge)
    assert.deepEqual([conflict.id, conflict.mine, conflict.theirs], ['wire/c-1.in', 'a-1.x', 'b-1.x'])
    assert.deepEqual(merge.flow.edges, [edge('a-1.x -> c-1.in')])
  })

  describe('of an input with several wires', () => {
    const base = flowOf(['a-1', 'b-1', 'c-1', 'd-1'], ['a-1.x -> d-1.in', 'b-1.x -> d-1.in'])
    const disconnect = (text: string): Command => ({ kind: 'disconnect', edge: edge(text) })

    it('is none where one side has changed them, and all of them are kept in their order', () => {
      const merge = mergeOf(base, [move(5)], [{ kind: 'change-flow', changes: { name: 'N' } }])
      assert.deepEqual([merge.flow.edges, merge.conflicts], [base.edges, []])
      const less = mergeOf(base, [disconnect('a-1.x -> d-1.in')], [move(5)])
      assert.deepEqual([less.flow.edges, less.conflicts], [[edge('b-1.x -> d-1.in')], []])
    })

    it('is none where a node went with its wire, also if the other side took the other wire away', () => {
      const gone: Command = { kind: 'remove', ids: ['a-1'] }
      assert.deepEqual(mergeOf(base, [gone], [move(5)]).flow.edges, [edge('b-1.x -> d-1.in')])
      const merge = mergeOf(base, [disconnect('b-1.x -> d-1.in')], [gone])
      assert.deepEqual([merge.flow.edges, merge.conflicts], [[], []])
    })

    it('tells all wires of both sides', () => {
      const replace = (from: string): Command => ({
        kind: 'reconnect',
        edge: edge('a-1.x -> d-1.in'),
        as: edge(`${from} -> d-1.in`)
      })
      const merge = mergeOf(base, [replace('c-1.x')], [replace('c-1.y')])
      const conflict = only(merge)
      assert.deepEqual([conflict.mine, conflict.theirs], ['c-1.x, b-1.x', 'c-1.y, b-1.x'])
      assert.deepEqual(merge.flow.edges, [edge('c-1.x -> d-1.in'), edge('b-1.x -> d-1.in')])
    })
  })

  it('is not a wire from a node that the choice leaves out', () => {
    const base = flowOf(['a-1', 'b-1', 'c-1'])
    const mine = edited(base, { kind: 'connect', edge: edge('a-1.x -> c-1.in') })
    const feed: Command = { kind: 'connect', edge: edge('b-1.x -> c-1.in') }
    const theirs = edited(base, { kind: 'remove', ids: ['a-1'] }, feed)
    const merge = mergeFlows({ base, mine, theirs }, { choices: new Map([['node/a-1', 'theirs']]) })
    assert.equal(only(merge).id, 'node/a-1')
    assert.deepEqual(merge.flow.edges, [edge('b-1.x -> c-1.in')])
  })

  it('is the text of a note, and the name of the flow', () => {
    const base = flowOf([], [], { notes: [note('note-1')] })
    const write = (text: string): Command[] => [
      { kind: 'change-note', note: 'note-1', changes: { text } },
      { kind: 'change-flow', changes: { name: text } }
    ]
    const ids = mergeOf(base, write('m'), write('t')).conflicts.map(({ id }) => id)
    assert.deepEqual(ids, ['flow/name', 'note%20member/note-1/text'])
  })

  it('is not which nodes a group is around: what either side took in or out is', () => {
    const base = flowOf(['a-1', 'b-1', 'c-1', 'd-1'], [], {
      notes: [note('group-1', 'Prepare', { nodes: ['a-1', 'b-1'] })]
    })
    const around = (nodes: string[]): Command => ({
      kind: 'change-note',
      note: 'group-1',
      changes: { nodes }
    })
    const merge = mergeOf(base, [around(['a-1', 'b-1', 'c-1'])], [{ kind: 'remove', ids: ['a-1'] }])
    assert.deepEqual([merge.conflicts, merge.flow.notes![0]!.nodes], [[], ['b-1', 'c-1']])
  })

  it('is told in words', () => {
    const conflict = only(mergeOf(ORDERS, [setTemplate('m')], [setTemplate('t')]))
    assert.equal(
      describeConflict(conflict, () => 'Parser'),
      'The field template of Parser (parser-1)'
    )
  })
})

function sorted(flow: Flow): unknown {
  const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
  return { ...flow, nodes: flow.nodes.toSorted(byText), edges: flow.edges.toSorted(byText) }
}
