import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultOf, type Field } from '../../../../../../src/flows/component/component.ts'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { builtInCatalogue } from '../../../../editor/wiring/page-catalogue.test-kit.ts'
import { DATA_PLACES, placeOfDataField } from './data-places.ts'

const catalogue = builtInCatalogue()

function shown(type: string, fields: Record<string, JsonValue>): string[] {
  const facts = catalogue.facts(type)!
  const node = { id: 'a', type, position: { x: 0, y: 0 }, fields }
  return Object.entries(facts.fields)
    .filter(([name, field]) => placeOfDataField(node, name, field) !== 'nowhere')
    .map(([name]) => name)
}

describe('the fields of a component for data', () => {
  it('are those that its choice gives a meaning', () => {
    assert.ok(!shown('date', {}).includes('amount') && shown('date', { operation: 'Add' }).includes('amount'))
    assert.ok(
      !shown('convert', {}).includes('delimiter') &&
        shown('convert', { mode: 'CSV to rows' }).includes('typed')
    )
    assert.deepEqual(shown('split-text', { mode: 'Lines' }), [
      'mode',
      'overlap',
      'lines',
      'trim',
      'drop_empty'
    ])
    assert.ok(shown('random-id', { kind: 'Digits' }).includes('length'))
    assert.ok(!shown('split-out', {}).includes('members'))
    assert.deepEqual(shown('keep', { operation: 'Increment' }), ['operation', 'key', 'by', 'expires_in'])
  })

  it('are named as the components name them, and begin with what these begin with', () => {
    for (const [type, { by, first, meant }] of Object.entries(DATA_PLACES)) {
      const fields: Readonly<Record<string, Field>> = catalogue.facts(type)!.fields
      assert.equal(defaultOf(fields[by]!), first, type)
      for (const name of Object.keys(meant)) assert.ok(Object.hasOwn(fields, name), `${type} has no ${name}`)
    }
  })
})
