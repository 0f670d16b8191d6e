import { API_KEY, type Service } from './service-process.ts'

/** Webhook → SQL: one row for each run, into the table that `INSERT` is about. */
export async function createInsertFlow(service: Service, slug: string, database: URL): Promise<void> {
  await post(service, '/api/v1/connections', {
    name: 'bench',
    kind: 'postgres',
    settings: {
      host: database.hostname,
      port: Number(database.port),
      user: database.username,
      database: database.pathname.slice(1)
    }
  })
  const sql = {
    connection: 'bench',
    query: 'insert into bench_orders (id, customer, total) values (:id, :customer, :total)',
    parameters: { id: '{order_id}', customer: '{customer}', total: '{total}' }
  }
  await post(service, '/api/v1/flows', {
    name: slug,
    slug,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: {} },
      { id: 'sql-1', type: 'sql', fields: sql }
    ],
    edges: [{ from: 'webhook-1.data', to: 'sql-1.data' }]
  })
}

async function post(service: Service, path: string, body: unknown): Promise<void> {
  const answer = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}
