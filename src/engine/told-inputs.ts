import type { PlannedInput, PlannedNode } from './plan-node.ts'

/** Names the inputs that get what another node tells while it works. Where several wires lead to one, which of them counts is known too late. */
export function markTold(nodes: readonly PlannedNode[]): readonly PlannedNode[] {
  if (!nodes.some(({ component }) => component.emits !== undefined)) return nodes
  return nodes.map((node) => {
    const told = node.inputs.filter((input) => isTold(input, nodes))
    const further = new Set(node.inputs.filter(({ isFurther }) => isFurther).map(({ port }) => port))
    const ports = told.map(({ port }) => port).filter((port) => !further.has(port))
    return ports.length === 0 ? node : { ...node, toldInputs: new Set(ports) }
  })
}

function isTold({ from, fromPort }: PlannedInput, nodes: readonly PlannedNode[]): boolean {
  return nodes[from]!.component.emits === fromPort
}

/** What an answer begins with that is told while it comes. */
export interface ToldHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The answers of a flow that callers may get as they are told, by the node that tells them. */
export function toldAnswers(nodes: readonly PlannedNode[]): ReadonlyMap<string, ToldHead> {
  const answers = new Map<string, ToldHead>()
  for (const { component, prepared, toldInputs, inputs } of nodes) {
    const told = toldInputs && component.answersAsTold?.(prepared)
    if (told === undefined || !toldInputs!.has(told.input)) continue
    const { from } = inputs.find(({ port }) => port === told.input)!
    const { status, headers } = told
    // The text of one that leads to two answers is that of whichever comes first: nobody knows how it begins.
    const { id } = nodes[from]!
    if (answers.has(id)) return NONE
    answers.set(id, { status, headers })
  }
  return answers
}

const NONE: ReadonlyMap<string, ToldHead> = new Map()
