import { randomUUID } from 'node:crypto'
import { MillraceError } from '../../errors.ts'
import { inTurns } from '../../flows/in-turns.ts'
import { isPlainObject, type JsonValue, writeJson } from '../../flows/json/exact-json.ts'
import type { Actor } from '../../keys/rights.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { followChat } from '../../runs/chat/follow-chat.ts'
import { returnedValue } from '../../runs/chat/returned-value.ts'
import type { PresentedRun } from '../../runs/present/run-shape.ts'
import type { Runs } from '../../runs/runs.ts'
import { LONGEST_CHAT_MS } from '../chat/chat-end.ts'
import { type FileAccessDeps, filesGivenBy } from '../files/file-access.ts'
import { checkPayload } from '../webhook/payload/check-payload.ts'

export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: JsonValue
  readonly isError?: true
  readonly _meta?: object
}

interface RunToolDeps extends FileAccessDeps {
  readonly runs: Runs
}

interface Called {
  readonly flow: LiveFlow
  readonly args: Readonly<Record<string, JsonValue>>
  readonly actor: Actor
  /** Aborted when the caller goes away: the run goes on. */
  readonly gone: AbortSignal
}

/** What a model reads at once. */
const MOST_TEXT = 1_000_000

/** Runs the flow, and answers what it gave back: what its Return got, else what it said. */
export async function runTool({ flow, args, actor, gone }: Called, deps: RunToolDeps): Promise<ToolResult> {
  const { runs } = deps
  const { start, session } = await startOf(flow, args, runs)
  const files = await filesGivenBy(actor, start.input, deps)
  const run = await runs.start({ flow, session, ...start, ...files })
  const said: string[] = []
  const listener = { piece: () => {}, restart: () => {}, message: (text: string) => void said.push(text) }
  const { document, printedWhileTold: printers } = flow
  const followed = { run, nodes: document.nodes, printers, session }
  const ended = await followChat(followed, runs, listener, { ms: LONGEST_CHAT_MS, gone })
  return { ...(await resultOf(ended, said, runs)), _meta: { 'millrace/run_id': run.id } }
}

/** Each call is a conversation of its own, unless it names one. */
async function startOf(flow: LiveFlow, args: Called['args'], runs: Runs) {
  const own = `mcp-${randomUUID()}`
  if (flow.webhook !== null) {
    const input = Buffer.from(writeJson(args))
    const { schema } = flow.webhook
    if (schema !== null) await inTurns(checkPayload(schema, input), runs.answerPace())
    return { start: { trigger: 'api', input } as const, session: own }
  }
  const { text, session = '' } = args
  if (typeof text !== 'string' || text === '' || typeof session !== 'string' || session.length > 200)
    throw new MillraceError(
      'payload_invalid',
      'Give "text", what is said to the flow, and "session" as a text.'
    )
  const input = Buffer.from(JSON.stringify(text))
  return { start: { trigger: 'chat', input } as const, session: session || own }
}

async function resultOf(run: PresentedRun, said: readonly string[], runs: Runs): Promise<ToolResult> {
  if (run.status === 'failed') return failure(whyFailed(run))
  if (run.status === 'cancelled') return failure('The run was cancelled.')
  const value = await returnedValue(run, runs)
  if (value !== null) return answer(value)
  if (said.length > 0) return answer(said.join('\n\n'))
  if (run.status === 'succeeded') return answer('The flow has run, and gave nothing back.')
  return answer(
    `The run goes on (${run.status}): it waits, or takes longer than a call. Its id is ${run.id}.`
  )
}

function whyFailed({ error }: PresentedRun): string {
  const where = error?.node == null ? '' : `Node "${error.node}" failed. `
  return `${where}${error?.message ?? 'The run failed.'}`
}

export function answer(value: JsonValue): ToolResult {
  const text = typeof value === 'string' ? value : writeJson(value)
  if (text.length > MOST_TEXT) {
    const rest = text.length - MOST_TEXT
    return { content: [{ type: 'text', text: `${text.slice(0, MOST_TEXT)}… and ${rest} characters more.` }] }
  }
  const structured = isPlainObject(value) ? { structuredContent: value } : {}
  return { content: [{ type: 'text', text }], ...structured }
}

/** Told to the model, which may try something else. */
export function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
