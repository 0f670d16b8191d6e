import type { OpenConnection } from '../../plugin-api.ts'
import type { EmbeddingKind, ModelKind } from './model-kinds.ts'
import { orInstalled } from './model-packages.ts'

type OpenAI = typeof import('@ai-sdk/openai')

/** A model as the packages of the AI SDK offer it. */
type OfferedModel = ReturnType<ReturnType<OpenAI['createOpenAI']>['responses']>
type Streamed = Awaited<ReturnType<OfferedModel['doStream']>>['stream']
/** What an answer is told by. */
export type AnswerPart = Streamed extends ReadableStream<infer P> ? P : never
export interface Model extends Pick<OfferedModel, 'supportedUrls'> {
  doStream(options: ModelOptions): PromiseLike<Answered>
}
export interface Answered {
  readonly stream: AsyncIterable<AnswerPart>
}
type EmbeddingModel = ReturnType<ReturnType<OpenAI['createOpenAI']>['embeddingModel']>
export type ModelOptions = Parameters<OfferedModel['doStream']>[0]
export type ModelPrompt = ModelOptions['prompt']
export type UserContent = Extract<ModelPrompt[number], { role: 'user' }>['content']

/** How the packages send requests: they know no other way than the fetch of the web. */
export type Fetch = typeof globalThis.fetch

/**
 * The model of this name behind the connection. The packages are loaded when they are first needed: each takes a
 * tenth of a second and some megabytes that services without models do not pay.
 */
export async function modelOf(connection: OpenConnection, name: string, fetch: Fetch): Promise<Model> {
  const kind = connection.kind as ModelKind
  const options = optionsOf(connection, fetch)
  switch (kind) {
    case 'openai':
      return (await orInstalled(kind, import('@ai-sdk/openai'))).createOpenAI(options).responses(name)
    case 'anthropic':
      return (await orInstalled(kind, import('@ai-sdk/anthropic'))).createAnthropic(options)(name)
    case 'google':
      return (await orInstalled(kind, import('@ai-sdk/google'))).createGoogleGenerativeAI(options)(name)
    case 'openai-compatible': {
      const { createOpenAICompatible } = await orInstalled(kind, import('@ai-sdk/openai-compatible'))
      // Without these it asks for neither the schema nor the usage.
      const asked = { includeUsage: true, supportsStructuredOutputs: true }
      return createOpenAICompatible({ ...compatible(options), ...asked })(name)
    }
  }
}

/** A model that says what texts mean. */
export async function embeddingModelOf(
  connection: OpenConnection,
  name: string,
  fetch: Fetch
): Promise<EmbeddingModel> {
  const kind = connection.kind as EmbeddingKind
  const options = optionsOf(connection, fetch)
  switch (kind) {
    case 'openai':
      return (await orInstalled(kind, import('@ai-sdk/openai'))).createOpenAI(options).embeddingModel(name)
    case 'google': {
      const { createGoogleGenerativeAI } = await orInstalled(kind, import('@ai-sdk/google'))
      return createGoogleGenerativeAI(options).embeddingModel(name)
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await orInstalled(kind, import('@ai-sdk/openai-compatible'))
      return createOpenAICompatible(compatible(options)).embeddingModel(name)
    }
  }
}

/** Where a server that is compatible with OpenAI's is asked, and by which key. */
export function chatOf(connection: OpenConnection): {
  readonly address: string
  readonly key: string | undefined
} {
  const { secrets, settings } = connection
  const base = String(settings.base_url ?? '').replace(/\/+$/, '')
  return { address: `${base}/chat/completions`, key: secrets.api_key || undefined }
}

function optionsOf({ settings, secrets }: OpenConnection, fetch: Fetch) {
  const { base_url } = settings
  return {
    apiKey: secrets.api_key ?? '',
    fetch,
    ...(typeof base_url === 'string' && { baseURL: base_url.replace(/\/+$/, '') })
  }
}

function compatible({ apiKey, ...rest }: ReturnType<typeof optionsOf>) {
  return { name: 'compatible', baseURL: '', ...rest, ...(apiKey !== '' && { apiKey }) }
}
