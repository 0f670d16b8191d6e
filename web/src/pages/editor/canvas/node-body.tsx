import { useRef } from 'react'
import { indexWires } from '../../../editor/graph/wire-index.ts'
import { drawnInputs } from '../../../editor/wiring/drawn-ports.ts'
import { rewireInputs } from '../../../editor/wiring/rewire-inputs.ts'
import { type NodeRun, useEditor, useEditorState } from '../editor-context.ts'
import { NodeForm } from '../fields/node-form.tsx'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { shownFields } from '../geometry/node-geometry.ts'
import { nodePartsFor } from '../registry/node-parts.ts'
import classes from './node.module.css'

interface NodeBodyProps {
  readonly drawn: DrawnNode
  readonly run: NodeRun | undefined
}

/** What stands under the ports of a node: its fields, or what its component has in their place. */
export function NodeBody({ drawn, run }: NodeBodyProps) {
  const { node, component } = drawn
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const follow = useWiresThatFollow(drawn)
  if (component === undefined) return null
  const { Body } = nodePartsFor(node.type)
  if (Body === undefined && shownFields(component.fields, node.shown_fields ?? []).length === 0) return null
  return (
    <div className={`${classes.body} nokey`} {...follow}>
      {Body === undefined ? (
        <NodeForm node={node} component={component} />
      ) : (
        <Body
          node={node}
          component={component}
          isReadOnly={isReadOnly}
          setField={(field, value) => editor.setField(node.id, field, value)}
          resetField={(field) => editor.resetField(node.id, field)}
          lastRun={run}
        />
      )}
    </div>
  )
}

/**
 * The inputs of some components come from a template. While it is typed, wires stay on the inputs that they had; when
 * it is left, they follow to the new ones.
 */
export function useWiresThatFollow({ node, component }: DrawnNode) {
  const editor = useEditor()
  const before = useRef<readonly string[] | undefined>(undefined)
  if (component === undefined || !component.has_dynamic_inputs) return {}
  return {
    onFocus: () => {
      const { flow, catalogue } = editor.state()
      before.current ??= drawnInputs(indexWires(flow), catalogue, node).map(({ name }) => name)
    },
    onBlur: (event: React.FocusEvent) => {
      if (event.currentTarget.contains(event.relatedTarget) || before.current === undefined) return
      const { flow, catalogue } = editor.state()
      const command = rewireInputs(flow, catalogue, { node: node.id, before: before.current })
      before.current = undefined
      // Part of the typing before it: undone together, the wires are where they were.
      const gesture = `type field ${node.id}.${component.inputs_from_template}`
      if (command !== undefined) editor.perform(command, gesture)
    }
  }
}
