import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { CONNECTION_KINDS } from '../src/connections/kinds/kinds.ts'
import { FlowDocument } from '../src/flows/document/flow-document.ts'
import { problemOf } from './support/api-client.ts'
import { sharedPostgres } from './support/postgres.ts'
import { type Service, serviceOfFile, startService } from './support/service.ts'

const postgres = sharedPostgres()
const service = serviceOfFile()

/** Where in a schema a number has no end. */
function unbounded(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, minimum, maximum, const: only, enum: some } = schema as Record<string, unknown>
  const types = [type].flat()
  const isNumber = types.includes('number') || types.includes('integer')
  const isFixed = only !== undefined || some !== undefined
  const isBounded = Number.isFinite(minimum) && Number.isFinite(maximum)
  const own = isNumber && !isFixed && !isBounded ? [path] : []
  return [...own, ...Object.entries(schema).flatMap(([name, part]) => unbounded(part, `${path}/${name}`))]
}

describe('every number of the API', () => {
  it('has bounds in the schema of its route', async (t) => {
    const description = (await (await service(t)).get('/api/v1/openapi.json')).json()
    assert.deepEqual(unbounded(description, ''), [])
  })

  it('has bounds in documents and connections', () => {
    assert.deepEqual(unbounded(FlowDocument, ''), [])
    for (const [kind, { settings }] of Object.entries(CONNECTION_KINDS))
      assert.deepEqual(unbounded(settings, kind), [])
  })

  it('has bounds in the fields of components', async (t) => {
    interface Field {
      readonly kind: string
      readonly min?: number
      readonly max?: number
    }
    const answer = await (await service(t)).get('/api/v1/components')
    const { components } = answer.json<{ components: { type: string; fields: Record<string, Field> }[] }>()
    const open = components.flatMap(({ type, fields }) =>
      Object.entries(fields).flatMap(([name, { kind, min, max }]) =>
        kind === 'number' && !(Number.isFinite(min) && Number.isFinite(max)) ? [`${type}.${name}`] : []
      )
    )
    assert.deepEqual(open, [])
  })

  it('is refused where it is larger than any store can hold', async (t) => {
    const client = await service(t)
    const flow = await client.createFlow({ name: 'Bounds', nodes: [], edges: [] })
    const huge = ['2147483648', '9007199254740993', '1e300']
    for (const number of huge) {
      const bodies: [method: string, path: string, body: string][] = [
        ['PUT', '/api/v1/kept/value?key=a', `{"value":1,"expires_in_ms":${number}}`],
        ['PUT', `/api/v1/flows/${flow.id}`, `{"name":"x","nodes":[],"edges":[],"version":${number}}`],
        ['PUT', `/api/v1/flows/${flow.id}/draft`, `{"name":"x","nodes":[],"edges":[],"revision":${number}}`],
        [
          'PUT',
          `/api/v1/flows/${flow.id}/draft`,
          `{"name":"x","nodes":[],"edges":[],"base_version":${number}}`
        ],
        ['POST', `/api/v1/flows/${flow.id}/publish`, `{"revision":${number}}`],
        ['POST', `/api/v1/flows/${flow.id}/publish`, `{"live_version":${number}}`],
        ['POST', `/api/v1/flows/${flow.id}/publish/undo`, `{"version":${number}}`],
        ['POST', `/api/v1/flows/${flow.id}/draft/restore`, `{"version":${number}}`],
        ['POST', '/api/v1/collections/x/search', `{"query":"x","limit":${number}}`],
        ['POST', '/api/v1/collections/x/texts', `{"text":"x","chunk":${number}}`],
        ['POST', '/api/v1/contexts', `{"name":"x","limits":{"concurrency":${number}}}`],
        ['POST', '/api/v1/contexts', `{"name":"x","limits":{"rate_limit":${number}}}`]
      ]
      for (const [method, path, body] of bodies) {
        // A length of time of 25 days is none too long.
        if (number === '2147483648' && path.includes('/kept/')) continue
        const headers = { 'content-type': 'application/json' }
        const answer = await client.request(method, path, { body: Buffer.from(body), headers })
        assert.equal(answer.status, 422, `${method} ${path} ${body}: ${answer.text}`)
      }
      if (number === '1e300') continue
      const queries = [
        `/api/v1/flows/${flow.id}/versions/${number}`,
        `/api/v1/flows/${flow.id}/versions?limit=${number}`,
        `/api/v1/flows/${flow.id}/messages?limit=${number}`,
        `/api/v1/runs?limit=${number}`,
        `/api/v1/kept?limit=${number}`,
        `/api/v1/collections/x/texts?limit=${number}`,
        `/api/v1/collections/x/chunks?text=a&from=${number}`,
        `/api/v1/runs/x/nodes/agent-1/conversation?from=${number}`
      ]
      for (const path of queries) problemOf(await client.get(path), 422, 'invalid_request')
      const draft = `/api/v1/flows/${flow.id}/draft?revision=${number}`
      problemOf(await client.request('DELETE', draft), 422, 'invalid_request')
    }
  })
})

/** The largest is what a Keep takes: 3,650 days. */
const TOO_LONG = [3_650 * 86_400_000 + 1, 4.5e14, 2 ** 53, 2 ** 60, 1e300]

async function expectListed(at: Service, expiresAt: RegExp): Promise<void> {
  const list = await at.get('/api/v1/kept')
  assert.equal(list.status, 200, list.text)
  const { values } = list.json<{ values: { key: string; expires_at: string }[] }>()
  assert.match(values.find(({ key }) => key === 'old')!.expires_at, expiresAt)
  assert.equal((await at.get('/api/v1/kept/value?key=old')).status, 200)
}

describe('how long a value is kept', () => {
  it('is ten years at the most, also where a store holds one of before', async (t) => {
    const first = await startService(t)
    const put = (body: object) => first.request('PUT', '/api/v1/kept/value?key=old', { body })
    for (const expires_in_ms of [...TOO_LONG, 0, -1, 1.5, '5', null]) {
      problemOf(await put({ value: 1, expires_in_ms }), 422, 'invalid_request')
    }
    assert.deepEqual((await first.get('/api/v1/kept')).json<{ values: unknown[] }>().values, [])
    assert.equal((await put({ value: 1, expires_in_ms: 3_650 * 86_400_000 })).status, 200)
    await first.stop()
    const db = new DatabaseSync(join(first.home, 'millrace.db'))
    db.exec('UPDATE kept_values SET expires_at = 9223372036854775000')
    db.close()
    const again = await startService(t, { home: first.home })
    await expectListed(again, /^9999-12-31T/)
  })

  it('is the same on PostgreSQL', async (t) => {
    const url = await postgres.database()
    const at = await startService(t, { env: { DATABASE_URL: url } })
    const put = (body: object) => at.request('PUT', '/api/v1/kept/value?key=old', { body })
    for (const expires_in_ms of TOO_LONG)
      problemOf(await put({ value: 1, expires_in_ms }), 422, 'invalid_request')
    assert.equal((await put({ value: 1, expires_in_ms: 1_000_000 })).status, 200)
    const client = new Client({ connectionString: url })
    await client.connect()
    t.after(() => client.end())
    await client.query('UPDATE millrace.kept_values SET expires_at = 9223372036854775000')
    await expectListed(at, /^9999-12-31T/)
  })
})
