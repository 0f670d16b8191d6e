import type { FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { Runs } from '../../runs/runs.ts'
import type { StoredRun } from '../../store/store.ts'
import { type WaitDetailsDeps, waitDetails } from '../waiting/wait-details.ts'

export interface WholeRunDeps extends WaitDetailsDeps {
  readonly runs: Runs
}

/** So many in one answer: each may have large outputs. */
export const MOST_WHOLE_RUNS = 20

/** A run with its input, its steps and what it waits for. */
export async function wholeRun(request: FastifyRequest, run: StoredRun, deps: WholeRunDeps): Promise<object> {
  const presented = deps.runs.present(run)
  const waiting = await waitDetails(request, run, presented.waiting ?? [], deps)
  return { ...presented, waiting }
}

/** Of those that were listed; one that was deleted meanwhile is left out. */
export async function wholeRuns(
  request: FastifyRequest,
  listed: readonly { readonly id: string }[],
  deps: WholeRunDeps
): Promise<object[]> {
  const whole: object[] = []
  for (const { id } of listed) {
    const run = await deps.runs.get(id).catch(whereGone)
    if (run !== undefined) whole.push(await wholeRun(request, run, deps))
  }
  return whole
}

function whereGone(error: unknown): undefined {
  if (error instanceof MillraceError && error.code === 'run_not_found') return undefined
  throw error
}
