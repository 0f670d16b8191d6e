import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUp, type Lifetime } from '../clean-up.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { chatCompletions } from './chat-completions.ts'
import { googleGenerate } from './google-generate.ts'
import { listModels } from './list-models.ts'
import { openaiResponses } from './openai-responses.ts'
import type { FailureAnswer, ModelProtocol, ModelReply, WrittenReply } from './reply.ts'

export type { ModelFailureKind, ModelReply, ModelUsage, ToolCallReply } from './reply.ts'

/** A call that a model got. */
export interface ModelCall {
  readonly protocol: string
  readonly model: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  /** Resolves when the caller has gone, answered or not. */
  readonly gone: Promise<void>
}

export interface ModelProviderOptions {
  /** The one key that is good; null: nobody needs one, as with a model on one's own machine. */
  readonly key?: string | null
  /** Models that there are. */
  readonly models?: readonly string[]
  /** What is answered where nothing else was arranged. */
  readonly reply?: (call: ModelCall) => ModelReply
}

/**
 * A server that speaks the protocols of the providers of language models, each at its own path: OpenAI's Responses and
 * Chat Completions, Anthropic's Messages, Google's generateContent, and the list of models of each. It streams, counts
 * tokens, refuses keys and models that it does not know, and fails as it is told to.
 */
export interface ModelProvider {
  /** For the setting `base_url` of a connection of this kind. */
  baseUrl(kind: 'openai' | 'anthropic' | 'google' | 'openai-compatible'): string
  readonly calls: readonly ModelCall[]
  /** What is answered to the next calls, in this order. */
  answer(...replies: readonly ModelReply[]): void
}

export const MODEL_KEY = 'sk-test-0123456789abcdef'
export const MODELS = ['large', 'small'] as const

const PROTOCOLS: readonly ModelProtocol[] = [
  openaiResponses,
  chatCompletions,
  anthropicMessages,
  googleGenerate
]

/** Start it after the service: what was started last is closed first, so no step holds the service back. */
export async function startModelProvider(
  test: Lifetime,
  options: ModelProviderOptions = {}
): Promise<ModelProvider> {
  const { key = MODEL_KEY, models = MODELS } = options
  const { reply = () => ({ pieces: ['Hello', ' world'] }) } = options
  const calls: ModelCall[] = []
  const arranged: ModelReply[] = []
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new Promise<void>((resolve) => response.once('close', resolve))
    const path = new URL(request.url ?? '', 'http://provider').pathname
    const isKnown = (protocol: ModelProtocol) => key === null || protocol.keyOf(request.headers) === key
    if (request.method === 'GET') {
      const { protocol, answer } = listModels(path, models, request.headers)
      return sendJson(response, isKnown(protocol) ? answer : protocol.failure('bad_key', ''))
    }
    const body = JSON.parse(await readText(request)) as Record<string, unknown>
    for (const protocol of PROTOCOLS) {
      const asked = protocol.matches(path, body)
      if (asked === undefined) continue
      if (!isKnown(protocol)) return sendJson(response, protocol.failure('bad_key', asked.model))
      if (!models.includes(asked.model))
        return sendJson(response, protocol.failure('unknown_model', asked.model))
      const call = { protocol: protocol.name, model: asked.model, headers: request.headers, body, gone }
      calls.push(call)
      const answered = { ...asked, id: String(calls.length), reply: arranged.shift() ?? reply(call) }
      return sendReply(response, protocol, answered)
    }
    sendJson(response, { status: 404, body: { error: { message: `There is nothing at ${path}.` } } })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(test, () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: (kind) => `http://127.0.0.1:${port}/${kind === 'google' ? 'v1beta' : 'v1'}`,
    calls,
    answer: (...replies) => void arranged.push(...replies)
  }
}

interface Answered {
  readonly id: string
  readonly model: string
  readonly isStream: boolean
  readonly reply: ModelReply
}

async function sendReply(
  response: ServerResponse,
  protocol: ModelProtocol,
  { id, model, isStream, reply }: Answered
): Promise<void> {
  const { pieces = [], breaks, error, before } = reply
  if (error !== undefined)
    return sendJson(response, { ...protocol.failure(error.kind, model), headers: error.headers ?? {} })
  const usage = reply.usage ?? { input: 10, output: pieces.length }
  const written: WrittenReply = { id, model, finish: reply.finish ?? 'stop', usage, calls: reply.calls ?? [] }
  if (!isStream) return sendJson(response, { status: 200, body: protocol.whole(written, pieces.join('')) })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.write(protocol.begin(written))
  for (const [index, piece] of pieces.entries()) {
    await before?.(index)
    if (breaks?.after === index) return breakOff(response, protocol, breaks.how)
    if (response.destroyed) return
    response.write(protocol.piece(piece, written))
  }
  await before?.(pieces.length)
  if (breaks !== undefined) return breakOff(response, protocol, breaks.how)
  response.end(protocol.end(written, pieces.join('')))
}

function breakOff(response: ServerResponse, protocol: ModelProtocol, how: 'error' | 'cut' | 'end'): void {
  if (how === 'cut') response.destroy()
  else response.end(how === 'error' ? protocol.breakDown() : '')
}

function sendJson(
  response: ServerResponse,
  { status, body, headers = {} }: FailureAnswer & { readonly headers?: Readonly<Record<string, string>> }
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
