import { useRef } from 'react'
import { indexWires } from '../../../editor/graph/wire-index.ts'
import { drawnInputs } from '../../../editor/wiring/drawn-ports.ts'
import { rewireInputs } from '../../../editor/wiring/rewire-inputs.ts'
import { useEditor } from '../editor-context.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'

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
      if (command !== undefined) editor.execute(command, gesture)
    }
  }
}
