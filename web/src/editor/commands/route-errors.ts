import { ERROR_OUTPUT } from '../../../../src/flows/component/ports.ts'
import { endText, type Flow } from '../graph/flow.ts'
import type { Command } from './command.ts'

/** Routes the errors of a node to an output of their own, or lets them fail the run: then what was wired to it goes. */
export function routeErrors(flow: Flow, node: string, toOutput: boolean): Command {
  const change: Command = { kind: 'change-node', node, changes: { on_error: toOutput ? 'output' : null } }
  if (toOutput) return change
  const from = endText({ node, port: ERROR_OUTPUT })
  const wires = flow.edges.filter((edge) => edge.from === from)
  const commands: Command[] = [...wires.map((edge): Command => ({ kind: 'disconnect', edge })), change]
  return { kind: 'all', commands, label: 'Fail the run on errors' }
}
