import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ListedFlow } from '../../../api/shapes.ts'
import { hourSteps, isFirstHour } from './first-hour.ts'

type Facts = Pick<ListedFlow, 'slug' | 'nodes' | 'recent_runs'>

const flow = (slug: string, nodes = 0, runs = 0) =>
  ({ slug, nodes: Array(nodes).fill({}), recent_runs: Array(runs).fill({}) }) as unknown as Facts

const done = (flows: readonly Facts[], keys?: number) =>
  hourSteps(flows, keys)
    .filter(({ isDone }) => isDone)
    .map(({ id }) => id)

describe('the first hour', () => {
  it('is told from what there is', () => {
    assert.deepEqual(done([flow('orders', 3)], 1), [])
    assert.deepEqual(done([flow('orders', 3, 1)], 1), ['run'])
    assert.deepEqual(done([flow('orders', 3, 1), flow('mine')], 1), ['run', 'draw'])
    assert.deepEqual(done([flow('orders', 3, 1), flow('mine', 2)], 1), ['run', 'draw', 'publish'])
    assert.deepEqual(done([flow('mine', 2, 1)], 2), ['run', 'draw', 'publish', 'start', 'key'])
  })

  it('asks for no key of whoever may make none, and is over for those who have three flows', () => {
    assert.equal(hourSteps([], undefined).length, 4)
    assert.equal(isFirstHour([flow('orders'), flow('a'), flow('b')]), true)
    assert.equal(isFirstHour([flow('a'), flow('b'), flow('c')]), false)
  })
})
