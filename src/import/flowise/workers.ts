import type { Part } from '../become.ts'
import { literalText } from '../expressions/template-text.ts'
import type { ImportedFlow } from '../imported-flow.ts'
import { givesTool, toolFlow } from '../tool-flow.ts'
import { textOf } from '../values.ts'
import type { FlowiseNode } from './flowise-node.ts'
import { modelOf, toolsOf } from './lent.ts'
import type { Place, Tool } from './step.ts'
import { valuesOf, type Writer } from './writer.ts'

export const workerName = ({ inputs, title }: FlowiseNode): string => textOf(inputs.workerName) || title

interface Worker {
  readonly tool: Tool
  /** Flows that are tools of its own. */
  readonly flows: readonly ImportedFlow[]
}

/** A worker is an agent in a flow, with its tools beside it. */
export function workerOf(worker: FlowiseNode, write: Writer, place: Place): Worker {
  const model = modelOf(
    { ...place, lent: (input) => [...place.lentTo(worker.id, input), ...place.lent(input)] },
    write
  )
  const name = workerName(worker)
  const { system, note } = told(worker)
  const own = toolsOf({ ...place, lent: (input) => place.lentTo(worker.id, input) })
  const tools = own.map(({ title, become }, at): [string, Part, string] => [
    `tool${at + 1}`,
    { ...become.parts.main!, title },
    become.gives('tools')?.replace(/^main/, '') ?? '.tools'
  ])
  const agent = { type: 'agent', title: name, fields: { ...model.fields, system, prompt: '{task}' } }
  const flow = toolFlow(
    {
      name,
      description: `${name}: does a part of the work, and tells its result.`,
      asks: {
        task: { type: 'string', description: 'What is to be done, with all that has to be known for it' }
      },
      steps: [],
      whole: {
        parts: { main: agent, ...Object.fromEntries(tools.map(([part, tool]) => [part, tool])) },
        links: tools.map(([part, , port]): [string, string] => [`${part}${port}`, 'main.tools']),
        takes: 'main.data',
        gives: 'main.text'
      },
      connections: [model.connection, ...own.flatMap(({ become }) => become.connections ?? [])]
    },
    place.help
  )
  const notes = [note, ...own.map(({ become }) => become.note)].filter((text) => text !== '').join(' ')
  return {
    tool: { title: name, become: givesTool(flow, notes), flow },
    flows: own.flatMap((tool) => tool.flow ?? [])
  }
}

/** Its prompt with the values that stand in it: what other nodes give does not reach into its flow. */
function told({ inputs }: FlowiseNode): { readonly system: string; readonly note: string } {
  const values = valuesOf(inputs.promptValues)
  const open = new Set<string>()
  const text = textOf(inputs.workerPrompt).replace(/\{([^{}\s]{1,100})\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? textOf(values[name]) : ''
    if (value !== '' && !value.includes('{{')) return value
    open.add(whole)
    return whole
  })
  const note =
    open.size === 0
      ? ''
      : `Its prompt read ${[...open].join(', ')}: let that be told in its task, and take it out.`
  return { system: literalText(text), note }
}
