import type { IncomingHttpHeaders } from 'node:http'
import { anthropicMessages } from './anthropic-messages.ts'
import { chatCompletions } from './chat-completions.ts'
import { googleGenerate } from './google-generate.ts'
import type { FailureAnswer, ModelProtocol } from './reply.ts'

/** The models that there are, as the provider lists them whose list is at this path. */
export function listModels(
  path: string,
  models: readonly string[],
  headers: IncomingHttpHeaders
): { readonly protocol: ModelProtocol; readonly answer: FailureAnswer } {
  if (path.startsWith('/v1beta/')) {
    const listed = models.map((name) => ({
      name: `models/${name}`,
      displayName: name,
      supportedGenerationMethods: ['generateContent', 'countTokens']
    }))
    const embeds = { name: 'models/embeds', supportedGenerationMethods: ['embedContent'] }
    return { protocol: googleGenerate, answer: { status: 200, body: { models: [...listed, embeds] } } }
  }
  if (headers['anthropic-version'] !== undefined) {
    const data = models.map((id) => ({
      type: 'model',
      id,
      display_name: id,
      created_at: '2026-01-01T00:00:00Z'
    }))
    return { protocol: anthropicMessages, answer: { status: 200, body: { data, has_more: false } } }
  }
  const data = models.map((id) => ({ id, object: 'model', created: 1_790_000_000, owned_by: 'provider' }))
  return { protocol: chatCompletions, answer: { status: 200, body: { object: 'list', data } } }
}
