import type { Turns } from '../../flows/in-turns.ts'
import type { Absorbed } from '../assembly.ts'
import { isModelOnly, isModelWire } from './chosen-model.ts'
import type { LangflowNode, LangflowWire, WiresAround } from './langflow-node.ts'

const AGENT = 'CrewAIAgentComponent'
const AGENT_INPUTS: ReadonlySet<string> = new Set(['agent', 'manager_agent'])

/** Nodes with the model, and the agent of a crew, that wires bring them. */
export function* withLent(nodes: readonly LangflowNode[], around: WiresAround): Turns<LangflowNode[]> {
  const asked = new Map<string, LangflowNode>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const node of nodes) {
    yield
    const wire = around.to
      .get(node.id)
      ?.find((each) => isModelWire(each) && each.input !== 'function_calling_llm')
    const model = wire && byId.get(wire.from)
    asked.set(node.id, model === undefined ? node : { ...node, model })
  }
  const lent: LangflowNode[] = []
  for (const node of asked.values()) {
    yield
    const wire = around.to.get(node.id)?.find(({ input }) => AGENT_INPUTS.has(input))
    const agent = wire && asked.get(wire.from)
    lent.push(agent?.type === AGENT && !agent.isChanged ? { ...node, agent, model: agent.model } : node)
  }
  return lent
}

/** Each of them gets all that is wired to the agent. */
const MOST_TASKS = 50

/** What a node says that is only lent to another one. */
export function absorbedBy(node: LangflowNode, around: WiresAround): Absorbed | undefined {
  const leaving = around.from.get(node.id) ?? []
  const into = leaving[0]?.to
  if (into === undefined) return undefined
  if (isModelOnly(node)) return { into, note: modelNote(node), verdict: 'adapted', isLent: true }
  const isLent = node.type === AGENT && leaving.every(({ input }) => AGENT_INPUTS.has(input))
  if (!isLent || node.isChanged || leaving.length > MOST_TASKS) return undefined
  const note = 'Its role, goal, backstory, model and tools are those of the node that it was wired to.'
  return { into, note, verdict: 'adapted', isLent: true }
}

function modelNote(node: LangflowNode): string {
  if (node.isChanged)
    return `Its code was changed there, which counts for nothing here. ${modelNote({ ...node, isChanged: false })}`
  return node.outputs.includes('embeddings')
    ? 'Which model makes vectors is said by the collection.'
    : `Its provider and model are fields of the node that it was wired to.`
}

/** What was wired to an agent that is lent goes on to whoever it was lent to. */
export function wiresPast(lent: ReadonlySet<string>, around: WiresAround): LangflowWire[] {
  return [...lent].flatMap((id) =>
    (around.from.get(id) ?? [])
      .filter(({ input }) => AGENT_INPUTS.has(input))
      .flatMap(({ to }) =>
        (around.to.get(id) ?? [])
          .filter((wire) => !isModelWire(wire))
          .map((wire) => ({ ...wire, to, isMade: true }))
      )
  )
}
