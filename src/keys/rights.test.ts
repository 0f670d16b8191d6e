import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isWithin } from '../contexts/context-path.ts'
import { type Actor, canSee, may, RIGHT_HELP, RIGHTS, seesAll } from './rights.ts'

function actor(bounds: Partial<Actor> = {}): Actor {
  return { keyId: 'k', name: 'K', rights: new Set(['read']), flowId: null, context: null, ...bounds }
}

describe('rights', () => {
  it('are held one by one', () => {
    assert.deepEqual(
      RIGHTS.map((right) => may(actor(), right)),
      [false, true, false, false]
    )
  })

  it('are each explained', () => assert.deepEqual(Object.keys(RIGHT_HELP), [...RIGHTS]))
})

describe('what a key sees', () => {
  const flow = { id: 'f', context: '/sales/eu' }
  const rows: [name: string, bounds: Partial<Actor>, sees: boolean][] = [
    ['an unbound key', {}, true],
    ['a key for the flow', { flowId: 'f' }, true],
    ['a key for another flow', { flowId: 'g' }, false],
    ['a key for the root', { context: '/' }, true],
    ['a key for its context', { context: '/sales/eu' }, true],
    ['a key for a context above', { context: '/sales' }, true],
    ['a key for a context below', { context: '/sales/eu/north' }, false],
    ['a key for a context of a similar name', { context: '/sal' }, false],
    ['a key for the flow in another context', { flowId: 'f', context: '/support' }, false]
  ]
  for (const [name, bounds, sees] of rows) {
    it(`${name} ${sees ? 'sees' : 'does not see'} the flow`, () =>
      assert.equal(canSee(actor(bounds), flow), sees))
  }
})

describe('isWithin', () => {
  it('does not take a similar name for a child', () => {
    assert.equal(isWithin('/sales-eu', '/sales'), false)
    assert.equal(isWithin('/', '/sales'), false)
  })
})

describe('seesAll', () => {
  it('holds for keys that are bound to nothing', () => {
    const bounds: Partial<Actor>[] = [{}, { context: '/' }, { context: '/sales' }, { flowId: 'f' }]
    assert.deepEqual(
      bounds.map((bound) => seesAll(actor(bound))),
      [true, true, false, false]
    )
  })
})
