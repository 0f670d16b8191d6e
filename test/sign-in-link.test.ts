import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { FirstStart } from '../src/millrace.ts'
import type { Answer, ApiClient } from './support/api-client.ts'
import { createHost } from './support/host.ts'
import { type Service, type ServiceOptions, shiftedClock, startService } from './support/service.ts'

const DAY_MS = 86_400_000

function follow(client: ApiClient, token: string, headers: Record<string, string> = {}): Promise<Answer> {
  return client.get(`/sign-in?token=${token}`, { key: null, headers })
}

/** Where an answer leads. */
function destination({ status, headers }: Answer): string {
  assert.equal(status, 303)
  assert.equal(headers.get('cache-control'), 'no-store')
  return headers.get('location')!
}

/** A service at its first start, with the link that this offers. */
async function firstStart(
  t: TestContext,
  options: ServiceOptions = {}
): Promise<{ service: Service; token: string }> {
  const service = await startService(t, options)
  return { service, token: service.signInToken ?? assert.fail('the first start offers no link') }
}

describe('a sign-in link', () => {
  it('signs in once, and leads to the page', async (t) => {
    const { service, token } = await firstStart(t)
    const answer = await follow(service, token)
    assert.equal(destination(answer), '/')
    assert.match(answer.headers.get('set-cookie')!, /; HttpOnly; SameSite=Strict$/)
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
    const session = await service.get('/api/v1/session', { key: null, headers: { cookie } })
    assert.equal(session.json<{ key: { id: string } }>().key.id, 'configured')
    const again = await follow(service, token)
    assert.equal(destination(again), '/sign-in?reason=used')
    assert.equal(again.headers.get('set-cookie'), null)
    assert.equal(destination(await follow(service, token, { cookie })), '/', 'who is in already stays in')
  })

  it('is good over a restart, and used up over one', async (t) => {
    const { service, token } = await firstStart(t)
    await service.stop()
    const second = await startService(t, { home: service.home })
    assert.equal(destination(await follow(second, token)), '/')
    await second.stop()
    const third = await startService(t, { home: service.home })
    assert.equal(destination(await follow(third, token)), '/sign-in?reason=used')
  })

  it('signs in one of many who follow it at once', async (t) => {
    const { service, token } = await firstStart(t)
    const answers = await Promise.all(Array.from({ length: 8 }, () => follow(service, token)))
    assert.deepEqual(answers.map(destination).toSorted(), [
      '/',
      ...Array.from({ length: 7 }, () => '/sign-in?reason=used')
    ])
  })

  it('expires after a day, and with its key', async (t) => {
    const { clock, advance } = shiftedClock()
    const late = await firstStart(t, { clock })
    advance(DAY_MS)
    assert.equal(destination(await follow(late.service, late.token)), '/sign-in?reason=expired')
    const told: FirstStart[] = []
    const host = await createHost(t, { apiKey: null, onFirstStart: (first) => void told.push(first) })
    await host.app.ready()
    const { apiKey, signInLink } = told[0] ?? assert.fail('no key was told')
    const headers = { 'x-api-key': apiKey! }
    const listed = await host.app.inject({ url: '/flows/api/v1/keys', headers })
    const { keys } = listed.json<{ keys: { id: string }[] }>()
    const another = { name: 'another', rights: ['admin'] }
    await host.app.inject({ method: 'POST', url: '/flows/api/v1/keys', headers, payload: another })
    for (const { id } of keys)
      await host.app.inject({ method: 'DELETE', url: `/flows/api/v1/keys/${id}`, headers })
    const answer = await host.app.inject(signInLink!)
    assert.equal(answer.headers.location, '/flows/sign-in?reason=expired')
  })

  it('is not used up by who only looks: HEAD, and browsers that fetch ahead', async (t) => {
    const { service, token } = await firstStart(t)
    await service.request('HEAD', `/sign-in?token=${token}`, { key: null })
    for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }]) {
      const ahead = await follow(service, token, headers)
      assert.deepEqual([ahead.status, ahead.headers.get('set-cookie')], [503, null])
    }
    assert.equal(destination(await follow(service, token)), '/')
  })

  it('that nobody made leads to the page that says so', async (t) => {
    const { service } = await firstStart(t)
    for (const token of ['x', '%00', 'x'.repeat(3_000)]) {
      assert.equal(destination(await follow(service, token)), '/sign-in?reason=used')
    }
  })

  it('is told to an application, below its prefix', async (t) => {
    const links: (string | null)[] = []
    const onFirstStart = ({ signInLink }: FirstStart) => void links.push(signInLink)
    const host = await createHost(t, { onFirstStart })
    await host.app.ready()
    const path = links[0] ?? assert.fail('no link was told')
    assert.match(path, /^\/flows\/sign-in\?token=\S+$/)
    const answer = await host.app.inject(path)
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, '/flows/'])
    assert.match(String(answer.headers['set-cookie']), /; Path=\/flows; /)
    assert.equal((await host.app.inject(path)).headers.location, '/flows/sign-in?reason=used')
    await host.close()
    const again = await createHost(t, { onFirstStart, home: host.home })
    await again.app.ready()
    assert.equal(links.length, 1)
  })
})
