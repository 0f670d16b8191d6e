import { slugify } from '../../flows/slug.ts'
import { bounded, type Members, textOf } from '../values.ts'
import { type FlowiseNode, rowsOf } from './flowise-node.ts'
import { type ModelFields, modelFields } from './models.ts'
import type { Place, Tool } from './step.ts'
import { knowledgeTool, toolOf } from './tools.ts'
import type { Writer } from './writer.ts'

/** What is lent to a chain or an agent: its model, memory, prompt, parser, stores and tools. */

export function modelOf(place: Place, write: Writer): ModelFields {
  const { start } = write.graph
  const [model] = [
    ...place.lent('model'),
    ...(start.node === undefined ? [] : place.lentTo(start.node.id, 'model')),
    ...place.lent('queryEngineTools').flatMap(({ id }) => place.lentTo(id, 'baseQueryEngine'))
  ]
  return modelFields(model?.name ?? 'chatOpenAI', model?.inputs ?? {})
}

/** Turns of the session, where a memory was lent. */
export function historyOf(place: Place, write: Writer): object {
  const { start } = write.graph
  const [memory] = [
    ...place.lent('memory'),
    ...place.lent('agentMemory'),
    ...(start.node === undefined ? [] : place.lentTo(start.node.id, 'agentMemory'))
  ]
  if (memory === undefined) return {}
  return { history: bounded(memory.inputs.k, 0, 200) ?? 20 }
}

/** What the prompt that was lent says, else the question. */
export function promptOf(place: Place, write: Writer): { system?: string; prompt: string } {
  const [prompt] = place.lent('prompt')
  if (prompt === undefined) return { prompt: write.question }
  const { inputs } = prompt
  const of = (value: unknown) => write.prompt(value, inputs.promptValues)
  const system = of(inputs.systemMessagePrompt)
  const human = of(inputs.humanMessagePrompt) || of(inputs.template) || of(inputs.prefix)
  return { ...(system !== '' && { system }), prompt: human || write.question }
}

export function schemaOf(place: Place, write: Writer): Members | undefined {
  const [parser] = place.lent('outputParser')
  if (parser === undefined) return undefined
  const rows = rowsOf(parser.inputs.jsonStructure).filter(({ property }) => textOf(property) !== '')
  if (rows.length === 0) {
    write.tell('What its output parser asked for is to be written into "schema".')
    return undefined
  }
  const properties = Object.fromEntries(
    rows.map(({ property, type, description }) => [
      textOf(property),
      {
        type: /^(?:number|boolean)$/.test(textOf(type)) ? textOf(type) : 'string',
        ...(textOf(description) && { description: textOf(description) })
      }
    ])
  )
  return { type: 'object', properties }
}

export function storeName({ name, inputs, title }: FlowiseNode): string {
  const named = Object.entries(inputs).find(([field]) =>
    /(?:index|collection|table|store)(?:Name)?$/i.test(field)
  )
  return slugify(textOf(named?.[1])) || slugify(title) || slugify(name) || 'documents'
}

/** The tools that are lent to a node. */
export function toolsOf(place: Place): Tool[] {
  return place
    .lent('tools')
    .concat(place.lent('queryEngineTools'))
    .slice(0, 50)
    .map((tool) => {
      if (!/retriever|queryEngine|vectorStore|QAChain/i.test(tool.name))
        return toolOf(tool.name, tool.inputs, tool.title, place.help)
      const [store] = [
        ...place.lentTo(tool.id, 'retriever'),
        ...place.lentTo(tool.id, 'vectorStore'),
        ...place
          .lentTo(tool.id, 'baseQueryEngine')
          .flatMap(({ id }) => place.lentTo(id, 'vectorStoreRetriever'))
      ]
      return knowledgeTool(
        store === undefined ? slugify(tool.title) || 'documents' : storeName(store),
        textOf(tool.inputs.name) || textOf(tool.inputs.toolName) || tool.title
      )
    })
}
