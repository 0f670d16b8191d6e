import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Signal } from '../store/shared-store.ts'
import { Presence, type PresenceNews } from './presence.ts'

function at(start = 0) {
  let now = start
  const told: PresenceNews[] = []
  const presence = new Presence({ now: () => now })
  presence.subscribe((news) => told.push(news))
  const names = () => presence.of('flow').map(({ name, node }) => `${name}@${node}`)
  return { presence, told, names, pass: (ms: number) => (now += ms) }
}

describe('who is on a flow', () => {
  it('is told when somebody comes, looks at another node, or goes, and not when they only stay', () => {
    const { presence, told, names, pass } = at()
    presence.enter('flow', { page: 'a', name: 'Ann', node: null })
    presence.enter('flow', { page: 'b', name: 'Bob', node: 'parser-1' })
    assert.deepEqual(names(), ['Ann@null', 'Bob@parser-1'])
    pass(1_000)
    presence.enter('flow', { page: 'a', name: 'Ann', node: null })
    assert.equal(told.length, 2)
    presence.enter('flow', { page: 'a', name: 'Ann', node: 'parser-1' })
    presence.leave('flow', 'b', 'Ann')
    assert.deepEqual(names(), ['Ann@parser-1', 'Bob@parser-1'], 'nobody sends others away')
    presence.leave('flow', 'b', 'Bob')
    assert.deepEqual(told.at(-1), {
      flowId: 'flow',
      present: [{ page: 'a', name: 'Ann', node: 'parser-1', since: 0 }]
    })
  })

  it('leaves everybody their own, whatever id others give theirs', () => {
    const { presence, names } = at()
    presence.enter('flow', { page: 'a', name: 'Ann', node: 'parser-1' })
    presence.enter('flow', { page: 'a', name: 'Eve', node: null })
    presence.leave('flow', 'a', 'Eve')
    assert.deepEqual(names(), ['Ann@parser-1'])
  })

  it('forgets who went without a word, and tells those who are there', () => {
    const { presence, told, names, pass } = at()
    presence.enter('flow', { page: 'a', name: 'Ann', node: null })
    presence.enter('flow', { page: 'b', name: 'Bob', node: null })
    pass(60_000)
    presence.enter('flow', { page: 'a', name: 'Ann', node: null })
    pass(30_000)
    presence.enter('flow', { page: 'a', name: 'Ann', node: null })
    assert.deepEqual(names(), ['Ann@null'])
    assert.deepEqual(told.at(-1)?.present.length, 1)
  })

  it('holds no more than so many pages of a flow', () => {
    const { presence } = at()
    for (let page = 0; page < 60; page++) presence.enter('flow', { page: `${page}`, name: 'Ann', node: null })
    assert.equal(presence.of('flow').length, 50)
    assert.equal(presence.of('flow')[0]!.page, '10')
  })

  it('is told among processes', () => {
    const listeners: ((signal: Signal) => void)[] = []
    const signals = {
      tell: (signal: Signal) => listeners[1]!(signal),
      listen: (listener: (signal: Signal) => void) => {
        listeners.push(listener)
        return () => {}
      }
    }
    const [one, other] = [new Presence({ now: () => 5, signals }), new Presence({ now: () => 9, signals })]
    one.enter('flow', { page: 'a', name: 'Ann', node: 'x' })
    assert.deepEqual(other.of('flow'), [{ page: 'a', name: 'Ann', node: 'x', since: 5 }])
    one.leave('flow', 'a', 'Ann')
    assert.deepEqual(other.of('flow'), [])
  })
})
