import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import {
  anyCommand,
  anyFlow,
  anyFragment,
  edge,
  flowOf,
  node,
  note,
  ORDERS,
  structureFaults
} from '../graph/flow.test-kit.ts'
import type { Flow } from '../graph/flow.ts'
import { applyCommand } from './apply-command.ts'
import { type Command, describeCommand } from './command.ts'
import { insertFragment } from './insert-fragment.ts'

const wires = (flow: Flow) => flow.edges.map(({ from, to }) => `${from} -> ${to}`)
const ids = (flow: Flow) => flow.nodes.map(({ id }) => id)

describe('insert', () => {
  const fragment = {
    nodes: [node('parser-1'), node('prompt-1')],
    edges: [edge('parser-1.parsed_text -> prompt-1.a')],
    notes: [note('note-1')]
  }

  it('gives new ids to what is taken, and the edges follow', () => {
    const flow = applyCommand(ORDERS, { kind: 'insert', fragment })
    assert.deepEqual(ids(flow).slice(3), ['parser-2', 'prompt-1'])
    assert.deepEqual(wires(flow).slice(2), ['parser-2.parsed_text -> prompt-1.a'])
    assert.deepEqual(flow.notes, [note('note-1')])
  })

  it('may wire to what is there, and then takes the place of what fed it', () => {
    const flow = applyCommand(ORDERS, {
      kind: 'insert',
      fragment: {
        nodes: [node('prompt-1')],
        edges: [edge('prompt-1.prompt -> chat-output-1.text')],
        notes: []
      }
    })
    assert.deepEqual(wires(flow), [
      'webhook-1.data -> parser-1.data',
      'prompt-1.prompt -> chat-output-1.text'
    ])
  })

  it('leaves out edges that lead to nowhere', () => {
    const edges = ['gone.x -> prompt-1.a', 'prompt-1 -> prompt-1', 'prompt-1.prompt -> gone.y'].map(edge)
    const flow = applyCommand(flowOf(['prompt-1']), {
      kind: 'insert',
      fragment: { nodes: [], edges, notes: [] }
    })
    assert.deepEqual(flow.edges, [])
  })
})

describe('remove', () => {
  it('takes the edges of a node with it', () => {
    const flow = applyCommand(ORDERS, { kind: 'remove', ids: ['parser-1'] })
    assert.deepEqual([ids(flow), flow.edges], [['webhook-1', 'chat-output-1'], []])
  })

  it('takes notes and edges by themselves', () => {
    const flow = flowOf(['a-1', 'b-1'], ['a-1.x -> b-1.x', 'a-1.x -> b-1.y'], {
      notes: [note('note-1'), note('note-2')]
    })
    const one = applyCommand(flow, { kind: 'remove', ids: ['note-1'], edges: [edge('a-1.x -> b-1.x')] })
    assert.deepEqual([wires(one), one.notes], [['a-1.x -> b-1.y'], [note('note-2')]])
    const none = applyCommand(one, { kind: 'remove', ids: ['note-2'] })
    assert.ok(!('notes' in none), 'without notes the document is as it was before the first one')
  })
})

describe('wires', () => {
  const flow = flowOf(['a-1', 'b-1', 'c-1'], ['a-1.x -> b-1.x', 'a-1.x -> c-1.x'])

  it('lead to an input behind those that it has', () => {
    assert.deepEqual(wires(applyCommand(flow, { kind: 'connect', edge: edge('c-1.x -> b-1.x') })), [
      'a-1.x -> b-1.x',
      'a-1.x -> c-1.x',
      'c-1.x -> b-1.x'
    ])
  })

  it('are moved, from an output to another or from an input to another', () => {
    const command = { kind: 'reconnect', edge: edge('a-1.x -> b-1.x'), as: edge('a-1.x -> c-1.y') } as const
    assert.deepEqual(wires(applyCommand(flow, command)), ['a-1.x -> c-1.y', 'a-1.x -> c-1.x'])
    const onto = { ...command, as: edge('a-1.x -> c-1.x') }
    assert.deepEqual(wires(applyCommand(flow, onto)), ['a-1.x -> c-1.x'])
  })

  it('take a node in', () => {
    const open = flowOf(['a-1', 'b-1', 'c-1'], ['a-1.x -> b-1.x'])
    const command = {
      kind: 'splice',
      node: 'c-1',
      edge: edge('a-1.x -> b-1.x'),
      input: 'in',
      output: 'out'
    } as const
    assert.deepEqual(wires(applyCommand(open, command)), ['c-1.out -> b-1.x', 'a-1.x -> c-1.in'])
  })

  it('take a node in where several lead to the input, and only that wire', () => {
    const many = flowOf(['a-1', 'b-1', 'c-1', 'd-1'], ['a-1.x -> b-1.x', 'c-1.x -> b-1.x'])
    const wire = edge('c-1.x -> b-1.x')
    const command = { kind: 'splice', node: 'd-1', edge: wire, input: 'in', output: 'out' } as const
    assert.deepEqual(wires(applyCommand(many, command)), [
      'a-1.x -> b-1.x',
      'd-1.out -> b-1.x',
      'c-1.x -> d-1.in'
    ])
  })

  it('that are there already stay as they are, also as the second of an input', () => {
    const many = flowOf(['a-1', 'b-1', 'c-1'], ['a-1.x -> b-1.x', 'c-1.x -> b-1.x'])
    assert.equal(applyCommand(many, { kind: 'connect', edge: edge('c-1.x -> b-1.x') }), many)
  })

  it('follow an input that gets another name, and go with one that is gone', () => {
    const many = flowOf(['a-1', 'b-1'], ['a-1.x -> b-1.name', 'a-1.x -> b-1.age', 'a-1.x -> b-1.city'])
    const command = { kind: 'rewire', node: 'b-1', renamed: { name: 'full name' }, gone: ['age'] } as const
    assert.deepEqual(wires(applyCommand(many, command)), ['a-1.x -> b-1.full name', 'a-1.x -> b-1.city'])
  })
})

describe('fields and members', () => {
  it('are set, and taken away to mean the default', () => {
    const set = applyCommand(ORDERS, { kind: 'set-field', node: 'parser-1', field: 'separator', value: ', ' })
    assert.equal(set.nodes[1]!.fields.separator, ', ')
    const reset = applyCommand(set, { kind: 'reset-field', node: 'parser-1', field: 'separator' })
    assert.deepEqual(reset, ORDERS)
  })

  it('are named as they please', () => {
    const set = applyCommand(ORDERS, { kind: 'set-field', node: 'parser-1', field: '__proto__', value: 1 })
    assert.deepEqual(Object.keys(set.nodes[1]!.fields), ['mode', 'template', '__proto__'])
  })

  it('of nodes, notes and the flow change, and go with null', () => {
    const titled = applyCommand(ORDERS, { kind: 'change-node', node: 'parser-1', changes: { title: 'Say' } })
    assert.equal(titled.nodes[1]!.title, 'Say')
    assert.deepEqual(
      applyCommand(titled, { kind: 'change-node', node: 'parser-1', changes: { title: null } }),
      ORDERS
    )
    const named = applyCommand(ORDERS, { kind: 'change-flow', changes: { name: 'New', description: 'D' } })
    assert.deepEqual([named.name, named.description], ['New', 'D'])
    const noted = flowOf([], [], { notes: [note('note-1')] })
    const blue = applyCommand(noted, { kind: 'change-note', note: 'note-1', changes: { colour: 'blue' } })
    assert.equal(blue.notes?.[0]?.colour, 'blue')
  })
})

describe('every command', () => {
  it('leaves what it was given as it was, and a flow that can be saved', () => {
    fc.assert(
      fc.property(anyFlow, anyCommand, (flow, command) => {
        const before = structuredClone({ flow, command })
        const after = applyCommand(flow, command)
        assert.deepEqual({ flow, command }, before)
        assert.deepEqual(structureFaults(after), [], JSON.stringify(command))
        assert.deepEqual(JSON.parse(JSON.stringify(after)), after, 'it is JSON, without undefined members')
      }),
      { numRuns: 500 }
    )
  })

  it('that changes nothing returns the same object', () => {
    fc.assert(
      fc.property(anyFlow, anyCommand, (flow, command) => {
        const after = applyCommand(flow, command)
        assert.equal(after === flow, isDeepStrictEqual(after, flow), JSON.stringify(command))
      }),
      { numRuns: 500 }
    )
  })

  it('is data, and has words for Undo', () => {
    fc.assert(
      fc.property(anyFlow, anyCommand, (flow, command) => {
        const sent = JSON.parse(JSON.stringify(command)) as Command
        assert.deepEqual(applyCommand(flow, sent), applyCommand(flow, command))
        assert.match(describeCommand(command), /^[A-Z]/)
      })
    )
  })
})

describe('a paste', () => {
  it('never collides with what is there, and keeps the edges among its own nodes', () => {
    fc.assert(
      fc.property(anyFlow, anyFragment, (flow, fragment) => {
        const after = insertFragment(flow, fragment)
        assert.deepEqual(structureFaults(after), [])
        assert.deepEqual(after.nodes.slice(0, flow.nodes.length), flow.nodes)
        const pasted = after.nodes.slice(flow.nodes.length)
        assert.deepEqual(
          pasted.map(({ id, ...rest }) => rest),
          fragment.nodes.map(({ id, ...rest }) => rest)
        )
        assert.equal((after.notes ?? []).length, (flow.notes ?? []).length + fragment.notes.length)

        const newIds = new Map(fragment.nodes.map(({ id }, index) => [id, pasted[index]!.id]))
        const renamed = (end: string) => end.replace(/^[^.]+/, (id) => newIds.get(id) ?? id)
        const present = new Set(after.nodes.map(({ id }) => id))
        const expected = fragment.edges
          .map(({ from, to }) => ({ from: renamed(from), to: renamed(to) }))
          .filter(({ from, to }) => [from, to].every((end) => present.has(end.split('.')[0]!)))
        const kept = new Set(wires(after))
        for (const { from, to } of expected) assert.ok(kept.has(`${from} -> ${to}`))
      }),
      { numRuns: 500 }
    )
  })
})
