import { keepFiles } from '../../library/file-store.ts'
import type { AcceptedRun, NewRun } from '../../store.ts'
import type { Database, Query } from '../database/database.ts'
import { postgresDialect, runSteps } from '../library/postgres-library.ts'
import { acceptPausedRuns, acceptRuns } from './accept-runs.ts'

export function namesFiles({ files, uses }: NewRun): boolean {
  return files !== undefined || uses !== undefined
}

/** Rows of what these runs name, in the transaction that has written the runs, which have these numbers. */
export async function keepFilesOf(
  query: Query,
  runs: readonly NewRun[],
  seqs: readonly { readonly seq: number }[]
): Promise<void> {
  const naming = runs.flatMap((run, place) => {
    if (!namesFiles(run)) return []
    const { flowId, files = [], uses = [], createdAt: at } = run
    return [{ run: { seq: seqs[place]!.seq, flowId }, files, uses, at }]
  })
  if (naming.length > 0) await runSteps(query, keepFiles(postgresDialect, naming))
}

/** Runs with what they name: all of it or nothing. To be held while their flow is paused are all of them, or none. */
export function acceptWithFiles(
  db: Pick<Database, 'writeTransaction'>,
  runs: readonly NewRun[]
): Promise<AcceptedRun[]> {
  return db.writeTransaction(async (query) => {
    const accept = runs[0]?.whilePaused === 'hold' ? acceptPausedRuns : acceptRuns
    const accepted = await accept({ write: query }, runs)
    await keepFilesOf(query, runs, accepted)
    return accepted
  })
}
