import type { StoredConnection } from '../connections.ts'

/** A connection as both stores have it. */
export interface ConnectionRow {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly context: string
  readonly settings: string
  readonly secrets: string
  readonly is_trusted: number
  readonly revision: number
  readonly created_at: number
  readonly updated_at: number
}

export const CONNECTION_COLUMNS =
  'id, name, kind, context, settings, secrets, is_trusted, revision, created_at, updated_at'

export function storedConnection(row: ConnectionRow): StoredConnection {
  const { id, name, kind, context, settings, secrets, revision } = row
  const times = { createdAt: row.created_at, updatedAt: row.updated_at }
  return { id, name, kind, context, settings, secrets, isTrusted: row.is_trusted === 1, revision, ...times }
}

/** In the order of the columns. */
export function connectionValues(connection: StoredConnection): (string | number)[] {
  const { id, name, kind, context, settings, secrets, revision, createdAt, updatedAt } = connection
  return [
    id,
    name,
    kind,
    context,
    settings,
    secrets,
    connection.isTrusted ? 1 : 0,
    revision,
    createdAt,
    updatedAt
  ]
}
