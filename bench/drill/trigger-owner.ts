import { Client } from 'pg'

/** The process that has the triggers, as the database says: null where nobody has, undefined where it says nothing now. */
export async function pidOfTriggerOwner(databaseUrl: string): Promise<number | null | undefined> {
  const client = new Client({ connectionString: databaseUrl })
  // A connection that breaks says so here too, and unheard that would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>(
      `SELECT p.pid FROM millrace.trigger_owner o JOIN millrace.processes p ON p.id = o.process_id
       WHERE o.until > now()`
    )
    return rows[0]?.pid ?? null
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}
