import type { Catalogue } from '../flows/component/catalogue.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { nodeOrder, type Wire, wiresOf } from '../flows/graph/graph.ts'
import { linksOutside, parentsOf, regionsOf } from '../flows/graph/regions.ts'
import { type LinkedNodes, linkedNodes } from '../flows/graph/run-links.ts'
import { takenNodes, unwiredNodes } from '../flows/graph/taken-nodes.ts'
import type { KnownCall } from '../flows/step/step-calls.ts'
import { triggerOf } from '../flows/validate/flow-warnings.ts'
import { type PlannedNode, type PlanScope, planNode } from './plan-node.ts'
import { withAllBefore } from './plan-references.ts'
import { planRegion } from './plan-region.ts'
import { planTools } from './plan-tool.ts'
import { type Starts, startsOf } from './starts.ts'
import { markStreamed } from './streamed-inputs.ts'
import { wiringsOf } from './wiring.ts'

export {
  CALL_PORT,
  EXTERNAL_TIMEOUT_MS,
  PlanError,
  type PlannedInput,
  type PlannedNode
} from './plan-node.ts'

/** A flow version made ready to run. It is compiled once and shared by all runs of that version. */
export interface Plan {
  readonly flowId: string
  readonly version: number
  /** The context that it runs in, and the one that its flow lives in: another one above that, where a caller lent its own. */
  readonly context: string
  readonly home: string
  /** In an order in which every wire points forward. */
  readonly nodes: readonly PlannedNode[]
  readonly starts: Starts
  /** What the items of each region run; its nodes are not among `nodes`. */
  readonly regions: ReadonlyMap<string, Plan>
  /** What the calls of agents run: of those inside its regions, and of those that are tools themselves, too. */
  readonly tools: PlansOfTools
  /** The nodes that addresses of the run lead to; undefined where there are none. */
  readonly linked: LinkedNodes | undefined
  readonly replayed?: ReplayedCalls
}

/** What an agent knows from the run before, in the order of its places: it goes on after that. */
export interface ReplayedCalls {
  readonly node: string
  readonly known: readonly KnownCall[]
}

/** What a call of a tool runs: at once, or when a person has agreed. */
interface ToolPlans {
  readonly plain: Plan
  readonly asked: Plan
}

/** By the agent that calls, and by the node that is called. */
type PlansOfTools = ReadonlyMap<string, ReadonlyMap<string, ToolPlans>>

export function planFlow(
  flow: { readonly id: string; readonly version: number; readonly document: FlowDocument },
  catalogue: Catalogue,
  context = flow.document.context
): Plan {
  const { document } = flow
  const wires = wiresOf(document)
  const sorted = nodeOrder(document, wires)
  const nodeById = new Map(document.nodes.map((node) => [node.id, node]))
  const taken = takenNodes(document.nodes, wires, (node) => triggerOf(node, context, catalogue))
  const unwired = unwiredNodes(document.nodes, taken)
  const scope: PlanScope = { context, unwired, slug: document.slug, catalogue }
  const parents = parentsOf(document.nodes)
  const outside = parents.size === 0 ? sorted : sorted.filter((id) => !parents.has(id))
  const places = new Map(outside.map((id, index) => [id, index]))
  const links = linksOutside(parents, wires).filter(({ fromNode, toNode }) => fromNode !== toNode)
  const wirings = wiringsOf(wiresOutside(parents, wires), links, (id) => places.get(id)!)
  const placeOf = (id: string) => places.get(id)
  const planned = outside.map((id, index) =>
    planNode(nodeById.get(id)!, index, wirings.of(id), scope, placeOf)
  )
  const nodes = markStreamed(withAllBefore(planned))
  const facts = {
    flowId: flow.id,
    version: flow.version,
    context,
    home: document.context,
    linked: linkedNodes(document.nodes)
  }
  const regions = new Map<string, Plan>()
  const tools = new Map<string, Map<string, ToolPlans>>()
  const inside = { regions: NO_REGIONS, tools }
  for (const region of regionsOf(document.nodes, wires).values()) {
    // One that is not run may hold anything.
    if (nodeById.get(region.node)!.disabled === true || scope.unwired.has(region.node)) continue
    const held = planRegion(region, wires, nodeById, sorted, scope)
    regions.set(region.node, { ...facts, ...held, ...inside })
  }
  for (const { agent, tool, calls } of planTools({ nodes: nodeById, wires }, scope)) {
    const [plain, asked] = [calls.plain, calls.asked].map((call) => ({ ...facts, ...call, ...inside }))
    tools.set(agent, (tools.get(agent) ?? new Map()).set(tool, { plain: plain!, asked: asked! }))
  }
  return { ...facts, nodes, starts: startsOf(nodes, taken), regions, tools }
}

const NO_REGIONS: Plan['regions'] = new Map()

/** Of a region's own inside, none is left. */
function wiresOutside(parents: ReadonlyMap<string, string>, wires: readonly Wire[]): readonly Wire[] {
  if (parents.size === 0) return wires.filter(({ fromNode, toNode }) => fromNode !== toNode)
  return wires.filter(
    ({ fromNode, toNode }) => fromNode !== toNode && !parents.has(fromNode) && !parents.has(toNode)
  )
}

export function isPure({ effects }: Pick<PlannedNode, 'effects'>): boolean {
  return effects === 'pure'
}
