import type { StoredConnection } from '../store/connections.ts'
import type { Settings } from './kinds/connection-kind.ts'
import type { KindName } from './kinds/kinds.ts'

/** An address with what it takes to get in. The secrets are sealed, here and in the store: `ConnectionLibrary.openSecrets` opens them. */
export interface Connection {
  readonly id: string
  readonly name: string
  readonly kind: KindName
  readonly context: string
  readonly settings: Settings
  /** Sealed, by their names. */
  readonly secrets: Readonly<Record<string, string>>
  /** Whether whoever wrote its address last may administer the root: then steps may reach that address. */
  readonly isTrusted: boolean
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
}

export function readConnection(stored: StoredConnection): Connection {
  const { settings, secrets, kind } = stored
  return { ...stored, kind: kind as KindName, settings: JSON.parse(settings), secrets: JSON.parse(secrets) }
}

export function writeConnection(connection: Connection): StoredConnection {
  const { settings, secrets } = connection
  return { ...connection, settings: JSON.stringify(settings), secrets: JSON.stringify(secrets) }
}
