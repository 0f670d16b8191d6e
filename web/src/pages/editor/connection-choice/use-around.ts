import { useMemo } from 'react'
import { type SeenConnection, useVisibleConnections } from '../../../api/connections.ts'
import type { Around } from '../../../editor/connection-lookup/connection-standing.ts'
import { useDrawnFlow } from '../editor-context.ts'
import { useContextScope } from '../node-parts/use-context-scope.ts'

/** What the context of the open flow gives to nodes that name connections; undefined until it is known. */
export function useAround(): Around<SeenConnection> | undefined {
  const context = useDrawnFlow((flow) => flow.context)
  const { data: seen } = useVisibleConnections(context)
  const { variables } = useContextScope()
  return useMemo(() => (seen === undefined ? undefined : { seen, variables }), [seen, variables])
}
