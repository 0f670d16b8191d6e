import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readSecretKeys, type SecretKey, type SecretKeys } from '../connections/secret-keys.ts'
import { MillraceError, messageOf } from '../errors.ts'
import type { Config } from './config.ts'

type KeyConfig = Pick<Config, 'secretKey' | 'database' | 'home'>

const FILE = 'secret.key'

/**
 * The keys that seal secrets, asked for when a secret is first sealed or opened. The embedded store has one of its own
 * beside it, which only the owner of the folder can read. Processes that share a database may run on machines that
 * share nothing else, so there the operator gives it to all of them.
 */
export function secretKeys({ secretKey, database, home }: KeyConfig): () => SecretKeys {
  if (secretKey === null && database === null) return keysInFile(keyFileIn(home))
  let known: SecretKeys | undefined
  return () => {
    if (secretKey === null) throw missing()
    known ??= readSecretKeys(secretKey)
    return known
  }
}

/** The keys that there are, for whoever only looks; undefined where none was made yet. */
export function existingKeys({ secretKey, database, home }: KeyConfig): SecretKeys | undefined {
  if (secretKey !== null) return readSecretKeys(secretKey)
  if (database !== null) return undefined
  const path = keyFileIn(home)
  return usable(path, () => {
    const text = readKeyFile(path)
    return text === undefined ? undefined : readSecretKeys(text)
  })
}

export function keyFileIn(home: string): string {
  return join(home, FILE)
}

export function readKeyFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whole and on disk before anybody can read it under its name: a key that a power cut takes away takes all secrets with it. */
export function writeKeyFile(path: string, text: string): void {
  const unfinished = `${path}.part`
  writeFileSync(unfinished, text, { mode: 0o600, flush: true })
  renameSync(unfinished, path)
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

export function newKeyText(): string {
  return randomBytes(32).toString('base64')
}

/**
 * `millrace rotate-secrets` replaces the file while the service runs, so it is looked at whenever keys are asked for.
 * A key that was in it once goes on opening what this process holds in memory.
 */
function keysInFile(path: string): () => SecretKeys {
  let known: readonly SecretKey[] = []
  let seen: string | undefined
  return () => {
    const now = stateOf(path)
    if (known.length === 0 || now !== seen) {
      // Where it was taken away, this process goes on with the keys that it has: a new one would open nothing.
      if (now === undefined && known.length > 0) return known as SecretKeys
      known = usable(path, () => withOlder(readSecretKeys(readKeyFile(path) ?? makeKey(path)), known))
      seen = stateOf(path)
    }
    return known as SecretKeys
  }
}

function withOlder(keys: SecretKeys, older: readonly SecretKey[]): SecretKeys {
  return [...keys, ...older.filter(({ id }) => !keys.some((key) => key.id === id))]
}

/** Changes with every replacement of the file. */
function stateOf(path: string): string | undefined {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false })
  return facts && `${facts.ino} ${facts.mtimeNs} ${facts.size}`
}

function makeKey(path: string): string {
  const key = `${newKeyText()}\n`
  writeKeyFile(path, key)
  return key
}

function usable<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new MillraceError(
      'secret_key_missing',
      `The key in ${path} cannot be used: ${messageOf(error)} Put the file of your backup in its place, or set MILLRACE_SECRET_KEY.`
    )
  }
}

function missing(): MillraceError {
  return new MillraceError(
    'secret_key_missing',
    'Secrets need MILLRACE_SECRET_KEY where the store is PostgreSQL. Make a key with `openssl rand -base64 32`, give the same one to every process, and start them again.'
  )
}
