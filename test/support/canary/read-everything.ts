import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import type { Service } from '../service.ts'

/** Asks for all that the API tells. */
export async function readEverything(call: (method: string, path: string) => Promise<string>) {
  const ids = async (path: string, list: string) =>
    (JSON.parse(await call('GET', path))[list] as { id: string }[]).map(({ id }) => id)
  for (const id of await ids('/api/v1/connections', 'connections')) {
    await call('GET', `/api/v1/connections/${id}`)
  }
  for (const id of await ids('/api/v1/flows?recent=5', 'flows')) {
    for (const more of ['', '/versions', '/versions/1', '/messages'])
      await call('GET', `/api/v1/flows/${id}${more}`)
    const { nodes } = JSON.parse(await call('GET', `/api/v1/flows/${id}`))
    for (const node of nodes) await call('GET', `/api/v1/flows/${id}/nodes/${node.id}/output`)
  }
  for (const id of await ids('/api/v1/runs?limit=100', 'runs')) {
    for (const more of ['', '/input']) await call('GET', `/api/v1/runs/${id}${more}`)
  }
  for (const path of [
    'components',
    'contexts',
    'connections/visible?context=/',
    'connections/kinds',
    'connections/presets',
    'connections/uses',
    'connections/tables?connection=postgres',
    'connections/tables?connection=deaf%20mysql',
    'connections/models?connection=openai',
    'connections/models?connection=wrong%20openai',
    'contexts/explain?kind=connection&name=bearer',
    'runs/stats',
    'approvals',
    'kept?context=/',
    'openapi.json',
    'keys'
  ]) {
    await call('GET', `/api/v1/${path}`)
  }
  await call('GET', '/metrics')
}

/** What everybody who may read is told live, as it comes over the wire. */
export function collectEvents(t: TestContext, service: Service) {
  const stop = new AbortController()
  t.after(() => stop.abort())
  const parts: string[] = []
  const reading = (async () => {
    const headers = { 'x-api-key': service.key }
    const { body } = await fetch(`${service.address}/api/v1/events`, { headers, signal: stop.signal })
    const decoder = new TextDecoder()
    for await (const part of body!) parts.push(decoder.decode(part, { stream: true }))
  })().catch(() => {})
  return {
    async end(): Promise<string[]> {
      stop.abort()
      await reading
      assert.match(parts.join(''), /run\.ended/)
      return [parts.join('')]
    }
  }
}

/** Every row of every table: what a dump, which is the backup of PostgreSQL, holds. */
export async function rowsOf(url: string): Promise<Map<string, Buffer>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`
    )
    const contents = new Map<string, Buffer>()
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`)
      contents.set(name, Buffer.from(rows.map(({ row }) => withBytes(row)).join('\n')))
    }
    return contents
  } finally {
    await client.end()
  }
}

/** Bytes are written in hexadecimal digits; what they say follows. */
export function withBytes(row: string): string {
  const bytes = row.match(/\\x[0-9a-f]+/g) ?? []
  return [row, ...bytes.map((digits) => Buffer.from(digits.slice(2), 'hex').toString('latin1'))].join('\n')
}
