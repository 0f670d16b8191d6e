import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { webhook } from '../../../../../../src/components/webhook.ts'
import { type ContextScope, NO_CONTEXT_SCOPE } from '../../../../api/context-scope.ts'
import { node } from '../../../../editor/graph/flow.test-kit.ts'
import { placeOfWebhookField } from './webhook-places.ts'

const SIGNED_BY_CONTEXT: ContextScope = {
  variables: {},
  settings: { auth: { value: 'Signature', context: '/sales' } }
}

function fieldsAt(place: string, fields: Readonly<Record<string, string>>, scope = NO_CONTEXT_SCOPE) {
  const drawn = node('webhook-1', { type: 'webhook', fields })
  return Object.entries(webhook.fields!)
    .filter(([name, field]) => placeOfWebhookField(drawn, name, field, scope) === place)
    .map(([name]) => name)
}

describe('the fields of a Webhook', () => {
  const ofSignature = ['signature_scheme', 'connection', 'signing_secret']

  it('are nowhere for signatures where none is asked for', () => {
    assert.deepEqual(fieldsAt('nowhere', {}), ofSignature)
    assert.deepEqual(fieldsAt('nowhere', { auth: 'None' }), ofSignature)
    assert.deepEqual(fieldsAt('nowhere', { auth: 'API key' }, SIGNED_BY_CONTEXT), ofSignature)
  })

  it('stand among the settings where the node or its context asks for signatures', () => {
    const settings = ['endpoint', 'auth', ...ofSignature]
    assert.deepEqual(fieldsAt('settings', { auth: 'Signature' }), settings)
    assert.deepEqual(fieldsAt('settings', {}, SIGNED_BY_CONTEXT), settings)
  })
})
