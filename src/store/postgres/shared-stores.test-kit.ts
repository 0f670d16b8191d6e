import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { cleanUp } from '../../../test/support/clean-up.ts'
import type { TestServer } from '../../../test/support/postgres.ts'
import type { SharedStore } from '../shared-store.ts'
import { openPostgresStore } from './open-postgres-store.ts'

/** Two processes on one database, as far as the store is concerned; and a way to look and meddle from outside. */
export interface TwoStores {
  readonly a: SharedStore
  readonly b: SharedStore
  readonly url: string
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
}

export async function openTwo(t: TestContext, postgres: TestServer): Promise<TwoStores> {
  const url = await postgres.database()
  const open = async (processId: string) => {
    const store = await openPostgresStore({ url, processId, connections: 6 })
    cleanUp(t, () => store.close())
    return store
  }
  const [a, b] = [await open('a'), await open('b')]
  return {
    a,
    b,
    url,
    async sql<Row>(text: string, values: unknown[] = []) {
      const client = new Client({ connectionString: url })
      await client.connect()
      try {
        return (await client.query(text, values)).rows as Row[]
      } finally {
        await client.end()
      }
    }
  }
}

/** Whoever holds these runs has said nothing for a minute. */
export function silence({ sql }: TwoStores): Promise<unknown> {
  return sql(
    `UPDATE millrace_queue.job SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'`
  )
}
