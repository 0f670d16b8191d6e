import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ORDERS } from '../graph/flow.test-kit.ts'
import { applyCommand } from './apply-command.ts'
import { describeCommand } from './command.ts'
import { toggleDisabled } from './disable-nodes.ts'

it('a toggle disables nodes until all of them are disabled, and then enables them', () => {
  const one = toggleDisabled(ORDERS, new Set(['parser-1']))!
  const some = applyCommand(ORDERS, one)
  assert.deepEqual(
    some.nodes.map(({ disabled }) => disabled),
    [undefined, true, undefined]
  )
  const both = new Set(['parser-1', 'webhook-1', 'note-1'])
  const all = applyCommand(some, toggleDisabled(some, both)!)
  assert.deepEqual(
    all.nodes.map(({ disabled }) => disabled),
    [true, true, undefined]
  )
  const enable = toggleDisabled(all, both)!
  assert.deepEqual(applyCommand(all, enable), ORDERS)
  assert.deepEqual([describeCommand(one), describeCommand(enable)], ['Disable', 'Enable 2 nodes'])
  assert.equal(toggleDisabled(ORDERS, new Set(['note-1'])), undefined)
})
