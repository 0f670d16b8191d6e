import type { Part } from '../become.ts'
import { modelConnection, ofProvider } from '../connection-names.ts'
import { bounded, isMembers, type Members, membersOf, numberOf, textOf } from '../values.ts'
import type { Place } from './mapping.ts'
import { chosen, type N8nNode } from './n8n-node.ts'
import { isWritten } from './n8n-text.ts'
import type { Writer } from './writer.ts'

/** The model that is lent to a node, as fields. */
export function modelFields(node: N8nNode, write: Writer, place: Place): Record<string, unknown> {
  const [model, second] = place.lent('ai_languageModel')
  const first = fieldsOf(model ?? node, write)
  const other = second === undefined ? undefined : fieldsOf(second, write)
  return {
    ...first,
    ...(other !== undefined && { fallback_connection: other.connection, fallback_model: other.model }),
    ...memoryFields(write, place)
  }
}

function fieldsOf(node: N8nNode, write: Writer): Record<string, unknown> {
  const { params } = node
  const options = membersOf(params.options)
  const provider = /(?:lmChat|lm|ai:)([A-Za-z]+)$/.exec(node.type)?.[1] ?? 'openai'
  const kind = modelConnection(provider.replace(/^OpenAi$/i, 'OpenAI')).kind
  const connection = write.lentConnection(node, kind, provider.toLowerCase())
  const model = chosen(params.model ?? params.modelId ?? params.modelName)
  write.tell(ofProvider(provider))
  if (isWritten(model))
    write.tell(`Which model was computed there (${textOf(model).slice(0, 100)}): choose one.`)
  const temperature = numberOf(options.temperature)
  const tokens = bounded(
    options.maxTokens ?? options.maxOutputTokens ?? options.maxTokensToSample,
    1,
    100_000_000
  )
  return {
    connection,
    model: nameOf(model, provider),
    ...(temperature !== undefined && { temperature: Math.min(2, Math.max(0, temperature)) }),
    ...(tokens !== undefined && { max_tokens: tokens })
  }
}

/** What n8n takes where nobody chose. */
const USUAL: readonly [provider: RegExp, model: string][] = [
  [/anthropic|claude/i, 'claude-sonnet-4-0'],
  [/gemini|google|vertex/i, 'gemini-2.5-flash'],
  [/mistral/i, 'mistral-small-latest'],
  [/groq/i, 'llama-3.1-8b-instant'],
  [/ollama/i, 'llama3.2'],
  [/deepseek/i, 'deepseek-chat'],
  [/router/i, 'openai/gpt-4o-mini']
]

export function nameOf(model: unknown, provider: string): string {
  const written = isWritten(model) ? '' : textOf(model).replace(/^models\//, '')
  return written || (USUAL.find(([name]) => name.test(provider))?.[1] ?? 'gpt-4o-mini')
}

export function memoryFields(write: Writer, place: Place): Record<string, unknown> {
  const [memory] = place.lent('ai_memory')
  if (memory === undefined) return {}
  const { params } = memory
  const key =
    params.sessionIdType === 'customKey' || (params.sessionKey !== undefined && memory.version < 1.2)
      ? write.template(params.sessionKey)
      : ''
  return {
    history: bounded(params.contextWindowLength ?? params.windowSize, 1, 200) ?? 5,
    ...(key !== '' && { session: key })
  }
}

/** The shape of the answer, where a parser asks for one. */
export function schemaFrom(place: Place): unknown {
  for (const parser of place.lent('ai_outputParser')) {
    const { params } = parser
    const inner = read(params.inputSchema ?? params.jsonSchema)
    if (isMembers(inner))
      return isMembers(inner.properties) || inner.type !== undefined ? inner : shapeOf(inner)
    const example = read(params.jsonSchemaExample)
    if (example !== undefined) return shapeOf(example)
    if (parser.type === 'ai:outputParserItemList') return { type: 'array', items: { type: 'string' } }
  }
  return undefined
}

export function read(json: unknown): unknown {
  if (typeof json !== 'string') return isMembers(json) ? json : undefined
  try {
    return JSON.parse(json.replace(/^=/, ''))
  } catch {
    return undefined
  }
}

/** The schema of a value like this one. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : shapeOf(value[0]) }
  if (isMembers(value)) {
    const properties = Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)])
    )
    return { type: 'object', properties, required: Object.keys(properties) }
  }
  if (typeof value === 'number') return { type: 'number' }
  return typeof value === 'boolean' ? { type: 'boolean' } : { type: 'string' }
}

/** What is asked of the model, by default what was typed in the chat. */
export function promptOf(params: Members, write: Writer): string {
  const text = params.text ?? params.prompt
  const isGiven =
    params.promptType === 'define' || params.promptType === undefined || params.text !== undefined
  return isGiven && text !== undefined && text !== '' ? write.template(text) : '{chatInput?}'
}

export function asItem(member: string): Part {
  return {
    type: 'transform',
    title: 'As n8n gives it',
    fields: { expression: `{ ${JSON.stringify(member)}: $ }` }
  }
}
