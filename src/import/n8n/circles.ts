import type { Turns } from '../../flows/in-turns.ts'
import type { SourceNode } from '../assembly.ts'
import type { Become } from '../become.ts'
import { closingWires } from '../closing-wires.ts'
import { wayBack } from '../way-back.ts'
import { type Items, isBack } from './items.ts'
import type { N8nNode, N8nWire } from './n8n-node.ts'

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
  if (closing.size === 0) return { forward: wires, drawn: wires, ways: [] }
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const ways = new Map<string, Uncircled['ways'][number]>()
  for (const { from, to } of closing) {
    const { x, y } = byName.get(from)!
    const place = { x: x + 200, y: y + 120, isDisabled: false, isMade: true }
    const key = keyOf(from, to)
    ways.set(key, {
      from,
      source: { key, type: '', title: `Back to ${to}`, ...place },
      become: wayBack(to, 'n8n')
    })
  }
  return {
    forward: wires.filter((wire) => !closing.has(wire)),
    drawn: wires.map((wire) =>
      closing.has(wire) ? { ...wire, to: keyOf(wire.from, wire.to), input: 0 } : wire
    ),
    ways: [...ways.values()]
  }
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
