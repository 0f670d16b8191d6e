import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ConnectionKind as Defined } from '../../../src/connections/kinds/connection-kind.ts'
import { CONNECTION_KINDS } from '../../../src/connections/kinds/kinds.ts'
import { PRESETS } from '../../../src/connections/presets/presets.ts'
import type { ConnectionKind } from '../api/connections.ts'
import { addressOf } from './address-of.ts'
import { type ConnectionDraft, draftFaults, draftOf, isElsewhere, requestOf } from './connection-draft.ts'
import { secretFields, settingFields } from './form-fields.ts'
import { draftOfKind, draftWithPreset, presetFor, servicesByKind } from './preset-draft.ts'

/** As the service tells it. */
function told(kind: keyof typeof CONNECTION_KINDS): ConnectionKind {
  const { title, description, settings, secrets }: Defined = CONNECTION_KINDS[kind]
  const listed = Object.entries(secrets).map(([name, { title, shownWhen, neededWhen }]) => {
    return { name, title, shown_when: shownWhen ?? null, needed_when: neededWhen ?? null }
  })
  return JSON.parse(JSON.stringify({ kind, title, description, settings, secrets: listed }))
}

function draft(given: Partial<ConnectionDraft>): ConnectionDraft {
  return { name: 'shop', kind: 'http', context: '/', settings: {}, secrets: {}, ...given }
}

const http = told('http')

describe('the form of a connection', () => {
  it('asks for what matters with what is filled in so far', () => {
    const names = (settings: Record<string, unknown>) => [
      ...settingFields(http, settings).map(({ name }) => name),
      ...secretFields(http, settings).map(({ name, isRequired }) => `${name}${isRequired ? '!' : ''}`)
    ]
    const always = ['headers', 'query', 'rate']
    assert.deepEqual(names({}), ['base_url', 'auth', ...always])
    assert.deepEqual(names({ auth: 'basic' }), ['base_url', 'auth', 'user', ...always, 'password!'])
    assert.deepEqual(names({ query: { key: '{key}' } }), ['base_url', 'auth', ...always, 'key!'])
    assert.ok(names({ auth: 'oauth2' }).includes('client_secret!'))
    assert.ok(names({ auth: 'oauth2', grant: 'authorization_code' }).includes('client_secret'))
  })

  it('has a control for every setting of every kind', () => {
    for (const kind of Object.keys(CONNECTION_KINDS) as (keyof typeof CONNECTION_KINDS)[]) {
      for (const { name, title, control } of settingFields(told(kind), { ssl: true })) {
        assert.notEqual(title, name)
        if (control.kind === 'choice') assert.ok(control.choices.length > 1, `${kind}.${name}`)
      }
    }
    const ssl = settingFields(told('postgres'), {}).find(({ name }) => name === 'ssl')!.control
    assert.deepEqual(ssl.kind === 'choice' && ssl.choices.map(({ value }) => value), [
      false,
      true,
      'no-verify'
    ])
  })

  it('asks for secrets again where the connection leads elsewhere', () => {
    const postgres = told('postgres')
    const settings = { host: 'db.example', database: 'd', user: 'u' }
    const stored = {
      ...draft({ kind: 'postgres', settings }),
      id: 'c1',
      secrets: { password: 'set' }
    } as never
    const changed = (more: object) => draft({ kind: 'postgres', settings: { ...settings, ...more } })
    assert.equal(isElsewhere(changed({ port: undefined, user: 'v' }), postgres, stored), false)
    assert.equal(isElsewhere(changed({ port: 5432, host: 'DB.example' }), postgres, stored), false)
    for (const more of [{ host: 'evil.example' }, { port: 5433 }])
      assert.equal(isElsewhere(changed(more), postgres, stored), true)
    const left = requestOf(changed({ host: 'evil.example' }), postgres, { password: 'set' }, true)
    assert.deepEqual(left.secrets, { password: null })
  })

  it('sends what it shows, keeps what nobody typed, and leaves no secret behind', () => {
    const settings = { base_url: 'https://shop.example', auth: 'bearer', user: 'ann', scope: '' }
    assert.deepEqual(requestOf(draft({ name: ' shop ', settings, secrets: { token: 'new' } }), http), {
      name: 'shop',
      kind: 'http',
      context: '/',
      settings: { base_url: 'https://shop.example', auth: 'bearer' },
      secrets: { token: 'new' }
    })
    const kept = requestOf(draft({ settings, secrets: {} }), http, { token: 'set', password: 'set' })
    assert.deepEqual(kept.secrets, { password: null })
    assert.deepEqual(
      requestOf(draft({ settings, secrets: { token: '' } }), http, { token: 'set' }).secrets,
      {}
    )
  })

  it('says what is missing where the service would', () => {
    const faults = (given: Partial<ConnectionDraft>, stored = {}) => [
      ...draftFaults(draft(given), http, stored).keys()
    ]
    assert.deepEqual(faults({ name: ' ' }), ['/name', '/settings/base_url'])
    assert.deepEqual(faults({ name: 'a/b', settings: { base_url: 'x' } }), ['/name'])
    assert.deepEqual(faults({ settings: { base_url: 'x', auth: 'basic' } }), [
      '/settings/user',
      '/secrets/password'
    ])
    const settings = { base_url: 'x', auth: 'bearer' }
    assert.deepEqual(faults({ settings }), ['/secrets/token'])
    assert.deepEqual(faults({ settings }, { token: 'set' }), [])
    assert.deepEqual(faults({ settings, secrets: { token: '' } }, { token: 'set' }), ['/secrets/token'])
  })

  it('begins with a connection as it is, without its secrets', () => {
    const connection = {
      id: 'c',
      name: 'shop',
      kind: 'http',
      context: '/eu',
      settings: { base_url: 'x' },
      secrets: { token: 'set' },
      trusted: true,
      created_at: '',
      updated_at: ''
    } as const
    assert.deepEqual(draftOf(connection), draft({ context: '/eu', settings: { base_url: 'x' } }))
  })
})

it('the address of a connection is told in a line', () => {
  const address = (settings: Record<string, unknown>) => addressOf({ settings })
  assert.equal(address({ base_url: 'https://shop.example/v1' }), 'https://shop.example/v1')
  assert.equal(address({ host: 'db', port: 5432, database: 'orders' }), 'db:5432/orders')
  assert.equal(address({ host: 'mail.example' }), 'mail.example')
  assert.equal(address({ file: '/data/orders.db' }), '/data/orders.db')
  assert.equal(address({}), '')
})

describe('a connection by a preset', () => {
  const telegram = PRESETS.find(({ id }) => id === 'telegram')!

  it('begins with what the preset says, and asks for the secrets that it names by what they are called there', () => {
    const begun = draftWithPreset(draft({ name: '' }), telegram)
    assert.deepEqual([begun.name, begun.kind, begun.settings.preset], ['telegram', 'http', 'telegram'])
    assert.deepEqual(secretFields(http, begun.settings, telegram.secrets), [
      { name: 'token', title: 'Bot token', isRequired: true }
    ])
    const sent = requestOf({ ...begun, secrets: { token: 't' } }, http)
    assert.deepEqual(sent.settings, { ...telegram.settings, preset: 'telegram' })
    assert.deepEqual(sent.secrets, { token: 't' })
    assert.deepEqual(draftWithPreset(begun, undefined).settings, {})
  })

  it('is left behind where a model or a database is chosen among the services', () => {
    const kinds = [http, { ...http, kind: 'webhook' }, { ...http, kind: 'openai' }]
    assert.deepEqual(
      servicesByKind(kinds).map(({ kind }) => kind),
      ['openai']
    )
    const begun = draftWithPreset(draft({ name: '' }), telegram)
    const chosen = draftOfKind({ ...begun, secrets: { token: 't' } }, 'openai')
    assert.deepEqual([chosen.kind, chosen.name, chosen.settings, chosen.secrets], ['openai', '', {}, {}])
    assert.equal(draftOfKind(draft({ name: 'mine' }), 'openai').name, 'mine')
  })

  it('is known by what made it, or by the name that a node gave it', () => {
    assert.equal(presetFor(PRESETS, draft({ name: 'mine', settings: { preset: 'slack' } }))?.id, 'slack')
    assert.equal(presetFor(PRESETS, draft({ name: 'slack' }))?.id, 'slack')
    assert.equal(presetFor(PRESETS, draft({ name: 'shop' })), undefined)
  })
})
