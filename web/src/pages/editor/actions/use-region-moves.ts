import { useMemo } from 'react'
import { parentsOf } from '../../../../../src/flows/graph/regions.ts'
import { notifyDone, notifyRefusal } from '../../../design/notify.tsx'
import type { Command } from '../../../editor/commands/command.ts'
import type { Flow, Node, Point } from '../../../editor/graph/flow.ts'
import { withMembers } from '../../../editor/groups/groups.ts'
import {
  cutWords,
  describeMove,
  moveIntoRegions,
  whyNotInside
} from '../../../editor/regions/move-into-region.ts'
import { REGION_ROOM } from '../../../editor/regions/regions.ts'
import { useEditorState } from '../editor-context.ts'
import { DrawnNodes } from '../geometry/drawn-nodes.ts'
import { nodeSize } from '../geometry/node-geometry.ts'
import { framesOfRegions } from '../geometry/region-geometry.ts'
import { useEditorSession } from '../session/session-context.ts'

interface RegionMoves {
  /** Those that the nodes could move into. */
  readonly regions: readonly { readonly id: string; readonly title: string }[]
  /** Whether one of them could move out. */
  readonly isInside: boolean
  /** The region that is meant, where it is one alone. */
  readonly only: Node | undefined
  moveInto(region: string | undefined): void
}

/** Into frames and out of them, without a pointer. */
export function useRegionMoves(parts: ReadonlySet<string>): RegionMoves {
  const session = useEditorSession()
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  return useMemo(() => {
    const all = withMembers(flow, parts)
    const parents = parentsOf(flow.nodes)
    const nodes = flow.nodes.filter(({ id }) => all.has(id))
    const isRegion = ({ type }: Node) => catalogue.facts(type)?.region != null
    const movable = nodes.filter(
      ({ id, type }) => !all.has(parents.get(id) ?? '') && whyNotInside(catalogue.facts(type)) === undefined
    )
    const offered = flow.nodes.filter(
      (node) => isRegion(node) && movable.some(({ id }) => parents.get(id) !== node.id)
    )
    const titles = offered.map((node) => catalogue.titleOf(node))
    return {
      regions: offered.map(({ id }, index) => {
        const title = titles[index]!
        return { id, title: titles.indexOf(title) === titles.lastIndexOf(title) ? title : `${title} (${id})` }
      }),
      isInside: movable.some(({ id }) => parents.has(id)),
      only: nodes.length === 1 && isRegion(nodes[0]!) ? nodes[0] : undefined,
      moveInto: (region) => {
        const wished = new Map(
          movable.filter(({ id }) => parents.get(id) !== region).map(({ id }) => [id, region])
        )
        const into = moveIntoRegions(flow, catalogue, wished)
        for (const refusal of into.refusals) notifyRefusal('Nothing was moved', refusal)
        if (wished.size === 0) return
        const positions = placesAfter(flow, catalogue, [...wished.keys()], region)
        const commands = [...into.leave, { kind: 'move' as const, positions }, ...into.enter]
        session.execute({ kind: 'all', commands, label: describeMove(into) })
        if (into.cut > 0) notifyDone(cutWords(into.cut), () => session.undo())
      }
    }
  }, [session, flow, catalogue, parts])
}

/**
 * Where they come to stand: below what is in the frame already, or below the frame that they leave. They keep their places
 * to each other.
 */
function placesAfter(
  flow: Flow,
  catalogue: Parameters<DrawnNodes['of']>[1],
  ids: readonly string[],
  region: string | undefined
): Extract<Command, { kind: 'move' }>['positions'] {
  const nodes = flow.nodes.filter(({ id }) => ids.includes(id))
  const drawn = new DrawnNodes().of(flow, catalogue)
  const parents = parentsOf(flow.nodes)
  const frame = framesOfRegions(drawn).get(region ?? parents.get(ids[0]!) ?? '')
  if (frame === undefined) return {}
  const inside = drawn.filter(({ node }) => region !== undefined && parents.get(node.id) === region)
  const below = Math.max(
    frame.y + REGION_ROOM.above,
    ...inside.map((one) => one.node.position.y + nodeSize(one).height + REGION_ROOM.below)
  )
  const corner = {
    x: Math.min(...nodes.map(({ position }) => position.x)),
    y: Math.min(...nodes.map(({ position }) => position.y))
  }
  const to: Point =
    region === undefined
      ? { x: corner.x, y: frame.y + frame.height + REGION_ROOM.below }
      : { x: frame.x + REGION_ROOM.left, y: below }
  return Object.fromEntries(
    nodes.map(({ id, position }) => [
      id,
      { x: position.x + to.x - corner.x, y: position.y + to.y - corner.y }
    ])
  )
}
