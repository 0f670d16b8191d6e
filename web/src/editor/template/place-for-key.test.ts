import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Field } from '../../../../src/flows/component/component.ts'
import { placeForKey } from './place-for-key.ts'

const template = { kind: 'template', title: 'T', default: '' } as Field
const text = { kind: 'text', title: 'N', default: '' } as Field
const say = () => 'Order'

describe('where a chosen key goes', () => {
  it('is where the cursor was, as far as the text still reaches', () => {
    const fields = { subject: template, body: template }
    assert.deepEqual(placeForKey(fields, say, { field: 'body', at: 2 }), { field: 'body', at: 2 })
    assert.deepEqual(placeForKey(fields, say, { field: 'body', at: 90 }), { field: 'body', at: 5 })
  })

  it('is the end of the only template, and nowhere where there are more or none', () => {
    assert.deepEqual(placeForKey({ name: text, body: template }, say, undefined), { field: 'body', at: 5 })
    assert.deepEqual(placeForKey({ body: template }, say, { field: 'gone', at: 1 }), { field: 'body', at: 5 })
    assert.equal(placeForKey({ subject: template, body: template }, say, undefined), undefined)
    assert.equal(placeForKey({ name: text }, say, undefined), undefined)
  })
})
