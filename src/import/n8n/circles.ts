import type { Turns } from '../../flows/in-turns.ts'
import type { SourceNode } from '../assembly.ts'
import type { Become } from '../become.ts'
import { closingWires } from '../closing-wires.ts'
import { loopMembers } from '../loops.ts'
import { wayBack } from '../way-back.ts'
import { type Items, isBack } from './items.ts'
import type { N8nNode, N8nWire } from './n8n-node.ts'

/** By node, the loop that it stands in. A region holds no other one: of a loop in a loop the inner one is left as it is. */
export function* loopsOf(
  nodes: readonly N8nNode[],
  wires: readonly N8nWire[]
): Turns<{ loops: ReadonlyMap<string, string>; inner: ReadonlySet<string> }> {
  const all = nodes
    .filter(({ type }) => type === 'splitInBatches')
    .map((node) => ({ key: node.name, begins: itemsOf(node) }))
  const ways = wires.map(({ from, to, output }) => ({ from, to, output: String(output) }))
  const loops = yield* loopMembers(all, ways)
  const inner = new Set(all.map(({ key }) => key).filter((key) => loops.has(key)))
  if (inner.size === 0) return { loops, inner }
  const outer = all.filter(({ key }) => !inner.has(key))
  return { loops: yield* loopMembers(outer, ways), inner }
}

interface Uncircled {
  /** Without those that close a circle, but for the ways back of loops. */
  readonly forward: readonly N8nWire[]
  /** All of them: those lead to what stands for the way back. */
  readonly drawn: readonly N8nWire[]
  readonly ways: readonly { readonly source: SourceNode; readonly become: Become; readonly from: string }[]
}

/** A flow that asks again and again until something is there, by a wire that leads back. */
export function* cutCircles(
  nodes: readonly N8nNode[],
  wires: readonly N8nWire[],
  loops: ReadonlyMap<string, string>
): Turns<Uncircled> {
  const isOfLoop = ({ from, to }: N8nWire) => isBack(from, to, loops)
  const names = nodes.map(({ name }) => name)
  const closing = yield* closingWires(
    names,
    wires.filter((wire) => !isOfLoop(wire))
  )
  const byName = new Map(nodes.map((node) => [node.name, node]))
  // What follows a loop does not lead into it again.
  const isAgain = ({ from, to, output }: N8nWire) =>
    loops.get(to) === from && String(output) !== itemsOf(byName.get(from)!)
  const cut = closing.union(new Set(wires.filter(isAgain)))
  if (cut.size === 0) return { forward: wires, drawn: wires, ways: [] }
  const ways = new Map<string, Uncircled['ways'][number]>()
  for (const { from, to } of cut) {
    yield
    const { x, y } = byName.get(from)!
    const place = { x: x + 200, y: y + 120, isDisabled: false, isMade: true, madeFor: from }
    const key = keyOf(from, to)
    ways.set(key, {
      from,
      source: { key, type: '', title: `Back to ${to}`, ...place },
      become: wayBack(to, 'n8n')
    })
  }
  yield
  const forward = wires.filter((wire) => !cut.has(wire))
  yield
  return {
    forward,
    drawn: wires.map((wire) => (cut.has(wire) ? { ...wire, to: keyOf(wire.from, wire.to), input: 0 } : wire)),
    ways: [...ways.values()]
  }
}

/** The output of a loop that its items leave by. */
function itemsOf({ version }: N8nNode): string {
  return version >= 3 ? '1' : '0'
}

function keyOf(from: string, to: string): string {
  return `back:${JSON.stringify([from, to])}`
}

/** What stands for a way back stands where the way begins. */
export function withWays(items: Items, ways: Uncircled['ways']): Items {
  const regions = new Map(items.regions)
  for (const { source, from } of ways) {
    const region = regions.get(from)
    if (region !== undefined) regions.set(source.key, region)
  }
  return { ...items, regions }
}
