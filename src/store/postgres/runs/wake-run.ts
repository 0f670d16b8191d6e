import type { WaitState, Wake, WakeResult } from '../../waits.ts'
import { despiteCollisions } from '../database/collisions.ts'
import type { Database, Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import { changeJobs, fromJobOf } from '../queue/job-rows.ts'
import { isParked, sqlMakeDue } from '../queue/job-states.ts'
import { guard, nextNumber } from './change-numbers.ts'
import { isOrphaned } from './children/orphaned.ts'

interface Woken {
  readonly result: WakeResult
  /** The run was parked, and is due now. */
  readonly isDue: boolean
}

interface Standing {
  readonly state: WaitState
  readonly kind: string | null
  readonly expires_at: number | null
}

const lockText =
  'SELECT state, kind, expires_at FROM millrace.waits WHERE run_seq = $1 AND node = $2 FOR UPDATE'

const earlyText = `
  INSERT INTO millrace.waits (run_seq, node, flow_id, state) VALUES ($1, $2, $3, 'open')
  ON CONFLICT (run_seq, node) DO NOTHING
  RETURNING state, kind, expires_at`

const journalText = `
  WITH ${guard},
  open AS (SELECT 1 FROM ${fromJobOf('$1::bigint', '$2::text')} FOR UPDATE),
  numbered AS MATERIALIZED (SELECT ${nextNumber} AS no FROM guard, open)
  INSERT INTO millrace.journal (no, run_seq, flow_id, entry) SELECT no, $1, $2, $3 FROM numbered
  RETURNING no`

const wokenText = `
  UPDATE millrace.waits SET state = 'woken', answer = $3, ended_at = $4, entry_no = $5 WHERE run_seq = $1 AND node = $2`

const dueText = changeJobs({
  set: sqlMakeDue('$3::bigint'),
  seq: '$1::bigint',
  flowId: '$2::text',
  where: isParked('j'),
  returning: '1'
})

const isOpenText = `SELECT 1 FROM ${fromJobOf('$1::bigint', '$2::text')}`

/** Nothing of it is kept. */
class Lost extends Error {
  readonly because: Exclude<WakeResult, { won: true }>['because']

  constructor(because: Lost['because']) {
    super(because)
    this.because = because
  }
}

/**
 * The row of the wait is locked first, then the job: whoever parks the run does so too. Each step is a statement of its own,
 * because one that had to wait for a lock sees other rows as they were before it waited.
 */
export async function wakeRun(db: Pick<Database, 'transaction'>, wake: Wake): Promise<Woken> {
  try {
    return await despiteCollisions(() => db.transaction((query) => wakeLocked(query, wake), 'writers'))
  } catch (error) {
    if (!(error instanceof Lost)) throw error
    return { result: { won: false, because: error.because }, isDue: false }
  }
}

async function wakeLocked(query: Query, wake: Wake): Promise<Woken> {
  const { run, at, entry, answer } = wake
  const key = [run.seq, storableText(wake.node)] as const
  const because = refusalOf(await lockedWait(query, wake, key), at)
  if (because !== undefined) throw new Lost((await isOpen(query, wake)) ? because : 'ended')
  // It is about to be cancelled: nothing would come of it.
  if (await isOrphaned(query, run.seq)) throw new Lost('ended')
  const [kept] = await query<{ no: number }>({ name: 'wake-journal', text: journalText }, [
    run.seq,
    run.flowId,
    entry
  ])
  if (kept === undefined) throw new Lost('ended')
  await query({ name: 'wake', text: wokenText }, [
    ...key,
    answer === null ? null : storableText(answer),
    at,
    kept.no
  ])
  const due = await query({ name: 'wake-due', text: dueText }, [run.seq, run.flowId, at])
  return { result: { won: true, no: kept.no }, isDue: due.length > 0 }
}

function refusalOf(wait: Standing | undefined, at: number): Lost['because'] | undefined {
  if (wait === undefined || wait.kind === 'children') return 'none'
  if (wait.state !== 'open') return wait.state
  return wait.expires_at !== null && at >= wait.expires_at ? 'over' : undefined
}

/** Undefined where there is none, and none may be made. */
async function lockedWait(
  query: Query,
  { run, early }: Wake,
  key: readonly [seq: number, node: string]
): Promise<Standing | undefined> {
  const find = async () => (await query<Standing>({ name: 'wake-lock', text: lockText }, key))[0]
  const insert = async () =>
    (await query<Standing>({ name: 'wake-early', text: earlyText }, [...key, run.flowId]))[0]
  const found = await find()
  if (found !== undefined || early !== true) return found
  // Whoever makes the row between the two has committed it when the insert comes to nothing.
  return (await insert()) ?? (await find())
}

async function isOpen(query: Query, { run }: Wake): Promise<boolean> {
  return (await query({ name: 'wake-open', text: isOpenText }, [run.seq, run.flowId])).length > 0
}
