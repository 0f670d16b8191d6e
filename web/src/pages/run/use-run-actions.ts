import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { useApi } from '../../api/api-context.ts'
import { cancelRun, replayRun, retryRun } from '../../api/runs.ts'
import type { Run } from '../../api/shapes.ts'
import { notifyDone, notifyProblem } from '../../design/notify.tsx'

/** What can be done with one run. A replay leads to the new run. */
export function useRunActions(run: Run) {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const refetch = () => queries.invalidateQueries({ queryKey: ['run', run.id] })
  const cancel = useMutation({
    mutationFn: () => cancelRun(api, run.id),
    onSuccess: () => notifyDone('The run was cancelled'),
    onError: notifyProblem,
    onSettled: refetch
  })
  const retry = useMutation({
    mutationFn: () => retryRun(api, run.id),
    onSuccess: () => notifyDone('The run continues from the failed step'),
    onError: notifyProblem,
    onSettled: refetch
  })
  const replay = useMutation({
    mutationFn: (input: JsonValue | undefined) => replayRun(api, run.id, input),
    onSuccess: ({ run_id }) => {
      notifyDone('Replayed')
      void navigate(`/runs/${run_id}`)
    }
  })
  return { cancel, retry, replay }
}

export type RunActions = ReturnType<typeof useRunActions>
