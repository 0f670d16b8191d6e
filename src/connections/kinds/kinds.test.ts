import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Check } from 'typebox/value'
import { type ConnectionKind, isNeeded } from './connection-kind.ts'
import { CONNECTION_KINDS } from './kinds.ts'
import { holds, type SettingCondition } from './setting-condition.ts'

interface Drawn {
  readonly title?: string
  readonly shown_when?: SettingCondition
}

const kinds = Object.entries<ConnectionKind>(CONNECTION_KINDS)

describe('kinds of connections', () => {
  it('have a title for everything that a form shows', () => {
    for (const [name, { settings, secrets }] of kinds) {
      for (const [setting, schema] of Object.entries(settings.properties)) {
        assert.ok((schema as Drawn).title, `${name}: the setting ${setting}`)
      }
      for (const [secret, { title }] of Object.entries(secrets)) assert.ok(title, `${name}: ${secret}`)
    }
  })

  it('name settings, and values that these can have, where something depends on them', () => {
    for (const [name, { settings, secrets }] of kinds) {
      const { properties } = settings
      const conditions = [
        ...Object.values(properties).map((schema) => (schema as Drawn).shown_when),
        ...Object.values(secrets).flatMap(({ shownWhen, neededWhen }) => [shownWhen, neededWhen])
      ]
      for (const [setting, values] of conditions.flatMap((when) => Object.entries(when ?? {}))) {
        const schema = properties[setting]
        assert.ok(schema, `${name} has no setting ${setting}`)
        for (const value of values) assert.ok(Check(schema, value), `${name}: ${setting} is ${value}`)
      }
    }
  })

  it('need no secret that their form would not show', () => {
    const { http } = CONNECTION_KINDS
    for (const auth of ['none', 'bearer', 'basic', 'header', 'oauth2']) {
      for (const { title, shownWhen, neededWhen } of Object.values(http.secrets)) {
        const settings = { auth, grant: 'client_credentials' }
        if (holds(neededWhen ?? { auth: ['never'] }, settings)) assert.ok(holds(shownWhen!, settings), title)
      }
    }
  })

  it('need secrets by what the settings are, or would be by themselves', () => {
    const { http, smtp, openai, postgres } = CONNECTION_KINDS
    const needed = (kind: ConnectionKind, settings: Record<string, unknown>) =>
      Object.keys(kind.secrets).filter((name) => isNeeded(kind, kind.secrets[name]!, settings))
    assert.deepEqual(needed(http, {}), [])
    assert.deepEqual(needed(http, { auth: 'basic' }), ['password'])
    assert.deepEqual(needed(http, { auth: 'oauth2' }), ['client_secret'])
    assert.deepEqual(needed(http, { auth: 'oauth2', grant: 'authorization_code' }), [])
    assert.deepEqual(needed(smtp, {}), [])
    assert.deepEqual(needed(smtp, { user: 'ann' }), ['password'])
    assert.deepEqual(needed(openai, {}), ['api_key'])
    assert.deepEqual(needed(postgres, { user: 'ann' }), [])
  })
})
