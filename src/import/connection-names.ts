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
