import type { NeededConnection } from './imported-flow.ts'

/** A name that a connection can have: others allow any. */
export function connectionName(name: string, other = 'connection'): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_. -]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .slice(0, 100)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
  return plain === '' ? other : plain
}

const PROVIDERS: readonly [pattern: RegExp, kind: string][] = [
  [/anthropic|claude/i, 'anthropic'],
  [/google|gemini|vertex|palm/i, 'google'],
  [/^(?:openai|azure ?openai)?$|^lmchatopenai|openai$/i, 'openai']
]

/** The kind of connection that a provider of models is reached by. */
function modelKind(provider: string): string {
  return PROVIDERS.find(([pattern]) => pattern.test(provider))?.[1] ?? 'openai-compatible'
}

export function modelConnection(provider: string, name = ''): NeededConnection {
  const kind = modelKind(provider)
  return { name: connectionName(name, connectionName(provider.toLowerCase(), kind)), kind }
}

/** They are not asked as OpenAI is, and nothing of ours asks as they want to be asked. */
const OF_THEIR_OWN =
  /replicate|hugging ?face|bedrock|watsonx|sagemaker|vertex|azure|baidu|wenxin|maritalk|cohere/i

/** What stands between a model and whoever asks it here, in a sentence; nothing where its provider is asked as it was. */
export function ofProvider(provider: string): string {
  if (/azure/i.test(provider))
    return 'The address of the deployment at Azure, and its version, belong into the connection.'
  const name = OF_THEIR_OWN.exec(provider)?.[0]
  return name === undefined
    ? ''
    : `${provider} is asked in a way of its own: the connection needs an address that answers as OpenAI does, or choose another model.`
}
