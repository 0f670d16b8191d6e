import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Files } from '../../../files/files.ts'
import type { Pacer } from '../../../flows/in-turns.ts'
import type { LiveFlow } from '../../../library/live-flow.ts'
import { inputFrom } from '../webhook-body.ts'
import { formPayload } from './form-payload.ts'
import { charsetOf, inUtf8 } from './in-utf8.ts'
import { payloadKind } from './payload-kind.ts'
import { isQueryPayload, queryPayload } from './query-payload.ts'
import { readStream } from './read-stream.ts'
import { isJson, plainPayload, type SentPayload } from './sent-payload.ts'

interface PayloadDeps {
  readonly files: Pick<Files, 'keep' | 'letGo' | 'limit'>
  readonly bodyLimit: number
  readonly runs: { answerPace(): Pacer }
}

type ReceivingFlow = Pick<LiveFlow, 'context' | 'webhook'>

/**
 * What the request starts its run with. What is no JSON and no text becomes JSON here, when it is accepted: so all that comes after, replays and edited
 * ones too, knows one kind of payload.
 */
export function payloadOf(
  request: FastifyRequest,
  flow: ReceivingFlow,
  deps: PayloadDeps
): SentPayload | Promise<SentPayload> {
  const { method, body, sentStream } = request
  if (isQueryPayload(method, body))
    return plainPayload(queryPayload(request.url, flow.webhook?.hidden ?? null))
  if (sentStream !== null && body === sentStream) return streamed(request, sentStream, flow, deps)
  const input = inputFrom(body)
  // What a hook has put in its place is what it says, and nothing at all is no form and no file.
  if (input !== body) return plainPayload(input)
  return (
    writtenPayload(input, request.sentContentType, deps.runs.answerPace()) ??
    streamed(request, Readable.from([input]), flow, deps)
  )
}

/** Of a body that is neither a file nor has some. */
export function writtenPayload(
  body: Uint8Array,
  contentType: string | undefined,
  pace: Pacer
): SentPayload | Promise<SentPayload> | undefined {
  if (body.length === 0) return plainPayload(body)
  switch (payloadKind(contentType)) {
    case 'text':
      return plainPayload(body)
    case 'recoded':
      return plainPayload(inUtf8(body, contentType!), body)
    case 'form':
      return formOrJson(body, contentType!, pace)
    default:
      return undefined
  }
}

function formOrJson(body: Uint8Array, contentType: string, pace: Pacer): SentPayload | Promise<SentPayload> {
  const read = (isValue: boolean) =>
    plainPayload(isValue ? body : formPayload(body, charsetOf(contentType)), body)
  const isValue = isJson(body, pace)
  return isValue instanceof Promise ? isValue.then(read) : read(isValue)
}

function streamed(
  request: FastifyRequest,
  body: Readable,
  { context }: ReceivingFlow,
  { files, bodyLimit, runs }: PayloadDeps
): Promise<SentPayload> {
  const contentType = request.sentContentType!
  return readStream({
    kind: payloadKind(contentType) === 'multipart' ? 'multipart' : 'bytes',
    headers: { ...request.headers, 'content-type': contentType },
    body,
    files,
    context,
    bodyLimit,
    pace: runs.answerPace()
  })
}
