import type { Static } from 'typebox'
import type { Run as RunBody, RunSummary } from '../../../runs/present/run-shape.ts'
import type { Api, Query } from '../api.ts'
import { flowPath, ofFlow } from '../flows/flow-named.ts'
import { readPast } from '../read-values.ts'

export type Summary = Static<typeof RunSummary>
export type Run = Static<typeof RunBody>

interface Chosen {
  readonly flow: string | undefined
  readonly status: string | undefined
  readonly since: string | undefined
  readonly until: string | undefined
  readonly search: string | undefined
}

/** As many as the API gives at once. */
const PAGE = 500

/** What the options ask of the list of runs. A flow that is not there is told, where the API would answer no runs. */
export async function runQuery(api: Api, options: Chosen, now: number): Promise<Query> {
  const { flow, status, search } = options
  const since = readPast('since', options.since, now)
  const until = readPast('until', options.until, now)
  const found =
    flow === undefined ? undefined : await ofFlow(api, flow, () => api.call<{ id: string }>(flowPath(flow)))
  return { flow_id: found?.id, status, since, until, q: search }
}

/** Newest first, page by page. */
export async function* listedRuns(
  api: Api,
  query: Query,
  most = Number.POSITIVE_INFINITY
): AsyncGenerator<Summary> {
  let left = most
  let cursor: string | undefined
  while (left > 0) {
    const page = await api.call<{ runs: Summary[]; next_cursor: string | null }>('/api/v1/runs', {
      query: { ...query, cursor, limit: Math.min(PAGE, left) }
    })
    yield* page.runs
    left -= page.runs.length
    if (page.next_cursor === null) return
    cursor = page.next_cursor
  }
}

export function runPath(run: string, rest = ''): string {
  return `/api/v1/runs/${encodeURIComponent(run)}${rest}`
}
