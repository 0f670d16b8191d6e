import type { InternalNode } from '@xyflow/react'
import { type Flow, nodeOfEnd } from '../../../editor/graph/flow.ts'
import type { CanvasPart } from './canvas-parts.ts'
import type { Rectangle } from './into-sight.ts'

type Lookup = ReadonlyMap<string, InternalNode<CanvasPart>>

/** Where the nodes are drawn that a node is wired to. */
export function wiredBoxes({ edges }: Flow, id: string, lookup: Lookup): Rectangle[] {
  const ends = edges.map(({ from, to }) => [nodeOfEnd(from), nodeOfEnd(to)])
  const others = new Set(ends.filter((pair) => pair.includes(id)).flat())
  others.delete(id)
  return [...others].flatMap((other) => {
    const part = lookup.get(other)
    return part === undefined ? [] : [boxOf(part)]
  })
}

export function boxOf({ internals, measured }: InternalNode<CanvasPart>): Rectangle {
  const { width = 0, height = 0 } = measured
  return { ...internals.positionAbsolute, width, height }
}
