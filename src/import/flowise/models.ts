import { modelConnection } from '../connection-names.ts'
import type { NeededConnection } from '../imported-flow.ts'
import { bounded, type Members, numberOf, textOf } from '../values.ts'

/** A model as fields of the node that asks it. */
export interface ModelFields {
  readonly fields: Readonly<Record<string, unknown>>
  readonly connection: NeededConnection
}

/** `name`: such as `chatOpenAI`, `azureChatOpenAI`, `chatGoogleGenerativeAI`. */
export function modelFields(name: string, config: Members): ModelFields {
  const provider = providerOf(name)
  const connection = modelConnection(provider)
  const temperature = numberOf(config.temperature)
  const tokens = bounded(
    config.maxTokens ?? config.maxOutputTokens ?? config.maxTokensToSample,
    0,
    100_000_000
  )
  const model =
    textOf(config.customModelName) ||
    textOf(config.modelName) ||
    textOf(config.model) ||
    textOf(config.deploymentName)
  return {
    connection,
    fields: {
      connection: connection.name,
      model: model || 'gpt-4o-mini',
      ...(temperature !== undefined && { temperature: Math.min(2, Math.max(0, temperature)) }),
      ...(tokens ? { max_tokens: tokens } : {})
    }
  }
}

function providerOf(name: string): string {
  const plain = name
    .replace(/_(?:LlamaIndex|LLMs)$/, '')
    .replace(/^chat|Chat/g, '')
    .replace(/Custom$/, '')
  if (/^azure/i.test(plain)) return 'OpenAI'
  return plain === '' || /^openai$/i.test(plain) ? 'OpenAI' : plain
}
