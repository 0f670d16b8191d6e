import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Fields } from '../component/component.ts'
import { connectionUses, stateOfUse, unnamedConnections, usedName } from './connection-uses.ts'

const FIELDS: Readonly<Record<string, Fields>> = {
  call: {
    connection: { kind: 'connection', title: 'Connection', kinds: ['http'] },
    url: { kind: 'text', title: 'URL' }
  },
  ask: {
    connection: {
      kind: 'connection',
      title: 'Connection',
      kinds: ['openai', 'anthropic'],
      default: 'models'
    },
    fallback: { kind: 'connection', title: 'Otherwise', kinds: ['openai'], optional: true }
  }
}

function node(id: string, type: string, fields: Record<string, unknown> = {}) {
  return { id, type, position: { x: 0, y: 0 }, fields }
}

describe('the connections that a flow names', () => {
  it('are told node by node, with what would fit', () => {
    const nodes = [
      node('call-1', 'call', { connection: 'shop', url: 'connection' }),
      node('ask-1', 'ask', { fallback: 'spare' }),
      node('call-2', 'call'),
      node('call-3', 'call', { connection: 7 }),
      node('gone-1', 'gone', { connection: 'shop' })
    ]
    assert.deepEqual(
      connectionUses({ nodes }, (type) => FIELDS[type]).map(
        ({ node, field, name, kinds }) => `${node}.${field}: ${name} (${kinds.join(', ')})`
      ),
      [
        'call-1.connection: shop (http)',
        'ask-1.connection: models (openai, anthropic)',
        'ask-1.fallback: spare (openai)'
      ]
    )
  })

  it('are a fault where one is needed and none is named, and none where it is optional', () => {
    assert.deepEqual(unnamedConnections(node('a', 'ask'), FIELDS.ask!, '/nodes/0'), [])
    assert.deepEqual(unnamedConnections(node('a', 'call', { connection: 'later' }), FIELDS.call!, ''), [])
    const [fault, ...more] = unnamedConnections(node('a', 'call'), FIELDS.call!, '/nodes/3')
    assert.deepEqual(more, [])
    assert.partialDeepStrictEqual(fault, {
      code: 'missing_connection',
      path: '/nodes/3/fields/connection',
      node: 'a',
      field: 'connection'
    })
  })

  it('may be told by variables of the context', () => {
    const use = { name: '{$shop}-eu', field: 'connection' }
    assert.equal(usedName(use, { shop: 'sandbox' }), 'sandbox-eu')
    assert.equal(usedName(use, {}), '{$shop}-eu')
    assert.equal(usedName({ ...use, name: 'shop' }, { shop: 'sandbox' }), 'shop')
  })

  it('are found, missing or of another kind', () => {
    const use = { kinds: ['http'] }
    assert.equal(stateOfUse(use, undefined), 'missing')
    assert.equal(stateOfUse(use, { kind: 'smtp' }), 'wrong_kind')
    assert.equal(stateOfUse(use, { kind: 'http' }), 'found')
  })
})
