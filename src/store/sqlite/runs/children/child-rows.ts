import type { DatabaseSync } from 'node:sqlite'
import type { NewChild } from '../../../children.ts'
import { valuesOfRun } from '../../../run-fields.ts'
import type { AcceptedRun, ParentRef, RunRef } from '../../../store.ts'
import type { AcceptParts } from '../accept-run.ts'
import { detachedFrom, type Family } from '../queue-rows.ts'
import { prepareIsCancelledAbove } from './orphaned.ts'

const NONE: ReadonlySet<number> = new Set()
const smaller = (one: number, other: number) => Math.min(one, other)
const larger = (one: number, other: number) => Math.max(one, other)

/** Rows of children as they are accepted. All to be called inside a batch. */
export function prepareChildRows(
  db: DatabaseSync,
  { numbers, names, blockTimes, rows, keepFiles }: AcceptParts
) {
  const root = db.prepare('SELECT root_seq FROM children WHERE seq = ?')
  const family = db.prepare(
    'SELECT parent_seq AS parentSeq, root_seq AS rootSeq, depth FROM children WHERE seq = ?'
  )

  const isCancelledAbove = prepareIsCancelledAbove(db)
  const cutOff = db.prepare('UPDATE children SET on_its_own = 1 WHERE seq = ?')

  const indexes = db.prepare(
    'SELECT child_index FROM children WHERE parent_seq = ? AND node = ? AND child_index BETWEEN ? AND ?'
  )

  return {
    /** Of these children, the indexes that the node has already. */
    knownIndexes(parent: RunRef, node: string, children: readonly NewChild[]): ReadonlySet<number> {
      // Those that another write of this batch has brought are in no table yet.
      rows.children.flush()
      const given = children.map((child) => child.parent.index)
      const [first, last] = [given.reduce(smaller, Infinity), given.reduce(larger, -1)]
      if (last === -1) return NONE
      const found = indexes.all(parent.seq, names.numberOf(node), first, last)
      return new Set((found as { child_index: number }[]).map(({ child_index }) => child_index))
    },

    /** The run that nobody started above this one. */
    rootOf: (seq: number): number => (root.get(seq) as { root_seq: number } | undefined)?.root_seq ?? seq,

    /** Of a child by itself, that its parent does not count any more. Undefined for all other runs. */
    familyOf(seq: number): Family | undefined {
      const row = family.get(seq) as { parentSeq: number; rootSeq: number; depth: number } | undefined
      if (row === undefined) return undefined
      const { parentSeq, rootSeq, depth } = row
      return { ...detachedFrom(parentSeq), rootSeq, depth }
    },

    /** It is opened again by itself: from here on, that one above it was cancelled does not concern it. What holds for its siblings does not hold for it. */
    familyOfRetried(seq: number): Family | undefined {
      const found = this.familyOf(seq)
      if (found === undefined || !isCancelledAbove(seq)) return found
      cutOff.run(seq)
      return { ...found, ...detachedFrom(seq) }
    },

    add(child: NewChild, rootSeq: number): AcceptedRun {
      const { whilePaused, files, uses, ...run } = child
      const seq = numbers.add(1)
      const values = valuesOfRun(seq, names.numberOf(child.flowId), child)
      rows.childRuns.add([...values, child.isTest === true ? 1 : null, 1])
      rows.children.add([seq, ...parentValues(child.parent), rootSeq])
      blockTimes.note(seq, child.createdAt)
      if (files !== undefined || uses !== undefined) keepFiles(seq, child)
      return { ...run, seq }
    }
  }

  function parentValues(parent: ParentRef) {
    const { seq, node, index, depth, isAwaited, runId } = parent
    const flow = names.numberOf(parent.flowId)
    return [seq, names.numberOf(node), index, depth, Number(isAwaited), flow, runId] as const
  }
}

export type ChildRows = ReturnType<typeof prepareChildRows>
