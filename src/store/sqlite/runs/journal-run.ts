import type { DatabaseSync } from 'node:sqlite'
import type { NewMessage } from '../../message-store.ts'
import type { ReopenConditions } from '../../run.ts'
import type { RunRef } from '../../store.ts'
import { NEVER } from '../../waits.ts'
import type { InternedNames } from '../file/interned-names.ts'
import type { StoredCounter } from '../file/stored-counter.ts'
import type { ChildRows } from './children/child-rows.ts'
import { prepareIsOrphaned } from './children/orphaned.ts'
import type { OpenRuns } from './open-runs.ts'
import type { Print } from './print-messages.ts'
import type { WaitRows } from './waits/wait-rows.ts'

interface JournalParts {
  readonly numbers: StoredCounter
  /** Of runs that no other one started. */
  readonly ended: StoredCounter
  readonly open: OpenRuns
  readonly names: InternedNames
  readonly waitRows: WaitRows
  readonly childRows: Pick<ChildRows, 'familyOfRetried'>
  readonly print: Pick<Print, 'addUnknown'>
}

/**
 * The transitions of a run that write its journal. The journal stays after the end, until the run is deleted.
 */
export function prepareJournal(db: DatabaseSync, parts: JournalParts) {
  const { numbers, ended, open, names, waitRows, childRows, print } = parts
  const insert = db.prepare('INSERT INTO journal (no, run_seq, flow, entry) VALUES (?, ?, ?, ?)')
  const forget = db.prepare(
    'DELETE FROM journal WHERE run_seq = ? AND entry IN (SELECT value FROM json_each(?))'
  )
  const takeBackOutcome = db.prepare(
    `DELETE FROM outcomes WHERE seq = ? AND flow = ? AND (status <> 'succeeded' OR ?) AND no = coalesce(?, no)
     RETURNING is_child`
  )
  const hasVersion = db.prepare('SELECT 1 FROM flow_versions WHERE flow_id = ? AND version = ?')
  const isOrphaned = prepareIsOrphaned(db)
  const clear = [
    db.prepare('DELETE FROM journal WHERE run_seq = ?'),
    db.prepare('DELETE FROM hung_steps WHERE run_seq = ?')
  ]

  function append(run: RunRef, entry: string): number {
    const no = numbers.add(1)
    insert.run(no, run.seq, names.numberOf(run.flowId), entry)
    return no
  }

  /** Its outcome goes, and its journal begins anew. False where it has none that may go. */
  function takeBack({ seq, flowId }: RunRef, only?: Partial<ReopenConditions>): boolean {
    if (only?.version !== undefined && hasVersion.get(flowId, only.version) === undefined) return false
    const outcome = takeBackOutcome.get(
      seq,
      names.numberOf(flowId),
      Number(only?.mayHaveSucceeded === true),
      only?.endNo ?? null
    ) as { is_child: 1 | null } | undefined
    if (outcome === undefined) return false
    if (outcome.is_child === null) ended.add(-1)
    waitRows.runReopened(seq, only?.calledAnew)
    for (const deletion of clear) deletion.run(seq)
    return true
  }

  return {
    takeBack,

    checkpoint(run: RunRef, entry: string, printed: readonly NewMessage[] = NOTHING): number | null {
      if (!open.may('checkpoint', run)) return null
      open.begun(run)
      // Only of a run with a row is asked at its end what it has printed before.
      if (printed.length > 0) open.remembered(run)
      print.addUnknown(run, printed)
      return append(run, entry)
    },

    /**
     * A wait that has come to its end since the run last looked makes it due at once: nobody would wake it again. So does the
     * end of a parent, which has made those due that were parked by then.
     */
    park(
      run: RunRef,
      entry: string,
      dueAt: number | null,
      awaits: readonly string[] = NOTHING,
      printed: readonly NewMessage[] = NOTHING
    ): number | null {
      if (!open.may('park', run)) return null
      const endedAt = awaits.length === 0 ? null : waitRows.firstEnd(run.seq, awaits)
      const isWaiting = awaits.length > 0 || waitRows.hasOpen(run.seq)
      const orphanedAt = isOrphaned(run.seq) ? AT_ONCE : NEVER
      open.parked(run, Math.min(dueAt ?? NEVER, endedAt ?? NEVER, orphanedAt), isWaiting)
      print.addUnknown(run, printed)
      return append(run, entry)
    },

    /** Messages of the earlier attempt stay: they were printed. */
    reopen(run: RunRef, entry: string, only?: ReopenConditions): number | null {
      if (!takeBack(run, only)) return null
      open.reopened(run, childRows.familyOfRetried(run.seq))
      return append(run, entry)
    },

    forget: ({ seq }: RunRef, entries: readonly string[]): void =>
      void forget.run(seq, JSON.stringify(entries)),

    /** To an open run. */
    append
  }
}

export type Journal = ReturnType<typeof prepareJournal>

const NOTHING: readonly never[] = []
/** Long ago: whoever looks finds it due. */
const AT_ONCE = 0
