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

/** A node that runs another flow. */
interface Call {
  readonly to: string
  readonly index: number
  readonly node: FlowNode
}

type Calls = ReadonlyMap<string, readonly Call[]>

/**
 * A flow may run itself, by way of others or not: a condition may end it, and else the depth of runs does. It is refused where each
 * round would start several: at a depth of 32 they are more than anything can run. What is renamed or published later may
 * still close such a circle.
 */
export function* flowLoopFault(document: FlowDocument, flows: Flows): Turns<Fault | undefined> {
  const { slug } = document
  const calls = yield* callsFrom({ slug, document }, flows)
  const circle = leadingTo(slug, calls)
  const onward = (flow: string) => (calls.get(flow) ?? []).filter(({ to }) => circle.has(to))
  if (![...circle].some((flow) => startsSeveral(onward(flow)))) return undefined
  const { to, index, node } = onward(slug)[0]!
  const between = wayTo(slug, to, onward)
  const through = between.length === 0 ? 'itself' : `itself, by way of ${between.join(' and ')}`
  return {
    code: 'flow_loop',
    path: `/nodes/${index}/fields/flow`,
    node: node.id,
    field: 'flow',
    message: `Field "flow" of node "${node.id}": the flow would run ${through}, more often in each round, and so on without end. Choose another flow, or let one node alone, outside of any region, lead back.`
  }
}

function startsSeveral(calls: readonly Call[]): boolean {
  return calls.length > 1 || calls.some(({ node }) => node.parent !== undefined)
}

/** What a flow and all that it may run call, by the slug of the caller. */
function* callsFrom(first: CalledFlow, flows: Flows): Turns<Calls> {
  // A new flow is not among them yet, and of one that is saved they have what is live.
  const find = (name: string) => {
    const flow = name === first.slug ? first : flows.find(name)
    return flow?.slug === first.slug ? first : flow
  }
  const calls = new Map<string, readonly Call[]>()
  const open = [first]
  for (let flow = open.pop(); flow !== undefined; flow = open.pop()) {
    if (calls.has(flow.slug)) continue
    const found = calledBy(flow.document, find)
    calls.set(flow.slug, found.calls)
    open.push(...found.flows)
    yield
  }
  return calls
}

function calledBy({ nodes }: FlowDocument, find: Flows['find']): { calls: Call[]; flows: Set<CalledFlow> } {
  const calls: Call[] = []
  const flows = new Set<CalledFlow>()
  for (const [index, node] of nodes.entries()) {
    const name = runsAnother(node) ? nameOf(node) : undefined
    const flow = name === undefined ? undefined : find(name)
    if (flow === undefined) continue
    calls.push({ to: flow.slug, index, node })
    flows.add(flow)
  }
  return { calls, flows }
}

/** The flows from which calls lead to this one; itself, where it is among them. */
function leadingTo(slug: string, calls: Calls): Set<string> {
  const callers = new Map<string, Set<string>>()
  for (const [from, called] of calls)
    for (const { to } of called) callers.set(to, (callers.get(to) ?? new Set()).add(from))
  const found = new Set<string>()
  const open = [slug]
  for (let flow = open.pop(); flow !== undefined; flow = open.pop()) {
    for (const caller of callers.get(flow) ?? []) {
      if (found.has(caller)) continue
      found.add(caller)
      open.push(caller)
    }
  }
  return found
}

/** The flows on the way, from the first to the one before the last. */
function wayTo(slug: string, first: string, onward: (flow: string) => readonly Call[]): string[] {
  const open: string[][] = [[first]]
  const seen = new Set<string>()
  for (const way of open) {
    const at = way.at(-1)!
    if (at === slug) return way.slice(0, -1)
    if (seen.has(at)) continue
    seen.add(at)
    open.push(...onward(at).map(({ to }) => [...way, to]))
  }
  return []
}

function runsAnother({ type, disabled }: FlowNode): boolean {
  return type === 'run-flow' && disabled !== true
}

function nameOf({ fields }: FlowNode): string | undefined {
  return typeof fields.flow === 'string' ? fields.flow.trim() : undefined
}
