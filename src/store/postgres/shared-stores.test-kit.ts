import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { cleanUp } from '../../../test/support/clean-up.ts'
import type { TestServer } from '../../../test/support/postgres.ts'
import type { SharedStore } from '../shared-store.ts'
import type { Timing } from './database/timing.ts'
import { openPostgresStore } from './open-postgres-store.ts'

/** Two processes on one database, as far as the store is concerned; and a way to look and meddle from outside. */
export interface TwoStores {
  readonly a: SharedStore
  readonly b: SharedStore
  readonly url: string
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** A transaction of somebody else that has done this and is not over. */
  begin(...texts: string[]): Promise<{ commit(): Promise<void> }>
  /** Resolves when somebody waits for a lock, or when this needs none. */
  untilBlocked(work: Promise<unknown>): Promise<void>
}

const blockedText = `
  SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

export async function openTwo(t: TestContext, postgres: TestServer, timing?: Timing): Promise<TwoStores> {
  const url = await postgres.database()
  const open = async (processId: string) => {
    const store = await openPostgresStore({ url, processId, connections: 6, ...(timing && { timing }) })
    cleanUp(t, () => store.close())
    return store
  }
  const [a, b] = [await open('a'), await open('b')]
  const connect = async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    return client
  }
  return {
    a,
    b,
    url,
    async sql<Row>(text: string, values: unknown[] = []) {
      const client = await connect()
      try {
        return (await client.query(text, values)).rows as Row[]
      } finally {
        await client.end()
      }
    },
    async begin(...texts) {
      const client = await connect()
      cleanUp(t, () => client.end())
      await client.query('BEGIN')
      for (const text of texts) await client.query(text)
      return { commit: async () => void (await client.query('COMMIT')) }
    },
    async untilBlocked(work) {
      let isOver = false
      void work.finally(() => {
        isOver = true
      })
      const client = await connect()
      try {
        while (!isOver && (await client.query(blockedText)).rows.length === 0);
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
