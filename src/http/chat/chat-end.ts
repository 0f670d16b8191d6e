import { MillraceError } from '../../errors.ts'
import type { PresentedRun } from '../../runs/present/run-shape.ts'
import type { Runs } from '../../runs/runs.ts'

/** A conversation that takes longer is looked up. */
export const LONGEST_CHAT_MS = 60 * 60_000

/** Those who wait for an answer ask again by themselves where a server fails, which would start the flow once more. */
const NOT_AGAIN = { 'x-should-retry': 'false' }

/** Throws where a run has no answer for whoever talks to it. `isSilent`: it has said nothing. */
export function assertAnswered(run: PresentedRun, { isStopping }: Runs, isSilent: boolean): void {
  const { id, status, error } = run
  const extras = { headers: NOT_AGAIN, members: { run_id: id } }
  if (status === 'succeeded') return
  if (status === 'failed') throw new MillraceError('run_failed', error?.message ?? 'The run failed.', extras)
  if (status === 'cancelled') throw new MillraceError('run_cancelled', 'The run was cancelled.', extras)
  if (status === 'in progress' && isStopping)
    throw new MillraceError('stopping', `The service stops. The run goes on: see /api/v1/runs/${id}.`, extras)
  if (!isSilent && status === 'waiting') return
  throw new MillraceError(
    'run_not_over',
    `${GOES_ON[status] ?? GOES_ON.other} See /api/v1/runs/${id}.`,
    extras
  )
}

const GOES_ON: Readonly<Record<string, string>> = {
  waiting: 'The run waits for a call or a person, and goes on by itself then.',
  queued: 'The flow is paused: the run begins when it is resumed.',
  other: 'The run takes longer than anybody is kept waiting.'
}
