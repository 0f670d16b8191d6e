import { nodeOfEnd } from '../../../editor/graph/flow.ts'
import { useEditorSession } from '../session/session-context.ts'

/** Alt with an arrow leads along the wires: to the left where data comes from, to the right where it goes. */
export function useNeighbourKeys(): (event: React.KeyboardEvent) => boolean {
  const session = useEditorSession()
  return ({ key, altKey }) => {
    if (!altKey || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false
    const { flow, selection } = session.state()
    const [only] = selection.parts
    const ends = flow.edges.map(({ from, to }) => ({ from: nodeOfEnd(from), to: nodeOfEnd(to) }))
    const next =
      key === 'ArrowLeft'
        ? ends.find(({ to }) => to === only)?.from
        : ends.find(({ from }) => from === only)?.to
    if (next === undefined) return false
    session.select({ parts: new Set([next]), wires: new Set() })
    return true
  }
}
