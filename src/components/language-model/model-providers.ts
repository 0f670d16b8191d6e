import type { OpenConnection } from '../../plugin-api.ts'
import type { ModelKind } from './model-kinds.ts'
import { orInstalled } from './model-packages.ts'

type OpenAI = typeof import('@ai-sdk/openai')

/** A model as the packages of the AI SDK offer it. */
export type Model = ReturnType<ReturnType<OpenAI['createOpenAI']>['responses']>
export type ModelOptions = Parameters<Model['doStream']>[0]
export type ModelPrompt = ModelOptions['prompt']
export type UserContent = Extract<ModelPrompt[number], { role: 'user' }>['content']

/** How the packages send requests: they know no other way than the fetch of the web. */
export type Fetch = typeof globalThis.fetch

/**
 * The model of this name behind the connection. The packages are loaded when they are first needed: each takes a
 * tenth of a second and some megabytes that services without models do not pay.
 */
export async function modelOf(connection: OpenConnection, name: string, fetch: Fetch): Promise<Model> {
  const { settings, secrets } = connection
  const { base_url } = settings
  const kind = connection.kind as ModelKind
  const options = {
    apiKey: secrets.api_key ?? '',
    fetch,
    ...(typeof base_url === 'string' && { baseURL: base_url.replace(/\/+$/, '') })
  }
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
      const { apiKey, ...rest } = options
      const key = apiKey === '' ? {} : { apiKey }
      return createOpenAICompatible({ name: 'compatible', baseURL: '', ...rest, ...key, ...asked })(name)
    }
  }
}
