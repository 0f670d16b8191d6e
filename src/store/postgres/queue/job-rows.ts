/**
 * How a run stands in pg-boss's tables. Each flow has a queue of its own, named after it, so that taking the next
 * run of a flow costs the same however many runs of others wait. A run's job is made with the run, and is gone when
 * the run has ended: the run is open exactly as long as its job exists, and there is no second list to keep.
 *
 * Jobs are made and removed by SQL of ours, inside the statement that writes the run or its outcome, which pg-boss
 * allows for: its own insert would be a second statement per flow in each batch (72 instead of 56 µs of the
 * database's time per run), and its own completion does not compare whose job it is. Taking jobs, beats and giving back are
 * ours too, on its columns; tables, queues and upkeep are pg-boss's. No file outside of this folder names its tables or columns: they
 * use what is exported here, in job-states.ts and in claim-jobs.ts. queue-version.ts holds us to the tables that all this was tested
 * with; docs/decisions/011-sharing-the-work.md says what that costs, and why pg-boss is worth it.
 */
export const QUEUE_SCHEMA = 'millrace_queue'

const jobs = `${QUEUE_SCHEMA}.job`

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
const sqlQueueOf = (flowId: string) => `('${PREFIX}' || ${flowId}) COLLATE "default"`
const sqlFlowOf = (queue: string) => `substr(${queue}, ${PREFIX.length + 1})`
/** The job of run 26 is 00000000-0000-0000-0000-00000000001a. */
const sqlJobOf = (seq: string) => `lpad(to_hex(${seq}), 32, '0')::uuid`
const sqlSeqOf = (job: string) => `('x' || right(replace(${job}::text, '-', ''), 16))::bit(64)::bigint`

// What statements say of jobs, so that they name neither the table nor its columns. Where nothing else is said, a job is `j`.

/** It is the job of this run. */
const isJobOf = (seq: string, flowId: string, job: string) =>
  `${job}.name = ${sqlQueueOf(flowId)} AND ${job}.id = ${sqlJobOf(seq)}`

/** It is a job of this flow. */
export const isOfFlow = (flowId: string, job = 'j') => `${job}.name = ${sqlQueueOf(flowId)}`

/** The job of a run, for a JOIN. */
export const jobOf = (seq: string, flowId: string, job = 'j') =>
  `${jobs} ${job} ON ${isJobOf(seq, flowId, job)}`

/** The same, for FROM. */
export const fromJobOf = (seq: string, flowId: string, job = 'j') =>
  `${jobs} ${job} WHERE ${isJobOf(seq, flowId, job)}`

export const isOfQueues = (queues: string) => `j.name = ANY (${queues}::text[])`
export const isOfAnyFlow = `j.name LIKE '${PREFIX}%'`
/** For FROM: of a flow, of a list of queues, and of all flows. */
export const fromJobsOf = (flowId: string) => `${jobs} j WHERE ${isOfFlow(flowId)}`
export const fromJobsOfQueues = (queues: string) => `${jobs} j WHERE ${isOfQueues(queues)}`
export const fromAllJobs = `${jobs} j WHERE ${isOfAnyFlow}`
/** For whoever finds them by what they join. */
export const anyJob = `${jobs} j`
export const jobsTable = jobs

export const seqOfJob = (job = 'j') => sqlSeqOf(`${job}.id`)
export const flowOfJob = (job = 'j') => sqlFlowOf(`${job}.name`)

/** Told with jobs that are found to be changed by `changeFoundJobs`. */
export const foundJob = 'j.name, j.id'
/** In the order of their runs within a flow. */
export const byRun = 'j.id'
/** All lock jobs in this order. */
export const lockInOrder = 'ORDER BY j.name, j.id FOR UPDATE OF j'

interface JobChange {
  /** One or several of the changes that job-states.ts and this file name. */
  readonly set: string
  readonly from?: string
  readonly seq: string
  readonly flowId: string
  readonly where?: string
  readonly returning?: string
}

/** Changes the jobs of these runs. */
export const changeJobs = ({ set, from, seq, flowId, where, returning }: JobChange) => `
  UPDATE ${jobs} j SET ${set}${from === undefined ? '' : ` FROM ${from}`}
  WHERE ${isJobOf(seq, flowId, 'j')}${where === undefined ? '' : ` AND ${where}`}
  ${returning === undefined ? '' : `RETURNING ${returning}`}`

/** Changes those of a queue, which is the one value that the statement is given. */
export const changeJobsOfQueue = (set: string, where: string) =>
  `UPDATE ${jobs} j SET ${set} WHERE j.name = ? AND ${where}`

/** Changes those that were found, as rows `f` of (name, id). */
export const changeFoundJobs = (set: string, found: string, returning: string) => `
  UPDATE ${jobs} j SET ${set} FROM ${found} f WHERE j.name = f.name AND j.id = f.id RETURNING ${returning}`

/** Removes the jobs of rows `g` of (seq, flow_id). */
export const removeJobs = (from: string, where: string, returning: string) => `
  DELETE FROM ${jobs} j USING ${from} g WHERE ${isJobOf('g.seq', 'g.flow_id', 'j')} AND ${where}
  RETURNING ${returning}`

export const removeAllJobs = `DELETE FROM ${jobs} WHERE name LIKE '${PREFIX}%'`

/**
 * The jobs of the backlog: queued or claimed, as job-states.ts has it, said so that they are found by pg-boss's indexes: of 100,000
 * parked jobs nobody reads one. Whatever is left could be taken up by now.
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

/** The claim that it is under; null where nobody has it. */
export const sqlClaimedUnder = (job: string) => `CASE WHEN ${job}.state = 'active' THEN ${sqlClaim(job)} END`

export const isUnderClaim = (job: string, claim: string) =>
  `(${job}.state = 'active' AND ${sqlClaim(job)} = ${claim})`

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
export const tierOf = (job = 'j') => `${job}.group_tier`
export const isCounted = (job = 'j') => `${tierOf(job)} = '${TIER.counted}'`
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

/** Conditions and values for each row; what is left out is as with most runs. */
interface NewJobs {
  readonly tier?: string
  /** 1 where it is taken up before others. */
  readonly urgent?: string
  readonly isPaused?: string
  readonly isInLine?: string
  /** Of those in line: they begin also while their flow is paused. */
  readonly beginsPaused?: string
}

/** Inserts jobs for rows of (seq, flow_id). */
export function insertJobs(
  from: string,
  { tier, urgent, isPaused, isInLine, beginsPaused }: NewJobs = {}
): string {
  const blocked = [isPaused, isInLine].filter((each) => each !== undefined).join(' OR ')
  const data = isInLine && `CASE WHEN ${isInLine} THEN ${inLineData(beginsPaused ?? 'false')} END`
  const more = Object.entries({ group_tier: tier, priority: urgent, blocked, data }).filter(
    ([, value]) => value
  )
  return `INSERT INTO ${jobs} (${[jobColumns, ...more.map(([name]) => name)].join(', ')})
    SELECT ${sqlJobOf('seq')}, ${sqlQueueOf('flow_id')}, flow_id, 'standard', ${HEARTBEAT_SECONDS},
      2147483647, 2147483647, 0, 'infinity'${more.map(([, value]) => `, ${value}`).join('')}
    FROM ${from}`
}

/** What the job of a run says that is in line. */
const inLineData = (begins: string) => `jsonb_build_object('turn', true, 'begins', ${begins})`
export const sqlBeginsPaused = (job: string) => `(${job}.data ->> 'begins')::boolean`

/** For a change: it is taken up before others of its flow. */
export const sqlHasten = 'priority = 1'
export const isUrgent = (job: string) => `${job}.priority > 0`

/** For a change: who executes the run lives. */
export const sqlTouch = 'heartbeat_on = greatest(j.heartbeat_on, now())'
