import type { Fault } from '../errors.ts'
import type { FlowDocument, FlowNode } from '../flows/document/flow-document.ts'
import type { Turns } from '../flows/in-turns.ts'

interface CalledFlow {
  readonly slug: string
  readonly document: FlowDocument
}

/** Flows by id or slug. */
export interface Flows {
  find(reference: string): CalledFlow | undefined
}

/**
 * A flow that would run itself, by way of others or not: whether one of them decides to end it cannot be told, so it is
 * refused. What is renamed or published later may still close a circle; then the depth of runs ends it.
 */
export function* flowLoopFault(document: FlowDocument, flows: Flows): Turns<Fault | undefined> {
  // What one node has looked through, and from where no way leads back, the next need not.
  const seen = new Set<string>()
  for (const [index, node] of document.nodes.entries()) {
    if (!runsAnother(node)) continue
    const way = yield* wayBack(node, document.slug, flows, seen)
    if (way === undefined) continue
    const through = way.length === 1 ? 'itself' : `itself, by way of ${way.slice(0, -1).join(' and ')}`
    return {
      code: 'flow_loop',
      path: `/nodes/${index}/fields/flow`,
      node: node.id,
      field: 'flow',
      message: `Field "flow" of node "${node.id}": the flow would run ${through}, and so on without end. Choose another flow.`
    }
  }
  return undefined
}

/** The slugs from this node back to the flow; undefined where none leads there. */
function* wayBack(
  node: FlowNode,
  slug: string,
  flows: Flows,
  seen: Set<string>
): Turns<string[] | undefined> {
  const called = nameOf(node)
  if (called === undefined) return undefined
  if (called === slug) return [slug]
  const flow = flows.find(called)
  if (flow === undefined) return undefined
  if (flow.slug === slug) return [slug]
  if (seen.has(flow.slug)) return undefined
  seen.add(flow.slug)
  yield
  for (const next of flow.document.nodes) {
    if (!runsAnother(next)) continue
    const way = yield* wayBack(next, slug, flows, seen)
    if (way !== undefined) return [flow.slug, ...way]
  }
  return undefined
}

function runsAnother({ type, disabled }: FlowNode): boolean {
  return type === 'run-flow' && disabled !== true
}

function nameOf({ fields }: FlowNode): string | undefined {
  return typeof fields.flow === 'string' ? fields.flow.trim() : undefined
}
