import {
  anyJob,
  flowOfJob,
  HEARTBEAT_SECONDS,
  isToCancel,
  isUnderClaim,
  seqOfJob,
  sqlClaim,
  sqlHolder,
  sqlIsSilent
} from './job-rows.ts'
import { hasWaited, isAhead, isClaimable, isParked, mayBe, sqlGiveBack } from './job-states.ts'

// What is done to jobs by themselves: finding work, taking it up, keeping it and giving it back.

/** Steps from one queue to the next in the index, so that its cost is by flows and not by runs that are queued. */
export const queuesWithWork = `
  WITH RECURSIVE queue (name) AS (
    (SELECT name FROM ${anyJob} WHERE name > 'flow/' AND ${isAhead('j')} ORDER BY name LIMIT 1)
    UNION ALL
    SELECT (
      SELECT j.name FROM ${anyJob}
      WHERE j.name > queue.name AND ${isAhead('j')} ORDER BY j.name LIMIT 1
    ) FROM queue WHERE queue.name IS NOT NULL
  )
  SELECT name FROM queue WHERE name LIKE 'flow/%' AND EXISTS (
    SELECT 1 FROM ${anyJob}
    WHERE j.name = queue.name AND ${isClaimable('j')}
  )`

/** Whether one of these queues ($1) has had work for so long, and nobody has claimed any of it. */
export const isAnyStuck = (seconds: number) => `
  SELECT 1 FROM unnest($1::text[]) AS queue (name)
  WHERE NOT EXISTS (
    SELECT 1 FROM ${anyJob} WHERE j.name = queue.name AND j.state = 'active' AND j.group_id IS NOT NULL
  ) AND EXISTS (
    SELECT 1 FROM ${anyJob} WHERE j.name = queue.name AND ${hasWaited('j', seconds)}
  ) LIMIT 1`

/** Of a flow with a limit no more than it leaves. */
const most = `CASE WHEN w.flow_limit IS NULL THEN w.most ELSE greatest(0, least(w.most, w.flow_limit - (
  SELECT count(*) FROM ${anyJob} WHERE j.name = w.name AND j.state = 'active' AND j.group_id IS NOT NULL
))) END`

/**
 * What pg-boss's fetch does, of several queues in one statement: a process that stands still in the middle of it has taken
 * them, or has not, and locks nothing either way. Taking a job up that was taken before is a further attempt; what was
 * parked is so no longer, also when it is given back. $1 to $3 are the queues, how many of each, and their limits; $4 is this taking.
 */
export const takeJobs = `
  WITH wish AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[]) AS w (name, most, flow_limit)
  ),
  next AS MATERIALIZED (
    SELECT n.* FROM wish w CROSS JOIN LATERAL (
      SELECT j.name, j.id, ${isParked('j')} AS was_parked FROM ${anyJob}
      WHERE j.name = w.name AND ${isClaimable('j')}
      ORDER BY j.priority DESC, j.created_on LIMIT ${most}
      FOR UPDATE SKIP LOCKED
    ) n
  )
  UPDATE ${anyJob} SET state = 'active', started_on = now(), heartbeat_on = now(), data = NULL,
    output = jsonb_build_object('taking', $4::text),
    retry_count = CASE WHEN j.started_on IS NULL THEN j.retry_count ELSE j.retry_count + 1 END
  FROM next n WHERE j.name = n.name AND j.id = n.id
  RETURNING j.name, j.id, ${sqlClaim('j')} AS claim, n.was_parked`

/** What this taking ($2) has taken of these queues ($1). */
export const letTakingGo = `
  UPDATE ${anyJob} SET ${sqlGiveBack}
  WHERE j.name = ANY ($1::text[]) AND ${mayBe('giveBack', 'j')} AND j.group_id IS NOT NULL AND j.output ->> 'taking' = $2`

/** What was taken, as (name, id, claim) in $1 to $3. */
export const letTakenGo = `
  UPDATE ${anyJob} SET ${sqlGiveBack}
  FROM unnest($1::text[], $2::uuid[], $3::text[]) AS t (name, id, claim)
  WHERE j.name = t.name AND j.id = t.id AND ${mayBe('giveBack', 'j')} AND ${sqlClaim('j')} = t.claim`

/** For a JOIN: what was taken, as rows `taken` of (name, id, claim), where that claim still holds; and the numbers of their runs. */
export const takenJob = `${anyJob} ON j.name = taken.name AND j.id = taken.id AND ${isUnderClaim('j', 'taken.claim')}`
export const seqOfTaken = seqOfJob('taken')
export const takenColumns = `j.retry_count AS deaths, ${isToCancel('j')} AS is_to_cancel,
  floor(extract(epoch FROM j.started_on) * 1000)::bigint AS taken_at`

/**
 * A run that goes on for longer than a beat is written once in half a minute: its heartbeat is set ahead, and until then
 * it lives as long as its holder does, of which each beat writes one row. To write all of them at each beat took 290 ms of
 * the database and 4.4 MB of its log a second for 10,000 runs.
 */
const AHEAD_SECONDS = { set: 60, renewed: 30 } as const

/** Of a claim that is kept: that there is one, and when it was last said. */
export const keptColumns = 'j.id IS NOT NULL AS is_claimed, j.heartbeat_on, j.group_tier'
/** Of rows with those columns. */
export const isToBeRenewed = `heartbeat_on < now() + ${AHEAD_SECONDS.renewed} * interval '1s'`
/** For an UPDATE. */
export const sqlRenew = (processId: string) =>
  `heartbeat_on = now() + ${AHEAD_SECONDS.set} * interval '1s', output = ${sqlHolder(processId)}`

/**
 * What pg-boss's upkeep does once a minute, done more often and by the index of running jobs. `isTimely`: it looks at the time itself,
 * since one that was on its way while the database stood still is done before anybody's heartbeat, and would take every run of the living.
 */
export const reclaimJobs = (isTimely: string) => `
  WITH dead AS (
    SELECT j.name, j.id FROM ${anyJob}
    WHERE ${mayBe('giveBack', 'j')} AND j.group_id IS NOT NULL
      AND ${sqlIsSilent('j', HEARTBEAT_SECONDS)}
      AND ${isTimely}
    FOR UPDATE SKIP LOCKED
  )
  UPDATE ${anyJob} SET state = 'retry', heartbeat_on = NULL FROM dead d
  WHERE j.name = d.name AND j.id = d.id
  RETURNING ${flowOfJob()} AS flow_id`
