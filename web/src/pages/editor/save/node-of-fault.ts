import { type Flow, nodeOfEnd } from '../../../editor/graph/flow.ts'

/** The node that a fault is about: its own, or the one that a wire leads to; undefined where it is the flow's. */
export function nodeOfFault(
  { node, path }: { readonly node?: string; readonly path: string },
  { edges }: Pick<Flow, 'edges'>
): string | undefined {
  const edge = /^\/edges\/(\d+)/.exec(path)?.[1]
  const end = edge === undefined ? undefined : edges[Number(edge)]?.to
  return node ?? (end === undefined ? undefined : nodeOfEnd(end))
}
