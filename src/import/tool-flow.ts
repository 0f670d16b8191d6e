import type { Become, Part } from './become.ts'
import type { ImportedFlow, ImportHelp, NeededConnection } from './imported-flow.ts'
import { openPart } from './left-out-secrets.ts'
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
  /** What does it where that is more than steps one after the other. */
  readonly whole?: Whole
  /** Computes what no template can say, beside the first of them. */
  readonly values?: Part
  readonly connections?: readonly NeededConnection[]
}

/** Parts of which the first is the main one. Ends are written `part.port`. */
interface Whole {
  readonly parts: Readonly<Record<string, Part>>
  readonly links: readonly (readonly [from: string, to: string])[]
  readonly takes: string
  readonly gives: string
}

/** By what the steps name what was computed for them. */
const OWN = 'call'
const VALUES = `${OWN}-values`

export function toolFlow(tool: ToolFlow, help: ImportHelp): ImportedFlow {
  const { name, description, asks } = tool
  const { links, takes, gives, ...named } = resolveOwn(drawn(tool), OWN)
  const open = named.steps.map((step) => ({ ...openPart(step), step }))
  const steps = open.map(({ open: part, step }) => ({ ...step, ...part }))
  const connections = [...(tool.connections ?? []), ...open.flatMap(({ needed }) => needed ?? [])]
  const values = tool.values === undefined ? [] : [{ ...resolveOwn(tool.values, OWN), id: VALUES }]
  const nodes = [
    {
      id: 'webhook',
      type: 'webhook',
      title: 'What the agent gives',
      position: { x: 0, y: 0 },
      fields: { schema: schemaOf(asks) }
    },
    ...[...values, ...steps].map(({ id, type, fields, title }, at) => ({
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
  const edges = [
    { from: 'webhook.data', to: takes },
    ...links.map(([from, to]) => ({ from, to })),
    { from: gives, to: 'return.data' }
  ]
  if (values.length > 0)
    edges.push({ from: 'webhook.data', to: `${VALUES}.data` }, { from: `${VALUES}.result`, to: takes })
  return {
    name,
    slug: help.slugFor(name),
    document: { name, description, nodes, edges },
    nodes: [],
    wires: { kept: 0, lost: 0 },
    connections,
    pinned: {},
    told: open
      .map(({ note }) => note)
      .join(' ')
      .trim()
  }
}

type Drawn = Pick<Whole, 'takes' | 'gives'> & {
  readonly steps: readonly (Part & { readonly id: string })[]
  readonly links: readonly (readonly [from: string, to: string])[]
}

/** Its nodes, and the wires among them. */
function drawn({ steps, whole }: ToolFlow): Drawn {
  if (whole === undefined) {
    const [first, last] = [steps[0], steps.at(-1)]
    const links = steps
      .slice(1)
      .map(({ id, takes }, at) => [`${steps[at]!.id}.${steps[at]!.gives}`, `${id}.${takes}`] as const)
    return {
      steps,
      links,
      takes: first === undefined ? 'return.data' : `${first.id}.${first.takes}`,
      gives: last === undefined ? 'webhook.data' : `${last.id}.${last.gives}`
    }
  }
  const names = Object.keys(whole.parts)
  const idOf = (name: string) => (name === names[0] ? OWN : `${OWN}-${name}`)
  const end = (written: string) => {
    const dot = written.indexOf('.')
    return `${idOf(written.slice(0, dot))}${written.slice(dot)}`
  }
  return {
    steps: names.map((name) => ({ ...whole.parts[name]!, id: idOf(name) })),
    links: whole.links.map(([from, to]) => [end(from), end(to)] as const),
    takes: end(whole.takes),
    gives: end(whole.gives)
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
    note: `The agent's tool is the flow "${flow.slug}", which was made of it. ${note} ${flow.told ?? ''}`.trimEnd(),
    parts: { main: { type: 'run-flow', fields: { flow: flow.slug } } },
    takes: () => 'main.data',
    gives: () => 'main.tools',
    connections: flow.connections
  }
}
