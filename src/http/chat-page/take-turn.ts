import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { MillraceError } from '../../errors.ts'
import type { ChatEntry } from '../../library/chat-entry.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { flowNotFound } from '../../library/flow-refusals.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { PresentedRun } from '../../runs/present/run-shape.ts'
import type { Runs } from '../../runs/runs.ts'
import { streamChat } from '../chat/stream-chat.ts'
import type { SenderLimits } from '../form/sender-limits.ts'
import { originOf } from '../session/request-origin.ts'
import { isAlias } from '../webhook/admission.ts'
import { type RateLimits, type RateVerdict, rateLimitFields } from '../webhook/rate-limiter.ts'

export interface TakeTurnDeps {
  readonly library: FlowLibrary
  readonly runs: Runs
  readonly clock: Clock
  /** One for the service: a chat has one limit, wherever it is served. */
  readonly limiter: RateLimits
  readonly senders: SenderLimits
  /** What addresses that are told begin with. */
  readonly prefix: string
}

interface FlowWithChat {
  readonly flow: LiveFlow
  readonly entry: ChatEntry
}

/** An absent flow and one that is not for everybody answer alike. */
export function chatOf(request: FastifyRequest, library: FlowLibrary): FlowWithChat {
  const flow = library.find((request.params as { flow: string }).flow)
  const entry = flow?.publicChat ?? null
  if (flow === undefined || entry === null) throw flowNotFound()
  return { flow, entry }
}

/** In characters. */
const LONGEST_TEXT = 8_000

/** What the page made up for its visitor: nobody guesses it. */
const TOKEN = /^[A-Za-z0-9_-]{22,64}$/

/** A visitor says something, and is told what the flow says. */
export async function takeTurn(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: TakeTurnDeps
): Promise<FastifyReply> {
  const { library, runs } = deps
  const { flow, entry } = chatOf(request, library)
  if (originOf(request.headers) === 'other')
    throw new MillraceError('cross_site_request', 'A chat takes what its own page sends.')
  const { text, token } = readTurn(request.body)
  await keepToLimits(request, { flow, entry }, deps)
  const { flow: reference } = request.params as { flow: string }
  if (isAlias(reference, flow)) library.aliasCalls.add(flow, reference, { key: null, address: request.ip })
  const session = sessionOf(token)
  const release = runs.answerText.expect(flow.id)
  try {
    const run = await runs.start({ flow, trigger: 'chat', input: Buffer.from(JSON.stringify(text)), session })
    const { document, printedWhileTold: printers } = flow
    return streamChat(
      reply,
      { run, nodes: document.nodes, printers, session },
      {
        ...deps,
        endOf: publicEnd,
        withoutTools: true
      }
    )
  } finally {
    release()
  }
}

function readTurn(body: unknown): { readonly text: string; readonly token: string } {
  const { text, session } = Object(body) as { readonly text?: unknown; readonly session?: unknown }
  if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST_TEXT)
    throw new MillraceError('payload_invalid', `Send "text", of at most ${LONGEST_TEXT} characters.`)
  if (typeof session !== 'string' || !TOKEN.test(session))
    throw new MillraceError(
      'payload_invalid',
      'Send "session": 22 to 64 letters and digits, chosen by chance.'
    )
  return { text, token: session }
}

/** Who reads the messages of the flow cannot go on with the conversation of a visitor. */
function sessionOf(token: string): string {
  return `visitor-${createHash('sha256').update(token).digest('base64url').slice(0, 22)}`
}

async function keepToLimits(
  { ip }: FastifyRequest,
  { flow, entry: { rateLimit } }: FlowWithChat,
  { senders, limiter }: TakeTurnDeps
): Promise<void> {
  if (rateLimit === 0) return
  // Not those of its form and its webhook.
  const chat = `${flow.id} chat`
  const own = senders.take(chat, ip, rateLimit)
  const verdict = own.allowed ? await limiter.take(chat, rateLimit) : own
  if (!verdict.allowed) throw limited(verdict)
}

function limited(verdict: RateVerdict): MillraceError {
  const { perMinute, secondsToNext } = verdict
  return new MillraceError(
    'rate_limited',
    `The chat takes ${perMinute} messages per minute. Send it again in ${secondsToNext} s.`,
    { headers: { ...rateLimitFields(verdict), 'retry-after': String(secondsToNext) } }
  )
}

/** What went wrong is for those who may read the run. */
function publicEnd({ id, status }: PresentedRun): object {
  const error = status === 'failed' ? { code: 'run_failed', message: 'The flow failed to answer.' } : null
  return { run_id: id, status, error }
}
