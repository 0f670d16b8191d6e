import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useApi } from '../api/api-context.ts'
import { useFlows } from '../api/flows.ts'
import type { RunSummary } from '../api/shapes.ts'
import type { Command } from './commands.ts'

/** So long nothing more has to be typed until the service is asked. */
const PAUSE_MS = 200

/** Runs that are meant by what is typed, from the service; what asks for them is loaded when somebody types. */
export function useFoundRuns(search: string): Command[] {
  const api = useApi()
  const navigate = useNavigate()
  const { data: flows } = useFlows()
  const [found, setFound] = useState<readonly RunSummary[]>([])
  useEffect(() => {
    setFound([])
    if (search.trim().length < 3) return
    const asking = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const { findRuns } = await import('./find-runs.ts')
        const runs = await findRuns(api, search, flows ?? [], asking.signal)
        if (!asking.signal.aborted) setFound(runs)
      } catch {
        // The palette has its commands without them; who needs the list of runs is told there what is wrong.
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [api, flows, search])
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
