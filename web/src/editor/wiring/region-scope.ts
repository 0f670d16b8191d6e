import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import { parentsOf } from '../../../../src/flows/graph/regions.ts'
import { type Edge, endText, type Flow, findNode } from '../graph/flow.ts'
import type { Handle } from './judge-wire.ts'
import type { PageCatalogue } from './page-catalogue.ts'

/** The region that an end of a wire is inside of: its node stands there, or it is a port of the region's own inside. */
function regionOfEnd(
  flow: Flow,
  catalogue: PageCatalogue,
  text: string,
  side: Handle['side']
): string | undefined {
  const end = parseEnd(text)
  if (end === undefined) return undefined
  const region = catalogue.facts(findNode(flow, end.node)?.type ?? '')?.region
  const inner = side === 'input' ? region?.inputs : region?.outputs
  return Object.hasOwn(inner ?? {}, end.port) ? end.node : parentsOf(flow.nodes).get(end.node)
}

/** Whether a node in this region, or in none, may be put into a wire: neither wire that comes of it leads out of one. */
export function mayLieOn(
  flow: Flow,
  catalogue: PageCatalogue,
  { from, to }: Edge,
  region: string | undefined
): boolean {
  const begins = regionOfEnd(flow, catalogue, from, 'output')
  const ends = regionOfEnd(flow, catalogue, to, 'input')
  return (begins === undefined || begins === region) && (region === undefined || region === ends)
}

interface Asked {
  /** The port that a wire was pulled from. */
  readonly handle?: Handle
  /** The wire that it is put into. */
  readonly into?: Edge
}

/** The region that a new node is to stand in: the one under it, unless its wires tell otherwise. */
export function regionForNew(
  flow: Flow,
  catalogue: PageCatalogue,
  under: string | undefined,
  { handle, into }: Asked
): string | undefined {
  if (into !== undefined) {
    if (mayLieOn(flow, catalogue, into, under)) return under
    return regionOfEnd(flow, catalogue, into.from, 'output')
  }
  if (handle === undefined) return under
  const own = regionOfEnd(flow, catalogue, endText(handle), handle.side)
  // What leads out of a region leads nowhere; what leads into one may begin outside, except to what it gives back.
  if (handle.side === 'output') return own ?? under
  return own === handle.node || under === own ? own : undefined
}
