import { messageOf } from '../../../errors.ts'
import { type ExamineConnections, type ExamineKeys, type Finding, fault, ok, warning } from '../../finding.ts'
import { listConnections } from '../../library/connection-store.ts'
import { listKeys } from '../../library/key-store.ts'
import { tooNew, tooOld } from '../../other-versions.ts'
import { Database, type Query } from '../database/database.ts'
import { isTooOld, readMigrations } from '../database/migrate.ts'
import { asUnopened } from '../database/unavailable.ts'
import { runSteps } from '../library/postgres-library.ts'
import { isUnfinished } from './copy-progress.ts'
import { examineProcesses, examineQueue } from './examine-queue.ts'

interface ExamineOptions {
  readonly url: string
  /** The clock of this machine, in milliseconds since 1970. */
  readonly now: () => number
  /** What is to be said of the connections that are stored. */
  readonly examineConnections?: ExamineConnections
  readonly examineKeys?: ExamineKeys | undefined
}

const OLDEST_POSTGRES = 13
/** Times of runs are those of the machines, so they are off by as much. */
const SKEW_MS = { warning: 1_000, fault: 30_000 }
const CONNECTIONS_USED = { warning: 0.8, fault: 0.95 }

/** Looks at the store that processes share without changing anything. */
export async function examinePostgresStore(options: ExamineOptions): Promise<Finding[]> {
  const { url, now, examineConnections: examineStored = () => [], examineKeys } = options
  const db = new Database({ url, connections: 2 })
  try {
    const connection = await examineConnection(db)
    if (connection.verdict === 'fault') return [connection]
    const rights = await examineWrites(db.query)
    const findings = [connection, await examineVersion(db.query), rights]
    findings.push(await examineConnections(db.query), await examineClock(db.query, now))
    // Who may not even read the tables can be told no more.
    if (rights.verdict === 'fault') return findings
    const schema = await examineSchema(db.query)
    findings.push(schema.finding)
    if (schema.isUsable) {
      findings.push(...(await examineQueue(db.query)), ...(await examineProcesses(db.query)))
      if (examineKeys !== undefined) findings.push(examineKeys(await runSteps(db.query, listKeys())))
      findings.push(...examineStored(await runSteps(db.query, listConnections())))
    }
    return findings
  } catch (error) {
    return [fault('database', messageOf(error), 'Fix this first, then run doctor again.')]
  } finally {
    await db.close()
  }
}

async function examineConnection(db: Database): Promise<Finding> {
  try {
    const [row] = await db.query<{ name: string }>('SELECT current_user::text AS name')
    return ok('connection', `${db.place} answers, as user ${row!.name}`)
  } catch (error) {
    return fault('connection', messageOf(asUnopened(db.place, error)), 'Fix that, then run doctor again.')
  }
}

async function examineVersion(query: Query): Promise<Finding> {
  const [row] = await query<{ number: number; text: string }>(
    "SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS text"
  )
  const { number, text } = row!
  if (number >= OLDEST_POSTGRES * 10_000) return ok('version', `PostgreSQL ${text}`)
  return fault('version', `PostgreSQL ${text}`, `Millrace needs PostgreSQL ${OLDEST_POSTGRES} or newer.`)
}

/** Whether this user may write, and make what is missing. Rights are asked for one by one: of a list, any is enough. */
async function examineWrites(query: Query): Promise<Finding> {
  const [row] = await query<{
    isStandby: boolean
    isReadOnly: boolean
    mayCreate: boolean
    isThere: boolean
    mayWrite: boolean | null
  }>(`
    SELECT pg_is_in_recovery() AS "isStandby",
      current_setting('transaction_read_only')::boolean AS "isReadOnly",
      has_database_privilege(current_database(), 'CREATE') AS "mayCreate",
      EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'millrace' AND c.relname = 'runs') AS "isThere",
      (SELECT bool_and(has_schema_privilege(n.oid, 'USAGE') AND CASE c.relkind
         WHEN 'S' THEN has_sequence_privilege(c.oid, 'USAGE') AND has_sequence_privilege(c.oid, 'SELECT')
         ELSE has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
           AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE') END)
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname IN ('millrace', 'millrace_queue') AND c.relkind IN ('r', 'p', 'S')
      ) AS "mayWrite"`)
  const { isStandby, isReadOnly, mayCreate, isThere, mayWrite } = row!
  if (isStandby || isReadOnly) {
    return fault(
      'rights',
      'the database takes no writes: it is a standby, or read-only',
      'Point DATABASE_URL to the primary.'
    )
  }
  if (isThere ? mayWrite === true : mayCreate)
    return ok('rights', isThere ? 'the tables can be written' : 'tables can be made')
  return fault(
    'rights',
    isThere
      ? 'this user may not use and write all tables and sequences of Millrace'
      : 'this user may not create schemas',
    isThere
      ? 'Use the user that owns them, or grant it the schemas millrace and millrace_queue (USAGE), and all rights on all tables and sequences in them.'
      : 'GRANT CREATE ON DATABASE … TO this user.'
  )
}

async function examineConnections(query: Query): Promise<Finding> {
  const [row] = await query<{ used: number; limit: number; ours: number }>(`
    SELECT count(*) AS used,
      current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer AS limit,
      count(*) FILTER (WHERE application_name LIKE 'millrace%') AS ours
    FROM pg_stat_activity WHERE backend_type = 'client backend'`)
  const { used, limit, ours } = row!
  const told = `${used} of ${limit} connections are in use, ${ours} of them by Millrace`
  const remedy =
    'Raise max_connections, lower MILLRACE_DATABASE_CONNECTIONS, or run fewer processes: each holds that many and one more.'
  if (used >= limit * CONNECTIONS_USED.fault) return fault('connections', told, remedy)
  return used >= limit * CONNECTIONS_USED.warning
    ? warning('connections', told, remedy)
    : ok('connections', told)
}

async function examineClock(query: Query, now: () => number): Promise<Finding> {
  const before = now()
  const [row] = await query<{ at: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS at'
  )
  const after = now()
  // The database looked somewhere between; what lies outside of that is a difference for certain.
  const skew = row!.at < before ? row!.at - before : Math.max(0, row!.at - after)
  const told = `this machine and the database differ by ${Math.abs(Math.round(skew)).toLocaleString('en')} ms`
  const remedy = 'Let NTP (chrony, systemd-timesyncd) keep the clocks of all machines.'
  if (Math.abs(skew) >= SKEW_MS.fault) return fault('clock', told, remedy)
  return Math.abs(skew) >= SKEW_MS.warning ? warning('clock', told, remedy) : ok('clock', told)
}

async function examineSchema(query: Query): Promise<{ finding: Finding; isUsable: boolean }> {
  const known = readMigrations().length
  const [found] = await query<{ isThere: boolean }>(
    `SELECT to_regclass('millrace.migrations') IS NOT NULL AS "isThere"`
  )
  if (!found!.isThere) {
    return { finding: ok('migrations', 'nothing is set up yet; the first start does it'), isUsable: false }
  }
  if (await isTooOld(query)) return { finding: tooOld('migrations'), isUsable: false }
  const [row] = await query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM millrace.migrations'
  )
  return {
    finding: judgeSchema(row!.version, known, await isUnfinished(query)),
    isUsable: row!.version >= known
  }
}

function judgeSchema(version: number, known: number, isHalfCopied: boolean): Finding {
  if (version > known) return tooNew('migrations', version, known)
  if (isHalfCopied) {
    return fault(
      'migrations',
      'the database holds an unfinished copy of a store',
      'Finish it with: millrace migrate-store'
    )
  }
  if (version === known) return ok('migrations', `version ${version}, the newest`)
  return warning(
    'migrations',
    `version ${version}; the next start brings it to ${known}`,
    'Make a backup first. Processes that run now go on working.'
  )
}
