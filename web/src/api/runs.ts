import { queryOptions, useQuery } from '@tanstack/react-query'
import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { Run, RunStatus, RunSummary } from './shapes.ts'

export function runQuery(api: Api, run: string) {
  return queryOptions({
    queryKey: ['run', run],
    queryFn: ({ signal }) => readRun(api, run, signal)
  })
}

export function readRun(api: Api, run: string, signal?: AbortSignal): Promise<Run> {
  return api.get(`runs/${encodeURIComponent(run)}`, {}, signal === undefined ? {} : { signal })
}

export function useRun(run: string) {
  return useQuery(runQuery(useApi(), run))
}

/** Which runs a list holds. Times are ISO 8601. */
export interface RunQuestion {
  readonly flow_id?: string | undefined
  readonly status?: RunStatus | undefined
  readonly q?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Tests of drafts alone, or none of them. */
  readonly test?: boolean | undefined
  /** Only what this run started; without it, only runs that none started. */
  readonly parent?: string | undefined
  /** Of those, what this node started; and of its items, those of some places. */
  readonly node?: string | undefined
  readonly from_index?: number | undefined
  readonly below_index?: number | undefined
  /** Also how many that node has started in all. */
  readonly counts?: boolean | undefined
}

export interface RunPage {
  readonly runs: readonly RunSummary[]
  readonly next_cursor: string | null
  /** By how they ended; where they were asked for. */
  readonly counts?: ItemCounts
}

export interface ItemCounts {
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  readonly open: number
}

interface PageRequest {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly signal?: AbortSignal
}

/** Newest first. */
export function readRunPage(
  api: Api,
  question: RunQuestion,
  { cursor, limit, signal }: PageRequest
): Promise<RunPage> {
  return api.get('runs', { ...question, limit, cursor }, signal === undefined ? {} : { signal })
}

/** How a start is answered: a new run, or one that goes on. */
interface Started {
  readonly run_id: string
  readonly status: string
}

export function cancelRun(api: Api, run: string): Promise<Run> {
  return api.post(`runs/${run}/cancel`)
}

/** Ends a wait of one of its nodes now. */
export function wakeRun(api: Api, run: string, node: string): Promise<Run> {
  return api.post(`runs/${run}/wake`, { body: { node } })
}

/** Goes on from the step that failed, on the version that the run began with. */
export function retryRun(api: Api, run: string): Promise<Started> {
  return api.post(`runs/${run}/retry`)
}

/** A new run on the live version, of the same input or of an edited one. */
export function replayRun(api: Api, run: string, input?: JsonValue): Promise<Started> {
  return api.post(`runs/${run}/replay`, input === undefined ? {} : { body: { input } })
}
