import type { FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { type Actor, canSee, may } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { ApiParts } from '../api-parts.ts'
import { build, buildingTools } from './build.ts'
import { isTool, type McpTool, toolOf } from './flow-tools.ts'
import { FAULTS, McpFault } from './messages.ts'
import { failure, runTool, type ToolResult } from './run-tool.ts'

/** In one answer; a client asks on with the cursor. */
const PAGE = 100

/** The flows that the key may trigger, in the order of their names. */
export function listTools(cursor: JsonValue | undefined, actor: Actor, { library, catalogue }: ApiParts) {
  const after = placeOf(cursor)
  const flows = may(actor, 'trigger')
    ? library.list().filter((flow) => canSee(actor, flow) && flow.slug > after && isTool(flow))
    : []
  const sorted = flows.sort((a, b) => (a.slug < b.slug ? -1 : 1))
  const page = sorted.slice(0, PAGE)
  // With the first page; a flow of the same name is what is meant by it.
  const more =
    after === '' ? buildingTools(actor).filter(({ name }) => flowOf(name, actor, library) === undefined) : []
  const tools: McpTool[] = [...page.map((flow) => toolOf(flow, catalogue)), ...more]
  const next = sorted.length > PAGE ? { nextCursor: cursorOf(page.at(-1)!) } : {}
  return { tools, ...next }
}

function cursorOf({ slug }: LiveFlow): string {
  return Buffer.from(slug).toString('base64url')
}

function placeOf(cursor: JsonValue | undefined): string {
  if (cursor === undefined) return ''
  const slug = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : ''
  if (/^[a-z0-9_-]{1,100}$/.test(slug)) return slug
  throw new McpFault(
    FAULTS.params,
    '"cursor" is not one that an earlier answer gave. Ask from the beginning.'
  )
}

interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, JsonValue>>
  readonly actor: Actor
  readonly gone: AbortSignal
}

/** What goes wrong is told to the model, which may try something else. */
export async function callTool(call: Call, request: FastifyRequest, parts: ApiParts): Promise<ToolResult> {
  const { name, actor } = call
  const { library } = parts
  const flow = flowOf(name, actor, library)
  if (flow === undefined) {
    const built = await build(call, request, parts)
    if (built !== undefined) return built
    throw new McpFault(FAULTS.params, `There is no tool ${JSON.stringify(name.slice(0, 100))}.`)
  }
  library.aliasCalls.add(flow, name, { key: actor.name, address: request.ip })
  try {
    return await runTool({ ...call, flow }, parts)
  } catch (error) {
    if (error instanceof MillraceError) return failure(wordsOf(error))
    throw error
  }
}

function wordsOf({ message, extras }: MillraceError): string {
  const faults = extras.errors ?? []
  return faults.length < 2
    ? message
    : faults
        .slice(0, 20)
        .map((fault) => fault.message)
        .join('\n')
}

/** The flow that is a tool of this name for the key. */
function flowOf(name: string, actor: Actor, library: Pick<FlowLibrary, 'find'>): LiveFlow | undefined {
  const flow = may(actor, 'trigger') ? library.find(name) : undefined
  return flow !== undefined && canSee(actor, flow) && isTool(flow) ? flow : undefined
}
