import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { pets } from './support/pets-api.ts'
import { startService } from './support/service.ts'

interface Listed {
  readonly operations: readonly { readonly id: string; readonly title: string; readonly method: string }[]
  readonly next_cursor: string | null
}

type Service = Awaited<ReturnType<typeof startService>>

async function makePets(service: Service, context = '/'): Promise<string> {
  const body = { name: 'pets', kind: 'http', context, settings: { base_url: 'https://pets.example/v1' } }
  const made = await service.request('POST', '/api/v1/connections', { body })
  return `/api/v1/connections/${made.json<{ id: string }>().id}`
}

describe('documents of connections', () => {
  it('are sent, told, listed by what operations do, and taken away', async (t) => {
    const service = await startService(t)
    const path = await makePets(service)
    problemOf(await service.request('GET', `${path}/document`), 404, 'document_not_found')
    problemOf(await service.request('GET', `${path}/operations`), 404, 'document_not_found')

    const sent = await service.request('PUT', `${path}/document`, { body: pets() })
    assert.equal(sent.status, 200, sent.text)
    assert.partialDeepStrictEqual(sent.json(), {
      format: 'OpenAPI 3.1',
      title: 'Pets',
      version: '2.0',
      server: 'https://elsewhere.example/v9',
      operations: 6
    })
    assert.deepEqual((await service.request('GET', `${path}/document`)).json(), sent.json())

    const found = await service.request('GET', `${path}/operations?q=add%20a%20pet`)
    const [first] = found.json<Listed>().operations
    assert.partialDeepStrictEqual(first, {
      id: 'addPet',
      method: 'POST',
      path: '/owners/{owner}/pets',
      title: 'Add a pet',
      parameters: [{ name: 'owner', in: 'path', required: true, type: 'integer' }],
      body: { required: true, content_type: 'application/json', schema: { type: 'object' } }
    })
    const one = await service.request(
      'GET',
      `${path}/operations?operation=${encodeURIComponent('GET /pets/{id}')}`
    )
    assert.deepEqual(
      one.json<Listed>().operations.map(({ id }) => id),
      ['GET /pets/{id}']
    )
    const some = (await service.request('GET', `${path}/operations?limit=4`)).json<Listed>()
    const rest = await service.request('GET', `${path}/operations?limit=4&cursor=${some.next_cursor}`)
    assert.deepEqual([some.operations.length, rest.json<Listed>().operations.length], [4, 2])

    const everywhere = await service.request('GET', '/api/v1/connections/operations?q=add%20pet')
    assert.partialDeepStrictEqual(everywhere.json<Listed>().operations[0], {
      connection: 'pets',
      id: 'addPet'
    })
    const visible = await service.request('GET', '/api/v1/connections/visible')
    assert.partialDeepStrictEqual(visible.json(), {
      connections: [{ document: { title: 'Pets', operations: 6 } }]
    })

    assert.equal((await service.request('DELETE', `${path}/document`)).status, 204)
    problemOf(await service.request('DELETE', `${path}/document`), 404, 'document_not_found')
  })

  it('are still there after a restart, and go with their connection', async (t) => {
    const service = await startService(t)
    const path = await makePets(service)
    await service.request('PUT', `${path}/document`, { body: pets() })
    await service.stop()
    const again = await startService(t, { home: service.home })
    const found = await again.request('GET', `${path}/operations?q=feed`)
    assert.equal(found.json<Listed>().operations[0]!.id, 'feedPet')
    await again.request('DELETE', path)
    problemOf(await again.request('GET', `${path}/operations`), 404, 'connection_not_found')
  })

  it('are refused with what is wrong and where', async (t) => {
    const service = await startService(t)
    const path = await makePets(service)
    const refused = async (body: string, says: RegExp) => {
      const answer = await service.request('PUT', `${path}/document`, { body: Buffer.from(body) })
      assert.match(problemOf(answer, 422, 'document_invalid').detail ?? '', says)
    }
    await refused('', /empty/)
    await refused('{"openapi":"3.1.0",\n "paths": {,}}', /line 2, column 12/)
    await refused('openapi: 3.0.0\npaths:\n  /a: [', /line \d/)
    await refused('{"openapi":"4.0.0","paths":{}}', /Its version is "4.0.0"/)
    await refused('{"openapi":"3.0.0","paths":{}}', /no operations/)
    await refused('<html>', /web page/)
    await refused('['.repeat(20_000), /500 levels/)
  })
})
