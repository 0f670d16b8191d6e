import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Field } from '../../../../src/flows/component/component.ts'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { firstText } from './node-summary.ts'

const FIELDS: Readonly<Record<string, Field>> = {
  mode: { kind: 'choice', title: 'Mode', choices: ['Loud', 'Quiet'], default: 'Loud' },
  secret: { kind: 'text', title: 'Secret', default: 'unseen', hidden: true },
  template: { kind: 'template', title: 'Template', default: '' }
}

function node(fields: Record<string, JsonValue>) {
  return { id: 'a', type: 'a', position: { x: 0, y: 0 }, fields }
}

describe('the first text of a node', () => {
  it('is the first line of its template', () => {
    assert.equal(firstText(node({ template: '\n  Order {id}\nand more' }), FIELDS), 'Order {id}')
    assert.equal(firstText(node({ template: '{\n  "total": 1\n}' }), FIELDS), '"total": 1')
    assert.equal(firstText(node({ template: ' … ' }), FIELDS), '…')
  })

  it('is its choice where nothing was written, as it is by default', () => {
    assert.equal(firstText(node({}), FIELDS), 'Loud')
    assert.equal(firstText(node({ mode: 'Quiet', template: ' ' }), FIELDS), 'Quiet')
  })

  it('is what its rows say', () => {
    const keys: Field = { kind: 'rows', title: 'Keys', columns: { field: { title: 'Key' } } }
    const rows = ['id', { field: 'total', direction: 'descending' }]
    assert.equal(firstText(node({ keys: rows }), { ...FIELDS, keys }), 'id, total descending')
    assert.equal(firstText(node({ keys: [] }), { ...FIELDS, keys }), 'Loud')
  })

  it('is nothing where all is empty or hidden', () => {
    const { secret } = FIELDS
    assert.equal(firstText(node({}), { secret: secret! }), undefined)
  })
})
