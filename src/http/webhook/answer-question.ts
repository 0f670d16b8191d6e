import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { Handshake } from '../../flows/webhook-auth.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { apiHeaders } from '../api-headers.ts'
import { questionRefused, type SenderGuard } from './sender-guard.ts'
import { answerHandshake } from './signatures/handshakes.ts'

interface QuestionDeps {
  readonly library: FlowLibrary
  readonly senders: SenderGuard
}

/** Those that stand in the address: they come unsigned, by whatever method, and are answered before anything else is asked. */
const IN_ADDRESS: ReadonlySet<Handshake> = new Set(['Meta', 'Microsoft Graph'])

/** No question has a larger body, and nobody reads a larger one only to find that it is none. */
const LARGEST_QUESTION = 8_192

/** Whether the address held a question of the flow's sender, and it is answered. Throws where the question has the wrong secret. */
export function answersInAddress(
  request: FastifyRequest,
  reply: FastifyReply,
  { library, senders }: QuestionDeps
): boolean {
  const mark = request.url.indexOf('?')
  if (mark < 0) return false
  const flow = library.find((request.params as { flow: string }).flow)
  const handshake = flow?.webhook?.handshake ?? 'None'
  if (!IN_ADDRESS.has(handshake)) return false
  return answers(request, reply, flow!, {
    query: new URLSearchParams(request.url.slice(mark + 1)),
    payload: () => null,
    isSecret: (text) => senders.isSecret(flow!, flow!.webhook!, request.ip, text)
  })
}

/** Whether the body was a question of the flow's sender, which has been let in, and it is answered. */
export function answersInBody(
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Pick<LiveFlow, 'webhook'>
): boolean {
  if (flow.webhook?.handshake !== 'Slack') return false
  const payload = () => smallJson(request.body)
  return answers(request, reply, flow, { query: new URLSearchParams(), payload, isSecret: () => false })
}

function answers(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { webhook }: Pick<LiveFlow, 'webhook'>,
  question: Omit<Parameters<typeof answerHandshake>[1], 'method'>
): boolean {
  const { handshake } = webhook!
  const answer = answerHandshake(handshake, { ...question, method })
  if (answer === undefined) return false
  if (answer === 'wrong secret') throw questionRefused(handshake)
  // What a stranger sent goes back as text, which no browser takes for a page.
  reply.code(200).headers(apiHeaders).header('content-type', 'text/plain; charset=utf-8').send(answer.text)
  return true
}

function smallJson(body: unknown): JsonValue {
  if (!(body instanceof Uint8Array)) return body === undefined ? null : (body as JsonValue)
  if (body.length > LARGEST_QUESTION) return null
  try {
    return JSON.parse(Buffer.from(body).toString()) as JsonValue
  } catch {
    return null
  }
}
