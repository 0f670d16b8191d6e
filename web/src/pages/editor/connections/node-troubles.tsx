import { connectionTroubles, describeStanding } from '../../../editor/connections/connection-standing.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { useDrawnFlow, useEditorState } from '../editor-context.ts'
import classes from './connection-field.module.css'
import { useAround } from './use-around.ts'

/** What is wrong with the connections of a node whose fields are not shown. */
export function NodeTroubles({ node }: { readonly node: Node }) {
  const context = useDrawnFlow((flow) => flow.context)
  const catalogue = useEditorState((state) => state.catalogue)
  const around = useAround()
  const troubles = around === undefined ? [] : connectionTroubles({ nodes: [node] }, catalogue, around)
  return troubles.map((trouble) => (
    <p key={trouble.field} className={`${classes.note} ${classes.trouble} ${classes.alone}`}>
      {describeStanding(trouble, context)}
    </p>
  ))
}
