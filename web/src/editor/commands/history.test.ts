import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCommand, anyFlow, flowOf, node, ORDERS, structureFaults } from '../graph/flow.test-kit.ts'
import type { Flow } from '../graph/flow.ts'
import { applyCommand } from './apply-command.ts'
import type { Command } from './command.ts'
import {
  adopt,
  execute,
  type History,
  MAX_STEPS,
  redo,
  startHistory,
  TYPING_PAUSE_MS,
  undo
} from './history.ts'

const typed = (value: string, field = 'template'): Command => ({
  kind: 'set-field',
  node: 'parser-1',
  field,
  value
})
const moved = (x: number): Command => ({ kind: 'move', positions: { 'parser-1': { x, y: 0 } } })
const rename = (title: string): Command => ({ kind: 'change-node', node: 'webhook-1', changes: { title } })

function executeAll(history: History, commands: readonly Command[], gap = 10_000): History {
  return commands.reduce((done, command, index) => execute(done, command, { at: index * gap }), history)
}

describe('undo and redo', () => {
  it('lead through every state there was, to the very same objects', () => {
    fc.assert(
      fc.property(anyFlow, fc.array(anyCommand, { maxLength: 12 }), (flow, commands) => {
        let history = startHistory(flow)
        const states = [flow]
        for (const [index, command] of commands.entries()) {
          history = execute(history, command, { at: index * 10_000 })
          if (history.flow !== states.at(-1)) states.push(history.flow)
        }
        assert.equal(history.past.length, states.length - 1)
        for (const state of states.slice(0, -1).reverse()) {
          history = undo(history)
          assert.equal(history.flow, state)
        }
        assert.equal(undo(history), history)
        for (const state of states.slice(1)) {
          history = redo(history)
          assert.equal(history.flow, state)
        }
        assert.equal(redo(history), history)
      })
    )
  })

  it('tell what they undo and redo', () => {
    const history = executeAll(startHistory(ORDERS), [rename('In'), typed('x')])
    assert.deepEqual(
      history.past.map(({ label }) => label),
      ['Rename', 'Edit template']
    )
    assert.equal(undo(history).future.at(-1)?.label, 'Edit template')
  })

  it('forget what was undone as soon as something else is done', () => {
    const history = execute(undo(executeAll(startHistory(ORDERS), [rename('In')])), typed('x'), { at: 0 })
    assert.deepEqual(history.future, [])
  })

  it('have no step for a command that changes nothing, and keep what can be redone', () => {
    const history = undo(executeAll(startHistory(ORDERS), [rename('In')]))
    assert.equal(execute(history, { kind: 'remove', ids: ['gone'] }, { at: 0 }), history)
  })

  it('go back a limited way', () => {
    const commands = Array.from({ length: MAX_STEPS + 10 }, (_, index) => rename(`In ${index}`))
    assert.equal(executeAll(startHistory(ORDERS), commands).past.length, MAX_STEPS)
  })
})

describe('one step', () => {
  it('is typing in one field without a pause', () => {
    let history = startHistory(ORDERS)
    for (const [index, text] of ['H', 'He', 'Hel'].entries())
      history = execute(history, typed(text), { at: index * 900 })
    assert.equal(history.past.length, 1)
    history = execute(history, typed('Hell'), { at: 1800 + TYPING_PAUSE_MS + 1 })
    assert.equal(history.past.length, 2)
    assert.equal(undo(history).flow.nodes[1]?.fields.template, 'Hel')
    assert.equal(undo(undo(history)).flow, ORDERS)
  })

  it('is not typing in two fields, nor typing after an undo', () => {
    const two = execute(execute(startHistory(ORDERS), typed('a'), { at: 0 }), typed('b', 'separator'), {
      at: 1
    })
    assert.equal(two.past.length, 2)
    const back = undo(executeAll(startHistory(ORDERS), [typed('a'), typed('b')]))
    assert.equal(execute(back, typed('c'), { at: 10_001 }).past.length, 2)
  })

  it('is one gesture, however long it takes', () => {
    let history = startHistory(ORDERS)
    for (const x of [1, 2, 3]) history = execute(history, moved(x), { at: x * 60_000, gesture: 'drag 7' })
    assert.equal(history.past.length, 1)
    history = execute(history, moved(4), { at: 4, gesture: 'drag 8' })
    assert.deepEqual([history.past.length, undo(undo(history)).flow], [2, ORDERS])
  })

  it('is none when a drag ends where it began', () => {
    let history = startHistory(ORDERS)
    for (const x of [330, 350, 320]) history = execute(history, moved(x), { at: 0, gesture: 'drag' })
    assert.deepEqual([history.past, history.flow], [[], ORDERS])
  })
})

describe('what another editor did', () => {
  const theirs = (flow: Flow) => applyCommand(flow, { kind: 'change-flow', changes: { name: 'Theirs' } })

  it('stays when I undo and redo', () => {
    const mine = executeAll(startHistory(ORDERS), [rename('In'), typed('x')])
    let history = adopt(mine, theirs(mine.flow))
    assert.equal(history.past.length, 2)
    history = undo(undo(history))
    assert.deepEqual(history.flow, { ...ORDERS, name: 'Theirs' })
    history = redo(redo(history))
    assert.deepEqual(history.flow, { ...mine.flow, name: 'Theirs' })
  })

  it('is not undone where it touched what I undo', () => {
    const mine = executeAll(startHistory(ORDERS), [typed('mine')])
    const history = undo(adopt(mine, applyCommand(mine.flow, typed('theirs'))))
    assert.equal(history.flow.nodes[1]?.fields.template, 'theirs')
  })

  it('follows a node of mine that got another id', () => {
    const add: Command = { kind: 'insert', fragment: { nodes: [node('parser-2')], edges: [], notes: [] } }
    const mine = executeAll(startHistory(flowOf([])), [
      add,
      { ...rename('Mine'), node: 'parser-2' } as Command
    ])
    const merged = flowOf([node('parser-2', { title: 'Theirs' }), node('parser-3', { title: 'Mine' })])
    const history = adopt(mine, merged, new Map([['parser-2', 'parser-3']]))
    assert.deepEqual(
      undo(history).flow.nodes.map(({ id, title }) => [id, title]),
      [
        ['parser-2', 'Theirs'],
        ['parser-3', undefined]
      ]
    )
    assert.deepEqual(undo(undo(history)).flow, flowOf([node('parser-2', { title: 'Theirs' })]))
  })

  it('is never lost, and never leaves a flow that cannot be saved, however both take turns', () => {
    const turn = fc.oneof(
      fc.record({ by: fc.constant('me' as const), command: anyCommand }),
      fc.record({ by: fc.constant('them' as const), command: anyCommand }),
      fc.record({ by: fc.constantFrom('undo' as const, 'redo' as const) })
    )
    fc.assert(
      fc.property(anyFlow, fc.array(turn, { maxLength: 40 }), (flow, turns) => {
        let history = startHistory(flow)
        for (const [index, step] of turns.entries()) {
          if (step.by === 'me') history = execute(history, step.command, { at: index * 10_000 })
          else if (step.by === 'them') history = adopt(history, applyCommand(history.flow, step.command))
          else history = step.by === 'undo' ? undo(history) : redo(history)
          assert.deepEqual(structureFaults(history.flow), [])
        }
        history = adopt(history, { ...history.flow, name: 'Their name' })
        while (history.past.length > 0) history = undo(history)
        assert.equal(history.flow.name, 'Their name')
      })
    )
  })
})
