import { type Become, PASSES_ON, single } from '../become.ts'
import { fixedTemplate, type SourceOf, wiredTemplate } from './basic.ts'
import { modelFields } from './chosen-model.ts'
import { type LangflowNode, valueIn } from './langflow-node.ts'

/** Crews of CrewAI: agents that work on tasks one after the other, or one that gives the others work. */

export const TOLD = ['role', 'goal', 'backstory'] as const

/** Who an agent is, said in the order in which CrewAI says it. */
export function systemOf(node: LangflowNode, sourceOf: SourceOf): string {
  const [role, goal, backstory] = TOLD.map((name) => wiredTemplate(node, name, sourceOf))
  return [
    role === '' ? '' : `You are ${role}.`,
    backstory,
    goal === '' ? '' : `Your personal goal is: ${goal}`
  ]
    .filter((line) => line !== '')
    .join('\n')
}

export const CONTEXT = 'This is the context that you work with:'

function taskText(description: string, expected: string): string {
  return expected === ''
    ? description
    : `${description}\n\nThis is what is expected of your final answer: ${expected}\nGive all of it, and not a summary.`
}

/** An agent with its task; what the one before gave is its context. */
function task(node: LangflowNode, sourceOf: SourceOf): Become {
  const { connection, fields } = modelFields(node)
  const before = ['previous_task', 'task'].find((name) => node.wired.has(name))
  const asked = taskText(
    wiredTemplate(node, 'task_description', sourceOf),
    wiredTemplate(node, 'expected_output', sourceOf)
  )
  const prompt =
    before === undefined ? asked : `${asked}\n\n${CONTEXT}\n${wiredTemplate(node, before, sourceOf)}`
  const delegates =
    valueIn(node.agent ?? node, 'allow_delegation') === true
      ? ' It could hand work to the other agents, and does it itself here.'
      : ''
  return {
    verdict: 'adapted',
    note: `Role, goal and backstory are its system text; the task, what is expected and what the task before gave are its prompt.${delegates}`,
    parts: {
      main: {
        type: 'agent',
        fields: { ...fields, system: systemOf(node.agent ?? node, sourceOf), prompt: prompt || '{$data}' }
      }
    },
    takes: (input) => (input === 'tools' ? 'main.tools' : 'main.data'),
    gives: () => 'main.text',
    connections: [connection]
  }
}

function sequentialCrew(): Become {
  return single(
    PASSES_ON,
    { takes: 'data', gives: 'data' },
    { note: 'The answer of the last agent is that of the crew.' }
  )
}

function taskOfCrew(node: LangflowNode): Become | undefined {
  if (node.wired.has('tools')) return undefined
  const part = (name: string) => (node.wired.has(name) ? `{${name}?}` : fixedTemplate(node, name))
  const template = taskText(part('task_description'), part('expected_output'))
  return {
    verdict: 'adapted',
    note: 'The task and what is expected are the prompt of the crew.',
    parts: { main: { type: 'prompt', fields: { template } } },
    takes: (input) => `main.${input}`,
    gives: () => 'main.prompt'
  }
}

/** Where none is wired, CrewAI makes one of its own. */
const MANAGER =
  'You are Crew Manager.\nYou know how to get the best out of a team: you give each the work that fits, and judge what they answer.\nYour personal goal is: Manage the team to complete the task in the best way possible.'

function hierarchicalCrew(node: LangflowNode, sourceOf: SourceOf): Become {
  const { connection, fields } = modelFields(node)
  const system = node.agent === undefined ? MANAGER : systemOf(node.agent, sourceOf)
  return {
    verdict: 'adapted',
    note: 'The manager is an Agent, and the others are its tools: each is a flow that it gives a task and its context.',
    parts: { main: { type: 'agent', fields: { ...fields, system } } },
    takes: (input) =>
      input === 'tasks' ? 'main.text' : /^(?:agents|tools)$/.test(input) ? 'main.tools' : 'main.data',
    gives: () => 'main.text',
    connections: [connection]
  }
}

/** What a crew is made of; undefined where nothing here works as it does. */
export function crewPart(node: LangflowNode, sourceOf: SourceOf): Become | undefined {
  const { type } = node
  if (/^SequentialTask(?:Agent)?Component$/.test(type)) {
    const hasAgent = type === 'SequentialTaskAgentComponent' || node.agent !== undefined
    return hasAgent ? task(node, sourceOf) : undefined
  }
  if (type === 'HierarchicalTaskComponent') return taskOfCrew(node)
  const isCrew = /^(?:Sequential|Hierarchical)CrewComponent$/.test(type)
  // Of several tasks each is to have what those before it gave: wires to a crew do not say which came first.
  if (!isCrew || node.coming.filter(({ input }) => input === 'tasks').length > 1) return undefined
  return type.startsWith('Sequential') ? sequentialCrew() : hierarchicalCrew(node, sourceOf)
}

export function isCoworker({ type, leaving }: LangflowNode): boolean {
  return type === 'CrewAIAgentComponent' && leaving.some(({ input }) => input === 'agents')
}
