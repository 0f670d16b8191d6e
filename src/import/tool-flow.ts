import type { Become, Part } from './become.ts'
import type { ImportedFlow, ImportHelp, NeededConnection } from './imported-flow.ts'
import { resolveOwn } from './references.ts'

/** An agent's tool is a flow of its own: what the model gives is its payload, and what it returns is what the model is told. */
export interface ToolFlow {
  readonly name: string
  /** What the model is told of it. */
  readonly description: string
  /** What the model gives, by name. */
  readonly asks: Readonly<Record<string, { readonly type: string; readonly description: string }>>
  /** One after the other; each says by which port it is reached and left. */
  readonly steps: readonly (Part & { readonly takes: string; readonly gives: string; readonly id: string })[]
  /** Computes what no template can say, beside the first of them. */
  readonly values?: Part
  readonly connections?: readonly NeededConnection[]
}

/** By what the steps name what was computed for them. */
const OWN = 'call'
const VALUES = `${OWN}-values`

export function toolFlow(tool: ToolFlow, help: ImportHelp): ImportedFlow {
  const { name, description, asks, connections = [] } = tool
  const values = tool.values === undefined ? [] : [{ ...tool.values, id: VALUES }]
  const steps = resolveOwn(tool.steps, OWN)
  const nodes = [
    {
      id: 'webhook',
      type: 'webhook',
      title: 'What the agent gives',
      position: { x: 0, y: 0 },
      fields: { schema: schemaOf(asks) }
    },
    ...[...resolveOwn(values, OWN), ...steps].map(({ id, type, fields, title }, at) => ({
      id,
      type,
      ...(title === undefined ? {} : { title }),
      position: { x: 320 * (at + 1 - values.length), y: id === VALUES ? 160 : 0 },
      fields
    })),
    {
      id: 'return',
      type: 'return',
      title: 'What the agent is told',
      position: { x: 320 * (steps.length + 1), y: 0 },
      fields: {}
    }
  ]
  const ends = [
    { to: '', from: 'webhook.data' },
    ...steps.map(({ id, takes, gives }) => ({ to: `${id}.${takes}`, from: `${id}.${gives}` })),
    { to: 'return.data', from: '' }
  ]
  const edges = ends.slice(1).map(({ to }, at) => ({ from: ends[at]!.from, to }))
  if (values.length > 0 && steps[0] !== undefined)
    edges.push({ from: 'webhook.data', to: `${VALUES}.data` }, { from: `${VALUES}.result`, to: ends[1]!.to })
  return {
    name,
    slug: help.slugFor(name),
    document: { name, description, nodes, edges },
    nodes: [],
    wires: { kept: 0, lost: 0 },
    connections,
    pinned: {}
  }
}

function schemaOf(asks: ToolFlow['asks']): unknown {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(asks).map(([name, { type, description }]) => [
        name,
        { type, ...(description === '' ? {} : { description }) }
      ])
    ),
    required: Object.keys(asks)
  }
}

/** The node that gives the flow to the agent. */
export function givesTool(flow: ImportedFlow, note: string): Become {
  return {
    verdict: 'adapted',
    note: `The agent's tool is the flow "${flow.slug}", which was made of it. ${note}`.trimEnd(),
    parts: { main: { type: 'run-flow', fields: { flow: flow.slug } } },
    takes: () => 'main.data',
    gives: () => 'main.tools',
    connections: flow.connections
  }
}
