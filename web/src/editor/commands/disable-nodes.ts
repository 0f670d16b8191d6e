import type { Flow, Node } from '../graph/flow.ts'
import type { Command } from './command.ts'

/** Disables the chosen nodes; where all of them are, enables them. Undefined where none is chosen. */
export function toggleDisabled(flow: Flow, chosen: ReadonlySet<string>): Command | undefined {
  const nodes = flow.nodes.filter(({ id }) => chosen.has(id))
  if (nodes.length === 0) return undefined
  const disabled = areDisabled(nodes) ? null : true
  const commands = nodes.map(({ id }): Command => ({ kind: 'change-node', node: id, changes: { disabled } }))
  const label = disabled === null ? 'Enable' : 'Disable'
  return { kind: 'all', commands, label: nodes.length === 1 ? label : `${label} ${nodes.length} nodes` }
}

export function areDisabled(nodes: readonly Node[]): boolean {
  return nodes.every(({ disabled }) => disabled === true)
}
