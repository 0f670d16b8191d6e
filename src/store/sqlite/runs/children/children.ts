import type { DatabaseSync } from 'node:sqlite'
import type { ChildRules, ExecutedChild, NewChild, Reopening } from '../../../children.ts'
import type { AcceptedRun, RunRef } from '../../../store.ts'
import type { Releases } from '../../file/releases.ts'
import type { OutcomeRows } from '../end-run.ts'
import type { Journal } from '../journal-run.ts'
import type { OpenRuns } from '../open-runs.ts'
import { awaitedBy, detachedFrom, type Family } from '../queue-rows.ts'
import type { ChildRows } from './child-rows.ts'
import { roomFor, type SiblingRows } from './siblings.ts'

interface ChildParts {
  readonly open: OpenRuns
  readonly journal: Journal
  readonly childRows: ChildRows
  readonly siblings: SiblingRows
  readonly releases: Releases
  readonly outcomeRows: OutcomeRows
}

/**
 * The transitions of children. Each is one write of a batch. The counts of a node's children, the turns that their ends give and
 * the moment at which their parent is due change in the transaction of the end or the start that they come from, so a crash
 * finds them together or not at all:
 *
 * - the last child ends before its parent is parked: park finds the wait finished, and the parent is due at once.
 * - a child ends between two calls that start some: the wait may be finished for a moment, and the next call opens it again.
 * - the parent ends while children are started: whichever is written first. Those that were, become due and are orphaned.
 * - a parent goes on after a retry while a former child is still being cancelled: it counts again as one that is left.
 */
export function prepareChildren(db: DatabaseSync, parts: ChildParts) {
  const { open, journal, childRows, siblings, releases, outcomeRows } = parts
  const drop = db.prepare(
    `UPDATE waits SET state = 'over', ended_at = coalesce(ended_at, 0)
     WHERE run_seq = ? AND node = ? AND kind = 'children' AND state = 'open' RETURNING no`
  )

  function accept(run: AcceptedRun, family: Family, child: NewChild, isInLine: boolean): AcceptedRun {
    const beginsPaused = child.whilePaused === 'begin'
    const state = open.childAccepted(run, family, { isInLine, beginsPaused })
    return state === 'paused' ? { ...run, isPaused: true } : run
  }

  return {
    start(
      parent: RunRef,
      node: string,
      children: readonly NewChild[],
      rules: ChildRules
    ): AcceptedRun[] | null {
      if (!open.has(parent)) return null
      open.remembered(parent)
      const begun = siblings.begin(parent, node, rules)
      const rootSeq = childRows.rootOf(parent.seq)
      const room = roomFor(begun, rules)
      const known = childRows.knownIndexes(parent, node, children)
      const added = children.filter((child) => !known.has(child.parent.index))
      const accepted = added.map((child, place) => {
        const run = childRows.add(child, rootSeq)
        const family = { ...awaitedBy(begun.no), rootSeq, depth: child.parent.depth }
        return accept(run, family, child, place >= room)
      })
      siblings.add(begun, added.length, Math.max(0, added.length - room))
      return accepted.slice(0, room)
    },

    startDetached(parent: RunRef, child: NewChild): AcceptedRun | null {
      if (!open.has(parent)) return null
      if (childRows.knownIndexes(parent, child.parent.node, [child]).size > 0) return null
      // Its end has to be told to the child where it is cancelled.
      open.remembered(parent)
      const rootSeq = childRows.rootOf(parent.seq)
      const run = childRows.add(child, rootSeq)
      const family = { ...detachedFrom(parent.seq), rootSeq, depth: child.parent.depth }
      return accept(run, family, child, false)
    },

    record(parent: RunRef, node: string, children: readonly ExecutedChild[]): boolean {
      if (!open.has(parent)) return false
      const rootSeq = childRows.rootOf(parent.seq)
      const accepted = children.map(({ child }) => child)
      const known = childRows.knownIndexes(parent, node, accepted)
      for (const { child, outcome } of children) {
        if (known.has(child.parent.index)) continue
        const run = childRows.add(child, rootSeq)
        outcomeRows.add(run, outcome, { isChild: true })
        open.passed(run.seq)
      }
      return true
    },

    /** Others may be in line too: the oldest come first. */
    reopen(
      parent: RunRef,
      node: string,
      children: readonly Reopening[],
      rules: ChildRules
    ): (number | null)[] {
      const isOpen = open.has(parent)
      const taken = children.map((child) => isOpen && journal.takeBack(child.run, child))
      const count = taken.filter(Boolean).length
      if (count === 0) return children.map(() => null)
      open.remembered(parent)
      const begun = siblings.begin(parent, node, rules, true)
      const numbers = children.map(({ run, entry }, place) => {
        if (!taken[place]) return null
        open.childReopened(run, { ...childRows.familyOf(run.seq)!, ...awaitedBy(begun.no) })
        return journal.append(run, entry)
      })
      const added = siblings.add(begun, count, count, -count)
      siblings.giveTurns(begun.no, roomFor(added, rules), AT_ONCE)
      return numbers
    },

    /** Resolves when all that are parked are due. */
    drop(parent: RunRef, node: string): Promise<void> | undefined {
      const row = drop.get(parent.seq, node) as { no: number } | undefined
      return row === undefined ? undefined : releases.begin(awaitedBy(row.no), AT_ONCE)
    }
  }
}

/** Long ago: whoever looks finds it due. */
const AT_ONCE = 0
