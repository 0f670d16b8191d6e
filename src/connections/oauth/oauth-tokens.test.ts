import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { systemClock } from '../../clock.ts'
import type { Egress } from '../../egress/egress.ts'
import { sampleConnection } from '../../store/contract/subject.test-kit.ts'
import { openFor } from '../../store/sqlite/sqlite-subject.test-kit.ts'
import type { Store } from '../../store/store.ts'
import { type Connection, writeConnection } from '../connection.ts'
import { readSecretKeys } from '../secret-keys.ts'
import { OAuthTokens } from './oauth-tokens.ts'
import { purposeOf } from './tokens.ts'

const keys = readSecretKeys(randomBytes(32).toString('base64'))
const settings = {
  base_url: 'https://shop.example',
  auth: 'oauth2',
  token_url: 'https://login.example/token',
  client_id: 'millrace',
  scope: 'orders'
}
const byPerson = { ...settings, grant: 'authorization_code' }

interface Asked {
  readonly form: Record<string, string>
  readonly authorization: string | undefined
}

type Answer = [status: number, body: object]

/** A connection in a store, a provider that answers like this, and processes that share both. */
async function setUp(
  t: TestContext,
  answer: (asked: Asked, count: number) => Answer | Promise<Answer>,
  given: Connection['settings'] = settings
) {
  const { store } = await openFor(t)
  const connection: Connection = {
    ...sampleConnection(),
    kind: 'http',
    settings: given,
    secrets: {},
    isTrusted: true
  }
  await store.connections.create(writeConnection(connection))
  const asked: Asked[] = []
  const request = (async (
    _url: URL,
    { headers, body }: { headers: Record<string, string>; body: string }
  ) => {
    asked.push({ form: Object.fromEntries(new URLSearchParams(body)), authorization: headers.authorization })
    const [statusCode, value] = await answer(asked.at(-1)!, asked.length)
    return { statusCode, body: [Buffer.from(JSON.stringify(value))] }
  }) as unknown as Egress['request']
  const time = { now: 1_000_000, passes: false }
  const clock = {
    ...systemClock(),
    now: () => time.now,
    after: async (ms: number) => {
      if (time.passes) time.now += ms
      await setImmediate()
    }
  }
  const process = (own: Pick<Store, 'tokens'> = store) =>
    new OAuthTokens({
      store: own.tokens,
      keys: () => keys,
      openSecrets: () => ({ client_secret: 'c s' }),
      egress: { request },
      clock
    })
  return { connection, store, asked, time, process }
}

const granted = (name: string, more: object = {}): Answer => [
  200,
  { access_token: name, token_type: 'Bearer', expires_in: 3600, ...more }
]

describe('tokens of OAuth', () => {
  it('are got once, however many steps and processes ask, and kept sealed', async (t) => {
    const { connection, asked, store, process } = await setUp(t, async (_asked, count) => {
      await setImmediate()
      return granted(`canary-${count}`)
    })
    const processes = [process(), process(), process()]
    const all = await Promise.all(
      processes.flatMap((one) => Array.from({ length: 5 }, () => one.accessToken(connection)))
    )
    assert.deepEqual(new Set(all), new Set(['canary-1']))
    assert.deepEqual(asked, [
      {
        form: { grant_type: 'client_credentials', scope: 'orders' },
        authorization: `Basic ${Buffer.from('millrace:c+s').toString('base64')}`
      }
    ])
    assert.equal(await process().accessToken(connection), 'canary-1', 'a process that starts later')
    assert.ok(!JSON.stringify(await store.tokens.list()).includes('canary'))
  })

  it('are got anew shortly before they end, and when they are refused, once for all', async (t) => {
    const { connection, asked, time, process } = await setUp(t, (_asked, count) => granted(`t${count}`))
    const [one, other] = [process(), process()]
    assert.equal(await one.accessToken(connection), 't1')
    assert.equal(await other.accessToken(connection), 't1')
    time.now += 3_569_000
    assert.equal(await one.accessToken(connection), 't1')
    time.now += 2_000
    assert.deepEqual(await Promise.all([one.accessToken(connection), other.accessToken(connection)]), [
      't2',
      't2'
    ])
    assert.equal(await one.accessToken(connection, 't2'), 't3')
    assert.equal(await other.accessToken(connection, 't2'), 't3', 'another has got it already')
    assert.equal(asked.length, 3)
  })

  it('are renewed by the refresh token, and by the new one where the provider changes it', async (t) => {
    const answers = [granted('t1', { refresh_token: 'r2' }), granted('t2'), granted('t3')]
    const { connection, asked, process } = await setUp(t, (_asked, count) => answers[count - 1]!, byPerson)
    const one = process()
    await assert.rejects(one.accessToken(connection), {
      code: 'oauth_sign_in_needed',
      retryable: false,
      message: /nobody has signed in yet/
    })
    const purpose = purposeOf(connection)
    await one.keep(connection, { accessToken: 't0', useUntil: null, refreshToken: 'r1', purpose })
    assert.equal(await process().accessToken(connection), 't0')
    assert.equal(await one.accessToken(connection, 't0'), 't1')
    assert.equal(await process().accessToken(connection, 't1'), 't2')
    assert.equal(await process().accessToken(connection, 't2'), 't3')
    assert.deepEqual(
      asked.map(({ form }) => form),
      ['r1', 'r2', 'r2'].map((refresh_token) => ({ grant_type: 'refresh_token', refresh_token }))
    )
  })

  it('are got by another process where the one that began died', async (t) => {
    const { connection, asked, time, process } = await setUp(t, (_asked, count) =>
      count === 1 ? new Promise(() => {}) : granted('t2')
    )
    void process().accessToken(connection)
    while (asked.length === 0) await setImmediate()
    time.passes = true
    const before = time.now
    assert.equal(await process().accessToken(connection), 't2')
    assert.ok(time.now - before >= 20_000, 'it was given its time')
  })

  it('are not lost where the store does not take them: they are written before others are asked for', async (t) => {
    const { connection, store, asked, process } = await setUp(
      t,
      (_asked, count) => granted(`t${count}`, { refresh_token: `r${count}` }),
      byPerson
    )
    const purpose = purposeOf(connection)
    await process().keep(connection, { accessToken: 't0', useUntil: 0, refreshToken: 'r0', purpose })
    let isAway = false
    const tokens: Store['tokens'] = {
      ...store.tokens,
      write: async (row) => {
        // The lease is taken; then the store goes.
        if (isAway && row.holder === null) throw new Error('away')
        return store.tokens.write(row)
      }
    }
    const one = process({ tokens })
    isAway = true
    await assert.rejects(one.accessToken(connection), /away/)
    assert.equal(asked.length, 1)
    isAway = false
    assert.equal(await one.accessToken(connection, 'another'), 't1')
    assert.equal(await process().accessToken(connection), 't1')
    assert.equal(asked.length, 1)
  })

  it('are for what the connection is: another client gets others', async (t) => {
    const { connection, process } = await setUp(t, (_asked, count) => granted(`t${count}`))
    const one = process()
    assert.equal(await one.accessToken(connection), 't1')
    const other = { ...connection, revision: 2, settings: { ...settings, client_id: 'another' } }
    assert.equal(await one.accessToken(other), 't2')
  })

  const refusals: [string, Answer, object][] = [
    ['a wrong secret', [401, { error: 'invalid_client' }], { code: 'oauth_refused', retryable: false }],
    ['a refresh token that is over', [400, { error: 'invalid_grant' }], { code: 'oauth_sign_in_needed' }],
    ['a provider that is away', [503, {}], { code: 'oauth_unavailable', retryable: true }],
    ['an answer without a token', [200, { ok: true }], { code: 'oauth_failed' }],
    [
      'a refusal that is called a success',
      [200, { error: 'bad_verification_code', error_description: 'It has expired.' }],
      { code: 'oauth_refused', message: /answered 200 \(bad_verification_code: It has expired\.\)/ }
    ],
    ['a token that fits no header', granted('t'.repeat(16_385)), { code: 'oauth_failed', retryable: false }],
    ['such a refresh token', granted('t', { refresh_token: 'r'.repeat(16_385) }), { code: 'oauth_failed' }],
    ['another kind of token', granted('t', { token_type: 'mac' }), { code: 'oauth_failed' }],
    [
      'a secret that is said again',
      [400, { error: 'bad', error_description: 'not client_credentials' }],
      { code: 'oauth_refused', message: /answered 400 \(bad: not •••\)\. Check the client id/ }
    ]
  ]
  for (const [what, answer, error] of refusals) {
    it(`tell of ${what}, and the next who asks does not wait`, async (t) => {
      const { connection, asked, process } = await setUp(t, (_asked, count) =>
        count === 1 ? answer : granted('t2')
      )
      await assert.rejects(process().accessToken(connection), error)
      assert.equal(await process().accessToken(connection), 't2')
      assert.equal(asked.length, 2)
    })
  }

  const odd: [string, object, number | null][] = [
    ['no type', { token_type: undefined, expires_in: 3600 }, 3570],
    ['its time as text', { expires_in: '3600' }, 3570],
    ['null for its time', { expires_in: null }, null],
    ['an empty time', { expires_in: '' }, null],
    ['null for a refresh token', { refresh_token: null, expires_in: 60 }, 30],
    ['an empty refresh token', { refresh_token: '', expires_in: 10 }, 5],
    ['a list of scopes', { scope: ['orders'], expires_in: 3600 }, 3570],
    ['a token of its own for who signed in', { id_token: 'e30.e30.x', expires_in: 3600 }, 3570]
  ]
  for (const [what, more, seconds] of odd) {
    it(`are taken with ${what}, as some providers send them`, async (t) => {
      const { connection, time, process, asked } = await setUp(t, (_asked, count) => {
        const [status, body] = granted(`t${count}`)
        return [status, { ...body, expires_in: undefined, ...more }]
      })
      const one = process()
      assert.equal(await one.accessToken(connection), 't1')
      time.now += ((seconds ?? 1e9) - 1) * 1000
      assert.equal(await one.accessToken(connection), 't1')
      time.now += 2_000
      assert.equal(await one.accessToken(connection), seconds === null ? 't1' : 't2')
      assert.ok(asked.every(({ form }) => form.grant_type === 'client_credentials'))
    })
  }

  it('are asked for with an id whose dashes and dots stay: Google reads them as they are', async (t) => {
    const client = { ...settings, client_id: '12-ab_c.apps.example' }
    const { connection, asked, process } = await setUp(t, () => granted('t'), client)
    await process().accessToken(connection)
    assert.equal(
      asked[0]!.authorization,
      `Basic ${Buffer.from('12-ab_c.apps.example:c+s').toString('base64')}`
    )
  })

  it('of a connection that was deleted are not waited for', async (t) => {
    const { connection, store, process } = await setUp(t, () => granted('t'))
    await store.connections.remove(connection.id)
    await assert.rejects(process().accessToken(connection), { code: 'connection_not_found' })
  })
})
