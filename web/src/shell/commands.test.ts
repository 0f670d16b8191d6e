import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Command, CommandRegistry } from './commands.ts'

function named(...ids: string[]): Command[] {
  return ids.map((id) => ({ id, title: id, group: 'Group', run: () => {} }))
}

describe('commands', () => {
  it('of a page go before those of the shell, also when the shell adds its own anew', () => {
    const registry = new CommandRegistry()
    const ids = () => registry.all().map(({ id }) => id)
    const page = Symbol('page')
    registry.add(page, named('new flow'))
    registry.add(Symbol('shell'), named('go to runs', 'sign out'), 'shell')
    assert.deepEqual(ids(), ['new flow', 'go to runs', 'sign out'])
    registry.add(Symbol('dialog'), named('close'))
    assert.deepEqual(ids(), ['close', 'new flow', 'go to runs', 'sign out'])
    registry.remove(page)
    assert.deepEqual(ids(), ['close', 'go to runs', 'sign out'])
  })
})
