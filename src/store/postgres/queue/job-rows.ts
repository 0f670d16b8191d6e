/**
 * How a run stands in pg-boss's tables. Each flow has a queue of its own, named after it, so that taking the next
 * run of a flow costs the same however many runs of others wait. A run's job is made with the run, and is gone when
 * the run has ended: the run is open exactly as long as its job exists, and there is no second list to keep.
 *
 * Jobs are made and removed by SQL of ours, inside the statement that writes the run or its outcome, which pg-boss
 * allows for: its own insert would be a second statement per flow in each batch (72 instead of 56 µs of the
 * database's time per run), and its own completion does not compare whose job it is. Taking jobs, beats and giving back are
 * ours too, on its columns; tables, queues and upkeep are pg-boss's. queue-version.ts holds us to the tables that all
 * this was tested with; docs/decisions/011-sharing-the-work.md says what that costs, and why pg-boss is worth it.
 */
export const QUEUE_SCHEMA = 'millrace_queue'

export const jobs = `${QUEUE_SCHEMA}.job`

/** A worker that says nothing for so long is held to be dead, and its runs are taken up by others. pg-boss's least. */
export const HEARTBEAT_SECONDS = 10

const PREFIX = 'flow/'

export function queueOf(flowId: string): string {
  return `${PREFIX}${flowId}`
}

export function flowOf(queue: string): string {
  return queue.slice(PREFIX.length)
}

/**
 * Our columns compare text byte by byte, pg-boss's as the database does. Without a word about it PostgreSQL would
 * compare in our way, for which pg-boss's index is of no use, and read the jobs of all flows for each run of a list.
 */
export const sqlQueueOf = (flowId: string) => `('${PREFIX}' || ${flowId}) COLLATE "default"`
export const sqlFlowOf = (queue: string) => `substr(${queue}, ${PREFIX.length + 1})`
/** The job of run 26 is 00000000-0000-0000-0000-00000000001a. */
export const sqlJobOf = (seq: string) => `lpad(to_hex(${seq}), 32, '0')::uuid`
export const sqlSeqOf = (job: string) => `('x' || right(replace(${job}::text, '-', ''), 16))::bit(64)::bigint`

/** The job of a run, for a JOIN. */
export const jobOf = (seq: string, flowId: string, job = 'j') =>
  `${jobs} ${job} ON ${job}.name = ${sqlQueueOf(flowId)} AND ${job}.id = ${sqlJobOf(seq)}`

/**
 * The jobs of the backlog: queued or claimed, as job-states.ts has it, said so that they are found by pg-boss's indexes: of 100,000 parked jobs nobody
 * reads one. Whatever is left could be taken up by now.
 */
export const backlogJobs = `(
  SELECT name FROM ${jobs} WHERE name LIKE '${PREFIX}%' AND state = 'active' AND group_id IS NOT NULL
  UNION ALL
  SELECT name FROM ${jobs}
  WHERE name LIKE '${PREFIX}%' AND state < 'active' AND NOT blocked AND start_after <= now() AND data IS NULL
)`

/**
 * A claim is told apart from every other one of the same job, before and after, by how often the job was taken and
 * when, in microseconds. A run that was opened again counts from the beginning, at a later time.
 */
export const sqlClaim = (job: string) =>
  `${job}.retry_count || '@' || (extract(epoch FROM ${job}.started_on) * 1000000)::bigint`

/** True where the job is there for whoever writes: they hold the claim on it, or need none. */
export const sqlMayWrite = (job: string, claim: string) => `(${claim} IS NULL OR ${isUnderClaim(job, claim)})`

export const isUnderClaim = (job: string, claim: string) =>
  `(${job}.state = 'active' AND ${sqlClaim(job)} = ${claim})`

/**
 * A run that goes on for longer than a beat is written once in half a minute: its heartbeat is set ahead, and until then
 * it lives as long as its holder does, of which each beat writes one row. To write all of them at each beat took 290 ms of
 * the database and 4.4 MB of its log a second for 10,000 runs.
 */
export const AHEAD_SECONDS = { set: 60, renewed: 30 } as const
/** What is further ahead than this was set so: the clock of a statement is that of its beginning. */
const SURELY_AHEAD_SECONDS = 5

/** What a job says of its holder while its heartbeat is ahead. */
export const sqlHolder = (processId: string) => `jsonb_build_object('holder', ${processId}::text)`

/**
 * True for a job that is taken, and whose holder has said nothing of it for so many seconds. Who lives is looked up once:
 * for each of 10,000 jobs it took four times as long.
 */
export const sqlIsSilent = (job: string, seconds: number) =>
  `(${job}.heartbeat_on < now() - ${seconds} * interval '1s' OR (
    ${job}.heartbeat_on > now() + ${SURELY_AHEAD_SECONDS} * interval '1s'
    AND coalesce(${job}.output ->> 'holder', '') <> ALL (ARRAY(
      SELECT process_id FROM millrace.holders WHERE beat_at >= now() - ${seconds} * interval '1s'
    ))))`

/**
 * The job of a run whose end concerns other rows says so, in a column of pg-boss's that means nothing without tiers. The
 * statement that ends plain runs leaves such a job alone.
 *
 * - tied: it has waits, or children
 * - child: another run started it, and does not count it: it does not wait for it, or somebody opened it again
 * - counted: another run started it and waits for it
 */
export const TIER = { tied: 'tied', child: 'child', counted: 'counted' } as const
export type Tier = keyof typeof TIER
export const sqlTie = (job: string) => `group_tier = coalesce(${job}.group_tier, '${TIER.tied}')`
export const isTied = (job: string) => `${job}.group_tier IS NOT NULL`
export const isChild = (job: string) => `coalesce(${job}.group_tier <> '${TIER.tied}', false)`

/**
 * Somebody wants the run cancelled. The job says so in a column of pg-boss's that means nothing to queues of its standard policy. It
 * goes with the job: of a run that is opened again nobody wants that.
 */
const CANCEL = "'cancel'"
export const sqlWantCancel = `singleton_key = ${CANCEL}`
export const isToCancel = (job: string) => `coalesce(${job}.singleton_key = ${CANCEL}, false)`

/** pg-boss would give up after so many attempts, so long a time or so many days; a run is never given up on. */
const jobColumns =
  'id, name, group_id, policy, heartbeat_seconds, retry_limit, expire_seconds, deletion_seconds, keep_until'

/** What is not said of jobs that are inserted is as pg-boss has it. */
interface NewJobs {
  readonly blocked?: string
  readonly data?: string
  readonly priority?: string
  readonly group_tier?: string
}

/** Inserts jobs for rows of (seq, flow_id). */
export function insertJobs(from: string, more: NewJobs = {}): string {
  const names = Object.keys(more).map((name) => `, ${name}`)
  const values = Object.values(more).map((value) => `, ${value}`)
  return `INSERT INTO ${jobs} (${jobColumns}${names.join('')})
    SELECT ${sqlJobOf('seq')}, ${sqlQueueOf('flow_id')}, flow_id, 'standard', ${HEARTBEAT_SECONDS},
      2147483647, 2147483647, 0, 'infinity'${values.join('')}
    FROM ${from}`
}
