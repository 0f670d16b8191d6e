import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { problems } from '../src/errors.ts'
import { problemOf } from './support/api-client.ts'
import { ApiCheck } from './support/openapi/api-check.ts'
import { OPERATION_IDS } from './support/openapi/operation-ids.ts'
import type { Schema } from './support/openapi/schema-values.ts'
import { type ApiResponse, allOperations, fillPath } from './support/routes.ts'
import { serviceOfFile } from './support/service.ts'

const service = serviceOfFile()

/** Of each operation, of those that fit and of those that do not: test/check-api.ts sends as many as one likes. */
const REQUESTS = 8

describe('the description of the API', () => {
  it('is true for requests that are generated from it', async (t) => {
    const client = await service(t)
    const check = new ApiCheck(client)
    for (const operation of await allOperations(client)) {
      for (const property of check.propertiesOf(operation)) {
        await fc.assert(property, { numRuns: REQUESTS })
      }
    }
  })

  it('names every operation once and for all', async (t) => {
    const operations = await allOperations(await service(t))
    const named = operations.map(({ method, path, description }) => [
      description.operationId,
      `${method} ${path}`
    ])
    assert.equal(new Set(named.map(([id]) => id)).size, named.length, 'no name is given twice')
    assert.deepEqual(Object.fromEntries(named), OPERATION_IDS)
    for (const [id] of named) assert.match(id!, /^[a-z]+(?:[A-Z][a-z]+)+$|^sign(?:In|Out)$/)
  })

  it('says where the service is, and what its operations are about', async (t) => {
    const client = await service(t)
    const { servers, tags } = (await client.get('/api/v1/openapi.json')).json<{
      servers: { url: string }[]
      tags: { name: string; description: string }[]
    }>()
    assert.deepEqual(
      servers.map(({ url }) => url),
      ['/']
    )
    const used = (await allOperations(client)).map(({ description, path }) => {
      assert.equal(description.tags?.length, 1, path)
      assert.ok((description.summary ?? '') !== '', path)
      return description.tags![0]
    })
    assert.deepEqual([...new Set(used)].sort(), tags.map(({ name }) => name).sort())
  })

  it('lists what operations refuse with, by status and code', async (t) => {
    for (const { method, path, description } of await allOperations(await service(t))) {
      const refusals = Object.entries(description.responses!).filter(([status]) => /^[45]\d\d$/.test(status))
      assert.ok(refusals.length > 0, `${method} ${path}`)
      for (const [status, response] of refusals) {
        const codes = codesOf(response)
        assert.ok(codes.length > 0, `${method} ${path} ${status}`)
        for (const code of codes) assert.equal(String(problems[code].status), status, `${path} ${code}`)
      }
    }
  })

  it('tells how large a body may be, to the byte', async (t) => {
    const client = await service(t)
    for (const { method, path, description } of await allOperations(client)) {
      const { 'x-max-bytes': limit } = description.requestBody ?? {}
      if (description.requestBody !== undefined) assert.ok(limit! > 0, path)
      // Larger ones are limited by the same code, and take their time.
      if (limit === undefined || limit > 256 * 1024) continue
      const headers = { 'content-type': 'application/json' }
      const send = (bytes: number) =>
        client.request(method, fillPath(path, {}, 'absent'), { body: Buffer.alloc(bytes, ' '), headers })
      assert.notEqual((await send(limit)).status, 413, `${method} ${path}`)
      problemOf(await send(limit + 1), 413, 'body_too_large')
    }
  })
})

function codesOf({ content }: ApiResponse): (keyof typeof problems)[] {
  const { schema } = content!['application/problem+json']!
  const [, narrowed] = (schema as { allOf: Schema[] }).allOf
  return narrowed!.properties!.code!.enum as (keyof typeof problems)[]
}
