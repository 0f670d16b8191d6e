import type { Api } from './client.ts'
import { RECENT_RUNS } from './recent-runs.ts'
import type { ListedFlow } from './shapes.ts'

interface FlowPage {
  readonly flows: readonly ListedFlow[]
  readonly next_cursor: string | null
}

/** Page by page: a service may have more flows than it gives at once. */
export async function readAllFlows(api: Pick<Api, 'get'>, signal: AbortSignal): Promise<ListedFlow[]> {
  const flows: ListedFlow[] = []
  let cursor: string | null = null
  do {
    const page: FlowPage = await api.get(
      'flows',
      { recent: RECENT_RUNS, drafts: true, triggers: true, cursor },
      { signal }
    )
    flows.push(...page.flows)
    cursor = page.next_cursor
  } while (cursor !== null)
  return flows
}
