import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstAfter } from './first-after.ts'

const run = (id: string, trigger = 'webhook') => ({ id, trigger })

describe('the first run after another one', () => {
  it('is the oldest of those that came later', () => {
    const runs = [run('d'), run('c'), run('b'), run('a')]
    assert.equal(firstAfter(runs, 'b', ['webhook'])?.id, 'c')
    assert.equal(firstAfter(runs, 'd', ['webhook']), undefined)
  })

  it('is of the trigger that was asked for', () => {
    const runs = [run('d', 'api'), run('c'), run('b', 'chat'), run('a')]
    assert.equal(firstAfter(runs, 'a', ['webhook'])?.id, 'c')
    assert.equal(firstAfter(runs, 'c', ['webhook']), undefined)
  })

  it('is the oldest of all where there was none before', () => {
    assert.equal(firstAfter([run('b'), run('a')], undefined, ['webhook'])?.id, 'a')
    assert.equal(firstAfter([], undefined, ['webhook']), undefined)
  })
})
