import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { anythingFlow } from './support/documents.ts'
import { type RawAnswer, requestHead, sendRaw } from './support/raw-http.ts'
import { allOperations, fillPath, type Operation } from './support/routes.ts'
import { type Service, startService } from './support/service.ts'

const KB = 1024
const MB = 1024 * KB

/** What each operation takes; every other one takes small bodies. */
const LIMITS: Readonly<Record<string, number>> = {
  'POST /api/v1/session': 4 * KB,
  'POST /api/v1/contexts': MB,
  'PATCH /api/v1/contexts/{context}': MB,
  'POST /api/v1/connections': 256 * KB,
  'PUT /api/v1/connections/{id}': 256 * KB,
  'PUT /api/v1/connections/{id}/document': 32 * MB,
  'POST /api/v1/import': 25 * MB,
  ...Object.fromEntries(
    ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
      ['/api/v1', '/v1'].map((prefix) => [`${method} ${prefix}/webhook/{flow}`, 100 * KB])
    )
  ),
  // The body in a text of JSON, where each letter may take six.
  'POST /api/v1/flows/{id}/send': 601 * KB,
  'POST /api/v1/files': 25 * MB,
  'POST /api/v1/resume/{token}': 100 * KB,
  'POST /api/v1/test-webhook/{token}': 100 * KB,
  'POST /api/v1/push': 25 * MB,
  'POST /api/v1/flows/{id}/assistant': 2 * MB,
  'POST /api/v1/flows/{id}/draft/rehearsal': 10 * MB,
  'POST /api/v1/flows/bulk': 64 * KB,
  'POST /api/v1/flows': 10 * MB,
  'PUT /api/v1/flows/{id}': 10 * MB,
  'PUT /api/v1/flows/{id}/draft': 10 * MB,
  'PUT /api/v1/flows/{id}/pins/{node}': MB,
  'PUT /api/v1/kept/value': MB,
  'POST /api/v1/collections/{id}/search': 2 * MB,
  'POST /api/v1/collections/{id}/texts': 2 * MB,
  'POST /api/v1/collections/{id}/documents': 25 * MB,
  'PUT /api/v1/prices': 256 * KB,
  'POST /api/v1/components/{type}/inputs': 10 * MB,
  'POST /api/v1/runs/{id}/replay': 116 * KB,
  'POST /api/v1/runs/{id}/nodes/{node}/replay': 116 * KB,
  'POST /api/v1/run/{flow}': 116 * KB,
  'POST /api/v1/flows/{id}/chat': 116 * KB,
  'POST /v1/chat/completions': 10 * MB,
  'POST /api/v1/mcp': 116 * KB,
  'POST /api/v1/flows/{id}/test': 116 * KB,
  'POST /api/v1/flows/{id}/nodes/{node}/run': 116 * KB
}
const SMALL = 16 * KB

/** Says how long the body is and sends none of it. */
function announce(service: Service, { method, path }: Operation, bytes: number): Promise<RawAnswer> {
  const values = { flow: 'any-method', id: 'orders' }
  const headers = {
    host: new URL(service.address).host,
    'x-api-key': service.key,
    'content-type': 'application/json',
    'content-length': String(bytes)
  }
  return sendRaw(service.address, requestHead(`${method} ${fillPath(path, values, 'x')}`, headers))
}

describe('the limit of a body', () => {
  it('fits what the address takes, and is looked at before anything is read', async (t) => {
    const service = await startService(t, { env: { MILLRACE_BODY_LIMIT: '100kb' } })
    await service.createFlow({
      ...anythingFlow({ methods: ['POST', 'PUT', 'PATCH', 'DELETE'] }),
      slug: 'any-method'
    })
    const taking = (await allOperations(service)).filter(({ method }) => method !== 'GET')
    const missing = Object.keys(LIMITS).filter(
      (name) => !taking.some(({ method, path }) => `${method} ${path}` === name)
    )
    assert.deepEqual(missing, [])
    for (const operation of taking) {
      const { method, path } = operation
      const name = `${method} ${path}`
      // Where more is taken than is written above, nobody answers: then the test is told by its name.
      await t.test(name, { timeout: 30_000 }, async () => {
        const answer = await announce(service, operation, (LIMITS[name] ?? SMALL) + 1)
        assert.equal(answer.status, 413, answer.text)
        assert.equal(
          JSON.parse(answer.body).code,
          path.endsWith('/files') ? 'file_too_large' : 'body_too_large'
        )
        assert.equal(answer.headers.get('connection'), 'close', 'what is still sent is not the next request')
      })
    }
  })

  it('leaves room for large documents', async (t) => {
    const service = await startService(t)
    const notes = [{ id: 'note-1', text: 'x'.repeat(9_000), position: { x: 0, y: 0 } }]
    const flow = await service.createFlow({ ...anythingFlow(), notes })
    const more = Array.from({ length: 300 }, (_, n) => ({ ...notes[0]!, id: `note-${n}` }))
    assert.equal((await service.saveFlow(flow, { notes: more })).version, 2)
  })

  it('holds for bodies in chunks too, however small they are', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(anythingFlow({ auth: 'None' }))
    const chunks = (text: string) => [...text].map((letter) => `1\r\n${letter}\r\n`).join('')
    const send = (path: string, text: string, end = '0\r\n\r\n') => {
      const headers = {
        host: new URL(service.address).host,
        'content-type': 'application/json',
        'transfer-encoding': 'chunked'
      }
      return sendRaw(service.address, requestHead(`POST ${path}`, headers), chunks(text) + end)
    }
    const key = JSON.stringify({ api_key: service.key })
    assert.equal((await send('/api/v1/session', key)).status, 204)
    assert.equal((await send('/api/v1/session', key.padEnd(4 * KB + 1), '')).status, 413)
    const accepted = await send(`/api/v1/webhook/${slug}`, '{"text":"in many parts"}')
    assert.equal(accepted.status, 202, accepted.text)
    const run = await service.waitForRun(JSON.parse(accepted.body).run_id)
    assert.deepEqual(run.input, { text: 'in many parts' })
  })

  it('is not reached by whoever calls a run at an address that nobody was given', async (t) => {
    const service = await startService(t)
    const call = { method: 'POST', path: '/api/v1/resume/none', description: {} }
    const answer = await announce(service, call, 100)
    assert.equal(answer.status, 404, 'answered before the body has come')
    assert.equal(JSON.parse(answer.body).code, 'link_not_found')
  })

  it('is not reached by whoever may not sign in for now', async (t) => {
    const service = await startService(t)
    for (let n = 0; n < 10; n++) {
      const answer = await service.post('/api/v1/session', { api_key: `guess-${n}` }, { key: null })
      problemOf(answer, 401, 'unauthorized')
    }
    const signIn = { method: 'POST', path: '/api/v1/session', description: {} }
    assert.equal((await announce(service, signIn, 100)).status, 429, 'answered before the body has come')
  })
})
