import type { Turns } from '../../flows/in-turns.ts'
import { isTooDense } from '../too-dense.ts'
import { listOf, type Members, membersIn, membersOf, numberOf, textOf } from '../values.ts'

export interface N8nNode {
  readonly name: string
  /** Without the package that all are in; those of models begin with `ai:`. */
  readonly type: string
  readonly fullType: string
  readonly version: number
  readonly params: Members
  /** Its settings, where more stands in them than is read. */
  readonly unread: Members | undefined
  readonly credentials: Members
  readonly x: number
  readonly y: number
  readonly isDisabled: boolean
  readonly raw: Members
}

export interface N8nWire {
  readonly from: string
  /** Which of its outputs. */
  readonly output: number
  readonly to: string
  readonly input: number
  /** `main`, or what a node lends another one: `ai_tool`, `ai_languageModel` … */
  readonly kind: string
}

/** Nodes are drawn larger here, and some have parts below them. */
export const LARGER = { x: 1.75, y: 1.6 }

export function readNode(node: Members, place: number): N8nNode {
  const fullType = textOf(node.type)
  const [x, y] = listOf(node.position)
  const params = membersOf(node.parameters)
  // What is not written as an expression is copied. A note is one text, which nobody reads.
  const isUnread = !fullType.endsWith('.stickyNote') && isTooDense(params, (_, text) => !text.startsWith('='))
  return {
    name: textOf(node.name) || `Node ${place + 1}`,
    type: fullType.replace(/^@n8n\/n8n-nodes-langchain\./, 'ai:').replace(/^n8n-nodes-base\./, ''),
    fullType,
    version: numberOf(node.typeVersion) ?? 1,
    params: isUnread ? {} : params,
    unread: isUnread ? params : undefined,
    credentials: membersOf(node.credentials),
    x: (numberOf(x) ?? 0) * LARGER.x,
    y: (numberOf(y) ?? 0) * LARGER.y,
    isDisabled: node.disabled === true,
    raw: node
  }
}

/** Wires go by names, kind and place; a place may be null. Files that other programs wrote may have ids for names. */
export function* readWires(connections: unknown, nodes: readonly N8nNode[]): Turns<N8nWire[]> {
  const names = new Set(nodes.map(({ name }) => name))
  const byId = new Map(nodes.map(({ raw, name }) => [textOf(raw.id), name]))
  const nodeOf = (end: string) => (names.has(end) ? end : byId.get(end))
  const wires: N8nWire[] = []
  for (const [end, kinds] of Object.entries(membersOf(connections))) {
    yield
    const from = nodeOf(end)
    if (from === undefined) continue
    for (const [kind, outputs] of Object.entries(membersOf(kinds)))
      for (const [output, ends] of listOf(outputs).entries())
        for (const { node, index } of membersIn(ends)) {
          const to = nodeOf(textOf(node))
          if (to !== undefined) wires.push({ from, output, to, input: numberOf(index) ?? 0, kind })
        }
  }
  return wires
}

/** A text of a setting, or of what a list to choose from holds (`{"__rl": true, "value": …}`). */
export function chosen(value: unknown): unknown {
  const members = membersOf(value)
  return members.__rl === true || 'mode' in members ? members.value : value
}

/** How many items a loop takes at once. */
export function batchSize({ params, version }: N8nNode): number {
  return Number(params.batchSize ?? (version >= 3 ? 1 : 10)) || 1
}
