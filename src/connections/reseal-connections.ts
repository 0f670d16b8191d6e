import type { ConnectionStore, StoredConnection } from '../store/connections.ts'
import { type Connection, readConnection, writeConnection } from './connection.ts'
import { keyIdOf, openSecret, resealSecret, SealBroken, type SecretPlace } from './sealed-secret.ts'
import type { SecretKeys } from './secret-keys.ts'

/** One secret as a store keeps it. */
export interface StoredSecret {
  readonly place: SecretPlace
  /** The name of its connection. */
  readonly connection: string
  readonly sealed: string
  /** Which key seals it. */
  readonly keyId: string
}

interface Resealed {
  /** How many connections had a secret that was sealed anew. */
  readonly resealed: number
  readonly broken: readonly BrokenSecret[]
}

/** A secret that no key opens. */
export interface BrokenSecret extends StoredSecret {
  readonly reason: string
}

/**
 * Seals with the first key what another one sealed, beside services that go on writing: each connection is replaced
 * only as it was read, and what another wrote meanwhile is read again. What cannot be opened stays as it is.
 */
export async function resealConnections(
  store: Pick<ConnectionStore, 'list' | 'replace'>,
  keys: SecretKeys
): Promise<Resealed> {
  let resealed = 0
  for (;;) {
    const stored = await store.list()
    const pending = stored.flatMap((row) => resealedConnection(readConnection(row), keys) ?? [])
    if (pending.length === 0) return { resealed, broken: brokenAmong(stored, keys) }
    for (const connection of pending) {
      if ((await store.replace(writeConnection(connection))) === 'done') resealed++
    }
  }
}

/** Secrets of these connections that cannot be opened, and why. */
export function brokenAmong(stored: readonly StoredConnection[], keys: SecretKeys): BrokenSecret[] {
  return stored.flatMap(secretsOf).flatMap((secret) => {
    const reason = reasonWhyNot(secret, keys)
    return reason === undefined ? [] : [{ ...secret, reason }]
  })
}

export function secretsOf(row: StoredConnection): StoredSecret[] {
  return secretsIn(readConnection(row))
}

function secretsIn({ id, name: connection, context, secrets }: Connection): StoredSecret[] {
  return Object.entries(secrets).map(([name, sealed]) => {
    return { place: { connection: id, context, name }, connection, sealed, keyId: keyIdOf(sealed) }
  })
}

/** The connection with its secrets under the first key; undefined where they are already, or cannot be opened. */
export function resealedConnection(connection: Connection, keys: SecretKeys): Connection | undefined {
  const changed = secretsIn(connection).flatMap(({ place, sealed }) => {
    const anew = unlessBroken(() => resealSecret(sealed, place, keys))
    return anew === undefined ? [] : [[place.name, anew] as const]
  })
  if (changed.length === 0) return undefined
  const secrets = { ...connection.secrets, ...Object.fromEntries(changed) }
  // Nobody has changed what it is, so the time of its last change stays.
  return { ...connection, secrets, revision: connection.revision + 1 }
}

function unlessBroken<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}

function reasonWhyNot({ sealed, place }: StoredSecret, keys: SecretKeys): string | undefined {
  try {
    openSecret(sealed, place, keys)
    return undefined
  } catch (error) {
    if (error instanceof SealBroken) return error.message
    throw error
  }
}
