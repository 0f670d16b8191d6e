import type { Connection } from './connection.ts'
import { isShown, type Settings, withDefaults } from './kinds/connection-kind.ts'
import { kindOf } from './kinds/kinds.ts'
import { leadsElsewhere } from './leads-elsewhere.ts'

/** What somebody wants a connection to be. A secret that is left out stays as it is. */
export interface WantedConnection {
  readonly name: string
  readonly kind: string
  readonly context: string
  readonly settings: Settings
  readonly secrets: Readonly<Record<string, string>>
  /** Secrets that are to go. */
  readonly removed?: readonly string[]
}

/** Names of secrets that stay. Where the address is another one, those that its settings hide do not. */
export function staying(before: Connection, wanted: WantedConnection, removed: readonly string[]): string[] {
  const kind = kindOf(wanted.kind)
  if (kind === undefined) return []
  const isElsewhere = leadsToAnother(before, wanted)
  const named = kind.namedSecrets?.(wanted.settings) ?? []
  return Object.keys(before.secrets).filter((name) => {
    const facts = Object.hasOwn(kind.secrets, name) ? kind.secrets[name] : undefined
    if (facts === undefined && kind.namedSecrets === undefined) return false
    if (removed.includes(name) || Object.hasOwn(wanted.secrets, name)) return false
    if (!isElsewhere || named.includes(name)) return true
    return facts !== undefined && isShown(kind, facts, wanted.settings)
  })
}

/** Then what somebody has signed in for is not good any more, nor are secrets that were entered for the one before. */
export function leadsToAnother(
  before: Connection,
  { kind, settings }: Pick<WantedConnection, 'kind' | 'settings'>
): boolean {
  const known = kindOf(kind)
  if (known === undefined || before.kind !== kind) return true
  return leadsElsewhere(withDefaults(known, before.settings), withDefaults(known, settings))
}

/** A file is a place, too, and whether it may be written belongs to what its writer allowed. */
export function leadsToTheSame(before: Connection, wanted: WantedConnection): boolean {
  const place = ({ kind, settings }: Pick<WantedConnection, 'kind' | 'settings'>) =>
    JSON.stringify([
      kindOf(kind)?.destinations(settings),
      settings.file ?? null,
      settings.file !== undefined && settings.read_only === true
    ])
  return place(before) === place(wanted)
}

export function isSameButForSeals(one: Connection, other: Connection): boolean {
  const rest = ({ name, kind, context, settings, secrets, isTrusted, updatedAt }: Connection) =>
    JSON.stringify([name, kind, context, settings, Object.keys(secrets).sort(), isTrusted, updatedAt])
  return rest(one) === rest(other)
}
