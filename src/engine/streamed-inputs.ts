import type { PlannedInput, PlannedNode } from './plan-node.ts'

/** Names the inputs that get what another node tells while it works. Where several wires lead to one, which of them counts is known too late. */
export function markStreamed(nodes: readonly PlannedNode[]): readonly PlannedNode[] {
  if (!nodes.some(({ component }) => component.emits !== undefined)) return nodes
  return nodes.map((node) => {
    const streamed = node.inputs.filter((input) => isStreamed(input, nodes))
    const further = new Set(node.inputs.filter(({ isFurther }) => isFurther).map(({ port }) => port))
    const ports = streamed.map(({ port }) => port).filter((port) => !further.has(port))
    return ports.length === 0 ? node : { ...node, streamedInputs: new Set(ports) }
  })
}

function isStreamed({ from, fromPort }: PlannedInput, nodes: readonly PlannedNode[]): boolean {
  return nodes[from]!.component.emits === fromPort
}

/** What an answer begins with that is streamed. */
export interface StreamedHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The answers of a flow that callers may get while they come, by the node that streams them. */
export function streamedAnswers(nodes: readonly PlannedNode[]): ReadonlyMap<string, StreamedHead> {
  const answers = new Map<string, StreamedHead>()
  for (const { component, prepared, streamedInputs, inputs } of nodes) {
    const streamed = streamedInputs && component.streamsAnswer?.(prepared)
    if (streamed === undefined || !streamedInputs!.has(streamed.input)) continue
    const { from } = inputs.find(({ port }) => port === streamed.input)!
    const { status, headers } = streamed
    // The text of one that leads to two answers is that of whichever comes first: nobody knows how it begins.
    const { id } = nodes[from]!
    if (answers.has(id)) return NONE
    answers.set(id, { status, headers })
  }
  return answers
}

const NONE: ReadonlyMap<string, StreamedHead> = new Map()

/** The nodes that print what others tell while they work, by the node that tells it. */
export function printedWhileTold(nodes: readonly PlannedNode[]): ReadonlyMap<string, ReadonlySet<string>> {
  const printers = new Map<string, Set<string>>()
  for (const { id, component, streamedInputs, inputs } of nodes) {
    const { prints } = component
    if (prints === undefined || streamedInputs?.has(prints) !== true) continue
    const told = nodes[inputs.find(({ port }) => port === prints)!.from]!.id
    printers.set(told, (printers.get(told) ?? new Set()).add(id))
  }
  return printers
}
