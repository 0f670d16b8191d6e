import type { DatabaseSync } from 'node:sqlite'
import type { Outcome, RunRef } from '../../../store.ts'
import type { Releases } from '../../file/releases.ts'
import { awaitedBy, detachedFrom, type EndedRow, type Siblings } from '../queue-rows.ts'
import type { WaitRows } from '../waits/wait-rows.ts'
import { prepareIsBelow } from './orphaned.ts'
import type { SiblingRows } from './siblings.ts'

interface FamilyParts {
  readonly waitRows: WaitRows
  readonly siblings: SiblingRows
  readonly releases: Releases
}

/**
 * What the end of a run means for its waits, its parent and its children. Only for runs with a row in `queue`: one that has a
 * parent, or has started children, always has one. Resolves when no child is left that somebody would have to be told of.
 */
export function prepareFamilyEnds(db: DatabaseSync, { waitRows, siblings, releases }: FamilyParts) {
  const ofRun = db.prepare("SELECT no FROM waits WHERE run_seq = ? AND kind = 'children' AND state = 'open'")
  const furtherBelow = db.prepare(
    `SELECT DISTINCT detached_from AS seq FROM queue
     WHERE root_seq = ? AND depth > ? AND detached_from IS NOT NULL`
  )
  const isBelow = prepareIsBelow(db)

  /**
   * What runs below it started without waiting for it. Where such a run has ended already, nobody else would make that due.
   * Its own children are not looked at: there may be 100,000 of them.
   */
  function detachedBelow(seq: number, { rootSeq, depth }: EndedRow): Siblings[] {
    const found = furtherBelow.all(rootSeq ?? seq, (depth ?? 0) + 1) as { seq: number }[]
    return found
      .filter((each) => rootSeq === null || isBelow(each.seq, seq))
      .map((each) => detachedFrom(each.seq))
  }

  return ({ seq }: RunRef, row: EndedRow, outcome: Outcome): Promise<unknown> | undefined => {
    const { status, finishedAt } = outcome
    const awaited = (ofRun.all(seq) as { no: number }[]).map(({ no }) => awaitedBy(no))
    waitRows.runEnded(seq, finishedAt)
    // Those that it did not wait for go on without it, unless it was cancelled.
    const released =
      status === 'cancelled' ? [...awaited, detachedFrom(seq), ...detachedBelow(seq, row)] : awaited
    const left = released.map((each) => releases.begin(each, finishedAt)).filter((each) => each !== undefined)
    if (row.awaitedBy !== null) siblings.childEnded(row.awaitedBy, row.state, status, finishedAt)
    return left.length === 0 ? undefined : Promise.all(left)
  }
}

export type FamilyEnds = ReturnType<typeof prepareFamilyEnds>
