import type { Field } from '../../../../../src/flows/component/component.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import classes from './fields.module.css'
import { NodeField } from './node-field.tsx'

interface NodeFormProps {
  readonly node: Node
  readonly fields: readonly (readonly [string, Field])[]
}

/** Fields of a node, drawn from the catalogue. It knows no component by its name. */
export function NodeForm({ node, fields }: NodeFormProps) {
  if (fields.length === 0) return null
  return (
    <div className={classes.form}>
      {fields.map(([name, field]) => (
        <NodeField key={name} node={node} name={name} field={field} />
      ))}
    </div>
  )
}
