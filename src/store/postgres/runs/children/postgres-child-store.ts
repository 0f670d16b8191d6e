import type { ChildStore, NewChild } from '../../../children.ts'
import type { Database } from '../../database/database.ts'
import { isNews, type News } from '../../database/news.ts'
import type { JobQueues } from '../../queue/job-queues.ts'
import { dropChildren, recordChildren, reopenChildren, startChildren, startDetached } from './children.ts'
import { isOrphaned, orphanedBelow } from './orphaned.ts'
import {
  countChildren,
  lastChild,
  openBelow,
  openChildVersions,
  openOf,
  readChildren,
  usageBelow
} from './read-children.ts'

interface ChildStoreParts {
  readonly db: Database
  readonly queues: JobQueues
  /** Told after it is durable. */
  readonly onNews: (news: News) => void
}

export function createChildStore({ db, queues, onNews }: ChildStoreParts): ChildStore {
  const { query } = db
  const flowsOf = (children: readonly NewChild[]) => children.map(({ flowId }) => flowId)
  const withQueues = <T>(flowIds: Iterable<string>, work: () => Promise<T>) =>
    db.told(() => queues.with(flowIds, work))
  const tell = (news: News) => {
    if (isNews(news)) onNews(news)
  }
  return {
    startChildren: (parent, node, children, rules) =>
      withQueues(flowsOf(children), () => startChildren(db, parent, node, children, rules)),
    recordChildren: (parent, node, children) => recordChildren(db, parent, node, children),
    startDetached: (parent, child) => withQueues([child.flowId], () => startDetached(db, parent, child)),
    async reopenChildren(parent, node, children, rules) {
      const flowIds = [...new Set(children.map(({ run }) => run.flowId))]
      const { numbers, news } = await withQueues(flowIds, () =>
        reopenChildren(db, parent, node, children, rules)
      )
      tell(news)
      return numbers
    },
    async dropChildren(parent, node) {
      tell(await dropChildren(db, parent, node))
    },
    isOrphaned: (seq) => isOrphaned(query, seq),
    children: (parentSeq, node, fromIndex, limit) => readChildren(query, parentSeq, node, fromIndex, limit),
    lastChild: (parentSeq, node) => lastChild(query, parentSeq, node),
    countChildren: (parentSeq, node) => countChildren(query, parentSeq, node),
    usageBelow: (seq) => usageBelow(query, seq),
    orphanedBelow: (seq, limit) => orphanedBelow(query, seq, limit),
    openBelow: (seq, limit) => openBelow(query, seq, limit),
    openOf: (flowId, limit) => openOf(query, flowId, limit),
    openChildVersions: () => openChildVersions(query)
  }
}
