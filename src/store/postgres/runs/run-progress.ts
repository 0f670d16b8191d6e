import type { RunRef } from '../../store.ts'
import { BatchWriter, type BatchWriterOptions } from '../database/batch-writer.ts'
import type { Database } from '../database/database.ts'
import { isNews, type News } from '../database/news.ts'
import type { JobQueues } from '../queue/job-queues.ts'
import { endRuns } from './end-runs.ts'
import type { End } from './end-statement.ts'
import { type Entry, journalRuns } from './journal-runs.ts'
import { type Parking, parkRuns } from './park-runs.ts'
import { type ReopenEntry, reopenRun } from './reopen-run.ts'
import { giveRunsBack } from './run-queue.ts'
import { type Opening, openWaits } from './waits/open-waits.ts'

/** What happens to a run after it was accepted. */
type Progress =
  | ({ readonly kind: 'end' | 'end-tied' } & End)
  | ({ readonly kind: 'journal' } & Entry)
  | ({ readonly kind: 'park' } & Parking)
  | ({ readonly kind: 'open-wait' } & Opening)
  | ({ readonly kind: 'reopen' } & ReopenEntry)
  | { readonly kind: 'give-back'; readonly run: RunRef }

interface ProgressParts
  extends Pick<BatchWriterOptions<Progress, number | null>, 'place' | 'onUnwritable' | 'onBatch' | 'timing'> {
  readonly db: Database
  readonly queues: JobQueues
  /** Told after it is durable. */
  readonly onNews: (news: News) => void
}

/** All of it in batches, each of one kind. */
export function progressWriter(parts: ProgressParts): BatchWriter<Progress, number | null> {
  const { place, timing, onUnwritable, onBatch } = parts
  return new BatchWriter({
    place,
    timing,
    onUnwritable,
    onBatch,
    kindOf: ({ kind }) => kind,
    keyOf: ({ run }) => run.seq,
    bytesOf,
    commit: (batch) => commit(parts, batch)
  })
}

async function commit(parts: ProgressParts, batch: readonly Progress[]): Promise<(number | null)[]> {
  const { db, queues } = parts
  const { kind } = batch[0]!
  switch (kind) {
    case 'end':
    case 'end-tied':
      return end(parts, batch as readonly End[], kind === 'end-tied')
    case 'journal':
      return journalRuns(db, batch as readonly Entry[])
    case 'park':
      return park(parts, batch as readonly Parking[])
    case 'open-wait':
      return openWaits(db, batch as readonly Opening[])
    case 'reopen': {
      const numbers: (number | null)[] = []
      for (const entry of batch as readonly ReopenEntry[]) {
        numbers.push(await queues.with([entry.run.flowId], () => reopenRun(db, entry)))
      }
      return numbers
    }
    case 'give-back':
      await giveRunsBack(
        db,
        batch.map(({ run }) => run)
      )
      return batch.map(() => null)
  }
}

function bytesOf(given: Progress): number {
  if (given.kind === 'give-back') return 0
  return 'outcome' in given ? given.outcome.steps.length : given.text.length
}

async function end(
  { db, onNews }: ProgressParts,
  ends: readonly End[],
  areTied: boolean
): Promise<(number | null)[]> {
  const { numbers, news } = await endRuns(db, ends, areTied)
  if (isNews(news)) onNews(news)
  return [...numbers]
}

async function park({ db, onNews }: ProgressParts, parkings: readonly Parking[]): Promise<(number | null)[]> {
  const parked = await parkRuns(db, parkings)
  const due = parkings.filter((_, place) => parked[place]?.isDue === true)
  if (due.length > 0) onNews({ work: due.map(({ run }) => run.flowId), cancel: [] })
  return parked.map((each) => each?.no ?? null)
}
