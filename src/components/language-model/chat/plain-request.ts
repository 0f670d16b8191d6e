import type { ModelOptions, ModelPrompt } from '../model-providers.ts'

type Message = ModelPrompt[number]
type Part = Exclude<Message['content'], string>[number]
type Written = Readonly<Record<string, unknown>>

/**
 * The question as Chat Completions take it, written as the SDK writes it; undefined where something stands in it that is left to the SDK:
 * pictures, schemas, and what providers want to have back.
 */
export function plainRequest(model: string, options: ModelOptions): string | undefined {
  const { prompt, tools = [], toolChoice, maxOutputTokens, temperature, ...others } = options
  if (Object.entries(others).some(([name, value]) => value !== undefined && !SAYS_NOTHING.has(name)))
    return undefined
  if (toolChoice !== undefined && toolChoice.type !== 'auto') return undefined
  if (tools.some(({ type }) => type !== 'function')) return undefined
  const messages = prompt.map(messagesOf)
  if (messages.includes(undefined)) return undefined
  return JSON.stringify({
    model,
    max_tokens: maxOutputTokens,
    temperature,
    messages: (messages as Written[][]).flat(),
    ...(tools.length > 0 && { tools: tools.map(toolOf), tool_choice: toolChoice?.type }),
    stream: true,
    stream_options: { include_usage: true }
  })
}

/** Those for providers say how strict a schema is. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['headers', 'providerOptions'])

function toolOf(tool: NonNullable<ModelOptions['tools']>[number]): Written {
  const { name, description, inputSchema } = tool as Extract<typeof tool, { type: 'function' }>
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

function messagesOf({ role, content }: Message): Written[] | undefined {
  if (role === 'system') return [{ role, content }]
  if (content.some((part: Part) => part.providerOptions !== undefined)) return undefined
  if (role === 'user') return userMessage(content as readonly Part[])
  return role === 'assistant'
    ? assistantMessage(content as readonly Part[])
    : toolMessages(content as readonly Part[])
}

function userMessage(parts: readonly Part[]): Written[] | undefined {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [{ type: 'text', text: part.text }] : []))
  if (texts.length !== parts.length) return undefined
  return [{ role: 'user', content: texts.length === 1 ? texts[0]!.text : texts }]
}

function assistantMessage(parts: readonly Part[]): Written[] | undefined {
  let text = ''
  const calls: Written[] = []
  for (const part of parts) {
    if (part.type === 'text') text += part.text
    else if (part.type !== 'tool-call' || typeof part.input === 'string') return undefined
    else {
      const called = { name: part.toolName, arguments: JSON.stringify(part.input) }
      calls.push({ id: part.toolCallId, type: 'function', function: called })
    }
  }
  if (calls.length === 0) return [{ role: 'assistant', content: text }]
  return [{ role: 'assistant', content: text || null, tool_calls: calls }]
}

function toolMessages(parts: readonly Part[]): Written[] | undefined {
  const messages: Written[] = []
  for (const part of parts) {
    if (part.type !== 'tool-result') return undefined
    const { toolCallId, output } = part
    if (output.type !== 'text' && output.type !== 'error-text') return undefined
    messages.push({ role: 'tool', tool_call_id: toolCallId, content: output.value })
  }
  return messages
}
