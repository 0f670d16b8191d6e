import { readSecretKeys } from '../connections/secret-keys.ts'
import { readAllowRule } from '../egress/allow-list.ts'
import { MillraceError, messageOf } from '../errors.ts'
import { readObjectStoreAddress } from '../files/object-store-address.ts'
import { type Reach, readReach } from './read-reach.ts'

/** What a process does: everything, accept and serve the page, or run flows. */
export const ROLES = ['all', 'web', 'worker'] as const

export type Role = (typeof ROLES)[number]

/** Everything that an operator can set. */
export interface Config extends Reach {
  readonly role: Role
  /** Null is the embedded store. */
  readonly database: { readonly url: string; readonly connections: number } | null
  readonly host: string
  readonly port: number
  readonly home: string
  readonly apiKey: string | null
  readonly plugins: readonly string[]
  /** The folder that flows come from; null where there is none. */
  readonly flowsFolder: string | null
  readonly bodyLimit: number
  readonly backlogLimit: number
  readonly concurrency: number
  readonly inFlight: number
  /** For so long one computation may hold the thread before the process is ended; null is for ever. */
  readonly hangLimitMs: number | null
  /** For flows of contexts that set none of their own: bytes of JSON. */
  readonly outputLimits: { readonly step: number; readonly run: number }
  readonly logLevel: string
  /** What seals secrets, see secret-keys.ts; null makes one in the home folder, where the store is the embedded one. */
  readonly secretKey: string | null
  /** What steps may reach besides public addresses. */
  readonly egressAllow: readonly string[]
  /** The most bytes of one file, or of a body that is one. */
  readonly fileLimit: number
  /** The object store that files lie in; null is the store's own place. */
  readonly files: ObjectStoreConfig | null
  readonly retention: { readonly maxAgeMs: number | null; readonly maxRuns: number | null }
}

export interface ObjectStoreConfig {
  /** See object-store-address.ts. */
  readonly url: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of keys that are good for some hours. */
  readonly sessionToken: string | null
}

type Env = Readonly<Record<string, string | undefined>>
type ReadFile = (path: string) => string

/** Those that other services read as well, by the same name. */
const WITHOUT_PREFIX = ['HOST', 'PORT', 'LOG_LEVEL', 'DATABASE_URL']

const KNOWN = [
  'MILLRACE_HOME',
  'MILLRACE_ROLE',
  'MILLRACE_DATABASE_CONNECTIONS',
  'MILLRACE_API_KEY',
  'MILLRACE_API_KEY_FILE',
  'MILLRACE_SECRET_KEY',
  'MILLRACE_SECRET_KEY_FILE',
  'MILLRACE_EGRESS_ALLOW',
  'MILLRACE_PLUGINS',
  'MILLRACE_FLOWS',
  'MILLRACE_TRUST_PROXY',
  'MILLRACE_PUBLIC_URL',
  'MILLRACE_ALLOWED_HOSTS',
  'MILLRACE_BODY_LIMIT',
  'MILLRACE_FILE_LIMIT',
  'MILLRACE_FILES',
  'MILLRACE_BACKLOG_LIMIT',
  'MILLRACE_CONCURRENCY',
  'MILLRACE_IN_FLIGHT',
  'MILLRACE_HANG_LIMIT',
  'MILLRACE_STEP_OUTPUT_LIMIT',
  'MILLRACE_RUN_OUTPUT_LIMIT',
  'MILLRACE_RETENTION_DAYS',
  'MILLRACE_RETENTION_RUNS',
  // Of the command line: where they are set, a service starts all the same.
  'MILLRACE_URL',
  'MILLRACE_PROFILE'
]

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const DAY_MS = 86_400_000
/** Some 2,700 years: a moment so long ago is still a number that every store can compare. */
const MOST_DAYS = 1_000_000

/** Reads the environment, or stops with one clear line that names the variable and says what to write. */
export function readConfig(env: Env, readFile: ReadFile): Config {
  refuseUnknown(env)
  const database = readDatabase(env, readFile)
  const role = readRole(env, database !== null)
  return {
    role,
    database,
    host: env.HOST || '127.0.0.1',
    // Workers are asked for their health only, and there may be several beside a web process.
    port: whole(env, 'PORT', role === 'worker' ? 0 : 7860, { min: 0, max: 65_535 }),
    ...readReach(env),
    home: env.MILLRACE_HOME || '.millrace',
    apiKey: readApiKey(env, readFile),
    secretKey: readSecretKey(env, readFile),
    egressAllow: readEgressAllow(env),
    plugins: list(env.MILLRACE_PLUGINS),
    flowsFolder: env.MILLRACE_FLOWS?.trim() || null,
    bodyLimit: bytes(env, 'MILLRACE_BODY_LIMIT', '1mb'),
    fileLimit: bytes(env, 'MILLRACE_FILE_LIMIT', '25mb'),
    files: readFiles(env, readFile),
    backlogLimit: whole(env, 'MILLRACE_BACKLOG_LIMIT', 100_000, { min: 1 }),
    concurrency: whole(env, 'MILLRACE_CONCURRENCY', 256, { min: 1, max: 100_000 }),
    inFlight: whole(env, 'MILLRACE_IN_FLIGHT', 15_000, { min: 1, max: 1_000_000 }),
    hangLimitMs: orNull(whole(env, 'MILLRACE_HANG_LIMIT', 8, { min: 0, max: 86_400 }) * 1000),
    outputLimits: {
      step: bytes(env, 'MILLRACE_STEP_OUTPUT_LIMIT', '16mb'),
      run: bytes(env, 'MILLRACE_RUN_OUTPUT_LIMIT', '64mb')
    },
    logLevel: choice(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
    retention: {
      maxAgeMs: orNull(whole(env, 'MILLRACE_RETENTION_DAYS', 30, { min: 0, max: MOST_DAYS }) * DAY_MS),
      maxRuns: orNull(whole(env, 'MILLRACE_RETENTION_RUNS', 2_000_000, { min: 0 }))
    }
  }
}

function refuseUnknown(env: Env): void {
  for (const name of Object.keys(env)) {
    if (!name.startsWith('MILLRACE_') || KNOWN.includes(name)) continue
    const meant = name.slice('MILLRACE_'.length)
    const hint = WITHOUT_PREFIX.includes(meant) ? ` It is called ${meant}.` : ''
    throw invalid(`${name} is not a variable of Millrace.${hint} Known are ${KNOWN.join(', ')}.`)
  }
}

function readDatabase(env: Env, readFile: ReadFile): Config['database'] {
  const url = secret(env, 'DATABASE_URL', readFile)
  const connections = whole(env, 'MILLRACE_DATABASE_CONNECTIONS', 10, { min: 4, max: 1000 })
  if (url === null) return null
  if (/^postgres(?:ql)?:\/\/\S+$/.test(url)) return { url, connections }
  // Not even a part of it is shown: it holds a password.
  throw invalid(
    'DATABASE_URL is not the address of a database. Write postgres://user:password@host:5432/database.'
  )
}

function readRole(env: Env, hasSharedStore: boolean): Role {
  const role = choice(env, 'MILLRACE_ROLE', 'all', ROLES)
  if (role === 'all' || hasSharedStore) return role
  throw invalid(`MILLRACE_ROLE=${role} needs DATABASE_URL: only PostgreSQL can be shared by processes.`)
}

/** Whatever else a key holds, it would be good for nobody: a header drops it, or it arrives as other letters. */
const IN_HEADER = /^[!-~](?:[ -~]*[!-~])?$/

function readApiKey(env: Env, readFile: ReadFile): string | null {
  const key = secret(env, 'MILLRACE_API_KEY', readFile)
  if (key === null) return null
  if (key.length < 16) throw invalid(`MILLRACE_API_KEY has ${key.length} characters. Use at least 16.`)
  if (IN_HEADER.test(key)) return key
  throw invalid(
    'MILLRACE_API_KEY holds what cannot be sent in a header. Use ASCII letters, digits and punctuation, with no space at either end.'
  )
}

function readSecretKey(env: Env, readFile: ReadFile): string | null {
  const text = secret(env, 'MILLRACE_SECRET_KEY', readFile)
  if (text !== null) assertReadable('MILLRACE_SECRET_KEY', () => readSecretKeys(text))
  return text
}

/** By the names that every tool of object stores knows. */
function readFiles(env: Env, readFile: ReadFile): ObjectStoreConfig | null {
  const url = env.MILLRACE_FILES?.trim() || null
  if (url === null) return null
  readObjectStoreAddress(url)
  const accessKeyId = secret(env, 'AWS_ACCESS_KEY_ID', readFile)
  const secretAccessKey = secret(env, 'AWS_SECRET_ACCESS_KEY', readFile)
  if (accessKeyId !== null && secretAccessKey !== null)
    return { url, accessKeyId, secretAccessKey, sessionToken: secret(env, 'AWS_SESSION_TOKEN', readFile) }
  const missing = accessKeyId === null ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY'
  throw invalid(`MILLRACE_FILES needs the key of the object store. Set ${missing}, or ${missing}_FILE.`)
}

function readEgressAllow(env: Env): string[] {
  const entries = list(env.MILLRACE_EGRESS_ALLOW)
  assertReadable('MILLRACE_EGRESS_ALLOW', () => entries.map(readAllowRule))
  return entries
}

/** Whoever reads it does not know the name of the variable. */
function assertReadable(name: string, read: () => unknown): void {
  try {
    read()
  } catch (error) {
    throw invalid(`${name}: ${messageOf(error)}`)
  }
}

/** A secret is given by its value or by the file that holds it. */
function secret(env: Env, name: string, readFile: ReadFile): string | null {
  const value = env[name] || null
  const file = env[`${name}_FILE`]
  if (file === undefined || file === '') return value
  if (value !== null) throw invalid(`${name} and ${name}_FILE are both set. Unset one of them.`)
  try {
    return readFile(file).trim()
  } catch (error) {
    throw invalid(`${name}_FILE names a file that cannot be read: ${messageOf(error)}.`)
  }
}

function whole(env: Env, name: string, fallback: number, range: { min: number; max?: number }): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const { min, max = Number.MAX_SAFE_INTEGER } = range
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  const bounds = range.max === undefined ? `of ${min} or more` : `from ${min} to ${max}`
  throw invalid(
    `${name} is ${JSON.stringify(text)}. Write a whole number ${bounds}, for example ${fallback}.`
  )
}

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

function bytes(env: Env, name: string, fallback: string): number {
  const text = env[name] || fallback
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?b)?$/i.exec(text.trim())
  const size = match === null ? 0 : Math.floor(Number(match[1]) * UNITS[(match[2] ?? '').toLowerCase()]!)
  if (size >= 1 && size <= 1024 ** 3) return size
  throw invalid(
    `${name} is ${JSON.stringify(text)}. Write a size up to 1gb, for example 512kb, 1mb or 1048576.`
  )
}

function choice<T extends string>(env: Env, name: string, fallback: T, choices: readonly T[]): T {
  const value = env[name] || fallback
  const chosen = choices.find((known) => known === value)
  if (chosen !== undefined) return chosen
  throw invalid(`${name} is ${JSON.stringify(value)}. Write one of ${choices.join(', ')}.`)
}

function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function orNull(value: number): number | null {
  return value === 0 ? null : value
}

function invalid(message: string): MillraceError {
  return new MillraceError('config_invalid', message)
}

/** A person cannot open 0.0.0.0: a service that listens everywhere is reached at the loopback address too. */
export function reachableAddress(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
