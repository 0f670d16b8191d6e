import { type OpenConnection, reachError, StepError } from '../../plugin-api.ts'
import { readErrorBody } from './bounded-answer.ts'
import { type Asked, modelError } from './model-errors.ts'
import { embeddingModelOf, type Fetch } from './model-providers.ts'

/** What texts mean, each as a vector, and what it took. */
export interface Embedded {
  readonly vectors: readonly (readonly number[])[]
  readonly tokens: number
}

interface TextsToEmbed {
  readonly model: string
  /** As many as `MOST_TEXTS` at the most. */
  readonly texts: readonly string[]
  /** Some models tell questions from what answers them. */
  readonly areQuestions: boolean
  readonly signal: AbortSignal
}

/** With 3,072 numbers each they come in a megabyte of JSON, which takes 20 ms to read. */
export const MOST_TEXTS = 32
const MOST_ANSWER = 6 * 1024 ** 2
const MOST_DIMENSIONS = 8_192

/** Asks a model what texts mean. */
export async function embedTexts(connection: OpenConnection, asking: TextsToEmbed): Promise<Embedded> {
  const { model: name, texts, areQuestions, signal } = asking
  const asked = { connection: connection.name, model: name }
  const calls = wholeAnswers(connection)
  const model = await embeddingModelOf(connection, name, calls.fetch)
  const taskType = areQuestions ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT'
  const options = { values: [...texts], abortSignal: signal, providerOptions: { google: { taskType } } }
  const { embeddings, usage } = await Promise.resolve(model.doEmbed(options)).catch((error) => {
    throw calls.failure() ?? modelError(error, asked, 'call')
  })
  assertWhole(embeddings, texts.length, asked)
  return { vectors: embeddings, tokens: usage?.tokens ?? 0 }
}

/** The fetch that the SDK gets. */
function wholeAnswers(connection: OpenConnection): {
  readonly fetch: Fetch
  readonly failure: () => StepError | undefined
} {
  let failure: StepError | undefined
  const send = async (url: string, init: RequestInit) => {
    const { status, headers, body } = await connection.request(url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : null
    })
    const said = status < 400 ? await readWhole(body) : ((await readErrorBody(body)) ?? '')
    const kept = new Headers(headers)
    for (const name of ['content-encoding', 'content-length']) kept.delete(name)
    return new Response(said, { status, headers: kept })
  }
  const fetch: Fetch = async (url, init = {}) => {
    try {
      return await send(String(url), init)
    } catch (error) {
      failure = error instanceof StepError ? error : reachError(error, new URL(String(url)).host)
      throw failure
    }
  }
  return { fetch, failure: () => failure }
}

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > MOST_ANSWER)
      throw refused(`The answer of the model is longer than ${MOST_ANSWER / 1024 ** 2} MB.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function assertWhole(vectors: readonly (readonly number[])[], count: number, { connection, model }: Asked) {
  const [first = []] = vectors
  const isWhole =
    vectors.length === count &&
    first.length > 0 &&
    first.length <= MOST_DIMENSIONS &&
    vectors.every((vector) => vector.length === first.length && vector.every(Number.isFinite))
  if (!isWhole)
    throw refused(`The model "${model}" of the connection "${connection}" did not answer with vectors.`)
}

function refused(what: string): StepError {
  return new StepError(`${what} Name a model for embeddings, such as text-embedding-3-small.`, {
    code: 'model_not_for_embeddings',
    retryable: false
  })
}
