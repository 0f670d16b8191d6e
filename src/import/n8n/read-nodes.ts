import type { Turns } from '../../flows/in-turns.ts'
import { type Members, membersIn } from '../values.ts'
import { followed } from './followed-settings.ts'
import { type N8nNode, readNode } from './n8n-node.ts'

/** All nodes of a workflow by names of their own, and what is known of those that are no notes. */
export function* readNodes(
  flow: Members
): Turns<{ all: N8nNode[]; settings: ReturnType<typeof followed>[] }> {
  const all: N8nNode[] = []
  const nameFor = uniqueNames()
  for (const [place, raw] of membersIn(flow.nodes).entries()) {
    yield
    const node = readNode(raw, place)
    const name = nameFor(node.name)
    all.push(name === node.name ? node : { ...node, name })
  }
  const settings: ReturnType<typeof followed>[] = []
  for (const node of all) {
    yield
    if (node.type !== 'stickyNote') settings.push(followed(node))
  }
  return { all, settings }
}

/** Names are what wires go by: the second of two is out of reach, and kept. */
function uniqueNames(): (name: string) => string {
  const taken = new Set<string>()
  // From where to count on: ten thousand nodes of one name would be compared with each other.
  const next = new Map<string, number>()
  return (name) => {
    let given = name
    let n = next.get(name) ?? 1
    while (taken.has(given)) given = `${name} ${n++}`
    next.set(name, n)
    taken.add(given)
    return given
  }
}
