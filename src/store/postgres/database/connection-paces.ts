import type { SharedPaces } from '../../shared-store.ts'
import type { Database } from './database.ts'

/** By the clock of the database, which all processes share; the lock on the row lets one of them at a time take moments. */
const reserveText = `
  INSERT INTO millrace.connection_paces AS p (connection_id, next_at)
  VALUES ($1, clock_timestamp() + $2::double precision * $3::integer * interval '1 millisecond')
  ON CONFLICT (connection_id) DO UPDATE
  SET next_at = greatest(p.next_at, clock_timestamp()) + $2::double precision * $3::integer * interval '1 millisecond'
  RETURNING greatest(0, extract(epoch FROM next_at - clock_timestamp()) * 1000 - $2::double precision * $3::integer)::double precision AS wait`

export function createConnectionPaces(db: Database): SharedPaces {
  return {
    async reserve(pace, everyMs, wanted) {
      const [row] = await db.query<{ wait: number }>({ name: 'reserve-pace', text: reserveText }, [
        pace,
        everyMs,
        wanted
      ])
      return row!.wait
    }
  }
}
