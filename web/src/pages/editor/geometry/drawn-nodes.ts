import type { Edge, Flow, Node } from '../../../editor/graph/flow.ts'
import { indexWires, type WireIndex } from '../../../editor/graph/wire-index.ts'
import { type DrawnPort, drawnInputs, drawnOutputs } from '../../../editor/wiring/drawn-ports.ts'
import type { ComponentFacts, PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'

/** A node with what its component and the wires around it make of it. */
export interface DrawnNode {
  readonly node: Node
  /** Undefined where the flow's context sees no such component. */
  readonly component: ComponentFacts | undefined
  readonly inputs: readonly DrawnPort[]
  readonly outputs: readonly DrawnPort[]
}

interface Known {
  readonly drawn: DrawnNode
  readonly into: readonly Edge[]
  readonly outOf: readonly Edge[]
}

const NO_WIRES: readonly Edge[] = []

/**
 * Works out what is drawn of a flow. A node that nothing happened to is the very same object again, so that a change
 * draws one node and not a thousand.
 */
export class DrawnNodes {
  #catalogue: PageCatalogue | undefined
  #edges: readonly Edge[] | undefined
  #wires: WireIndex = { into: new Map(), outOf: new Map() }
  #known = new Map<string, Known>()

  of(flow: Flow, catalogue: PageCatalogue): DrawnNode[] {
    if (catalogue !== this.#catalogue) this.#known.clear()
    this.#catalogue = catalogue
    if (flow.edges !== this.#edges) this.#wires = indexWires(flow)
    this.#edges = flow.edges
    const before = this.#known
    this.#known = new Map()
    return flow.nodes.map((node) => this.#draw(node, before.get(node.id), catalogue))
  }

  #draw(node: Node, before: Known | undefined, catalogue: PageCatalogue): DrawnNode {
    const into = this.#wires.into.get(node.id) ?? NO_WIRES
    const outOf = this.#wires.outOf.get(node.id) ?? NO_WIRES
    const isSame =
      before !== undefined &&
      before.drawn.node === node &&
      areSame(before.into, into) &&
      areSame(before.outOf, outOf)
    const drawn = isSame ? before.drawn : asShown(drawNode(this.#wires, catalogue, node))
    this.#known.set(node.id, { drawn, into, outOf })
    return drawn
  }
}

/** A region that is collapsed shows nothing of its inside. */
function asShown(drawn: DrawnNode): DrawnNode {
  if (drawn.component?.region == null || drawn.node.collapsed !== true) return drawn
  const isOuter = ({ isInside }: DrawnPort) => isInside !== true
  return { ...drawn, inputs: drawn.inputs.filter(isOuter), outputs: drawn.outputs.filter(isOuter) }
}

export function drawNode(wires: WireIndex, catalogue: PageCatalogue, node: Node): DrawnNode {
  return {
    node,
    component: catalogue.facts(node.type),
    inputs: drawnInputs(wires, catalogue, node),
    outputs: drawnOutputs(wires, catalogue, node)
  }
}

function areSame(one: readonly Edge[], other: readonly Edge[]): boolean {
  return one.length === other.length && one.every((edge, index) => edge === other[index])
}

/** Of two outputs of a region with one name, that of its inside leads to its inside. */
export function outputOf(
  source: DrawnNode,
  port: string,
  target: DrawnNode | undefined
): DrawnPort | undefined {
  const named = source.outputs.filter(({ name }) => name === port)
  if (named.length < 2) return named[0]
  const isInside = target !== undefined && (target === source || target.node.parent === source.node.id)
  return named.find((each) => (each.isInside === true) === isInside)
}
