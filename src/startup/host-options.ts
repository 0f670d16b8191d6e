import { MillraceError } from '../errors.ts'
import { didYouMean } from '../flows/closest-name.ts'
import { ROLES } from './config.ts'

type Options = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value !== ''
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0
const isCountOrNull: Check = (value) => value === null || isCount(value)

function isRecord(value: unknown): value is Options {
  return typeof value === 'object' && value !== null
}

/** What each option must be, with the words for one that is not. */
const OPTIONS: Readonly<Record<string, readonly [check: Check, words: string]>> = {
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
  secretKey: [(value) => value === null || isText(value), '32 bytes in base64'],
  egressAllow: [
    (value) => Array.isArray(value) && value.every(isText),
    'a list of hosts, addresses and networks'
  ],
  bodyLimit: [isCount, 'a whole number of bytes'],
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

/** Read by Fastify, which hands them on. */
const FASTIFYS = ['prefix', 'logLevel', 'logSerializers', 'context']

/**
 * Refuses an option with a value that would only fail later, or never: a key that anybody guesses. Returns what to say
 * of names that mean nothing; those are no fault, since a host may hand on more than is meant for Millrace.
 */
export function checkHostOptions(options: Options): string[] {
  for (const [name, [check, words]] of Object.entries(OPTIONS)) {
    const value = options[name]
    if (value === undefined || check(value)) continue
    throw new MillraceError('config_invalid', `The option "${name}" of Millrace must be ${words}.`)
  }
  const known = Object.keys(OPTIONS)
  return Object.keys(options)
    .filter((name) => !known.includes(name) && !FASTIFYS.includes(name))
    .map((name) => `Millrace has no option "${name}"; it changes nothing.${didYouMean(name, known)}`)
}
