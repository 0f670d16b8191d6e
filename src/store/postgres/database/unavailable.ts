import { MillraceError, messageOf } from '../../../errors.ts'

const waitForIt = 'Millrace goes on by itself as soon as it is back.'

/**
 * Faults of the database as a whole, by SQLSTATE, in words for whoever must act. What is not here (a constraint, a
 * value that does not fit) speaks about one statement. Two letters stand for a whole class.
 */
const databaseFaults: Readonly<Record<string, string>> = {
  '08': `the connection to PostgreSQL broke. ${waitForIt}`,
  '25006':
    'the database takes no writes: it is a standby, or set to read-only. Point DATABASE_URL to the primary.',
  '25P03': `Millrace stood still in the middle of a transaction, which PostgreSQL then ended. ${waitForIt}`,
  '28': 'PostgreSQL refuses this user or password. Correct DATABASE_URL.',
  '3D000': 'there is no such database. Create it, or correct DATABASE_URL.',
  '42501':
    'the user may not do this. Use the one that owns the tables, or, where there are none yet, give it the right to create schemas in the database (GRANT CREATE). `millrace doctor` says what is missing.',
  '53': `PostgreSQL lacks disk, memory or free connections. Look at its log; ${waitForIt}`,
  '55P03': `another program holds a lock for too long. ${waitForIt}`,
  '57014': `PostgreSQL took too long and was stopped. ${waitForIt}`,
  '57P': `PostgreSQL is starting or stopping. ${waitForIt}`,
  '58': 'PostgreSQL reported a fault of its system or its files. Look at its log.',
  XX: 'PostgreSQL reported an internal fault, perhaps damaged data. Look at its log.'
}

const nobodyThere = `nobody answers there. Start PostgreSQL, or correct DATABASE_URL. ${waitForIt}`

/** What the operating system says while connecting or talking. */
const networkFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: nobodyThere,
  ENOTFOUND: 'the name of the host is not known. Correct DATABASE_URL.',
  EAI_AGAIN: 'the name of the host cannot be looked up. Correct DATABASE_URL, or fix the name service.',
  EHOSTUNREACH: nobodyThere,
  ENETUNREACH: nobodyThere,
  ENOENT: nobodyThere,
  ETIMEDOUT: nobodyThere,
  ECONNRESET: `the connection broke. ${waitForIt}`,
  EPIPE: `the connection broke. ${waitForIt}`
}

const untrusted =
  "the server's certificate is not trusted. Name that of its authority in DATABASE_URL: ?sslmode=verify-full&sslrootcert=/path/to/ca.crt."

const missingFile =
  'a file that DATABASE_URL names (sslrootcert, sslcert or sslkey) is not there. Correct DATABASE_URL.'

/** What is wrong with the address itself, or with how it asks for TLS. */
const addressFaults: Readonly<Record<string, string>> = {
  ERR_INVALID_URL:
    'DATABASE_URL cannot be read. In user and password write %23 for #, %2F for /, %3F for ? and %25 for %.',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_HAS_EXPIRED: "the server's certificate has expired. Renew it.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "the server's certificate is for another name. Correct the host in DATABASE_URL, or the certificate."
}

/** The driver has no codes for these. */
const driverFaults: readonly [RegExp, string][] = [
  [/timeout exceeded when trying to connect|connection timeout/i, nobodyThere],
  [
    /does not support SSL/,
    'the server does not speak TLS. Set it up there, or leave sslmode out of DATABASE_URL.'
  ],
  [/Query read timeout/, `PostgreSQL does not answer. ${waitForIt}`],
  [
    /Connection terminated|connection error and is not queryable|Client was closed/,
    `the connection broke. ${waitForIt}`
  ]
]

/** True for a fault that concerns the whole store, so that no other write of the same batch can have held. */
export function isUnavailable(error: unknown): boolean {
  return wordsFor(error) !== undefined
}

/** Two transactions stood in each other's way; the one that was given up can simply be done again. */
export function isCollision(error: unknown): boolean {
  return /^40(?:001|P01)$/.test(codeOf(error))
}

/** An error of the database as the rooms above know it; any other is a bug or speaks of one write, and stays. */
export function asStoreError(place: string, error: unknown): unknown {
  if (error instanceof MillraceError) return error
  return isUnavailable(error) ? storeUnwritable(place, error) : error
}

export function storeUnwritable(place: string, cause: unknown): MillraceError {
  const words = wordsFor(cause)
  const code = codeOf(cause)
  const told = `${messageOf(cause)}${code === '' ? '' : `, code ${code}`}`
  const detail = words === undefined ? `${told}.` : `${words} (${told})`
  return new MillraceError('store_unwritable', `The store at ${place} cannot be used: ${detail}`, {
    cause,
    ...(words === undefined ? {} : { publicMessage: `The store cannot be used: ${words}` })
  })
}

/** For who wants to begin with it and cannot: nothing is running yet that could go on by itself. */
export function asUnopened(place: string, error: unknown): MillraceError {
  const told = error instanceof MillraceError ? error : storeUnwritable(place, error)
  if (told.code !== 'store_unwritable') return told
  return new MillraceError(told.code, told.message.replace(waitForIt, 'Try again when it is back.'), {
    cause: told.cause
  })
}

export function storeClosed(place: string): MillraceError {
  return new MillraceError('store_unwritable', `The store at ${place} is closed.`)
}

function wordsFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = codeOf(error)
  // Where the server's socket is missing it is the server that is; any other file is one that the address names.
  if (code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'open') return missingFile
  const known =
    addressFaults[code] ??
    databaseFaults[code] ??
    databaseFaults[code.slice(0, 3)] ??
    databaseFaults[code.slice(0, 2)] ??
    networkFaults[code]
  return known ?? driverFaults.find(([pattern]) => pattern.test(error.message))?.[1]
}

/** Several addresses of one host fail together; the first tells as much as any. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
