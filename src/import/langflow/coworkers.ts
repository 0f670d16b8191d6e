import type { Turns } from '../../flows/in-turns.ts'
import type { Absorbed } from '../assembly.ts'
import type { Become, Part } from '../become.ts'
import type { ImportedFlow, ImportHelp } from '../imported-flow.ts'
import { givesTool, toolFlow } from '../tool-flow.ts'
import { modelFields } from './chosen-model.ts'
import { CONTEXT, isCoworker, systemOf, TOLD } from './crews.ts'
import { type LangflowNode, textIn } from './langflow-node.ts'

interface Coworkers {
  readonly flows: readonly ImportedFlow[]
  /** Tools that no other agent has. */
  readonly lent: ReadonlyMap<string, Absorbed>
}

/** Agents that a manager gives work to become flows, with their tools in them. */
export function* coworkersOf(
  nodes: readonly LangflowNode[],
  becomes: Map<string, Become>,
  /** By the id of the node that each was made of. */
  tools: ReadonlyMap<string, ImportedFlow>,
  help: ImportHelp
): Turns<Coworkers> {
  const flows: ImportedFlow[] = []
  const lent = new Map<string, Absorbed>()
  const made = new Set<string>()
  for (const node of nodes) {
    yield
    if (!isCoworker(node) || node.isChanged) continue
    const own = node.coming.filter(({ input }) => input === 'tools').map(({ from }) => tools.get(from))
    if (own.includes(undefined)) continue
    const worker = coworker(
      node,
      own.flatMap((tool) => tool ?? []),
      help
    )
    if (worker === undefined) continue
    becomes.set(node.id, worker.become)
    flows.push(worker.flow)
    made.add(node.id)
  }
  for (const node of nodes) {
    yield
    const [first] = node.leaving
    if (first === undefined || !node.leaving.every(({ to, input }) => made.has(to) && input === 'tools'))
      continue
    becomes.delete(node.id)
    lent.set(node.id, {
      into: first.to,
      note: 'It is a tool in the flow that this became.',
      verdict: 'adapted'
    })
  }
  return { flows, lent }
}

/** An agent that a manager gives work to, with the flows that are its tools. Who it is has to be known before. */
function coworker(
  node: LangflowNode,
  tools: readonly ImportedFlow[],
  help: ImportHelp
): { become: Become; flow: ImportedFlow } | undefined {
  if (TOLD.some((name) => node.wired.has(name))) return undefined
  const { connection, fields } = modelFields(node)
  const main: Part = {
    type: 'agent',
    fields: {
      ...fields,
      system: systemOf(node, () => undefined),
      prompt: `{task}\n\n${CONTEXT}\n{context?}`
    }
  }
  const parts = Object.fromEntries(
    tools.map(({ slug, name }, at) => [
      `tool-${at + 1}`,
      { type: 'run-flow', title: name, fields: { flow: slug } }
    ])
  )
  const role = textIn(node, 'role') || node.title
  const flow = toolFlow(
    {
      name: role,
      description: `Does work as ${role}. ${textIn(node, 'goal')}`.trim(),
      asks: {
        task: { type: 'string', description: 'What is to be done, in all details' },
        context: { type: 'string', description: 'All that has to be known for it' }
      },
      steps: [],
      whole: {
        parts: { main, ...parts },
        links: Object.keys(parts).map((name) => [`${name}.tools`, 'main.tools'] as const),
        takes: 'main.data',
        gives: 'main.text'
      },
      connections: [connection, ...tools.flatMap(({ connections }) => connections)]
    },
    help
  )
  return { become: givesTool(flow, 'Its own tools are in there.'), flow }
}
