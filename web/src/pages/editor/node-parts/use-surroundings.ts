import { useMemo } from 'react'
import { useContexts } from '../../../api/contexts.ts'
import { useDrawnFlow } from '../editor-context.ts'
import { NO_SURROUNDINGS, type Surroundings, surroundingsOf } from './surroundings.ts'

/** Of the open flow; the same object while nothing changed. Until the contexts are read there are none. */
export function useSurroundings(): Surroundings {
  const path = useDrawnFlow((flow) => flow.context)
  const { data } = useContexts({ staleTime: 30_000 })
  return useMemo(() => (data === undefined ? NO_SURROUNDINGS : surroundingsOf(data, path)), [data, path])
}
