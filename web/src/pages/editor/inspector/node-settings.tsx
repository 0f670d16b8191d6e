import type { Field } from '../../../../../src/flows/component/component.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { isSet } from '../fields/field-value.ts'
import { NodeForm } from '../fields/node-form.tsx'
import { useWiresThatFollow } from '../fields/use-wires-that-follow.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import type { FieldPlace } from '../node-part.ts'
import { useContextScope } from '../node-parts/use-context-scope.ts'
import { nodePartsFor, placeOfField } from '../registry/node-parts.ts'
import { Fold } from './fold.tsx'
import classes from './inspector.module.css'

/** The fields of a node, or what its component has in their place; the rare ones are folded. */
export function NodeSettings({ drawn }: { readonly drawn: DrawnNode }) {
  const { node, component } = drawn
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const follow = useWiresThatFollow(drawn)
  const scope = useContextScope()
  if (component === undefined) return null
  const { Body } = nodePartsFor(node.type)
  const at = (place: FieldPlace) =>
    Object.entries(component.fields).filter(
      ([name, field]) => placeOfField(node, name, field, scope) === place
    )
  const fields = at('settings')
  return (
    <div className={classes.settings} {...follow}>
      {Body === undefined ? (
        <NodeForm node={node} fields={fields} />
      ) : (
        <Body
          node={node}
          component={component}
          fields={fields}
          isReadOnly={isReadOnly}
          setField={(field, value) => editor.setField(node.id, field, value)}
        />
      )}
      <Controls node={node} fields={at('controls')} />
    </div>
  )
}

interface ControlsProps {
  readonly node: Node
  readonly fields: readonly (readonly [string, Field])[]
}

/** Open from the start where somebody has set one of them: what is not as usual must not be hidden. */
function Controls({ node, fields }: ControlsProps) {
  if (fields.length === 0) return null
  return (
    <Fold title="More controls" isOpen={fields.some(([name]) => isSet(node, name))}>
      <NodeForm node={node} fields={fields} />
    </Fold>
  )
}
