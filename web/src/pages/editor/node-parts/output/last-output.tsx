import { useNodeOutput } from '../../../../api/node-output.ts'
import type { NodeOutput } from '../../../../api/read-node-output.ts'
import { EmptyState } from '../../../../design/empty-state.tsx'
import { ErrorState } from '../../../../design/error-state.tsx'
import { IconInbox } from '../../../../design/icons/editor-icons.ts'
import { LoadingState } from '../../../../design/loading-state.tsx'
import { useEditor } from '../../editor-context.ts'

interface LastOutputProps {
  readonly node: string
  /** What is shown before there is any. */
  readonly empty: { readonly title: string; readonly hint: string }
  readonly children: (output: NodeOutput) => React.ReactNode
}

/** What a node put out most recently, in whichever run that was; it follows the flow while it is open. */
export function LastOutput({ node, empty, children }: LastOutputProps) {
  const { flowId } = useEditor()
  const { data, error, isPending, refetch } = useNodeOutput(flowId, node)
  if (isPending) return <LoadingState rows={4} />
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data !== null) return children(data)
  return (
    <EmptyState icon={IconInbox} title={empty.title}>
      {empty.hint}
    </EmptyState>
  )
}
