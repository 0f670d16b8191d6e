import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { useApi } from '../api/api-context.ts'
import { useFlows } from '../api/flows.ts'
import type { Command } from './commands.ts'
import { useAnswers } from './use-answers.ts'

/** Runs that are meant by what is typed, from the service; what asks for them is loaded when somebody types. */
export function useFoundRuns(search: string): Command[] {
  const api = useApi()
  const navigate = useNavigate()
  const { data: flows } = useFlows()
  const ask = useCallback(
    async (typed: string, signal: AbortSignal) => {
      const { findRuns } = await import('./find-runs.ts')
      return findRuns(api, typed, flows ?? [], signal)
    },
    [api, flows]
  )
  const found = useAnswers(search, ask)
  return found.map(({ id, flow_id, status, created_at }) => {
    const name = flows?.find((flow) => flow.id === flow_id)?.name ?? flow_id
    return {
      id: `run-${id}`,
      title: `${name}, ${status}, ${new Date(created_at).toLocaleString()}`,
      group: 'Runs',
      // It was found by what is typed, which need not be in its title.
      keywords: `${search} ${id}`,
      run: () => void navigate(`/runs/${id}`)
    }
  })
}
