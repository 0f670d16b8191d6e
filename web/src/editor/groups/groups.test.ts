import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { copySelection } from '../clipboard/copy-selection.ts'
import { readClipboard } from '../clipboard/read-clipboard.ts'
import { applyCommand } from '../commands/apply-command.ts'
import { flowOf, node, note } from '../graph/flow.test-kit.ts'
import type { Flow } from '../graph/flow.ts'
import { groupNodes, ungroup } from './group-commands.ts'
import { frameAround, groupsIn, withMembers } from './groups.ts'

const at = (id: string, x: number, y: number) => node(id, { position: { x, y } })
const flow = flowOf([at('a-1', 0, 0), at('b-1', 300, 100), at('c-1', 600, 0)], ['a-1.x -> b-1.x'])

function grouped(from: Flow, ...ids: string[]): Flow {
  return applyCommand(from, groupNodes(from, new Set(ids))!.command)
}
const places = ({ nodes }: Flow) => nodes.map(({ position }) => [position.x, position.y])
const members = (of: Flow) => (of.notes ?? []).map(({ id, nodes }) => [id, nodes])

describe('a group', () => {
  it('is made around nodes, as one step, and begins where their frame does', () => {
    const made = grouped(flow, 'a-1', 'b-1')
    assert.deepEqual(made.notes, [
      { id: 'group-1', text: '', position: { x: -24, y: -56 }, nodes: ['a-1', 'b-1'] }
    ])
    const boxes = [
      { x: 0, y: 0, width: 240, height: 64 },
      { x: 300, y: 100, width: 240, height: 64 }
    ]
    const { x, y } = frameAround(boxes)
    assert.deepEqual({ x, y }, made.notes![0]!.position)
  })

  it('of no node is none', () => {
    assert.equal(groupNodes({ ...flow, notes: [note('note-1')] }, new Set(['note-1'])), undefined)
    assert.equal(ungroup(flow, new Set(['a-1'])), undefined)
  })

  it('takes nodes from the group that they were in, which goes when it is empty', () => {
    const one = grouped(flow, 'a-1', 'b-1')
    assert.deepEqual(members(grouped(one, 'b-1', 'c-1')), [
      ['group-1', ['a-1']],
      ['group-2', ['b-1', 'c-1']]
    ])
    assert.deepEqual(members(grouped(one, 'group-1', 'c-1')), [['group-2', ['a-1', 'b-1', 'c-1']]])
  })

  it('is taken away by itself or by one of its nodes, and they stay', () => {
    const made = grouped(flow, 'a-1', 'b-1')
    for (const id of ['group-1', 'b-1']) {
      assert.deepEqual(applyCommand(made, ungroup(made, new Set([id]))!), flow)
    }
  })

  it('takes its nodes along when it is moved, and follows them when they are', () => {
    const made = grouped(flow, 'a-1', 'b-1')
    const moved = applyCommand(made, { kind: 'move', positions: { 'group-1': { x: 76, y: -56 } } })
    assert.deepEqual(places(moved), [
      [100, 0],
      [400, 100],
      [600, 0]
    ])
    assert.deepEqual(moved.notes![0]!.position, { x: 76, y: -56 })
    const pulled = applyCommand(made, { kind: 'move', positions: { 'a-1': { x: 0, y: -100 } } })
    assert.deepEqual(pulled.notes![0]!.position, { x: -24, y: -156 })
    const both = { 'group-1': { x: 76, y: -56 }, 'a-1': { x: 7, y: 7 } }
    assert.deepEqual(places(applyCommand(made, { kind: 'move', positions: both }))[0], [7, 7])
  })

  it('loses nodes that are removed, and goes with the last one', () => {
    const made = grouped(flow, 'a-1', 'b-1')
    const less = applyCommand(made, { kind: 'remove', ids: ['a-1'] })
    assert.deepEqual(members(less), [['group-1', ['b-1']]])
    assert.ok(!('notes' in applyCommand(less, { kind: 'remove', ids: ['b-1'] })))
  })

  it('is copied with its nodes, under the ids that they get', () => {
    const made = grouped(flow, 'a-1', 'b-1')
    const text = copySelection(made, withMembers(made, new Set(['group-1'])))
    const { fragment } = readClipboard(text)
    const pasted = applyCommand(made, { kind: 'insert', fragment: fragment! })
    assert.deepEqual(members(pasted), [
      ['group-1', ['a-1', 'b-1']],
      ['group-2', ['a-2', 'b-2']]
    ])
  })

  it('is copied without the nodes that stay behind, also from a file that names others', () => {
    const made = grouped(flow, 'a-1', 'b-1')
    const copied = JSON.parse(copySelection(made, new Set(['group-1', 'a-1']))) as Flow
    assert.deepEqual(members(copied), [['group-1', ['a-1']]])
    const foreign = { nodes: [{ id: 'z-1', type: 'z' }], notes: [note('g', '', { nodes: ['z-1', 'a-1'] })] }
    assert.deepEqual(readClipboard(JSON.stringify(foreign)).fragment!.notes[0]!.nodes, ['z-1'])
  })

  it('whose nodes another program removed is a note again', () => {
    const left = { ...flow, notes: [note('group-1', 'Prepare', { nodes: ['gone-1'] })] }
    assert.deepEqual(groupsIn(left), [])
    const moved = applyCommand(left, { kind: 'move', positions: { 'group-1': { x: 5, y: 5 } } })
    assert.deepEqual(moved.notes![0]!.position, { x: 5, y: 5 })
  })
})
