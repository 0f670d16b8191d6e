import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Approval, ApprovalStatus } from '../../../src/runs/present/approval.ts'
import { useApi } from './api-context.ts'
import { useAskAgain } from './asking-again.ts'
import type { Api } from './client.ts'
import { useLiveEvents } from './live.ts'
import type { LiveEvent } from './live-event.ts'
import { useMay } from './session.ts'

export type { Approval } from '../../../src/runs/present/approval.ts'

/** More than anybody answers at one sitting. */
export const MOST_APPROVALS = 100

/** Newest first. */
function approvalsQuery(api: Api, status: ApprovalStatus) {
  return queryOptions({
    queryKey: ['approvals', status],
    queryFn: async ({ signal }): Promise<readonly Approval[]> => {
      const query = { status, limit: MOST_APPROVALS }
      return (await api.get<{ approvals: Approval[] }>('approvals', query, { signal })).approvals
    }
  })
}

export function useApprovals(status: ApprovalStatus) {
  return useQuery(approvalsQuery(useApi(), status))
}

/** Questions that nobody has answered, kept true by what happens. */
export function useOpenApprovals(): readonly Approval[] {
  const askAgain = useAskAgain()
  const mayRead = useMay('read')
  const { data = NONE } = useQuery({
    ...approvalsQuery(useApi(), 'open'),
    enabled: mayRead,
    // One whose time is over is told by nobody before its run has gone on.
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? 60_000 : false)
  })
  useLiveEvents((events) => {
    const asking = new Set(data.map(({ run_id }) => run_id))
    if (events.some((event) => isAboutApproval(event, asking))) askAgain({ queryKey: ['approvals'] })
  })
  return data
}

const NONE: readonly Approval[] = []

/** A new question; or something happens in a run that asked one. */
function isAboutApproval({ name, data }: LiveEvent, asking: ReadonlySet<string>): boolean {
  if (name === 'step.waiting') return data.for === 'answer'
  return (name === 'step.settled' || name === 'run.ended') && asking.has(data.run_id ?? '')
}

/** Once: what comes later is refused, and told who was first. */
export function answerApproval(api: Api, id: string, answer: { choice: string; comment?: string }) {
  return api.post<Approval>(`approvals/${encodeURIComponent(id)}`, { body: answer })
}
