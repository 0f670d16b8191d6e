import { RUN_STATUSES } from '../../../src/runs/present/run-status.ts'
import type { Api } from '../api/client.ts'
import type { RunPage, RunQuestion } from '../api/runs.ts'
import type { RunSummary } from '../api/shapes.ts'

const MOST = 5

export interface NamedFlow {
  readonly id: string
  readonly name: string
}

/** What to ask the service for by the words of a search: a status, the beginning of an id, the name of a flow. */
export function runQuestions(search: string, flows: readonly NamedFlow[]): RunQuestion[] {
  const wanted = search.trim().toLowerCase()
  if (wanted.length < 3) return []
  const status = RUN_STATUSES.find((word) => word.startsWith(wanted))
  const flow = flows.find(({ name }) => name.toLowerCase().includes(wanted))
  return [
    ...(status === undefined ? [] : [{ status }]),
    ...(/^[0-9a-f][0-9a-f-]{3,}$/.test(wanted) ? [{ q: wanted }] : []),
    ...(flow === undefined ? [] : [{ flow_id: flow.id }])
  ]
}

/** The newest runs that a search means, each once. */
export async function findRuns(
  api: Api,
  search: string,
  flows: readonly NamedFlow[],
  signal: AbortSignal
): Promise<readonly RunSummary[]> {
  const pages = await Promise.all(
    runQuestions(search, flows).map((question) =>
      api.get<RunPage>('runs', { ...question, limit: MOST }, { signal })
    )
  )
  return [...new Map(pages.flatMap(({ runs }) => runs).map((run) => [run.id, run])).values()].slice(
    0,
    2 * MOST
  )
}
