import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useMemo } from 'react'
import { notifyRefusal } from '../../../design/notify.tsx'
import type { Command } from '../../../editor/commands/command.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { groupNodes, ungroup } from '../../../editor/groups/group-commands.ts'
import { groupsIn } from '../../../editor/groups/groups.ts'
import {
  align,
  type Box,
  type Direction,
  distribute,
  LEAST,
  type Side
} from '../../../editor/layout/align.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import { FIT } from '../geometry/first-view.ts'
import { isTouched } from '../geometry/into-sight.ts'
import { measuresOf } from '../geometry/measures.ts'
import { useEditorSession } from '../session/session-context.ts'

/** Where the selected parts stand to each other. */
export interface Arranging {
  align(side: Side): void
  distribute(direction: Direction): void
  /** A titled frame around the selected nodes. */
  group(ids?: ReadonlySet<string>): void
  /** Takes the frames away that are selected, or are around what is. */
  ungroup(ids?: ReadonlySet<string>): void
  /** Lays out all, or what is selected where that is more than one. */
  tidy(): Promise<void>
}

export function useArranging(): Arranging {
  const session = useEditorSession()
  const { getNodes, fitView } = useReactFlow<CanvasPart, CanvasWire>()
  const store = useStoreApi()
  return useMemo(() => {
    const chosen = (): Box[] => {
      const { flow, selection } = session.state()
      // A group takes its nodes along.
      const led = new Set(groupsIn(flow).flatMap(({ id, nodes }) => (selection.parts.has(id) ? nodes : [])))
      return getNodes()
        .filter(({ id }) => selection.parts.has(id) && !led.has(id))
        .map(({ id, position, measured }) => ({
          id,
          ...position,
          width: measured?.width ?? 0,
          height: measured?.height ?? 0
        }))
    }
    const arrange = (least: number, by: (boxes: readonly Box[]) => Command) => {
      const boxes = chosen()
      if (boxes.length >= least) return session.execute(by(boxes))
      notifyRefusal('Nothing was moved', `Select ${least === 2 ? 'two' : 'three'} nodes or more.`)
    }
    return {
      align: (side) => arrange(LEAST.align, (boxes) => align(boxes, side)),
      distribute: (direction) => arrange(LEAST.distribute, (boxes) => distribute(boxes, direction)),
      group: (ids) => {
        const { flow, selection } = session.state()
        const made = groupNodes(flow, ids ?? selection.parts)
        if (made === undefined) return notifyRefusal('Nothing was grouped', 'Select the nodes of the group.')
        session.execute(made.command)
        session.select({ parts: new Set([made.id]), wires: new Set() })
        // Who works in the list has a field for the title there.
        if (document.activeElement?.closest('[data-outline]') == null) session.rename(made.id)
      },
      ungroup: (ids) => {
        const { flow, selection } = session.state()
        const parts = ids ?? selection.parts
        const command = ungroup(flow, parts)
        if (command === undefined)
          return notifyRefusal('Nothing was ungrouped', 'Select a group, or a node in it.')
        const left = groupsIn(flow).flatMap(({ id, nodes }) => (parts.has(id) ? nodes : []))
        session.execute(command)
        if (left.length > 0) session.select({ parts: new Set(left), wires: new Set() })
      },
      tidy: async () => {
        // Laying out is a library of its own, loaded when it is first asked for.
        const loaded = await import('../../../editor/layout/tidy.ts').catch(() => undefined)
        if (loaded === undefined)
          return notifyRefusal('Nothing was tidied', 'A part of the page did not load.')
        const { flow, catalogue, selection } = session.state()
        const measures = measuresOf(flow, catalogue, getNodes())
        const only = selection.parts.size > 1 ? selection.parts : undefined
        session.execute(loaded.tidy(flow, measures, only))
        const isInSight = ({ id, position }: Node) =>
          isTouched({ ...position, ...measures.sizes.get(id)! }, store.getState())
        // Who asked for order must not be left with an empty canvas; who asked for it in a part stays where they are.
        if (only === undefined || !session.state().flow.nodes.some(isInSight)) void fitView(FIT)
      }
    }
  }, [session, getNodes, fitView, store])
}
