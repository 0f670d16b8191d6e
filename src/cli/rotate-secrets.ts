import { resealTokens } from '../connections/oauth/reseal-tokens.ts'
import { type BrokenSecret, resealConnections } from '../connections/reseal-connections.ts'
import { MillraceError } from '../errors.ts'
import type { Config } from '../startup/config.ts'
import { openStoreForCommand } from '../startup/open-command-store.ts'
import { beginKeyChange, endKeyChange } from '../startup/rotate-key-file.ts'
import { existingKeys } from '../startup/secret-key-file.ts'
import { countOf } from './progress.ts'

export type RotateConfig = Pick<Config, 'home' | 'database' | 'secretKey'>

export interface Rotated {
  readonly says: string
  /** Whether some secret is left that no key opens. */
  readonly hasBroken: boolean
}

/**
 * Seals all secrets with the first key, while services go on. The key of the embedded store's folder is changed first:
 * its file holds the new key and the old one until all is sealed anew, so that a stop at any moment loses nothing and
 * the same command goes on from there.
 */
export async function rotateSecrets(config: RotateConfig): Promise<Rotated> {
  const isOwnFile = config.secretKey === null && config.database === null
  const store = await openStoreForCommand(config, 'rotate-secrets')
  try {
    if (isOwnFile && !beginKeyChange(config.home)) {
      return {
        says: `There is no secret.key in ${config.home}: no secret was ever stored.\n`,
        hasBroken: false
      }
    }
    const keys = existingKeys(config)
    if (keys === undefined) throw withoutKey()
    await resealTokens(store.tokens, keys)
    const { resealed, broken } = await resealConnections(store.connections, keys)
    const retired = isOwnFile ? endKeyChange(config.home) : undefined
    const says = [
      `${broken.length === 0 ? 'All' : 'All other'} secrets are sealed with the key ${keys[0].id}; ${countOf(resealed, 'connection')} ${resealed === 1 ? 'was' : 'were'} sealed with another until now.`,
      retired === undefined ? afterwards(keys.length) : aboutFile(retired),
      ...broken.map(brokenLine)
    ]
    return { says: `${says.join('\n')}\n`, hasBroken: broken.length > 0 }
  } finally {
    await store.close()
  }
}

function afterwards(keys: number): string {
  return keys === 1
    ? 'MILLRACE_SECRET_KEY holds one key. To change it, put a new one before it: see docs/operator-guide.md.'
    : 'Take the other keys out of MILLRACE_SECRET_KEY of every process now, and keep them with the backups of until now.'
}

function aboutFile(retired: string): string {
  return `Backups made so far can only be opened with the former key, which is in ${retired}. Keep it with them; the service does not need it.`
}

function brokenLine({ place, connection, reason }: BrokenSecret): string {
  return `The secret "${place.name}" of the connection "${connection}" in ${place.context} stays as it is: ${reason}. Add the key that sealed it and run this again, or enter the secret again.`
}

function withoutKey(): MillraceError {
  return new MillraceError(
    'secret_key_missing',
    'Set MILLRACE_SECRET_KEY as the service has it, the new key first: new,old.'
  )
}
