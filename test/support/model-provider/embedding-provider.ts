import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUp, type Lifetime } from '../clean-up.ts'
import { MODEL_KEY } from './model-provider.ts'

export interface EmbeddingCall {
  readonly model: string
  readonly texts: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
}

interface EmbeddingOptions {
  /** The one key that is good. */
  readonly key?: string
  /** Awaited before a call is answered. */
  readonly before?: (call: EmbeddingCall) => Promise<unknown> | undefined
  /** In the place of what was asked for. */
  readonly answer?: (call: EmbeddingCall) => { readonly status?: number; readonly body: unknown } | undefined
}

/** Words that mean the same, for the models of the tests. */
const MEANINGS = [
  ['car', 'automobile', 'vehicle', 'auto'],
  ['doctor', 'physician', 'surgeon'],
  ['refund', 'money', 'reimbursement'],
  ['cold', 'winter', 'frost', 'ice'],
  ['password', 'credentials', 'login']
]

const DIMENSIONS: Readonly<Record<string, number>> = { small: 64, large: 96 }

/** A vector in which each word has a place of its own, and those that mean the same have one together. */
function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0.01)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const meaning = MEANINGS.findIndex((words) => words.includes(word))
    vector[meaning >= 0 ? meaning : hash(word, dimensions)]! += meaning >= 0 ? 3 : 0.3
  }
  return vector
}

function hash(word: string, dimensions: number): number {
  let sum = 7
  for (const letter of word) sum = (sum * 31 + letter.codePointAt(0)!) % 1_000_003
  return MEANINGS.length + (sum % (dimensions - MEANINGS.length))
}

/** A server that says what texts mean: OpenAI's embeddings, and Google's. */
export async function startEmbeddingProvider(
  test: Lifetime,
  { key: good = MODEL_KEY, before = () => undefined, answer = () => undefined }: EmbeddingOptions = {}
) {
  const calls: EmbeddingCall[] = []

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>
    const { pathname } = new URL(request.url ?? '', 'http://provider')
    const isGoogle = pathname.startsWith('/v1beta/')
    const call = isGoogle ? googleCall(pathname, body) : openaiCall(body)
    calls.push(call)
    await before(call)
    const key = isGoogle ? request.headers['x-goog-api-key'] : request.headers.authorization
    const { status = 200, body: said } =
      key === (isGoogle ? good : `Bearer ${good}`)
        ? (answer(call) ?? { body: whatIsSaid(call, isGoogle) })
        : { status: 401, body: { error: { message: 'bad key', code: 'invalid_api_key' } } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(test, () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: (kind: string) => `http://127.0.0.1:${port}/${kind === 'google' ? 'v1beta' : 'v1'}`,
    calls: calls as readonly EmbeddingCall[]
  }
}

function openaiCall(body: Readonly<Record<string, unknown>>): EmbeddingCall {
  return { model: String(body.model), texts: [body.input].flat() as string[], body }
}

function googleCall(path: string, body: Readonly<Record<string, unknown>>): EmbeddingCall {
  const requests = (body.requests ?? [body]) as { readonly content: { readonly parts: { text: string }[] } }[]
  const model = /models\/([^:]+):/.exec(path)![1]!
  return { model, texts: requests.map(({ content }) => content.parts[0]!.text), body }
}

function whatIsSaid({ model, texts, body }: EmbeddingCall, isGoogle: boolean): object {
  const vectors = texts.map((text) => vectorOf(text, DIMENSIONS[model] ?? 64))
  if (isGoogle) {
    const embeddings = vectors.map((values) => ({ values }))
    return body.requests === undefined ? { embedding: embeddings[0] } : { embeddings }
  }
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  return {
    object: 'list',
    model,
    data,
    usage: { prompt_tokens: 5 * texts.length, total_tokens: 5 * texts.length }
  }
}
