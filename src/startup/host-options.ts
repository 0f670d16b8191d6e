import { readSecretKeys } from '../connections/secret-keys.ts'
import { readAllowRule } from '../egress/allow-list.ts'
import { MillraceError } from '../errors.ts'
import { readObjectStoreAddress } from '../files/object-store-address.ts'
import { didYouMean } from '../flows/closest-name.ts'
import { ROLES } from './config.ts'
import { readReach } from './read-reach.ts'
import type { ServiceConfig } from './service-options.ts'

type Options = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value !== ''
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0
const isCountOrNull: Check = (value) => value === null || isCount(value)

function isRecord(value: unknown): value is Options {
  return typeof value === 'object' && value !== null
}

function isObjectStore(value: unknown): boolean {
  if (!isRecord(value) || !isText(value.accessKeyId) || !isText(value.secretAccessKey)) return false
  return (
    isRead(value.url, readObjectStoreAddress) && (value.sessionToken === null || isText(value.sessionToken))
  )
}

type Option = keyof ServiceConfig | 'plugins' | 'publicUrl' | 'onFirstStart' | 'pageFolder'

/** What each option must be, with the words for one that is not. */
const OPTIONS: Readonly<Record<Option, readonly [check: Check, words: string]>> = {
  apiKey: [
    (value) => value === null || (isText(value) && (value as string).length >= 16),
    'text of at least 16 characters'
  ],
  home: [isText, 'the path of a folder'],
  plugins: [
    (value) =>
      Array.isArray(value) && value.every((plugin) => typeof plugin === 'function' || isRecord(plugin)),
    'a list of functions, or of what import() gives'
  ],
  role: [(value) => ROLES.some((role) => role === value), '"all", "web" or "worker"'],
  database: [
    (value) => value === null || (isRecord(value) && isText(value.url) && isCount(value.connections)),
    '{ url, connections }'
  ],
  secretKey: [
    (value) => value === null || isRead(value, readSecretKeys),
    '32 bytes in base64, as `openssl rand -base64 32` prints them'
  ],
  egressAllow: [
    (value) => Array.isArray(value) && value.every((entry) => isRead(entry, readAllowRule)),
    'a list of hosts, addresses and networks'
  ],
  publicUrl: [
    (value) => value === null || isRead(value, (text) => readReach({ MILLRACE_PUBLIC_URL: text })),
    'the address at which people reach the application, for example https://shop.example'
  ],
  onFirstStart: [(value) => typeof value === 'function', 'a function'],
  bodyLimit: [isCount, 'a whole number of bytes'],
  fileLimit: [isCount, 'a whole number of bytes'],
  files: [
    (value) => value === null || isObjectStore(value),
    '{ url, accessKeyId, secretAccessKey, sessionToken }, with a url such as s3://bucket/prefix?region=eu-central-1'
  ],
  flowsFolder: [(value) => value === null || isText(value), 'the path of a folder'],
  backlogLimit: [isCount, 'a whole number of runs'],
  concurrency: [isCount, 'a whole number of runs'],
  inFlight: [isCount, 'a whole number of runs'],
  outputLimits: [
    (value) => isRecord(value) && isCount(value.step) && isCount(value.run),
    '{ step, run }, each a whole number of bytes'
  ],
  retention: [
    (value) => isRecord(value) && isCountOrNull(value.maxAgeMs) && isCountOrNull(value.maxRuns),
    '{ maxAgeMs, maxRuns }, each a whole number, or null to keep all'
  ],
  pageFolder: [isText, 'the path of a folder']
}

export const HOST_OPTIONS: readonly string[] = Object.keys(OPTIONS)

/** Read by Fastify, which hands them on. */
const FASTIFYS = ['prefix', 'logLevel', 'logSerializers', 'context']

/** Refuses an option that would only fail later, or never: a key that anybody guesses, a limit whose name is misspelt. */
export function checkHostOptions(options: Options): void {
  for (const [name, [check, words]] of Object.entries(OPTIONS)) {
    const value = options[name]
    if (value === undefined || check(value)) continue
    throw invalid(`The option "${name}" of Millrace must be ${words}.`)
  }
  const unknown = Object.keys(options).find((name) => ![...HOST_OPTIONS, ...FASTIFYS].includes(name))
  if (unknown === undefined) return
  const known = HOST_OPTIONS.toSorted().join(', ')
  throw invalid(
    `Millrace has no option "${unknown}".${didYouMean(unknown, HOST_OPTIONS) || ` It has ${known}.`}`
  )
}

function isRead(value: unknown, read: (text: string) => unknown): boolean {
  if (!isText(value)) return false
  try {
    read(value as string)
    return true
  } catch {
    return false
  }
}

function invalid(message: string): MillraceError {
  return new MillraceError('config_invalid', message)
}
