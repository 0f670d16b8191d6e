import assert from 'node:assert/strict'
import { it } from 'node:test'
import { webhookSending } from './webhook-sending.ts'

it('a payload is the body by POST, or by the first method that is taken, and the query of a GET', () => {
  const body = '{"a":"x y","n":12345678901234567890,"list":[1,true],"none":null,"deep":{"b":1}}'
  assert.deepEqual(webhookSending(['GET', 'POST'], body), { method: 'POST', query: '', body })
  assert.deepEqual(webhookSending(['PUT', 'DELETE'], body), { method: 'PUT', query: '', body })
  const query = '?a=x+y&n=12345678901234567890&list=1&list=true&none='
  assert.deepEqual(webhookSending(['GET'], body), { method: 'GET', query, body: null })
  for (const other of ['', '[1]', 'no JSON'])
    assert.deepEqual(webhookSending(['GET'], other), { method: 'GET', query: '', body: null })
})
