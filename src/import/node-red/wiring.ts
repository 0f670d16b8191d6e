import type { Turns } from '../../flows/in-turns.ts'
import { closingWires } from '../closing-wires.ts'
import { listOf, textOf } from '../values.ts'
import { outputsOf } from './function.ts'
import type { RedNode } from './red-node.ts'

/** A wire of a tab, in its own terms: `error` is what a Catch gets. */
export interface RedWire {
  readonly from: string
  readonly output: string
  readonly to: string
  /** It stands for others, or was none there. */
  readonly isMade: boolean
  /** It leads back to where it came from. */
  readonly isBack?: boolean
}

/** The wires of a tab or a subflow, with links and junctions taken out. */
export interface Wiring {
  readonly nodes: readonly RedNode[]
  readonly leaving: ReadonlyMap<string, readonly RedWire[]>
  readonly coming: ReadonlyMap<string, readonly RedWire[]>
  /** Nodes that are wires now, with where they led. */
  readonly contracted: ReadonlyMap<string, string>
  /** How many wires led to them, or from them. */
  readonly meant: number
}

/** More ways than that through one node stay a node. */
const MOST_WAYS = 64
/** Of pairs of a Catch and a node that it watches. */
const MOST_WATCHED = 2_000

export function* wiringOf(members: readonly RedNode[], keeps: ReadonlySet<string>): Turns<Wiring> {
  const all = members.filter(({ type }) => type !== 'comment')
  const byId = new Map(all.map((node) => [node.id, node]))
  const wires: RedWire[] = []
  for (const node of all) {
    yield
    for (const [output, ends] of node.wires.entries())
      for (const to of ends)
        if (byId.has(to)) wires.push({ from: node.id, output: String(output), to, isMade: false })
    for (const to of localLinks(node, byId)) wires.push({ from: node.id, output: '0', to, isMade: true })
  }
  const passing = all.filter(({ id, type, isDisabled }) => {
    return !isDisabled && !keeps.has(id) && (type === 'junction' || type === 'link in' || type === 'link out')
  })
  const contracted = yield* contract(wires, passing)
  const nodes = all.filter(({ id }) => !contracted.into.has(id))
  const watched = yield* watchers(nodes, contracted.wires)
  const looked = yield* withBacks(nodes, [...contracted.wires, ...watched])
  return {
    nodes,
    leaving: Map.groupBy(looked, ({ from }) => from),
    coming: Map.groupBy(looked, ({ to }) => to),
    contracted: contracted.into,
    meant: contracted.meant
  }
}

/** What a Link out leads to where it stands itself. */
function localLinks(node: RedNode, byId: ReadonlyMap<string, RedNode>): string[] {
  if (node.type !== 'link out' || node.raw.mode === 'return') return []
  return linksOf(node).filter((id) => byId.get(id)?.type === 'link in')
}

export function linksOf({ raw }: RedNode): string[] {
  return listOf(raw.links).map(textOf).slice(0, 1_000)
}

/** Takes nodes out that do nothing: what led to them leads to where they led. */
function* contract(
  wires: readonly RedWire[],
  passing: readonly RedNode[]
): Turns<{ wires: RedWire[]; into: Map<string, string>; meant: number }> {
  const live = new LiveWires(wires)
  const into = new Map<string, string>()
  let meant = 0
  for (const { id } of passing) {
    yield
    const [outs, ins] = [live.from(id), live.to(id)]
    const isLoop = outs.some(({ to }) => to === id)
    if (outs.length === 0 || ins.length === 0 || isLoop || outs.length * ins.length > MOST_WAYS) continue
    into.set(id, outs[0]!.to)
    for (const wire of [...outs, ...ins]) {
      live.remove(wire)
      if (!wire.isMade) meant++
    }
    for (const { from, output } of ins)
      for (const { to } of outs) live.add({ from, output, to, isMade: true })
  }
  // Of nodes that led to nodes that were taken out as well, where they led in the end.
  for (const id of into.keys()) {
    let end = id
    for (let steps = 0; into.has(end) && steps < 50; steps++) end = into.get(end)!
    into.set(id, end)
  }
  return { wires: live.all(), into, meant }
}

/** Wires by their ends, while some of them are replaced. */
class LiveWires {
  readonly #live = new Set<RedWire>()
  readonly #leaving = new Map<string, Set<RedWire>>()
  readonly #coming = new Map<string, Set<RedWire>>()

  constructor(wires: readonly RedWire[]) {
    for (const wire of wires) this.add(wire)
  }

  add(wire: RedWire): void {
    this.#live.add(wire)
    put(this.#leaving, wire.from, wire)
    put(this.#coming, wire.to, wire)
  }

  remove(wire: RedWire): void {
    this.#live.delete(wire)
    this.#leaving.get(wire.from)?.delete(wire)
    this.#coming.get(wire.to)?.delete(wire)
  }

  from(id: string): RedWire[] {
    return [...(this.#leaving.get(id) ?? [])]
  }

  to(id: string): RedWire[] {
    return [...(this.#coming.get(id) ?? [])]
  }

  all(): RedWire[] {
    return [...this.#live]
  }
}

function put(wires: Map<string, Set<RedWire>>, id: string, wire: RedWire): void {
  const there = wires.get(id)
  if (there === undefined) wires.set(id, new Set([wire]))
  else there.add(wire)
}

const MAY_FAIL =
  /^(?:function|http request|json|xml|csv|html|change|switch|template|join|split|sort|link call|subflow:.*)$/

/** A Catch gets what fails, and a Complete what other nodes give. */
function* watchers(nodes: readonly RedNode[], wires: readonly RedWire[]): Turns<RedWire[]> {
  const made: RedWire[] = []
  const caught = new Set<string>()
  const catches = nodes.filter(({ type }) => type === 'catch')
  // Those that take only what nobody else has taken come last.
  for (const node of catches.sort((a, b) => Number(a.raw.uncaught ?? 0) - Number(b.raw.uncaught ?? 0)))
    for (const { id, type } of watchedBy(node, nodes)) {
      yield
      const isTaken = node.raw.uncaught === true && caught.has(id)
      if (!MAY_FAIL.test(type) || isTaken || made.length >= MOST_WATCHED) continue
      caught.add(id)
      made.push({ from: id, output: 'error', to: node.id, isMade: true })
    }
  made.push(...(yield* completed(nodes, wires)))
  return made
}

function* completed(nodes: readonly RedNode[], wires: readonly RedWire[]): Turns<RedWire[]> {
  const made: RedWire[] = []
  const coming = Map.groupBy(wires, ({ to }) => to)
  for (const node of nodes.filter(({ type }) => type === 'complete'))
    for (const watched of watchedBy(node, nodes)) {
      yield
      if (made.length >= MOST_WATCHED) return made
      const own = [{ from: watched.id, output: '0' }]
      const ends = outputsOf(watched) > 0 ? own : (coming.get(watched.id) ?? []).slice(0, 10)
      for (const { from, output } of ends) made.push({ from, output, to: node.id, isMade: true })
    }
  return made
}

function watchedBy(node: RedNode, nodes: readonly RedNode[]): readonly RedNode[] {
  const { scope } = node.raw
  if (scope === 'group') return nodes.filter(({ group, id }) => group === node.group && id !== node.id)
  if (!Array.isArray(scope)) return node.type === 'complete' ? [] : nodes
  const ids = new Set(scope.map(textOf))
  return nodes.filter(({ id }) => ids.has(id))
}

/** Says of each wire whether it closes a circle. */
function* withBacks(nodes: readonly RedNode[], wires: readonly RedWire[]): Turns<RedWire[]> {
  const closing = yield* closingWires(
    nodes.map(({ id }) => id),
    wires
  )
  return wires.map((wire) => (closing.has(wire) ? { ...wire, isBack: true } : wire))
}
