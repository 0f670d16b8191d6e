import type { DatabaseSync } from 'node:sqlite'
import type { NewMessage } from '../../../message-store.ts'
import type { RunRef } from '../../../store.ts'
import type { NewWait, WaitStanding, WaitState, Wake, WakeResult } from '../../../waits.ts'
import type { InternedNames } from '../../file/interned-names.ts'
import { prepareIsOrphaned } from '../children/orphaned.ts'
import type { Journal } from '../journal-run.ts'
import type { OpenRuns } from '../open-runs.ts'
import type { Print } from '../print-messages.ts'

interface WaitParts {
  readonly open: OpenRuns
  readonly names: InternedNames
  readonly journal: Journal
  readonly print: Pick<Print, 'addUnknown'>
}

interface WaitRow {
  readonly no: number
  readonly kind: NewWait['kind'] | 'children'
  readonly state: WaitState
  readonly expires_at: number | null
  readonly ended_at: number | null
  readonly entry: string | null
}

/**
 * The transitions of waits. Each is one write of a batch, so any two of them, and park, takeDue and end, come one after the
 * other. No wake-up is lost, whichever comes first:
 *
 * - wake before openWait: the row is there, and openWait leaves it woken. Then as below.
 * - wake between openWait and park: the run is not parked yet; park finds the row woken, and the run is due at once.
 * - wake after park: it makes the run due. Whoever waits for the next one that is due has to be told: see Runs.
 * - wake after takeDue, which had another reason: the run has been read without it. It learns of it from closeWait, or
 *   parks once more and is due at once, with all of its journal.
 * - wake against closeWait and end: the first of them decides, and both sides are told.
 * - a crash at any moment: the entry, the state and the time at which the run is due are one transaction.
 */
export function prepareWaits(db: DatabaseSync, { open, names, journal, print }: WaitParts) {
  const find = db.prepare(
    `SELECT w.no, w.kind, w.state, w.expires_at, w.ended_at, coalesce(w.entry, j.entry) AS entry
     FROM waits w LEFT JOIN journal j ON j.no = w.entry_no WHERE w.run_seq = ? AND w.node = ?`
  )
  // One that was woken before its run came to it stays woken, and one that is opened again because nobody heard of the
  // first time stays as it is. Any other that the node had is of the past.
  const put = db.prepare(
    `INSERT INTO waits (run_seq, node, flow, kind, state, id, created_at, expires_at, question)
     VALUES (?, ?, ?, ?, 'open', ?, ?, ?, ?)
     ON CONFLICT (run_seq, node) DO UPDATE SET kind = excluded.kind, id = excluded.id,
       created_at = excluded.created_at, expires_at = excluded.expires_at, question = excluded.question,
       state = iif(${STAYS}, state, 'open'), ended_at = iif(${STAYS}, ended_at, NULL),
       answer = iif(${STAYS}, answer, NULL), entry = iif(${STAYS}, entry, NULL),
       entry_no = iif(${STAYS}, entry_no, NULL)`
  )
  const putEarly = db.prepare(
    `INSERT INTO waits (run_seq, node, flow, kind, state, ended_at, entry_no, answer)
     VALUES (?, ?, ?, 'call', 'woken', ?, ?, ?)`
  )
  const setWoken = db.prepare(
    "UPDATE waits SET state = 'woken', ended_at = ?, entry_no = ?, answer = ? WHERE no = ?"
  )
  const setOver = db.prepare("UPDATE waits SET state = 'over', ended_at = ? WHERE no = ?")
  const isOrphaned = prepareIsOrphaned(db)
  const findRow = (seq: number, node: string) => find.get(seq, node) as unknown as WaitRow | undefined

  return {
    openWait(run: RunRef, entry: string, wait: NewWait, printed: readonly NewMessage[] = []): number | null {
      if (!open.may('checkpoint', run)) return null
      open.begun(run)
      open.remembered(run)
      const { id, node, kind, createdAt, expiresAt, question } = wait
      put.run(run.seq, node, names.numberOf(run.flowId), kind, id, createdAt, expiresAt, question)
      print.addUnknown(run, printed)
      return journal.append(run, entry)
    },

    wake({ run, node, at, entry, answer, early }: Wake): WakeResult {
      // One that is orphaned is about to be cancelled: nothing would come of it.
      if (!open.has(run) || isOrphaned(run.seq)) return { won: false, because: 'ended' }
      const row = findRow(run.seq, node)
      const because = refusalOf(row, at, early === true)
      if (because !== undefined) return { won: false, because }
      const no = journal.append(run, entry)
      if (row !== undefined) setWoken.run(at, no, answer, row.no)
      else putEarly.run(run.seq, node, names.numberOf(run.flowId), at, no, answer)
      open.remembered(run)
      open.due(run.seq, at)
      return { won: true, no }
    },

    closeWait(run: RunRef, node: string, at: number): WaitStanding {
      const row = findRow(run.seq, node)
      if (row === undefined || row.state === 'over') return { state: 'over' }
      if (row.kind === 'children') return { state: row.ended_at === null ? 'open' : 'over' }
      if (row.state === 'woken') return { state: 'woken', entry: row.entry! }
      setOver.run(at, row.no)
      return { state: 'over' }
    }
  }
}

const IS_EARLY = "waits.id IS NULL AND waits.state = 'woken'"
const STAYS = `(${IS_EARLY} OR waits.id = excluded.id)`

function refusalOf(row: WaitRow | undefined, at: number, isEarly: boolean) {
  if (row === undefined) return isEarly ? undefined : 'none'
  if (row.kind === 'children') return 'none'
  if (row.state !== 'open') return row.state
  return row.expires_at !== null && at >= row.expires_at ? 'over' : undefined
}
