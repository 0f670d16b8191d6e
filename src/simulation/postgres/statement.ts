import type { QueryConfig } from 'pg'

/** What a client sends to the server. */
export interface Statement {
  /** For the trace. */
  readonly label: string
  readonly config: QueryConfig
  readonly kind: 'begin' | 'commit' | 'rollback' | 'listen' | 'notify' | 'write' | 'read'
}

const WRITES = /\b(?:INSERT INTO|DELETE FROM|UPDATE\s+[\w.]+\s+(?:\w+\s+)?SET)\b/i

export function statementOf(given: string | QueryConfig, values: unknown[] | undefined): Statement {
  const asked = typeof given === 'string' ? { text: given } : given
  const config = values === undefined ? asked : { ...asked, values }
  const text = config.text.trim()
  return { label: config.name ?? text.replace(/\s+/g, ' ').slice(0, 50), config, kind: kindOf(text) }
}

function kindOf(text: string): Statement['kind'] {
  if (text === 'BEGIN') return 'begin'
  if (text === 'COMMIT') return 'commit'
  if (text === 'ROLLBACK') return 'rollback'
  if (text.startsWith('LISTEN ')) return 'listen'
  if (text.startsWith('SELECT pg_notify')) return 'notify'
  return WRITES.test(text) ? 'write' : 'read'
}
