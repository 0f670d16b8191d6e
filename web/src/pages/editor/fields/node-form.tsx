import type { Node } from '../../../editor/graph/flow.ts'
import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'
import { shownFields } from '../geometry/node-geometry.ts'
import classes from './fields.module.css'
import { NodeField } from './node-field.tsx'

interface NodeFormProps {
  readonly node: Node
  readonly component: ComponentFacts
  /** All fields with their help, as beside the canvas; else those that stand on the node. */
  readonly isFull?: boolean
}

/** The fields of a node, drawn from the catalogue. It knows no component by its name. */
export function NodeForm({ node, component, isFull = false }: NodeFormProps) {
  const fields = isFull
    ? Object.entries(component.fields)
    : shownFields(component.fields, node.shown_fields ?? [])
  if (fields.length === 0) return null
  return (
    <div className={classes.form} data-full={isFull || undefined}>
      {fields.map(([name, field]) => (
        <NodeField key={name} node={node} name={name} field={field} withHelp={isFull} />
      ))}
    </div>
  )
}
