import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isJson, payloadIn, pretty, textOfPayload } from './payload-text.ts'

describe('the payload of a test', () => {
  it('is what was written, with every digit', () => {
    const written = '{"order_id":12345678901234567890,"customer":null}'
    assert.equal(textOfPayload(payloadIn(written)).replaceAll(/\s/g, ''), written)
    assert.deepEqual([payloadIn('null'), payloadIn('"text"')], [null, 'text'])
  })

  it('is text where it is not JSON, as a Webhook reads it', () => {
    assert.deepEqual(payloadIn('<b>bold</b>'), { payload: '<b>bold</b>' })
    assert.deepEqual([isJson('{'), isJson('null')], [false, true])
    assert.equal(pretty('no JSON'), 'no JSON')
  })
})
