import { type Finding, fault, ok, warning } from '../../finding.ts'
import type { Query } from '../database/database.ts'
import { fromAllJobs, fromJobOf, seqOfJob, sqlIsSilent } from '../queue/job-rows.ts'
import { hasWaited, isClaimed } from '../queue/job-states.ts'
import { MISSING_QUEUE, queueVersions, TESTED_VERSION, untestedQueue } from '../queue/queue-version.ts'
import { examineWaits } from './examine-waits.ts'

/** So many of the newest runs are looked at: all of a store's history would take minutes. */
const NEWEST_RUNS = 100_000
/** Longer than any pause between two signs of life. */
const ALIVE_WITHIN = "interval '10 seconds'"
/** A run that nobody takes up for so long is not merely waiting for its turn. */
const STUCK_AFTER_SECONDS = 60

/** Whether runs and jobs agree, and whether somebody does the work. */
export async function examineQueue(query: Query): Promise<Finding[]> {
  const version = await examineVersion(query)
  if (version.verdict === 'fault') return [version]
  return [version, await examineAgreement(query), await examineHolders(query), await examineWaits(query)]
}

async function examineVersion(query: Query): Promise<Finding> {
  const versions = await queueVersions(query)
  const untested = untestedQueue(versions)
  if (untested !== undefined) return fault('queue', untested.says, untested.remedy)
  const { stored } = versions
  if (stored === undefined) {
    return fault('queue', MISSING_QUEUE, 'Start Millrace: it makes them.')
  }
  if (stored === TESTED_VERSION) return ok('queue', `pg-boss schema ${stored}, as tested`)
  return warning(
    'queue',
    `pg-boss schema ${stored}; the next start brings it to ${TESTED_VERSION}`,
    'Make a backup first.'
  )
}

/** A run is open exactly as long as it has a job. */
async function examineAgreement(query: Query): Promise<Finding> {
  const [row] = await query<{ lost: number; stray: number; open: number }>(`
    SELECT
      (SELECT count(*) FROM (SELECT seq, flow_id FROM millrace.runs ORDER BY seq DESC LIMIT ${NEWEST_RUNS}) r
       WHERE NOT EXISTS (SELECT 1 FROM millrace.outcomes o WHERE o.seq = r.seq)
         AND NOT EXISTS (SELECT 1 FROM ${fromJobOf('r.seq', 'r.flow_id')})) AS lost,
      (SELECT count(*) FROM ${fromAllJobs}
         AND (NOT EXISTS (SELECT 1 FROM millrace.runs r WHERE r.seq = ${seqOfJob()})
           OR EXISTS (SELECT 1 FROM millrace.outcomes o WHERE o.seq = ${seqOfJob()}))) AS stray,
      (SELECT count(*) FROM ${fromAllJobs}) AS open`)
  const { lost, stray, open } = row!
  if (lost === 0 && stray === 0)
    return ok(
      'jobs',
      `${open.toLocaleString('en')} unfinished run${open === 1 ? '' : 's'}, each with its job`
    )
  return fault(
    'jobs',
    `${lost} unfinished runs have no job, ${stray} jobs have no unfinished run`,
    'Somebody has changed the tables of the queue. Restore a backup, or replay the runs: POST /api/v1/runs/{id}/replay.'
  )
}

async function examineHolders(query: Query): Promise<Finding> {
  const [row] = await query<{ abandoned: number; unclaimed: number; workers: number }>(`
    SELECT
      (SELECT count(*) FROM ${fromAllJobs} AND ${isClaimed('j')}
         AND ${sqlIsSilent('j', STUCK_AFTER_SECONDS)}) AS abandoned,
      (SELECT count(*) FROM ${fromAllJobs} AND ${hasWaited('j', STUCK_AFTER_SECONDS)}) AS unclaimed,
      (SELECT count(*) FROM millrace.processes
         WHERE role <> 'web' AND seen_at > now() - ${ALIVE_WITHIN}) AS workers`)
  const { abandoned, unclaimed, workers } = row!
  if (abandoned === 0 && (unclaimed === 0 || workers > 0)) {
    return ok(
      'stuck runs',
      unclaimed === 0 ? 'none' : `none; ${unclaimed.toLocaleString('en')} have waited for a minute`
    )
  }
  const told = `${abandoned} runs are claimed by processes that are gone, ${unclaimed} have waited for a minute`
  return workers === 0
    ? fault(
        'stuck runs',
        `${told}, and no worker is alive`,
        'Start a process with MILLRACE_ROLE=worker or all.'
      )
    : warning(
        'stuck runs',
        told,
        'Living processes give them back within seconds: look again, then at their logs.'
      )
}

export async function examineProcesses(query: Query): Promise<Finding[]> {
  const rows = await query<{ role: string; version: string; processes: number }>(`
    SELECT role, version, count(*) AS processes FROM millrace.processes
    WHERE seen_at > now() - ${ALIVE_WITHIN} GROUP BY role, version ORDER BY role, version`)
  if (rows.length === 0) return [ok('processes', 'none is running')]
  const told = rows.map(({ role, version, processes }) => `${processes} × ${role} ${version}`).join(', ')
  const roles = new Set(rows.map(({ role }) => role))
  const missing = roles.has('all') ? [] : ['web', 'worker'].filter((role) => !roles.has(role))
  const findings = [
    missing.length === 0
      ? ok('processes', told)
      : warning(
          'processes',
          `${told}; no ${missing[0]} is alive`,
          `Start one with MILLRACE_ROLE=${missing[0]}.`
        )
  ]
  if (new Set(rows.map(({ version }) => version)).size > 1) {
    findings.push(
      warning('versions', 'processes of several versions are running', 'Finish the rolling upgrade.')
    )
  }
  return findings
}
