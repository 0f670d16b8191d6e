import type { EdgeChange, NodeChange } from '@xyflow/react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { notesOf, type Size } from '../../../editor/graph/flow.ts'
import { hiddenNodes } from '../../../editor/regions/regions.ts'
import { useEditorState } from '../editor-context.ts'
import { type CanvasPart, CanvasParts } from '../geometry/canvas-parts.ts'
import { type CanvasWire, CanvasWires } from '../geometry/canvas-wires.ts'
import { type DrawnNode, DrawnNodes } from '../geometry/drawn-nodes.ts'
import { useEditorSession } from '../session/session-context.ts'
import { usePulledWires } from '../wiring/use-pulled-wires.ts'
import { useDraggedParts } from './use-dragged-parts.ts'

/** The flow in the canvas' words, and what the canvas tells back. */
export function useCanvasFlow(onRefused: (message: string | undefined) => void) {
  const session = useEditorSession()
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const selection = useEditorState((state) => state.selection)
  const [makers] = useState(() => ({
    drawn: new DrawnNodes(),
    parts: new CanvasParts(),
    wires: new CanvasWires()
  }))
  const [sizes, setSizes] = useState<ReadonlyMap<string, Size>>(new Map())

  const hidden = useMemo(() => hiddenNodes(flow), [flow])
  const nodes = useMemo(() => {
    const all = makers.drawn.of(flow, catalogue)
    return hidden.size === 0 ? all : all.filter(({ node }) => !hidden.has(node.id))
  }, [makers, flow, catalogue, hidden])
  const byId = useMemo(() => new Map(nodes.map((drawn) => [drawn.node.id, drawn])), [nodes])
  const newest = useRef<ReadonlyMap<string, DrawnNode>>(byId)
  newest.current = byId
  const drawnNodes = useCallback(() => newest.current, [])

  const pulled = usePulledWires(onRefused)
  const { moving, follow, ...dragged } = useDraggedParts(drawnNodes)
  const notes = notesOf(flow)
  const parts = useMemo(
    () => makers.parts.of(nodes, notes, { selected: selection.parts, sizes, moving }),
    [makers, nodes, notes, selection.parts, sizes, moving]
  )
  const wires = useMemo(
    () => makers.wires.of(flow.edges, byId, selection.wires, hidden),
    [makers, flow.edges, byId, selection.wires, hidden]
  )

  const onNodesChange = useCallback(
    (changes: NodeChange<CanvasPart>[]) => {
      follow(changes)
      const chosen = selectedBy(changes, session.state().selection.parts)
      if (chosen !== undefined) session.select({ parts: chosen })
      setSizes((before) => measuredBy(changes, before))
    },
    [session, follow]
  )
  const onEdgesChange = useCallback(
    (changes: EdgeChange<CanvasWire>[]) => {
      const chosen = selectedBy(changes, session.state().selection.wires)
      if (chosen !== undefined) session.select({ wires: chosen })
    },
    [session]
  )
  return { parts, wires, moving, handlers: { onNodesChange, onEdgesChange, ...pulled, ...dragged } }
}

type Change = NodeChange<CanvasPart> | EdgeChange<CanvasWire>

function selectedBy(changes: readonly Change[], before: ReadonlySet<string>): Set<string> | undefined {
  const selects = changes.filter((change) => change.type === 'select')
  if (selects.length === 0) return undefined
  const after = new Set(before)
  for (const { id, selected } of selects) {
    if (selected) after.add(id)
    else after.delete(id)
  }
  return after
}

/** What somebody resizes has its new size in the flow: kept here, it would be that of a frame that is collapsed later. */
function measuredBy(
  changes: readonly NodeChange<CanvasPart>[],
  before: ReadonlyMap<string, Size>
): ReadonlyMap<string, Size> {
  const measured = changes.flatMap((change) =>
    change.type === 'dimensions' && change.dimensions !== undefined && change.resizing === undefined
      ? [[change.id, change.dimensions] as const]
      : []
  )
  return measured.length === 0 ? before : new Map([...before, ...measured])
}
