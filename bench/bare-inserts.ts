import { Client } from 'pg'
import { PAYLOAD } from './load.ts'

export interface BareInserts {
  readonly url: string
  readonly seconds: number
  readonly sessions: number
}

/** Rows a second that the driver by itself inserts, each with a commit of its own. */
export async function bareInserts({ url, seconds, sessions }: BareInserts): Promise<number> {
  const { order_id, customer, total } = JSON.parse(PAYLOAD)
  const clients = Array.from({ length: sessions }, () => new Client({ connectionString: url }))
  await Promise.all(clients.map((client) => client.connect()))
  const since = performance.now()
  const until = since + seconds * 1000
  let rows = 0
  const insertAll = async (client: Client) => {
    while (performance.now() < until) {
      const text = 'insert into bench_orders (id, customer, total) values ($1, $2, $3)'
      await client.query(text, [order_id, customer, total])
      rows += 1
    }
  }
  try {
    await Promise.all(clients.map(insertAll))
    return rows / ((performance.now() - since) / 1000)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}
