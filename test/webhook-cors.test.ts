import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, problemOf } from './support/api-client.ts'
import { anythingFlow } from './support/documents.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

const SHOP = 'https://shop.example.com'
const ASKS = {
  origin: SHOP,
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'content-type,idempotency-key,x-api-key'
}

function corsOf({ headers }: Answer): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

describe('a webhook that pages of other origins may call', () => {
  it('answers what their browsers ask first, without a key', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(
      anythingFlow({ cors_origins: [SHOP], methods: ['POST', 'PUT'] })
    )
    for (const base of ['/api/v1/webhook/', '/v1/webhook/']) {
      const answer = await service.request('OPTIONS', base + slug, { key: null, headers: ASKS })
      assert.equal(answer.status, 204, answer.text)
      assert.deepEqual(
        { ...corsOf(answer), vary: answer.headers.get('vary') },
        {
          'access-control-allow-origin': SHOP,
          'access-control-allow-methods': 'POST, PUT',
          'access-control-allow-headers': 'content-type,idempotency-key,x-api-key',
          'access-control-expose-headers': corsOf(answer)['access-control-expose-headers'],
          'access-control-max-age': '600',
          vary: 'Origin'
        }
      )
    }
  })

  it('lets them read what it answers, refusals too, and where the run is', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ cors_origins: [SHOP], rate_limit: 1 }))
    const headers = { origin: SHOP }
    const answers = [
      await service.webhook(slug, '{}', { headers }),
      await service.webhook(slug, '{}', { headers }),
      await service.webhook(slug, '{}', { key: 'wrong', headers }),
      await service.request('PATCH', `/v1/webhook/${slug}`, { headers }),
      await service.webhook(slug, Buffer.alloc(1_048_577, 'x'), { headers })
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 429, 401, 405, 413]
    )
    for (const answer of answers) {
      assert.equal(answer.headers.get('access-control-allow-origin'), SHOP)
      assert.match(answer.headers.get('access-control-expose-headers')!, /\bLocation\b.*\bRetry-After\b/)
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
      assert.equal(answer.headers.get('vary'), 'Origin')
    }
  })

  it('is for pages of any origin where it says so', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ cors_origins: ['*'], auth: 'None' }))
    for (const origin of [SHOP, 'null', 'capacitor://localhost']) {
      const asked = await service.request('OPTIONS', `/v1/webhook/${slug}`, {
        key: null,
        headers: { ...ASKS, origin }
      })
      assert.equal(asked.headers.get('access-control-allow-origin'), '*')
      const answer = await service.webhook(slug, '{}', { key: null, headers: { origin } })
      assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [202, '*'])
    }
  })

  it('tells others nothing, not even that it is there', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ cors_origins: [SHOP] }))
    const closed = await service.createFlow(anythingFlow())
    for (const headers of [
      { ...ASKS, origin: 'https://other.example.com' },
      { ...ASKS, origin: 'https://SHOP.example.com' },
      { ...ASKS, origin: 'null' },
      {}
    ] as Record<string, string>[]) {
      for (const method of ['OPTIONS', 'POST']) {
        const told = []
        for (const flow of [slug, closed.slug, 'absent']) {
          const answer = await service.request(method, `/v1/webhook/${flow}`, { key: null, headers })
          problemOf(answer, 401, 'unauthorized')
          assert.deepEqual(corsOf(answer), {})
          told.push([answer.text, [...answer.headers.keys()].sort()])
        }
        assert.deepEqual(told[0], told[2])
        assert.deepEqual(told[1], told[2])
      }
    }
    // Who has a key may call it from anywhere; a browser keeps the answer from the page.
    const headers = { origin: 'https://other.example.com' }
    const answer = await service.webhook(slug, '{}', { headers })
    assert.deepEqual([answer.status, corsOf(answer)], [202, {}])
  })

  it('lists no headers that no browser would ask for', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ cors_origins: [SHOP] }))
    for (const names of ['a b', 'x'.repeat(3_000), '']) {
      const headers = { ...ASKS, 'access-control-request-headers': names }
      const answer = await service.request('OPTIONS', `/v1/webhook/${slug}`, { key: null, headers })
      assert.equal(answer.status, 204)
      assert.equal(answer.headers.get('access-control-allow-headers'), null)
    }
  })

  for (const [origin, message] of [
    ['https://shop.example.com/', /Write "https:\/\/shop.example.com"/],
    ['HTTPS://Shop.example.com', /Write "https:\/\/shop.example.com"/],
    ['https://shop.example.com:443', /Write "https:\/\/shop.example.com"/],
    ['shop.example.com', /is no origin/],
    ['https://*.example.com', /is no origin/],
    ['null', /is no origin/],
    ['', /is no origin/]
  ] as const)
    it(`does not take ${JSON.stringify(origin)} for an origin`, async (t) => {
      const service = await shared(t)
      const answer = await service.post('/api/v1/flows', anythingFlow({ cors_origins: [SHOP, origin] }))
      const { errors } = problemOf(answer, 422, 'flow_invalid')
      assert.match(errors![0]!.message, message)
    })
})
