import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Field } from '../../../../src/flows/component/component.ts'
import { connectionTroubles, describeStanding, type Seen, standingOf } from './connection-standing.ts'

const seen: Seen[] = [
  { name: 'shop', kind: 'http', context: '/staging', hides: [{ context: '/' }] },
  { name: 'mail', kind: 'smtp', context: '/', hides: [] }
]
const around = { seen, variables: { api: 'shop' } }
const use = (name: string) => ({ node: 'a', field: 'connection', name, kinds: ['http'] })
const words = (name: string, context = '/staging') => describeStanding(standingOf(use(name), around), context)

describe('where a node stands with its connection', () => {
  it('is told with the context that it comes from and what it hides', () => {
    assert.equal(words('shop'), 'Found in /staging; hides the one of /.')
    assert.equal(words('shop', '/staging/eu'), 'Found in /staging; hides the one of /.')
    assert.equal(words('{$api}'), '{$api} is “shop”. Found in /staging; hides the one of /.')
    assert.equal(words('bank'), 'No “bank” in /staging or above.')
    assert.equal(words('bank', '/'), 'No “bank” in /.')
    assert.equal(words('mail'), '“mail” of / is of the kind smtp. This takes http.')
  })

  it('is trouble where it is missing or of another kind', () => {
    const fields: Record<string, Field> = {
      connection: { kind: 'connection', title: 'Connection', kinds: ['http'] }
    }
    const catalogue = { facts: () => ({ fields }) } as never
    const node = (id: string, connection: string) => {
      return { id, type: 'call', position: { x: 0, y: 0 }, fields: { connection } }
    }
    const nodes = [node('a', 'shop'), node('b', 'bank'), node('c', 'mail'), node('d', '')]
    assert.deepEqual(
      connectionTroubles({ nodes }, catalogue, around).map(({ node, state }) => [node, state]),
      [
        ['b', 'missing'],
        ['c', 'wrong_kind']
      ]
    )
  })
})
