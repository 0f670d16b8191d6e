import type { Client } from 'pg'

/** What the server takes for the time; settings of a session carry it. */
export const CLOCK_SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS simulation;
  CREATE OR REPLACE FUNCTION simulation.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
    $$ SELECT pg_catalog.current_setting('simulation.now')::timestamptz $$;
  CREATE OR REPLACE FUNCTION simulation.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
    $$ SELECT pg_catalog.current_setting('simulation.now')::timestamptz $$`

/** pg-boss has a function of its own for it. What it has noted by the real time when its tables were made is forgotten. */
export const QUEUE_CLOCK = `
  CREATE OR REPLACE FUNCTION millrace_queue.job_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
    $$ SELECT pg_catalog.current_setting('simulation.now')::timestamptz $$;
  DO $$ DECLARE col text; BEGIN
    FOR col IN SELECT column_name FROM information_schema.columns WHERE table_schema = 'millrace_queue'
      AND table_name = 'version' AND data_type = 'timestamp with time zone' AND is_nullable = 'YES'
    LOOP EXECUTE format('UPDATE millrace_queue.version SET %I = NULL', col);
    END LOOP;
  END $$`

const set = { name: 'simulation-clock', text: "SELECT set_config('simulation.now', $1, false)" }

/**
 * The clock of the database: the virtual one, and a microsecond later with every statement, since claims are told apart by the
 * time at which they were made. It stands still in a transaction, as PostgreSQL's `now()` does.
 */
export class DatabaseClock {
  readonly #now: () => number
  #lastMicros = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** For whatever the session does next. Sent along with it, not before it. */
  async set(client: Client): Promise<void> {
    this.#lastMicros = Math.max(this.#now() * 1000, this.#lastMicros + 1)
    const millis = Math.floor(this.#lastMicros / 1000)
    const micros = String(Math.floor(this.#lastMicros % 1000)).padStart(3, '0')
    const text = new Date(millis).toISOString().replace('Z', `${micros}Z`)
    await client.query({ ...set, values: [text] })
  }
}
