import { useMemo } from 'react'
import { takenWire } from '../../../editor/wiring/carried.ts'
import { useEditorState } from '../editor-context.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'

/** The node as the shown run fed it: of several wires into an input, the one whose value it took. */
export function useTakenWires(drawn: DrawnNode): DrawnNode {
  const run = useEditorState((state) => state.run)
  return useMemo(() => {
    if (run === undefined || drawn.inputs.every(({ wires }) => wires === undefined)) return drawn
    const inputs = drawn.inputs.map((port) => {
      const fedBy = port.wires === undefined ? undefined : takenWire(port.wires, run.steps)
      return fedBy === undefined ? port : { ...port, fedBy }
    })
    return { ...drawn, inputs }
  }, [drawn, run])
}
