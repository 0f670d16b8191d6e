import { slugify } from '../../flows/slug.ts'
import { ofProvider } from '../connection-names.ts'
import { bounded, type Members, membersOf, textOf } from '../values.ts'
import { type FlowiseNode, rowsOf } from './flowise-node.ts'
import { modelFields } from './models.ts'
import { type Mapping, made, TEXT_OR_DATA, type Tool } from './step.ts'
import { knowledgeTool, toolOf } from './tools.ts'
import type { Writer } from './writer.ts'

/** What a model is told and asked: messages, and with memory the question, what was said in this run, and its own message. */
function asked(node: FlowiseNode, prefix: string, write: Writer) {
  const { inputs } = node
  const messages = rowsOf(inputs[`${prefix}Messages`])
  const texts = (pattern: RegExp) =>
    messages
      .filter(({ role }) => pattern.test(textOf(role)))
      .map(({ content }) => write.template(content))
      .filter((text) => text !== '')
  const system = texts(/system|developer/i).join('\n\n')
  const said = texts(/user|human|assistant|ai/i)
  const isMemory = inputs[`${prefix}EnableMemory`] === true
  const own = isMemory ? write.template(inputs[`${prefix}UserMessage`]) : ''
  const before = speakersBefore(node, write)
  const isAsked = isMemory || (before.length === 0 && texts(/user|human/i).length === 0)
  const spoken = isMemory ? before.map(({ id }) => write.template(`{{ ${id} }}`)) : []
  // Named in a message, it need not be said twice.
  const question = isAsked && !isQuestionIn([...said, own], write) ? [write.question] : []
  const prompt = [...said, ...question, ...spoken, own].filter((text) => text !== '')
  if (prompt.length > 1) write.tell('Its messages are one prompt here, in their order.')
  return {
    ...(system !== '' && { system }),
    prompt: prompt.join('\n\n') || write.question,
    ...(isMemory && { history: bounded(inputs[`${prefix}MemoryWindowSize`], 0, 200) ?? 20 })
  }
}

function isQuestionIn(texts: readonly string[], write: Writer): boolean {
  return texts.some((text) => text.includes(write.question))
}

/** What they have said in this run is seen by who has memory; before the first of them the question alone was said. */
function speakersBefore(node: FlowiseNode, write: Writer): readonly FlowiseNode[] {
  return write.graph.comesFrom(node.id).filter(({ name }) => /^(?:llm|agent)Agentflow$/.test(name))
}

/** The fields that the answer is to have. */
function schemaOf(value: unknown): Members | undefined {
  const rows = rowsOf(value).filter(({ key }) => textOf(key) !== '')
  if (rows.length === 0) return undefined
  const properties = Object.fromEntries(rows.map((row) => [textOf(row.key), typeOfKey(row)]))
  return { type: 'object', properties, required: Object.keys(properties) }
}

function typeOfKey(row: Members): Members {
  const description = textOf(row.description)
  const told = description === '' ? {} : { description }
  const type = textOf(row.type)
  if (type === 'enum')
    return {
      type: 'string',
      enum: textOf(row.enumValues)
        .split(',')
        .map((each) => each.trim()),
      ...told
    }
  if (type === 'stringArray') return { type: 'array', items: { type: 'string' }, ...told }
  if (type === 'jsonArray') return { type: 'array', items: { type: 'object' }, ...told }
  return { type: /^(?:number|boolean|object)$/.test(type) ? type : 'string', ...told }
}

export const llm: Mapping = (node, write) => {
  const { inputs } = node
  const model = modelFields(textOf(inputs.llmModel), membersOf(inputs.llmModelConfig))
  write.tell(ofProvider(textOf(inputs.llmModel)))
  const schema = schemaOf(inputs.llmStructuredOutput)
  const fields = { ...model.fields, ...asked(node, 'llm', write), ...(schema !== undefined && { schema }) }
  return {
    become: made({ main: { type: 'language-model', fields } }, write, {
      gives: TEXT_OR_DATA,
      connections: [model.connection]
    })
  }
}

export const agent: Mapping = (node, write, { help }) => {
  const { inputs } = node
  const model = modelFields(textOf(inputs.agentModel), membersOf(inputs.agentModelConfig))
  write.tell(ofProvider(textOf(inputs.agentModel)))
  const schema = schemaOf(inputs.agentStructuredOutput)
  const tools: Tool[] = rowsOf(inputs.agentTools)
    .slice(0, 50)
    .map((row) => {
      const name = textOf(row.agentSelectedTool)
      return toolOf(name, membersOf(row.agentSelectedToolConfig), name, help)
    })
  if (rowsOf(inputs.agentTools).some((row) => row.agentSelectedToolRequiresHumanInput === true))
    write.tell('A person was asked before a tool was used: put an Approve into the flow of that tool.')
  for (const row of [
    ...rowsOf(inputs.agentKnowledgeDocumentStores),
    ...rowsOf(inputs.agentKnowledgeVSEmbeddings)
  ].slice(0, 20))
    tools.push(
      knowledgeTool(
        storeName(row),
        textOf(row.docStoreDescription ?? row.knowledgeDescription).slice(0, 60) || 'Knowledge'
      )
    )
  const fields = { ...model.fields, ...asked(node, 'agent', write), ...(schema !== undefined && { schema }) }
  const become = made({ main: { type: 'agent', fields } }, write, {
    gives: TEXT_OR_DATA,
    connections: [model.connection]
  })
  return { become, tools }
}

/** `id:name` of a store of documents. */
export function storeName(row: Members): string {
  const written = textOf(row.documentStore) || textOf(row.knowledgeName) || textOf(row.vectorStore)
  return slugify(written.slice(written.indexOf(':') + 1)) || 'documents'
}
