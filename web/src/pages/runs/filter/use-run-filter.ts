import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { RunQuestion } from '../../../api/runs.ts'
import { NO_FILTER, questionOf, type RunFilter, readFilter, writeFilter } from './run-filter.ts'

/** The filter, kept in the address: it survives a reload, the way back, and being sent to somebody. */
export function useRunFilter() {
  const [params, setParams] = useSearchParams()
  const filter = useMemo(() => readFilter(params), [params])
  // The address follows a moment later: a second change in between must not take back the first.
  const latest = useRef(filter)
  useEffect(() => {
    latest.current = filter
  }, [filter])
  const change = useCallback(
    (changes: Partial<RunFilter>) => {
      latest.current = { ...latest.current, ...changes }
      setParams(writeFilter(latest.current), { replace: true })
    },
    [setParams]
  )
  const clear = useCallback(() => change(NO_FILTER), [change])
  return { filter, change, clear }
}

/** The question for the service; it stays the same object while the filter does. */
export function useRunQuestion(filter: RunFilter, flowId: string | undefined): RunQuestion {
  return useMemo(() => {
    const question = questionOf(filter, Date.now())
    return flowId === undefined ? question : { ...question, flow_id: flowId }
  }, [filter, flowId])
}
