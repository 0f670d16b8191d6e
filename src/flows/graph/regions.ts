/**
 * Regions: nodes that hold other nodes, such as For each. What stands inside says so by `parent`; the wires tell the rest.
 * All of this follows from the document alone, also where the component of a region is gone.
 */

interface Standing {
  readonly id: string
  readonly parent?: string | undefined
}

interface Link {
  readonly fromNode: string
  readonly toNode: string
}

/** What a region holds. Nodes and wires are in the order of the document. */
export interface Region<W extends Link = Link> {
  readonly node: string
  readonly inside: readonly string[]
  /** Between nodes inside, from what its inside begins with (`item`, `index`), and to what it gives back (`result`). */
  readonly wiresInside: readonly W[]
  /** From nodes outside to nodes inside: the region waits for these. */
  readonly wiresIn: readonly W[]
}

/** By node, the region that it stands in. A parent that is not there, or stands in a region itself, holds nothing. */
export function parentsOf(nodes: readonly Standing[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>()
  for (const { id, parent } of nodes) if (parent !== undefined) parents.set(id, parent)
  if (parents.size === 0) return parents
  const outside = new Set(nodes.flatMap(({ id, parent }) => (parent === undefined ? [id] : [])))
  for (const [id, parent] of parents) if (!outside.has(parent)) parents.delete(id)
  return parents
}

/** By its node, every region that holds something. One that is empty is not listed. */
export function regionsOf<W extends Link>(
  nodes: readonly Standing[],
  wires: readonly W[]
): ReadonlyMap<string, Region<W>> {
  const parents = parentsOf(nodes)
  const regions = new Map<string, { node: string; inside: string[]; wiresInside: W[]; wiresIn: W[] }>()
  const regionAt = (node: string) => {
    const known = regions.get(node)
    if (known !== undefined) return known
    const region = { node, inside: [], wiresInside: [], wiresIn: [] }
    regions.set(node, region)
    return region
  }
  for (const [id, parent] of parents) regionAt(parent).inside.push(id)
  for (const wire of wires) {
    const [from, to] = [parents.get(wire.fromNode), parents.get(wire.toNode)]
    // What every turn begins with may be given back as it is.
    if (wire.fromNode === wire.toNode || from === wire.toNode) regionAt(wire.toNode).wiresInside.push(wire)
    else if (to !== undefined && (to === from || to === wire.fromNode)) regionAt(to).wiresInside.push(wire)
    else if (to !== undefined) regionAt(to).wiresIn.push(wire)
  }
  return regions
}

/**
 * What has to come before what: a region waits for all that leads to its inside, its inside for the region, and not the
 * region for what its inside gives back. So a cycle of these is a cycle of the flow, whatever it leads through.
 */
export function orderOfRegions(
  parents: ReadonlyMap<string, string>,
  wires: readonly Link[]
): readonly Link[] {
  if (parents.size === 0) return wires
  const links: Link[] = []
  for (const { fromNode, toNode } of wires) {
    const [from, to] = [parents.get(fromNode), parents.get(toNode)]
    if (from !== undefined && from === toNode) continue
    links.push({ fromNode, toNode })
    if (to !== undefined && to !== from && to !== fromNode) links.push({ fromNode, toNode: to })
  }
  for (const [toNode, fromNode] of parents) links.push({ fromNode, toNode })
  return links
}

/** The links of a flow with each region as one node. */
export function linksOutside(parents: ReadonlyMap<string, string>, wires: readonly Link[]): readonly Link[] {
  if (parents.size === 0) return wires
  return wires.flatMap(({ fromNode, toNode }) => {
    const [from, to] = [parents.get(fromNode) ?? fromNode, parents.get(toNode) ?? toNode]
    return from === to ? [] : [{ fromNode: from, toNode: to }]
  })
}

/** An order in which what stands in a region follows right after it, for lists that people read. */
export function nestedOrder(
  order: readonly string[],
  parents: ReadonlyMap<string, string>
): readonly string[] {
  if (parents.size === 0) return order
  const inside = Map.groupBy(order, (id) => parents.get(id))
  return (inside.get(undefined) ?? []).flatMap((id) => [id, ...(inside.get(id) ?? [])])
}
