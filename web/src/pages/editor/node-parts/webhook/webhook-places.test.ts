import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { webhook } from '../../../../../../src/components/webhook/webhook.ts'
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
  const ofSecrets = ['connection', 'signing_secret']
  const ofRule = [
    'signature_header',
    'signature_algorithm',
    'signature_encoding',
    'signature_prefix',
    'signed_text',
    'timestamp_header'
  ]
  const ofSenders = ['token_header', 'basic_user', 'signature_scheme', ...ofRule, ...ofSecrets]

  it('are nowhere for senders where nothing is asked of them', () => {
    assert.deepEqual(fieldsAt('nowhere', {}), ofSenders)
    assert.deepEqual(fieldsAt('nowhere', { auth: 'None' }), ofSenders)
    assert.deepEqual(fieldsAt('nowhere', { auth: 'API key' }, SIGNED_BY_CONTEXT), ofSenders)
  })

  it('stand among the settings where the node or its context asks for signatures', () => {
    const settings = ['endpoint', 'respond', 'auth', 'signature_scheme', ...ofSecrets]
    assert.deepEqual(fieldsAt('settings', { auth: 'Signature' }), settings)
    assert.deepEqual(fieldsAt('settings', {}, SIGNED_BY_CONTEXT), settings)
  })

  it('are those of the way that was chosen, and of no other', () => {
    const chosen = (fields: Readonly<Record<string, string>>) =>
      fieldsAt('settings', fields).filter((name) => ofSenders.includes(name))
    assert.deepEqual(chosen({ auth: 'Token' }), ['token_header', ...ofSecrets])
    assert.deepEqual(chosen({ auth: 'Basic' }), ['basic_user', ...ofSecrets])
    assert.deepEqual(chosen({ auth: 'Signature', signature_scheme: 'HMAC' }), [
      'signature_scheme',
      ...ofRule,
      ...ofSecrets
    ])
    assert.deepEqual(chosen({ auth: 'Token', signature_scheme: 'HMAC' }), ['token_header', ...ofSecrets])
  })
})
