import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import { readProblem } from './problem.ts'

/** What was sent to start a run, as text and otherwise untouched: the payload is what was read from it. */
function runInputQuery(api: Api, run: string) {
  return queryOptions({
    queryKey: ['run-input', run],
    queryFn: async () => {
      const response = await api.getPlain(`api/v1/runs/${encodeURIComponent(run)}/input`)
      const text = await response.text()
      if (!response.ok) throw readProblem(response.status, response.statusText, undefined)
      return text
    },
    staleTime: Number.POSITIVE_INFINITY
  })
}

export function useRunInput(run: string) {
  return useQuery(runInputQuery(useApi(), run))
}
