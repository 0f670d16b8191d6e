import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { webhook } from '../../../../../src/components/webhook/webhook.ts'
import type { Field } from '../../../../../src/flows/component/component.ts'
import { numberText, readNumber } from './number-text.ts'

const LIMIT: Field = { kind: 'number', title: 'Limit', default: 0, placeholder: 'No limit' }
const PLAIN: Field = { kind: 'number', title: 'Amount' }

describe('a number in its field', () => {
  it('is an empty field where it is the 0 that the placeholder tells of', () => {
    assert.equal(numberText(0, LIMIT), '')
    assert.deepEqual(readNumber(' ', LIMIT), { value: 0 })
    assert.deepEqual(readNumber('0', LIMIT), { value: 0 })
    assert.equal(numberText(60, LIMIT), '60')
  })

  it('is a bare 0 anywhere else, and no field is empty by mistake', () => {
    assert.equal(numberText(0, PLAIN), '0')
    assert.equal(numberText(0, { ...LIMIT, default: 5 }), '0')
    assert.ok('wrong' in readNumber('', PLAIN))
    assert.ok('wrong' in readNumber('ten', LIMIT))
  })

  it('is told so for both limits of a Webhook', () => {
    assert.equal(numberText(0, webhook.fields!.rate_limit!), '')
    assert.equal(numberText(0, webhook.fields!.concurrency!), '')
  })

  it('is read with a comma as well', () => assert.deepEqual(readNumber('0,5', PLAIN), { value: 0.5 }))
})
