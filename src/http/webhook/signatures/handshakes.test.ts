import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonValue } from '../../../flows/json/exact-json.ts'
import type { Handshake } from '../../../flows/webhook-auth.ts'
import { answerHandshake } from './handshakes.ts'

function ask(handshake: Handshake, method: string, query: string, payload: JsonValue = null) {
  return answerHandshake(handshake, {
    method,
    query: new URLSearchParams(query),
    payload: () => payload,
    isSecret: (text) => text === 'good'
  })
}

describe('a handshake', () => {
  it('answers what Slack asks, and nothing else', () => {
    assert.deepEqual(ask('Slack', 'POST', '', { type: 'url_verification', challenge: 'c1' }), { text: 'c1' })
    assert.equal(ask('Slack', 'POST', '', { type: 'event_callback', challenge: 'c1' }), undefined)
    assert.equal(ask('Slack', 'POST', '', { type: 'url_verification', challenge: 1 }), undefined)
    assert.equal(ask('Slack', 'POST', '', ['url_verification']), undefined)
  })

  it('answers Meta where it knows the secret', () => {
    const query = 'hub.mode=subscribe&hub.challenge=42&hub.verify_token='
    assert.deepEqual(ask('Meta', 'GET', `${query}good`), { text: '42' })
    assert.equal(ask('Meta', 'GET', `${query}bad`), 'wrong secret')
    assert.equal(ask('Meta', 'GET', 'hub.challenge=42'), 'wrong secret')
    assert.equal(ask('Meta', 'POST', `${query}good`), undefined)
    assert.equal(ask('Meta', 'GET', 'a=1'), undefined)
  })

  it('answers Microsoft Graph with what it sent', () => {
    assert.deepEqual(ask('Microsoft Graph', 'POST', 'validationToken=a%20b'), { text: 'a b' })
    assert.equal(ask('Microsoft Graph', 'POST', ''), undefined)
  })

  it('says no more than any sender asks', () => {
    assert.equal(ask('Microsoft Graph', 'POST', `validationToken=${'x'.repeat(5_000)}`), undefined)
    assert.equal(
      ask('Slack', 'POST', '', { type: 'url_verification', challenge: 'x'.repeat(5_000) }),
      undefined
    )
  })

  it('is none where the node names none', () => {
    assert.equal(
      ask('None', 'POST', 'validationToken=x', { type: 'url_verification', challenge: 'c' }),
      undefined
    )
  })
})
