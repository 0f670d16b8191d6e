import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { webhook } from '../../../../../../src/components/webhook/webhook.ts'
import { contextScopeOf, NO_CONTEXT_SCOPE } from '../../../../api/context-scope.ts'
import type { ContextFacts } from '../../../../api/contexts.ts'
import { entryFacts, inheritedLimit, webhookEntry } from './webhook-entry.ts'

const component = { fields: webhook.fields! }

function context(path: string, more: Partial<ContextFacts> = {}): ContextFacts {
  const parts = { name: '', parent: null, kind: 'data', id: null, owner: '', source: null } as const
  return { ...parts, path, registers: [], sees: [], flows: [], ...more }
}

describe('what an endpoint asks of its callers', () => {
  it('is what the component sets where nobody says anything', () => {
    const entry = webhookEntry({ fields: {}, component }, NO_CONTEXT_SCOPE)
    assert.equal(entry.auth, 'API key')
    assert.deepEqual(
      entryFacts(entry).map(({ text }) => text),
      ['Callers send an API key in x-api-key']
    )
  })

  it('is what the nearest context says, where the node says nothing', () => {
    const contexts = [
      context('/'),
      context('/sales', { default_auth: 'None', limits: { rate_limit: 60 } }),
      context('/sales/eu', { limits: { rate_limit: 0, concurrency: 1 } })
    ]
    const around = contextScopeOf(contexts, '/sales/eu')
    const entry = webhookEntry({ fields: {}, component }, around)
    assert.deepEqual(entry.inherited, { auth: '/sales', rateLimit: '/sales/eu', concurrency: '/sales/eu' })
    assert.equal(inheritedLimit(entry, 'rate_limit'), 'No limit, set by /sales/eu')
    assert.equal(inheritedLimit(entry, 'concurrency'), '1, set by /sales/eu')
    assert.deepEqual(entryFacts(entry), [
      {
        text: 'Anyone who knows the address can start this flow (set by the context /sales)',
        isWarning: true
      },
      { text: 'At most 1 run at a time (set by the context /sales/eu)', isWarning: false }
    ])
    const own = webhookEntry(
      { fields: { auth: 'API key', rate_limit: 5, concurrency: 0 }, component },
      around
    )
    assert.deepEqual(own.inherited, {})
    assert.equal(inheritedLimit(own, 'rate_limit'), undefined)
    assert.deepEqual(
      entryFacts(own).map(({ text }) => text),
      ['Callers send an API key in x-api-key', 'At most 5 requests a minute']
    )
  })

  it('reads the secret with the variables of the context', () => {
    const around = { ...NO_CONTEXT_SCOPE, variables: { shop_secret: 'whsec_abc' } }
    const fields = { auth: 'Signature', signature_scheme: 'Slack', signing_secret: '{$shop_secret}' }
    assert.equal(webhookEntry({ fields, component }, around).secret, 'whsec_abc')
    const lacking = webhookEntry({ fields, component }, NO_CONTEXT_SCOPE)
    assert.deepEqual(entryFacts(lacking), [
      { text: 'No secret is set: every request is refused', isWarning: true }
    ])
  })

  it('is the secret of the sender, where it goes', () => {
    const factOf = (fields: Record<string, string>) =>
      entryFacts(webhookEntry({ fields: { connection: 'shop', ...fields }, component }, NO_CONTEXT_SCOPE))[0]!
        .text
    assert.equal(factOf({ auth: 'Token' }), 'Callers send the secret in authorization')
    assert.equal(
      factOf({ auth: 'Token', token_header: 'x-gitlab-token' }),
      'Callers send the secret in x-gitlab-token'
    )
    assert.equal(
      factOf({ auth: 'Basic', basic_user: 'shop' }),
      'Callers send the name shop and the secret as password'
    )
  })
})
