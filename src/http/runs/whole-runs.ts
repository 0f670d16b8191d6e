import type { FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { Pacer } from '../../flows/in-turns.ts'
import type { Runs } from '../../runs/runs.ts'
import type { StoredRun } from '../../store/store.ts'
import { type WaitDetailsDeps, waitDetails } from '../waiting/wait-details.ts'

interface WholeRunDeps extends WaitDetailsDeps {
  readonly runs: Runs
}

/** So many in one answer: each may have large outputs. */
export const MOST_WHOLE_RUNS = 20

/** In bytes of what is stored of them. The run that reaches it is the last of its answer. */
const MOST_BYTES = 4 * 1024 * 1024

/** A run with its input, its steps and what it waits for. */
export async function wholeRun(
  request: FastifyRequest,
  run: StoredRun,
  deps: WholeRunDeps,
  pace?: Pacer
): Promise<object> {
  const presented = await deps.runs.present(run, pace)
  const waiting = await waitDetails(request, run, presented.waiting ?? [], deps)
  return { ...presented, waiting }
}

interface Page {
  readonly runs: readonly { readonly id: string }[]
  readonly next_cursor: string | null
}

/** A page of those that were listed, or the first part of it where they are large. One that was deleted meanwhile is left out. */
export async function wholeRuns(request: FastifyRequest, page: Page, deps: WholeRunDeps): Promise<object> {
  const whole: object[] = []
  const pace = deps.runs.answerPace()
  let bytes = 0
  for (const [at, { id }] of page.runs.entries()) {
    const run = await deps.runs.get(id).catch(whereGone)
    if (run === undefined) continue
    whole.push(await wholeRun(request, run, deps, pace))
    bytes += storedBytes(run)
    const isFull = bytes >= MOST_BYTES && at < page.runs.length - 1
    if (isFull) return { ...page, runs: whole, next_cursor: String(run.seq) }
  }
  return { ...page, runs: whole }
}

function storedBytes({ input, journal, outcome }: StoredRun): number {
  return journal.reduce((sum, entry) => sum + entry.length, input.length + (outcome?.steps.length ?? 0))
}

function whereGone(error: unknown): undefined {
  if (error instanceof MillraceError && error.code === 'run_not_found') return undefined
  throw error
}
