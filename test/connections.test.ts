import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { CANARY, SHOP } from './support/connections.ts'
import { makeContext } from './support/contexts.ts'
import { startService } from './support/service.ts'

interface Made {
  readonly id: string
  readonly trusted: boolean
}

interface Listed {
  readonly connections: readonly Made[]
}

describe('connections', () => {
  it('are made, read, changed and deleted, and no answer holds a secret', async (t) => {
    const service = await startService(t)
    const made = await service.request('POST', '/api/v1/connections', { body: SHOP })
    assert.equal(made.status, 201)
    const connection = made.json<Made>()
    assert.equal(made.headers.get('location'), `/api/v1/connections/${connection.id}`)
    assert.partialDeepStrictEqual(connection, {
      ...SHOP,
      context: '/',
      secrets: { token: 'set' },
      trusted: true
    })

    const path = `/api/v1/connections/${connection.id}`
    // As it was read, with "set" for the secret: that stays.
    const renamed = await service.request('PUT', path, { body: { ...connection, name: 'The shop' } })
    assert.equal(renamed.status, 200)
    const list = (await service.request('GET', '/api/v1/connections')).json<Listed>()
    assert.deepEqual(list.connections, [renamed.json<Made>()])
    const explained = await service.request(
      'GET',
      '/api/v1/contexts/explain?context=/&kind=connection&name=The%20shop'
    )
    assert.equal(explained.json<{ visible: boolean }>().visible, true)

    assert.equal((await service.request('DELETE', path)).status, 204)
    problemOf(await service.request('GET', path), 404, 'connection_not_found')
    const deleted = await service.request('GET', '/api/v1/connections/deleted')
    assert.partialDeepStrictEqual(deleted.json<Listed>().connections, [
      { id: connection.id, name: 'The shop' }
    ])
    assert.ok(!deleted.text.includes(CANARY))
    assert.equal((await service.request('POST', `${path}/undelete`)).status, 204)
    problemOf(await service.request('POST', `${path}/undelete`), 404, 'connection_not_found')
    const back = await service.request('GET', path)
    assert.partialDeepStrictEqual(back.json(), { name: 'The shop', secrets: { token: 'set' } })
    for (const text of [JSON.stringify(connection), JSON.stringify(list)]) assert.ok(!text.includes(CANARY))
  })

  it('are sealed at rest, with a key that only the owner of the folder can read', async (t) => {
    const service = await startService(t)
    await service.request('POST', '/api/v1/connections', { body: SHOP })
    const key = join(service.home, 'secret.key')
    assert.equal(statSync(key).mode & 0o777, 0o600)
    assert.match(readFileSync(key, 'utf8'), /^[A-Za-z0-9+/]{43}=\n$/)
    await service.stop()
    assert.ok(!readFileSync(join(service.home, 'millrace.db')).includes(CANARY))
  })

  it('are for those with admin for their context, and others cannot tell whether there are any', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales', {})
    await makeContext(service, '/support', {})
    const { key } = await service.createKey({ rights: ['admin'], context: '/sales' })
    const inRoot = (await service.request('POST', '/api/v1/connections', { body: SHOP })).json<Made>()
    const own = await service.request('POST', '/api/v1/connections', {
      key,
      body: { ...SHOP, context: '/sales' }
    })
    assert.equal(own.status, 201)
    const mine = own.json<Made>()
    assert.equal(mine.trusted, false, 'somebody who administers one context cannot open networks')
    const list = (await service.request('GET', '/api/v1/connections', { key })).json<Listed>()
    assert.deepEqual(list.connections, [mine])
    for (const [method, body] of [['GET'], ['PUT', SHOP], ['DELETE']] as const) {
      const options = { key, ...(body && { body }) }
      const hidden = problemOf(
        await service.request(method, `/api/v1/connections/${inRoot.id}`, options),
        404,
        'connection_not_found'
      )
      const absent = problemOf(
        await service.request(method, '/api/v1/connections/absent', options),
        404,
        'connection_not_found'
      )
      assert.deepEqual(hidden, absent)
    }
    for (const context of ['/', '/support']) {
      const refused = await service.request('POST', '/api/v1/connections', {
        key,
        body: { ...SHOP, name: 'b', context }
      })
      assert.equal(refused.status, 403)
    }
    const { key: reader } = await service.createKey({ rights: ['read', 'write', 'trigger'] })
    assert.equal((await service.request('GET', '/api/v1/connections', { key: reader })).status, 403)
  })

  it('keep the context in which they live', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales', {})
    await service.request('POST', '/api/v1/connections', { body: { ...SHOP, context: '/sales' } })
    problemOf(await service.request('DELETE', '/api/v1/contexts/%2Fsales'), 409, 'context_in_use')
  })

  it('that are wrong are refused with every fault', async (t) => {
    const service = await startService(t)
    const wrong = { ...SHOP, settings: { base_url: 'shop', colour: 'red' }, secrets: { 'pin!': CANARY } }
    const answer = await service.request('POST', '/api/v1/connections', { body: wrong })
    const { errors = [] } = problemOf(answer, 422, 'connection_invalid')
    assert.deepEqual(errors.map(({ path }) => path).sort(), [
      '/secrets/pin!',
      '/settings',
      '/settings/base_url'
    ])
    const address = errors.find(({ path }) => path === '/settings/base_url')
    assert.match(address!.message, /"base_url" .* Write an address that begins with http:\/\/ or https:\/\//)
    assert.ok(!answer.text.includes(CANARY))
  })

  it('say by name, kind and place what the flows of a context can choose, to those who read these', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales', {})
    await makeContext(service, '/support', {})
    for (const context of ['/', '/sales', '/support']) {
      await service.request('POST', '/api/v1/connections', { body: { ...SHOP, context } })
    }
    const { key } = await service.createKey({ rights: ['read', 'write'], context: '/sales' })
    const seen = await service.request('GET', '/api/v1/connections/visible?context=/sales', { key })
    const [{ id }] = seen.json<{ connections: [Made] }>().connections
    assert.deepEqual(seen.json(), {
      connections: [
        {
          id,
          name: 'shop',
          kind: 'http',
          context: '/sales',
          inherited_from: null,
          hides: [{ kind: 'http', context: '/' }],
          document: null
        }
      ]
    })
    const inherited = await service.request('GET', '/api/v1/connections/visible?context=/', { key })
    assert.equal(inherited.json<{ connections: unknown[] }>().connections.length, 1)
    for (const context of ['/support', '/absent']) {
      const path = `/api/v1/connections/visible?context=${context}`
      problemOf(await service.request('GET', path, { key }), 404, 'context_not_found')
    }
    const { key: admin } = await service.createKey({ rights: ['admin'] })
    problemOf(await service.request('GET', '/api/v1/connections/visible', { key: admin }), 403, 'forbidden')
    const kinds = await service.request('GET', '/api/v1/connections/kinds', { key: admin })
    assert.equal(kinds.json<{ kinds: { kind: string }[] }>().kinds[0]!.kind, 'http')
  })

  it('are told with the nodes that name them, and so is what a flow misses, which is no reason to refuse it', async (t) => {
    const service = await startService(t, { plugins: ['reach.ts'] })
    await makeContext(service, '/staging', { variables: { model: 'spare' } })
    await makeContext(service, '/production', {})
    for (const context of ['/', '/staging']) {
      await service.request('POST', '/api/v1/connections', { body: { ...SHOP, context } })
    }
    const nodes = [
      { id: 'api-1', type: 'reach-api', fields: { connection: 'shop' } },
      { id: 'model-1', type: 'reach-model', fields: { connection: 'shop', fallback: '{$model}' } }
    ]
    const staging = await service.createFlow({ name: 'Staging', context: '/staging', nodes })
    const production = await service.createFlow({ name: 'Production', context: '/production', nodes })
    await service.createFlow({ name: 'Plain', nodes: [{ id: 'w', type: 'webhook' }] })

    const uses = async (query = '', key = service.key) => {
      const answer = await service.request('GET', `/api/v1/connections/uses${query}`, { key })
      const { uses } = answer.json<{ uses: Record<string, string>[] }>()
      return uses.map((use) =>
        [use.flow_name, use.node, use.field, use.name, use.state, use.context].join(' ')
      )
    }
    const ofStaging = [
      'Staging api-1 connection shop found /staging',
      'Staging model-1 connection shop wrong_kind /staging',
      'Staging model-1 fallback spare missing '
    ]
    assert.deepEqual(await uses(`?flow=${staging.id}`), ofStaging)
    assert.deepEqual(await uses(), [
      ...ofStaging,
      'Production api-1 connection shop found /',
      'Production model-1 connection shop wrong_kind /',
      'Production model-1 fallback {$model} missing '
    ])
    const { key } = await service.createKey({ rights: ['read'], context: '/staging' })
    assert.deepEqual(await uses('', key), ofStaging)
    // A draft uses what it names, too: whoever deletes that would break it.
    const drafted = [...nodes, { id: 'api-2', type: 'reach-api', fields: { connection: 'shop' } }, { id: 7 }]
    await service.request('PUT', `/api/v1/flows/${staging.id}/draft`, { body: { nodes: drafted, edges: [] } })
    const isDrafted = (await service.get(`/api/v1/connections/uses?flow=${staging.id}`))
      .json<{ uses: { node: string; draft: boolean }[] }>()
      .uses.map(({ node, draft }) => [node, draft])
    assert.deepEqual(isDrafted, [
      ['api-1', false],
      ['model-1', false],
      ['model-1', false],
      ['api-2', true]
    ])
    const hidden = await service.request('GET', `/api/v1/connections/uses?flow=${production.id}`, { key })
    problemOf(hidden, 404, 'flow_not_found')
    const answer = await service.request('POST', '/api/v1/flows', {
      body: { name: 'Unnamed', nodes: [{ id: 'api-1', type: 'reach-api' }] }
    })
    const { errors = [] } = problemOf(answer, 422, 'flow_invalid')
    assert.deepEqual(
      errors.map(({ code, path }) => [code, path]),
      [['missing_connection', '/nodes/0/fields/connection']]
    )
  })
})
