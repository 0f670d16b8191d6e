import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { FlowDocument, RunSummary } from './shapes.ts'
import { versionQuery } from './versions.ts'

type RanRun = Pick<RunSummary, 'id' | 'flow_id' | 'flow_version' | 'test'>

/** The flow as a run runs it: of a test the draft as it was, else its version, which many runs share. */
export function useRanFlow(run: RanRun): FlowDocument | undefined {
  const api = useApi()
  const version = useQuery({ ...versionQuery(api, run.flow_id, run.flow_version), enabled: !run.test })
  const draft = useQuery({ ...ranDraftQuery(api, run.id), enabled: run.test })
  return run.test ? draft.data : version.data?.document
}

function ranDraftQuery(api: Api, run: string) {
  return queryOptions({
    queryKey: ['ran-draft', run],
    queryFn: ({ signal }) => api.get<FlowDocument>(`runs/${run}/document`, {}, { signal }),
    // It never changes.
    staleTime: Number.POSITIVE_INFINITY
  })
}
