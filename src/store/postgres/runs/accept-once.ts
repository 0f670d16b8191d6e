import {
  type Delivery,
  findRepetition,
  KNOWN_FOR_MS,
  type KnownDelivery,
  type Repetition
} from '../../deliveries.ts'
import type { Acceptance, NewRun } from '../../store.ts'
import { bigintArray, textArray } from '../database/binary-arrays.ts'
import type { Database, Query } from '../database/database.ts'
import { acceptPausedRuns, acceptRuns } from './accept-runs.ts'
import { keepFilesOf } from './file-rows.ts'

/** A run that is accepted unless its delivery is known. */
export interface Arrival {
  readonly run: NewRun
  readonly deliveries: readonly Delivery[]
}

/** Those that are to be held while their flow is paused are a batch of their own. */
export function kindOfArrival({ run }: Arrival): string | undefined {
  return run.whilePaused
}

const knownText = `
  SELECT key, run_id AS "runId", body, accepted_at AS "acceptedAt" FROM millrace.deliveries
  WHERE key = ANY ($1::text[])`

/**
 * The index decides between processes: this waits for one that is about to commit the same key, and then leaves that
 * row alone. In the order of the keys, so that no two wait for each other.
 */
const keepText = `
  INSERT INTO millrace.deliveries AS known (key, run_id, body, accepted_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS given (key, run_id, body, accepted_at)
  ORDER BY key
  ON CONFLICT (key) DO UPDATE
    SET run_id = excluded.run_id, body = excluded.body, accepted_at = excluded.accepted_at
    WHERE known.accepted_at <= excluded.accepted_at - ${KNOWN_FOR_MS}
  RETURNING key`

const ATTEMPTS = 10

/** Deliveries and runs in one transaction: whoever is told of a run finds it, and what is refused leaves nothing. */
export async function acceptOnce(
  db: Pick<Database, 'writeTransaction'>,
  arrivals: readonly Arrival[]
): Promise<Acceptance[]> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const accepted = await db.writeTransaction((query) => attemptAll(query, arrivals)).catch(unlessTaken)
    if (accepted !== undefined) return accepted
  }
  throw new Error(`another process took the same deliveries ${ATTEMPTS} times in a row`)
}

/** Another process has committed one of these deliveries since they were looked for: now it will be found. */
class DeliveryTaken extends Error {}

function unlessTaken(error: unknown): undefined {
  if (!(error instanceof DeliveryTaken)) throw error
}

async function attemptAll(query: Query, arrivals: readonly Arrival[]): Promise<Acceptance[]> {
  const repetitions = judge(arrivals, await readKnown(query, arrivals))
  const fresh = arrivals.filter((_, index) => repetitions[index] === undefined)
  if (fresh.length > 0) await keep(query, fresh)
  const runs =
    fresh.length === 0
      ? []
      : await (isPausedBatch(fresh) ? acceptPausedRuns : acceptRuns)(
          { write: query },
          fresh.map(({ run }) => run)
        )
  await keepFilesOf(
    query,
    fresh.map(({ run }) => run),
    runs
  )
  const accepted = runs.values()
  return repetitions.map((repetition) => repetition ?? { verdict: 'accepted', run: accepted.next().value! })
}

/** A batch has only arrivals of one kind; see kindOfArrival. */
function isPausedBatch([first]: readonly Arrival[]): boolean {
  return first?.run.whilePaused === 'hold'
}

async function readKnown(query: Query, arrivals: readonly Arrival[]): Promise<Map<string, KnownDelivery>> {
  const keys = arrivals.flatMap(({ deliveries }) => deliveries.map(({ key }) => key))
  const rows = await query<KnownDelivery & { readonly key: string }>(
    { name: 'known-deliveries', text: knownText },
    [textArray(keys)]
  )
  return new Map(rows.map((row) => [row.key, row]))
}

/** In the order in which they arrived: one may repeat another one of the same batch. */
function judge(arrivals: readonly Arrival[], known: Map<string, KnownDelivery>): (Repetition | undefined)[] {
  return arrivals.map(({ run, deliveries }) => {
    const repetition = findRepetition(deliveries, run.createdAt, (key) => known.get(key))
    if (repetition !== undefined) return repetition
    for (const { key, body } of deliveries) {
      known.set(key, { runId: run.id, body, acceptedAt: run.createdAt })
    }
    return undefined
  })
}

async function keep(query: Query, arrivals: readonly Arrival[]): Promise<void> {
  const rows = arrivals.flatMap(({ run, deliveries }) => deliveries.map((delivery) => ({ run, ...delivery })))
  const kept = await query({ name: 'keep-deliveries', text: keepText }, [
    textArray(rows.map(({ key }) => key)),
    textArray(rows.map(({ run }) => run.id)),
    textArray(rows.map(({ body }) => body)),
    bigintArray(rows.map(({ run }) => run.createdAt))
  ])
  if (kept.length < rows.length) throw new DeliveryTaken()
}

const forgetText = `
  DELETE FROM millrace.deliveries WHERE key IN (
    SELECT key FROM millrace.deliveries WHERE accepted_at < $1 ORDER BY accepted_at LIMIT $2)
  RETURNING 1`

export async function forgetDeliveries(query: Query, acceptedBefore: number, slice: number): Promise<number> {
  return (await query({ name: 'forget-deliveries', text: forgetText }, [acceptedBefore, slice])).length
}
