import { isPlainObject, type JsonValue } from '../../plugin-api.ts'
import type { AskServer } from './mcp-session.ts'

/** A tool as the server offers it. */
export interface ServerTool {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, JsonValue>>
  /** The server does not say that it only reads: silence means in the protocol that it may destroy. */
  readonly acts: boolean
}

/** A server may go on for ever. */
const MOST_PAGES = 50
const MOST_TOOLS = 512
const LONGEST_DESCRIPTION = 4_000
/** In characters of JSON: it is sent to a model each time. */
const LONGEST_SCHEMA = 64 * 1024
/** Of all descriptions and schemas together. */
const MOST_TOLD = 1024 * 1024

/** All tools of a server, as it has them now. What is too large to be told to a model is cut, or left open. */
export async function toolsOf(ask: AskServer): Promise<readonly ServerTool[]> {
  const tools: ServerTool[] = []
  let told = 0
  let cursor: JsonValue | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const { result } = await ask('tools/list', cursor === undefined ? {} : { cursor })
    const { tools: listed, nextCursor } = isPlainObject(result) ? result : {}
    for (const listing of Array.isArray(listed) ? listed : []) {
      const tool = toolIn(listing as JsonValue)
      if (tool === undefined) continue
      told += tool.description.length + JSON.stringify(tool.parameters).length
      if (tools.length === MOST_TOOLS || told > MOST_TOLD) return tools
      tools.push(tool)
    }
    if (typeof nextCursor !== 'string' || nextCursor === '') return tools
    cursor = nextCursor
  }
  return tools
}

function toolIn(listing: JsonValue): ServerTool | undefined {
  if (!isPlainObject(listing) || typeof listing.name !== 'string' || listing.name === '') return undefined
  const { name, description, inputSchema, annotations } = listing
  const { destructiveHint, readOnlyHint } = isPlainObject(annotations) ? annotations : {}
  return {
    name: name.slice(0, 200),
    description: typeof description === 'string' ? description.slice(0, LONGEST_DESCRIPTION) : name,
    parameters:
      isPlainObject(inputSchema) && isTold(inputSchema) ? { ...inputSchema, type: 'object' } : ANYTHING,
    acts: readOnlyHint !== true || destructiveHint === true
  } as ServerTool
}

const ANYTHING = { type: 'object', properties: {} } as const

function isTold(schema: object): boolean {
  return JSON.stringify(schema).length <= LONGEST_SCHEMA
}
