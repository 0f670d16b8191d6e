import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { allOperations, fillPath } from './support/routes.ts'
import { shiftedClock, startService } from './support/service.ts'

const RIGHTS = ['trigger', 'read', 'write', 'admin']

/** What each of these routes asks for; a route that is not here is still held to ask for exactly one right. */
const ASKS: Readonly<Record<string, string>> = {
  'GET /api/v1/flows': 'read',
  'POST /api/v1/flows': 'write',
  'GET /api/v1/flows/{id}': 'read',
  'PUT /api/v1/flows/{id}': 'write',
  'DELETE /api/v1/flows/{id}': 'write',
  'POST /api/v1/flows/{id}/undelete': 'write',
  'POST /api/v1/flows/{id}/pause': 'write',
  'POST /api/v1/flows/bulk': 'write',
  'POST /api/v1/flows/{id}/slug': 'write',
  'GET /api/v1/flows/{id}/aliases': 'read',
  'DELETE /api/v1/flows/{id}/aliases/{slug}': 'write',
  'POST /api/v1/flows/{id}/assistant': 'write',
  'POST /api/v1/flows/{id}/resume': 'write',
  'GET /api/v1/flows/{id}/versions': 'read',
  'GET /api/v1/flows/{id}/versions/{version}': 'read',
  'POST /api/v1/flows/{id}/versions/{version}/restore': 'write',
  'GET /api/v1/flows/{id}/events': 'read',
  'GET /api/v1/flows/{id}/messages': 'read',
  'GET /api/v1/flows/{id}/sessions': 'read',
  'GET /api/v1/flows/{id}/sessions/export': 'read',
  'PUT /api/v1/flows/{id}/sessions': 'write',
  'DELETE /api/v1/flows/{id}/sessions': 'write',
  'POST /api/v1/flows/{id}/chat': 'trigger',
  'POST /v1/chat/completions': 'trigger',
  'GET /v1/models': 'trigger',
  'GET /v1/models/{model}': 'trigger',
  'GET /api/v1/flows/{id}/nodes/{node}/output': 'read',
  'POST /api/v1/flows/{id}/nodes/{node}/run': 'write',
  'POST /api/v1/files': 'trigger',
  'GET /api/v1/files/{id}': 'read',
  'GET /api/v1/kept': 'read',
  'GET /api/v1/kept/value': 'read',
  'PUT /api/v1/kept/value': 'write',
  'DELETE /api/v1/kept/value': 'write',
  'GET /api/v1/flows/{id}/pins': 'read',
  'PUT /api/v1/flows/{id}/pins/{node}': 'write',
  'DELETE /api/v1/flows/{id}/pins/{node}': 'write',
  'POST /api/v1/run/{flow}': 'trigger',
  'GET /api/v1/runs': 'read',
  'GET /api/v1/runs/stats': 'read',
  'GET /api/v1/runs/held': 'read',
  'GET /api/v1/runs/{id}': 'read',
  'POST /api/v1/import': 'write',
  'GET /api/v1/runs/{id}/document': 'read',
  'POST /api/v1/runs/{id}/cancel': 'write',
  'POST /api/v1/runs/{id}/retry': 'write',
  'POST /api/v1/runs/{id}/replay': 'trigger',
  'GET /api/v1/runs/{id}/nodes/{node}/conversation': 'read',
  'POST /api/v1/runs/{id}/nodes/{node}/replay': 'write',
  'POST /api/v1/runs/{id}/wake': 'write',
  'GET /api/v1/approvals': 'read',
  'GET /api/v1/approvals/{id}': 'read',
  'POST /api/v1/approvals/{id}': 'trigger',
  'GET /api/v1/components': 'read',
  'GET /api/v1/contexts': 'read',
  'GET /api/v1/contexts/{context}': 'read',
  'GET /api/v1/keys': 'admin',
  'POST /api/v1/keys': 'admin',
  'DELETE /api/v1/keys/{id}': 'admin',
  'GET /metrics': 'read',
  'GET /api/v1/settings': 'admin',
  'GET /api/v1/version': 'read',
  'GET /api/v1/openapi.json': 'read'
}

const PUBLIC = ['GET /livez', 'GET /readyz']

/** Anybody may try to sign in, and sign out. */
const SESSION = ['POST /api/v1/session', 'DELETE /api/v1/session']

/** Its answer has no end; all-events.test.ts has what it asks for. */
const STREAM = 'GET /api/v1/events'

/** For every good key, whatever its rights are. */
const ANY_KEY = [
  'GET /api/v1/session',
  'GET /api/v1/connections/kinds',
  'GET /api/v1/connections/presets',
  'POST /api/v1/mcp'
]

/** The address is what lets one in; waiting.test.ts and test-address.test.ts have what becomes of another. */
const SIGNED = ['POST /api/v1/resume/{token}', 'POST /api/v1/test-webhook/{token}']

const WEBHOOKS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => [
  `${method} /api/v1/webhook/{flow}`,
  `${method} /v1/webhook/{flow}`
])

describe('every route', () => {
  it('of the contract is described', async (t) => {
    const service = await startService(t)
    const described = (await allOperations(service)).map(({ method, path }) => `${method} ${path}`)
    const missing = [...Object.keys(ASKS), ...PUBLIC, ...SESSION, ...ANY_KEY, ...WEBHOOKS, ...SIGNED].filter(
      (name) => !described.includes(name)
    )
    assert.deepEqual(missing, [])
  })

  it('that is not public is 401 without a good key, whatever is sent', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    for (const { method, path } of await allOperations(service)) {
      const name = `${method} ${path}`
      if (SESSION.includes(name) || SIGNED.includes(name)) continue
      // There are more of them than wrong keys may come in a minute.
      advance(10_000)
      const filled = fillPath(path, {}, 'absent')
      for (const key of [null, 'wrong']) {
        const answer = await service.request(method, filled, { key })
        if (PUBLIC.includes(name)) assert.equal(answer.status, 200, name)
        else problemOf(answer, 401, 'unauthorized')
      }
      if (PUBLIC.includes(name) || method === 'GET' || method === 'DELETE') continue
      const body = Buffer.from('{"not json')
      const headers = { 'content-type': 'application/json' }
      problemOf(await service.request(method, filled, { key: null, body, headers }), 401, 'unauthorized')
    }
  })

  it('asks for one right, and is 403 with all others', async (t) => {
    const service = await startService(t)
    const only = new Map<string, string>()
    const allBut = new Map<string, string>()
    for (const right of RIGHTS) {
      only.set(right, (await service.createKey({ rights: [right] })).key)
      const others = RIGHTS.filter((other) => other !== right)
      allBut.set(right, (await service.createKey({ rights: others })).key)
    }
    for (const { method, path } of await allOperations(service)) {
      const name = `${method} ${path}`
      if ([...PUBLIC, ...SESSION, ...ANY_KEY, ...WEBHOOKS, STREAM, ...SIGNED].includes(name)) continue
      const filled = fillPath(path, {}, 'absent')
      const passing: string[] = []
      for (const right of RIGHTS) {
        const { status } = await service.request(method, filled, { key: only.get(right)! })
        assert.notEqual(status, 401, name)
        if (status !== 403) passing.push(right)
      }
      assert.equal(passing.length, 1, `${name} is passed by ${passing.join(' and ') || 'none'}`)
      const asked = passing[0]!
      if (name in ASKS) assert.equal(asked, ASKS[name], name)
      const refused = await service.request(method, filled, { key: allBut.get(asked)! })
      assert.match(problemOf(refused, 403, 'forbidden').detail, new RegExp(`"${asked}"`))
    }
  })
})
