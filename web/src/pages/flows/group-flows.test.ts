import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ListedFlow } from '../../api/shapes.ts'
import { groupFlows, knownTags } from './group-flows.ts'

const flow = (name: string, context: string) => ({ name, context }) as ListedFlow

describe('groupFlows', () => {
  it('puts each context before those below it, and keeps the order of flows', () => {
    const flows = [
      flow('a', '/sales/eu'),
      flow('b', '/sales b'),
      flow('c', '/'),
      flow('d', '/sales'),
      flow('e', '/'),
      flow('f', '/sales/eu/west'),
      flow('g', '/ops')
    ]
    assert.deepEqual(
      groupFlows(flows).map(({ context, flows }) => [context, flows.map(({ name }) => name).join('')]),
      [
        ['/', 'ce'],
        ['/ops', 'g'],
        ['/sales', 'd'],
        ['/sales/eu', 'a'],
        ['/sales/eu/west', 'f'],
        ['/sales b', 'b']
      ]
    )
  })
})

describe('knownTags', () => {
  it('are told once, the frequent ones first', () => {
    assert.deepEqual(knownTags([{ tags: ['new', 'shop'] }, {}, { tags: ['shop'] }, { tags: ['eu'] }]), [
      'shop',
      'eu',
      'new'
    ])
  })
})
