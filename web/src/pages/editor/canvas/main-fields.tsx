import { useFocusWithin } from '@mantine/hooks'
import { type ReactNode, useId } from 'react'
import type { Field } from '../../../../../src/flows/component/component.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { useEditor, useFieldFaults } from '../editor-context.ts'
import { FieldControl } from '../fields/field-control.tsx'
import { fieldValue } from '../fields/field-value.ts'
import { useWiresThatFollow } from '../fields/use-wires-that-follow.ts'
import { useWriting } from '../fields/use-writing.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { useContextScope } from '../node-parts/use-context-scope.ts'
import { placeOfField } from '../registry/node-parts.ts'
import classes from './main-fields.module.css'

interface MainFieldsProps {
  readonly drawn: DrawnNode
  /** The line has news, which matter more to whoever does not write here. */
  readonly hasNews: boolean
  /** The line, which stands there otherwise. */
  readonly children: ReactNode
}

/** The fields that matter most, in the line of the node that says what it is about. It stays as large as it was. */
export function MainFields({ drawn, hasNews, children }: MainFieldsProps) {
  const { node, component } = drawn
  const { ref, focused: isWrittenIn } = useFocusWithin<HTMLDivElement>()
  const follow = useWiresThatFollow(drawn)
  const scope = useContextScope()
  const fields = (component?.main_fields ?? []).flatMap((name): [string, Field][] => {
    const field = component?.fields[name]
    const isMeant = field !== undefined && placeOfField(node, name, field, scope) === 'settings'
    return isMeant ? [[name, field]] : []
  })
  if (fields.length === 0 || (hasNews && !isWrittenIn)) return children
  return (
    <div className={classes.line} ref={ref}>
      <div className={`${classes.fields} nodrag nopan`} {...follow}>
        {fields.map(([name, field]) => (
          <MainField key={name} node={node} name={name} field={field} />
        ))}
      </div>
    </div>
  )
}

interface MainFieldProps {
  readonly node: Node
  readonly name: string
  readonly field: Field
}

/** The plain control: previews, completion and all that is wrong with it are in the inspector. */
function MainField({ node, name, field }: MainFieldProps) {
  const editor = useEditor()
  const faults = useFieldFaults(node.id, name)
  const { onWrite, around } = useWriting(node.id, field.kind)
  const labelId = useId()
  return (
    <div className={classes.field} data-main-field={name} title={faults[0]?.message} {...around}>
      <span id={labelId} className="visually-hidden">
        {field.title} on the node
      </span>
      <FieldControl
        node={node}
        name={name}
        // An example would be taken for what is set: on the node nothing tells the two apart.
        field={{ ...field, placeholder: field.title }}
        value={fieldValue(node, name, field)}
        onChange={(value) => {
          onWrite()
          editor.setField(node.id, name, value)
        }}
        isReadOnly={false}
        faults={faults}
        labelId={labelId}
        describedBy=""
        faultList={null}
      />
    </div>
  )
}
