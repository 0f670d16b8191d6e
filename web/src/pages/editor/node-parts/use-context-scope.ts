import { useMemo } from 'react'
import { type ContextScope, contextScopeOf, NO_CONTEXT_SCOPE } from '../../../api/context-scope.ts'
import { useContexts } from '../../../api/contexts.ts'
import { type FlowState, useFlowAs } from '../editor-context.ts'

/** Of the open flow; the same object while nothing changed. Until the contexts are read there are none. */
export function useContextScope(state: FlowState = 'drawn'): ContextScope {
  const path = useFlowAs(state, (flow) => flow.context)
  const { data } = useContexts({ staleTime: 30_000 })
  return useMemo(() => (data === undefined ? NO_CONTEXT_SCOPE : contextScopeOf(data, path)), [data, path])
}
