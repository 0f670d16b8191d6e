import { equalJson } from '../graph/equal-json.ts'
import { type Edge, type Flow, LAYOUT_MEMBERS, type Node, nodeOfEnd } from '../graph/flow.ts'
import { indexWires } from '../graph/wire-index.ts'

export interface EditedSince {
  /** A run of what is drawn could do something else. */
  readonly isEdited: boolean
  /** The nodes that could: those that were changed or wired anew, and all that they lead to. */
  readonly nodes: ReadonlySet<string>
}

const NO_MATTER: readonly string[] = [...LAYOUT_MEMBERS, 'title']

/**
 * Tells what was edited since a flow ran as `ran`. It is asked at every keystroke, so nodes that were looked at are not
 * looked at again while they stay the same.
 */
export function sinceRan(ran: Flow): (drawn: Flow) => EditedSince {
  const before = new Map(ran.nodes.map((node) => [node.id, node]))
  const wiresBefore = indexWires(ran).into
  const isSameNode = remember((node: Node) => runsTheSame(before.get(node.id), node))
  return (drawn) => {
    const { into, outOf } = indexWires(drawn)
    const edited = drawn.nodes.filter(
      (node) => !isSameNode(node) || !equalWires(wiresBefore.get(node.id), into.get(node.id))
    )
    // A set grows while it is walked, so each node is looked at once.
    const nodes = new Set(edited.map(({ id }) => id))
    for (const id of nodes) for (const { to } of outOf.get(id) ?? []) nodes.add(nodeOfEnd(to))
    const isEdited =
      nodes.size > 0 || drawn.nodes.length !== ran.nodes.length || drawn.context !== ran.context
    return { isEdited, nodes }
  }
}

function runsTheSame(one: Node | undefined, other: Node): boolean {
  return one !== undefined && equalJson(mattering(one), mattering(other))
}

function mattering(node: Node): object {
  return Object.fromEntries(Object.entries(node).filter(([name]) => !NO_MATTER.includes(name)))
}

function equalWires(one: readonly Edge[] = [], other: readonly Edge[] = []): boolean {
  return one.length === other.length && one.every((edge, index) => equalJson(edge, other[index]))
}

function remember<Key extends object, T>(work: (key: Key) => T): (key: Key) => T {
  const known = new WeakMap<Key, { readonly result: T }>()
  return (key) => {
    const found = known.get(key) ?? { result: work(key) }
    known.set(key, found)
    return found.result
  }
}
