import {
  boundedWords,
  inTurns,
  isPlainObject,
  type JsonValue,
  parseJsonInTurns,
  type Step,
  StepError
} from '../../plugin-api.ts'
import type { AskServer } from './mcp-session.ts'

/** What a tool of a server gave. */
interface ToolAnswer {
  readonly data: JsonValue
  readonly text: string
}

/** Calls a tool. One that says that it failed fails the step, in its own words. */
export async function callTool(
  ask: AskServer,
  name: string,
  given: Readonly<Record<string, JsonValue>>,
  step: Pick<Step, 'pause'>
): Promise<ToolAnswer> {
  const { result } = await ask('tools/call', { name, arguments: given })
  const { content, structuredContent, isError, resultType } = isPlainObject(result) ? result : {}
  if (resultType === 'input_required') throw asksBack(name)
  const text = (Array.isArray(content) ? content : []).map((part) => textOf(part as JsonValue)).join('\n')
  if (isError === true)
    throw new StepError(`The tool "${name}" failed: ${boundedWords(text)}`, {
      code: 'mcp_tool_failed',
      retryable: false
    })
  const structured = structuredContent as JsonValue | undefined
  return { data: structured ?? (await dataIn(text, step)), text }
}

function asksBack(name: string): StepError {
  return new StepError(
    `The tool "${name}" asks for more before it answers, and nobody is there whom it could ask. Give it all that it needs as arguments, or call another tool.`,
    { code: 'mcp_asks_back', retryable: false }
  )
}

/** Many servers write JSON as text. */
async function dataIn(text: string, step: Pick<Step, 'pause'>): Promise<JsonValue> {
  try {
    return await inTurns(parseJsonInTurns(text), step)
  } catch {
    return { text }
  }
}

/** Pictures and sound are said to be there: no text can hold them. */
function textOf(part: JsonValue): string {
  if (!isPlainObject(part)) return ''
  const { type, text, mimeType, uri, resource } = part
  if (typeof text === 'string') return text
  if (isPlainObject(resource))
    return textOf({ uri: resource.uri ?? '', text: resource.text ?? null } as JsonValue)
  if (typeof uri === 'string') return uri
  return `[${[type, mimeType].filter((word) => typeof word === 'string').join(' ')}]`
}
