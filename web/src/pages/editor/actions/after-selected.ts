import { type Flow, findNode, nodeOfEnd } from '../../../editor/graph/flow.ts'
import { componentsThatFit } from '../../../editor/wiring/fitting-components.ts'
import type { Handle } from '../../../editor/wiring/judge-wire.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import type { Offer } from '../components/offers.ts'

interface After {
  readonly handle: Handle
  /** With the port that the wire ends at. */
  readonly offer: Offer
}

/**
 * Where something goes that is added while one node is selected: behind it, from its first output that leads nowhere yet
 * and fits, else from its first one that fits. A trigger has its data first, and what else it tells is seldom meant. Undefined where
 * nothing fits, or nothing is selected that it could follow.
 */
export function afterSelected(
  flow: Flow,
  catalogue: PageCatalogue,
  selected: ReadonlySet<string>,
  offer: Offer
): After | undefined {
  const [only, ...others] = selected
  const node = only === undefined || others.length > 0 ? undefined : findNode(flow, only)
  if (node === undefined || offer.facts === undefined || offer.facts.trigger !== null) return undefined
  const outputs = Object.keys(catalogue.typed(node).outputs ?? {})
  const taken = new Set(flow.edges.map(({ from }) => from).filter((from) => nodeOfEnd(from) === node.id))
  const isFree = (port: string) => !taken.has(`${node.id}.${port}`)
  const isTrigger = (catalogue.facts(node.type)?.trigger ?? null) !== null
  const inOrder = isTrigger ? outputs : outputs.toSorted((a, b) => Number(isFree(b)) - Number(isFree(a)))
  for (const port of inOrder) {
    const handle: Handle = { node: node.id, port, side: 'output' }
    const found = componentsThatFit(flow, catalogue, handle).find(({ facts }) => facts === offer.facts)
    if (found !== undefined) {
      return { handle, offer: { ...offer, port: found.port, fields: { ...found.fields, ...offer.fields } } }
    }
  }
  return undefined
}
