import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { anythingFlow, ORDER, ordersFlow } from './support/documents.ts'
import { allOperations, fillPath, neededQuery } from './support/routes.ts'
import { type Service, startService } from './support/service.ts'

const RIGHTS = ['trigger', 'read', 'write', 'admin']

describe('API keys', () => {
  it('are shown once, listed without the secret, and good from then on', async (t) => {
    const service = await startService(t)
    const answer = await service.post('/api/v1/keys', { name: 'shop', rights: ['read'], flow: 'orders' })
    assert.equal(answer.status, 201, answer.text)
    const { key, id, ...facts } = answer.json<Record<string, string>>()
    assert.ok(key!.length >= 24)
    assert.equal((await service.get('/api/v1/flows', { key: key! })).status, 200)
    const listed = await service.get('/api/v1/keys')
    assert.ok(!listed.text.includes(key!), 'the list shows the secret')
    const entry = listed
      .json<{ keys: Record<string, unknown>[] }>()
      .keys.find((candidate) => candidate.id === id)!
    assert.equal(entry.name, 'shop')
    assert.deepEqual(entry.rights, ['read'])
    assert.ok(typeof entry.flow_id === 'string')
    assert.equal(entry.context, null)
    assert.equal(entry.expires_at, null)
    assert.ok(entry.last_used_at !== null, 'it was used')
    assert.equal(facts.last_used_at, null)
    for (const member of Object.keys(entry)) assert.ok(!/hash|secret/.test(member))
  })

  it('may only trigger where no rights are named', async (t) => {
    const service = await startService(t)
    const { key } = (await service.post('/api/v1/keys', { name: 'plain' })).json<{ key: string }>()
    assert.equal((await service.webhook('orders', '{}', { key })).status, 202)
    problemOf(await service.get('/api/v1/flows', { key }), 403, 'forbidden')
  })

  it('are kept nowhere in the store but as hashes', async (t) => {
    const service = await startService(t)
    const { key } = await service.createKey({ rights: RIGHTS })
    await service.run('orders', JSON.stringify(ORDER), { key })
    const secrets = [key, service.key]
    await assertNowhere(service.home, secrets)
    await service.stop()
    await assertNowhere(service.home, secrets)
  })

  it('stop at once when they are revoked, and stay revoked', async (t) => {
    const service = await startService(t)
    const revoked = await service.createKey({ rights: ['trigger', 'read'] })
    const kept = await service.createKey({ rights: ['trigger'] })
    assert.equal((await service.webhook('orders', '{}', { key: revoked.key })).status, 202)
    const answer = await service.request('DELETE', `/api/v1/keys/${revoked.id}`)
    assert.equal(answer.status, 204)
    problemOf(await service.webhook('orders', '{}', { key: revoked.key }), 401, 'unauthorized')
    problemOf(await service.get('/api/v1/flows', { key: revoked.key }), 401, 'unauthorized')
    problemOf(await service.request('DELETE', `/api/v1/keys/${revoked.id}`), 404, 'key_not_found')
    await service.stop()
    const again = await startService(t, { home: service.home })
    problemOf(await again.webhook('orders', '{}', { key: revoked.key }), 401, 'unauthorized')
    assert.equal((await again.webhook('orders', '{}', { key: kept.key })).status, 202)
  })

  it('are replaced by a new value of MILLRACE_API_KEY', async (t) => {
    const service = await startService(t)
    await service.stop()
    const env = { MILLRACE_API_KEY: 'another-key-0123456789' }
    const again = await startService(t, { home: service.home, env })
    assert.equal((await again.get('/api/v1/flows')).status, 200)
    problemOf(await again.get('/api/v1/flows', { key: service.key }), 401, 'unauthorized')
  })

  it('are refused where what is asked for makes no sense', async (t) => {
    const service = await startService(t)
    const refused: [body: unknown, status: number, code: string][] = [
      [undefined, 422, 'invalid_request'],
      [{}, 422, 'invalid_request'],
      [{ name: '' }, 422, 'invalid_request'],
      [{ name: ' \t' }, 422, 'invalid_request'],
      [{ name: 'a', rights: ['everything'] }, 422, 'invalid_request'],
      [{ name: 'a', rights: [] }, 422, 'invalid_request'],
      [{ name: 'a', more: 1 }, 422, 'invalid_request'],
      [{ name: 'a', expires_at: 'soon' }, 422, 'invalid_request'],
      [{ name: 'a', expires_at: '2099-02-30T00:00:00Z' }, 422, 'invalid_request'],
      [{ name: 'a', expires_at: '2001-01-01T00:00:00Z' }, 422, 'invalid_request'],
      [{ name: 'a', context: 'sales' }, 422, 'invalid_request'],
      [{ name: 'a', flow: 'absent' }, 404, 'flow_not_found']
    ]
    for (const [body, status, code] of refused) {
      problemOf(await service.post('/api/v1/keys', body), status, code)
    }
    const { keys } = (await service.get('/api/v1/keys')).json<{ keys: unknown[] }>()
    assert.equal(keys.length, 1)
  })

  it('cannot give rights that they lack, nor be managed by a key that is bound', async (t) => {
    const service = await startService(t)
    const admin = await service.createKey({ rights: ['admin'] })
    const body = { name: 'more', rights: ['write'] }
    problemOf(await service.post('/api/v1/keys', body, { key: admin.key }), 403, 'forbidden')
    const flowAdmin = await service.createKey({ rights: RIGHTS, flow: 'orders' })
    const contextAdmin = await service.createKey({ rights: RIGHTS, context: '/sales' })
    for (const { key, id } of [flowAdmin, contextAdmin]) {
      problemOf(await service.get('/api/v1/keys', { key }), 403, 'forbidden')
      problemOf(await service.post('/api/v1/keys', { name: 'x' }, { key }), 403, 'forbidden')
      problemOf(await service.request('DELETE', `/api/v1/keys/${admin.id}`, { key }), 403, 'forbidden')
      problemOf(await service.request('DELETE', `/api/v1/keys/${id}`, { key }), 403, 'forbidden')
    }
  })
})

describe('a key that is bound', () => {
  it('to a flow sees that flow, and of all others no more than of absent ones', async (t) => {
    const service = await startService(t)
    const mine = await service.createFlow(ordersFlow({ name: 'Mine' }))
    const other = await service.createFlow(ordersFlow({ name: 'Other' }))
    const { key } = await service.createKey({ rights: RIGHTS, flow: mine.id })
    const myRun = await service.run(mine.slug, '{"order_id":1,"customer":"secret-word"}')
    const otherRun = await service.run(other.slug, '{"order_id":2,"customer":"secret-word"}')
    const { flows } = (await service.get('/api/v1/flows', { key })).json<{ flows: FlowBody[] }>()
    assert.deepEqual(
      flows.map(({ id }) => id),
      [mine.id]
    )
    for (const query of ['', 'q=secret-word', 'status=succeeded', `flow_id=${mine.slug}`]) {
      assert.deepEqual(await runIds(service, query, key), [myRun.id], query)
    }
    for (const query of [
      `flow_id=${other.id}`,
      `flow_id=${other.slug}`,
      `q=${otherRun.id}`,
      'flow_id=absent'
    ]) {
      assert.deepEqual(await runIds(service, query, key), [], query)
    }
    assert.equal((await service.get(`/api/v1/runs/${myRun.id}`, { key })).status, 200)
    await assertLikeAbsent(service, key, other, otherRun.id)
    problemOf(await service.post('/api/v1/flows', anythingFlow(), { key }), 403, 'forbidden')
    const made = await service.post('/api/v1/contexts', { name: 'hidden', variables: { a: 'secret' } })
    assert.equal(made.status, 201, made.text)
    assert.ok(!(await service.get('/api/v1/contexts', { key })).text.includes('hidden'))
    assert.equal((await service.get(`/api/v1/flows/${other.id}`)).status, 200, 'nothing was deleted')
    assert.equal((await service.readRun(otherRun.id)).status, 'succeeded')
    assert.equal((await service.webhook(mine.slug, '{}', { key })).status, 202)
    await service.request('DELETE', `/api/v1/flows/${mine.id}`, { key })
    assert.deepEqual(await runIds(service, '', key), [], 'with its flow it sees nothing any more')
  })

  it('to a context sees the flows in it and below, and of all others no more than of absent ones', async (t) => {
    const service = await startService(t)
    const flows = new Map<string, FlowBody>()
    for (const [parent, name] of [
      ['/', 'sales'],
      ['/sales', 'eu'],
      ['/', 'salesmen']
    ]) {
      const variables = { region: `${name}-variable` }
      const made = await service.post('/api/v1/contexts', { name, parent, variables })
      assert.equal(made.status, 201, made.text)
      const { path } = made.json<{ path: string }>()
      flows.set(path, await service.createFlow(ordersFlow({ name: `Orders ${name}`, context: path })))
    }
    const runs = new Map<string, string>()
    for (const [path, { slug }] of flows) runs.set(path, (await service.run(slug, JSON.stringify(ORDER))).id)
    const rootRun = (await service.run('orders', JSON.stringify(ORDER))).id
    const { key } = await service.createKey({ rights: RIGHTS, context: '/sales' })

    const listed = (await service.get('/api/v1/flows', { key })).json<{ flows: FlowBody[] }>().flows
    assert.deepEqual(listed.map(({ context }) => context).sort(), ['/sales', '/sales/eu'])
    const seen = [runs.get('/sales/eu')!, runs.get('/sales')!]
    for (const query of ['', 'q=Ann', 'status=succeeded']) {
      assert.deepEqual(await runIds(service, query, key), seen, query)
    }
    assert.equal((await service.webhook(flows.get('/sales/eu')!.slug, '{}', { key })).status, 202)
    await assertLikeAbsent(service, key, flows.get('/salesmen')!, runs.get('/salesmen')!)
    const root = (await service.get('/api/v1/flows/orders')).json<FlowBody>()
    await assertLikeAbsent(service, key, root, rootRun)

    for (const context of [undefined, '/', '/salesmen', '/elsewhere']) {
      const body = { ...anythingFlow(), context }
      problemOf(await service.post('/api/v1/flows', body, { key }), 403, 'forbidden')
    }
    const mine = flows.get('/sales')!
    const moved = { body: { ...mine, context: '/salesmen' }, key }
    problemOf(await service.request('PUT', `/api/v1/flows/${mine.id}`, moved), 403, 'forbidden')

    const contexts = await service.get('/api/v1/contexts', { key })
    assert.ok(contexts.text.includes('eu-variable'))
    assert.ok(!contexts.text.includes('salesmen'), 'it learns what a context beside its own holds')
    const absent = await service.get('/api/v1/components?context=/absent', { key })
    const other = await service.get('/api/v1/components?context=/salesmen', { key })
    problemOf(other, 404, 'context_not_found')
    assert.equal(other.text.replaceAll('salesmen', 'absent'), absent.text)
    assert.equal((await service.get('/api/v1/components?context=/sales/eu', { key })).status, 200)
  })

  it('to the root context sees everything', async (t) => {
    const service = await startService(t)
    const run = await service.run('orders', JSON.stringify(ORDER))
    const { key } = await service.createKey({ rights: ['read'], context: '/' })
    assert.deepEqual(await runIds(service, '', key), [run.id])
    assert.equal((await service.get('/api/v1/flows/orders', { key })).status, 200)
  })
})

/** Every route that names a flow or a run answers for this one exactly as for one that is not there. */
async function assertLikeAbsent(service: Service, key: string, flow: FlowBody, run: string): Promise<void> {
  const bodies: Record<string, unknown> = {
    'PUT /api/v1/flows/{id}': { ...flow, name: 'Taken over' },
    'POST /api/v1/flows/{id}/chat': { text: 'x' },
    'POST /api/v1/flows/{id}/pause': { mode: 'hold' },
    'POST /api/v1/flows/{id}/slug': { slug: 'taken-over' },
    'PUT /api/v1/flows/{id}/draft': flow,
    'POST /api/v1/flows/{id}/draft/restore': { version: 1 },
    'POST /api/v1/flows/{id}/draft/kept': { because: 'discarded' },
    'PUT /api/v1/flows/{id}/sessions': { title: null },
    'PUT /api/v1/flows/{id}/pins/{node}': { outputs: {} },
    'POST /api/v1/runs/{id}/wake': { node: 'parser-1' },
    'POST /api/v1/run/{flow}': { input: ORDER },
    'POST /api/v1/webhook/{flow}': ORDER,
    'POST /v1/webhook/{flow}': ORDER,
    'POST /api/v1/flows/{id}/send': { body: '{}' },
    'POST /api/v1/flows/{id}/expectations': { run_id: 'absent' },
    'POST /api/v1/flows/{id}/comments': { text: 'x' },
    'PATCH /api/v1/flows/{id}/comments/{comment}': { done: true },
    'PUT /api/v1/flows/{id}/presence': { page: 'page-of-mine', node: null },
    'PUT /api/v1/flows/{id}/messages/{message}/rating': { run_id: 'absent', rating: null },
    'POST /api/v1/flows/{id}/assistant': { connection: 'models', model: 'm', words: 'x', document: flow }
  }
  let checked = 0
  for (const { method, path, description } of await allOperations(service)) {
    const isOfRun = path.startsWith('/api/v1/runs/{id}')
    const isOfFlow = /\/flows\/\{id\}|\/(?:webhook|run)\/\{flow\}/.test(path)
    if (!isOfRun && !isOfFlow) continue
    checked++
    const body = bodies[`${method} ${path}`]
    const filled = (values: Record<string, string>) =>
      fillPath(path, { version: '1', number: '1', node: 'parser-1', ...values }, 'absent')
    const send = (values: Record<string, string>) =>
      service.request(method, filled(values) + neededQuery(description), { key, body })
    const absent = await send({})
    assert.equal(absent.status, 404, `${method} ${path}: ${absent.text}`)
    for (const value of isOfRun ? [run] : [flow.id, flow.slug]) {
      const answer = await send({ id: value, flow: value })
      assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`)
      assert.equal(answer.text, absent.text)
    }
  }
  assert.ok(checked >= 16, `only ${checked} routes were checked`)
}

async function runIds(service: Service, query: string, key: string): Promise<string[]> {
  const answer = await service.get(`/api/v1/runs?${query}`, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ runs: { id: string }[] }>().runs.map(({ id }) => id)
}

async function assertNowhere(folder: string, secrets: readonly string[]): Promise<void> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile()
  )
  assert.ok(files.length > 0)
  for (const file of files) {
    const bytes = await readFile(join(file.parentPath, file.name))
    for (const secret of secrets) {
      for (const form of [
        secret,
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret).toString('hex')
      ]) {
        assert.equal(bytes.indexOf(form), -1, `${file.name} holds the key`)
      }
    }
  }
}
