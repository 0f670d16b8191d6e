import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSecretKeys, type SecretKeys } from '../connections/secret-keys.ts'
import { MillraceError, messageOf } from '../errors.ts'
import type { Config } from './config.ts'

const FILE = 'secret.key'

/**
 * The keys that seal secrets, asked for when a secret is first sealed or opened. The embedded store has one of its own
 * beside it, which only the owner of the folder can read. Processes that share a database may run on machines that
 * share nothing else, so there the operator gives it to all of them.
 */
export function secretKeys(config: Pick<Config, 'secretKey' | 'database' | 'home'>): () => SecretKeys {
  let known: SecretKeys | undefined
  return () => {
    known ??= keysFrom(config)
    return known
  }
}

function keysFrom({
  secretKey,
  database,
  home
}: Pick<Config, 'secretKey' | 'database' | 'home'>): SecretKeys {
  if (secretKey !== null) return readSecretKeys(secretKey)
  if (database === null) return keysOf(home)
  throw missing()
}

function keysOf(home: string): SecretKeys {
  const path = join(home, FILE)
  try {
    return readSecretKeys(readKey(path) ?? makeKey(path))
  } catch (error) {
    throw new MillraceError(
      'secret_key_missing',
      `The key in ${path} cannot be used: ${messageOf(error)} Put the file of your backup in its place, or set MILLRACE_SECRET_KEY.`
    )
  }
}

function readKey(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Synced before it seals anything: a key that a power cut takes away would take all secrets with it. */
function makeKey(path: string): string {
  const key = `${randomBytes(32).toString('base64')}\n`
  writeFileSync(path, key, { mode: 0o600, flag: 'wx', flush: true })
  return key
}

function missing(): MillraceError {
  return new MillraceError(
    'secret_key_missing',
    'Secrets need MILLRACE_SECRET_KEY where the store is PostgreSQL. Make a key with `openssl rand -base64 32`, give the same one to every process, and start them again.'
  )
}
