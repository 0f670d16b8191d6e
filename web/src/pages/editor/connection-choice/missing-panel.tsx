import { missingConnections } from '../../../connection-forms/missing-connections.ts'
import { MissingList } from '../../../connection-forms/missing-list.tsx'
import { findNode } from '../../../editor/graph/flow.ts'
import { useDrawnFlow, useEditor } from '../editor-context.ts'
import { useMakeConnection } from './make-connection.tsx'
import classes from './missing.module.css'
import { troublesOf } from './troubles-of.ts'
import { useConnectionTroubles } from './use-troubles.ts'

/** What the flow misses, with the nodes that name it. */
export function MissingPanel() {
  const context = useDrawnFlow((flow) => flow.context)
  const missing = missingConnections(troublesOf(useConnectionTroubles()))
  const make = useMakeConnection()
  return (
    <div className={classes.panel}>
      <p className={classes.lead}>
        {missing.length === 0
          ? 'All connections that the nodes use exist.'
          : `Nodes use connections that do not exist in ${context}. The flow is saved anyway; steps that need them fail until they are created.`}
      </p>
      <MissingList
        missing={missing}
        context={context}
        onMake={({ name, kinds }) => make({ name, context, kinds })}
        showNode={(node) => <NodeLink node={node} />}
      />
    </div>
  )
}

function NodeLink({ node }: { readonly node: string }) {
  const editor = useEditor()
  const title = useDrawnFlow((flow) => {
    const found = findNode(flow, node)
    return found === undefined ? node : editor.state().catalogue.titleOf(found)
  })
  return (
    <button type="button" className={classes.node} onClick={() => editor.goTo(node)}>
      {title}
    </button>
  )
}
