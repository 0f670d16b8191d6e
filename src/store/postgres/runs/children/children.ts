import type { ChildRules, ExecutedChild, NewChild, Reopening } from '../../../children.ts'
import type { AcceptedRun, RunRef } from '../../../store.ts'
import { despiteCollisions } from '../../database/collisions.ts'
import type { Database, Query } from '../../database/database.ts'
import { type News, NO_NEWS } from '../../database/news.ts'
import { storableText } from '../../database/storable-text.ts'
import { changeJobs, sqlMayWrite, sqlTie, sqlTouch } from '../../queue/job-rows.ts'
import { endRow, endText } from '../end-statement.ts'
import { acceptChildren, recordAccepted } from './accept-children.ts'
import { addSiblings, beginSiblings, giveTurns, roomFor } from './child-counts.ts'
import { releaseChildren } from './release-children.ts'
import { reopenChildRuns } from './reopen-children.ts'

type Transactions = Pick<Database, 'transaction'>

/** Nothing of it is kept: the parent has ended, or the child is not to be opened again. */
class Refused extends Error {}

/** Undefined where it was refused. Errors that come of two transactions in each other's way are not told: it is done again. */
async function inTransaction<T>(
  db: Transactions,
  body: (query: Query) => Promise<T>
): Promise<T | undefined> {
  try {
    return await despiteCollisions(() => db.transaction(body, 'writers'))
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

/**
 * A run with children ends in another way than others. The row of the wait was locked before. That of the job is from here on:
 * whoever else starts children of this run waits, and finds those that are started now.
 */
const touchText = changeJobs({
  set: `${sqlTouch}, ${sqlTie('j')}`,
  seq: '$1::bigint',
  flowId: '$2::text',
  where: sqlMayWrite('j', '$3::text'),
  returning: '1'
})

async function refuseUnlessOpen(query: Query, { seq, flowId, claim }: RunRef): Promise<void> {
  const values = [seq, flowId, claim ?? null]
  if ((await query({ name: 'touch-parent', text: touchText }, values)).length === 0) throw new Refused()
}

const knownText = `
  SELECT child_index FROM millrace.children WHERE parent_seq = $1 AND node = $2 AND child_index = ANY ($3::integer[])`

/** Of these children, the indexes that the node has already. */
async function knownIndexes(
  query: Query,
  parent: RunRef,
  node: string,
  children: readonly NewChild[]
): Promise<ReadonlySet<number>> {
  const indexes = children.map((child) => child.parent.index)
  const values = [parent.seq, node, indexes]
  const rows = await query<{ child_index: number }>({ name: 'known-indexes', text: knownText }, values)
  return new Set(rows.map(({ child_index }) => child_index))
}

export async function startChildren(
  db: Transactions,
  parent: RunRef,
  node: string,
  children: readonly NewChild[],
  rules: ChildRules
): Promise<AcceptedRun[] | null> {
  const begun = await inTransaction(db, async (query) => {
    const siblings = await beginSiblings(query, parent, storableText(node), rules, false)
    await refuseUnlessOpen(query, parent)
    const known = await knownIndexes(query, parent, siblings.node, children)
    const added = children.filter((child) => !known.has(child.parent.index))
    const room = roomFor(siblings, rules)
    const accepted = await acceptChildren(query, added, room, siblings.node)
    const inLine = added.slice(room).map((child) => child.parent.index)
    await addSiblings(query, siblings, { left: added.length, inLine })
    return accepted.slice(0, room)
  })
  return begun ?? null
}

export async function startDetached(
  db: Transactions,
  parent: RunRef,
  child: NewChild
): Promise<AcceptedRun | null> {
  const begun = await inTransaction(db, async (query) => {
    await refuseUnlessOpen(query, parent)
    const known = await knownIndexes(query, parent, storableText(child.parent.node), [child])
    if (known.size > 0) throw new Refused()
    return (await acceptChildren(query, [child], 1))[0]!
  })
  return begun ?? null
}

const recordEnds = {
  name: 'record-ends',
  text: endText({ closed: 'SELECT * FROM given', hasUsage: true, isChild: '1' })
}

export async function recordChildren(
  db: Transactions,
  parent: RunRef,
  node: string,
  children: readonly ExecutedChild[]
): Promise<boolean> {
  const recorded = await inTransaction(db, async (query) => {
    await refuseUnlessOpen(query, parent)
    const accepted = children.map(({ child }) => child)
    const known = await knownIndexes(query, parent, storableText(node), accepted)
    const added = children.filter(({ child }) => !known.has(child.parent.index))
    const seqs = await recordAccepted(
      query,
      added.map(({ child }) => child)
    )
    const rows = added.map(({ child, outcome }, place) =>
      endRow({ run: { seq: seqs[place]!, flowId: child.flowId }, outcome }, place)
    )
    if (rows.length > 0) await query(recordEnds, [JSON.stringify(rows)])
    return true
  })
  return recorded === true
}

interface Reopened {
  readonly numbers: (number | null)[]
  readonly news: News
}

/** They are in line like others, and a turn may come at once; the first of them are next. */
export async function reopenChildren(
  db: Transactions,
  parent: RunRef,
  node: string,
  children: readonly Reopening[],
  rules: ChildRules
): Promise<Reopened> {
  const reopened = await inTransaction(db, async (query) => {
    const siblings = await beginSiblings(query, parent, storableText(node), rules, true)
    await refuseUnlessOpen(query, parent)
    const numbers = await reopenChildRuns(query, children)
    const inLine = children.filter((_, place) => numbers[place] !== null).map(({ index }) => index)
    if (inLine.length === 0) throw new Refused()
    const left = inLine.length
    const added = await addSiblings(query, siblings, { left, inLine, failed: -left })
    const turns = { siblings: added, count: Math.min(added.inLine, roomFor(added, rules)), at: AT_ONCE }
    return { numbers, news: await giveTurns(query, [turns]) }
  })
  return reopened ?? { numbers: children.map(() => null), news: NO_NEWS }
}

/** Long ago: whoever looks finds it due. */
const AT_ONCE = 0

const dropText = `
  UPDATE millrace.waits SET state = 'over', ended_at = coalesce(ended_at, ${AT_ONCE}), children_in_line = 0
  WHERE run_seq = $1 AND node = $2 AND kind = 'children' AND state = 'open'
  RETURNING run_seq, node, ${AT_ONCE}::bigint AS at`

export async function dropChildren(db: Transactions, parent: RunRef, node: string): Promise<News> {
  const news = await inTransaction(db, async (query) => {
    const dropped = await query<{ run_seq: number; node: string; at: number }>(
      { name: 'drop-children', text: dropText },
      [parent.seq, storableText(node)]
    )
    if (dropped.length === 0) return NO_NEWS
    await refuseUnlessOpen(query, parent)
    return releaseChildren(query, dropped)
  })
  return news ?? NO_NEWS
}
