import type { Api } from './client.ts'
import { firstAfter } from './first-after.ts'
import { REQUESTS } from './request-triggers.ts'
import type { RunSummary } from './shapes.ts'

/** A request to the test address has run the draft already. */
export interface LandedRun {
  readonly id: string
  readonly isTest: boolean
}

/** By the service's own account, so that a clock that is wrong does not matter. */
export type Mark = Pick<RunSummary, 'id' | 'created_at'>

/** The first run that a request has started after this one. */
export async function landedRun(api: Api, flow: string, after: Mark | null): Promise<LandedRun | null> {
  const runs = await runsSince(api, flow, { since: after?.created_at, limit: 500 })
  // Tests that copy another run came from nobody.
  const sent = runs.filter((run) => run.test !== true || run.replay_of === null)
  const landed = firstAfter(sent, after?.id, REQUESTS)
  return landed === undefined ? null : { id: landed.id, isTest: landed.test === true }
}

export async function runsSince(
  api: Api,
  flow: string,
  query: { readonly since?: string | undefined; readonly limit: number }
): Promise<readonly RunSummary[]> {
  return (await api.get<{ runs: RunSummary[] }>('runs', { flow_id: flow, ...query })).runs
}
