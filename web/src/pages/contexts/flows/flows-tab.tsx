import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ContextFacts } from '../../../api/contexts.ts'
import { useFlows } from '../../../api/flows.ts'
import { useMay } from '../../../api/session.ts'
import { EmptyState } from '../../../design/empty-state.tsx'
import { IconTopologyStar3 } from '../../../design/icons/page-icons.ts'
import classes from './flows-tab.module.css'
import { type FlowInContext, MoveFlowDialog } from './move-flow-dialog.tsx'

interface FlowsTabProps {
  readonly contexts: readonly ContextFacts[]
  readonly context: ContextFacts
}

/** The flows that live in a context, and the way to another one. */
export function FlowsTab({ contexts, context }: FlowsTabProps) {
  const mayWrite = useMay('write')
  const { data: all = [] } = useFlows()
  const [moved, setMoved] = useState<FlowInContext>()
  const flows = context.flows.map(({ id, slug }) => {
    return { id, slug, name: all.find((flow) => flow.id === id)?.name ?? slug }
  })
  return (
    <>
      {flows.length === 0 ? (
        <EmptyState
          icon={IconTopologyStar3}
          title="No flows here"
          help="extending#7-contexts-made-while-the-service-runs"
        >
          A flow is put into a context when it is made, on its canvas, or from the list of another context.
        </EmptyState>
      ) : (
        <ul className={classes.list} aria-label={`Flows in ${context.path}`}>
          {flows.map((flow) => (
            <li key={flow.id} className={classes.row}>
              <span className={classes.summary}>
                <Link to={`/flows/${flow.id}`} className={classes.name}>
                  {flow.name}
                </Link>
                <code className={classes.slug}>{flow.slug}</code>
              </span>
              <Link to={`/flows/${flow.id}/playground`}>Playground</Link>
              <Link to={`/flows/${flow.id}/runs`}>Runs</Link>
              {mayWrite && (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Move ${flow.name}`}
                  onClick={() => setMoved(flow)}
                >
                  Move
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <MoveFlowDialog
        flow={moved}
        from={context.path}
        contexts={contexts}
        onClose={() => setMoved(undefined)}
      />
    </>
  )
}
