import type { Static } from 'typebox'
import type { Problem } from '../../http/schemas.ts'
import { CommandError } from '../command-error.ts'

type Told = Partial<Static<typeof Problem>>

interface Service {
  readonly url: string
  readonly from: string
  readonly hasKey: boolean
}

/** The service has answered, and the answer is no. */
export class ApiRefusal extends CommandError {
  readonly status: number
  /** The stable code of the API; empty where what answered has none. */
  readonly code: string
  readonly problem: Told
  /** In seconds, where the service is only busy: the same may be asked again then. */
  readonly retryAfter: number | undefined

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, body: string, service: Service) {
    const problem = readProblem(body)
    super(textOf(status, problem, service))
    this.status = status
    this.problem = problem
    this.code = problem.code ?? ''
    this.retryAfter =
      BUSY.includes(status) && this.code !== 'flow_paused' ? secondsOf(headers.get('retry-after')) : undefined
  }
}

/** Too many requests; a backlog that is full, or a store that is away. */
const BUSY = [429, 503]

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}

function readProblem(body: string): Told {
  try {
    const read = JSON.parse(body)
    return typeof read === 'object' && read !== null ? (read as Told) : {}
  } catch {
    return {}
  }
}

function textOf(status: number, { code, detail, errors = [] }: Told, service: Service): string {
  if (status === 401) return unauthorizedText(service)
  if (detail === undefined || code === undefined) return notMillraceText(service, status)
  // The words of the service hold the first fault already.
  const faults = errors.length < 2 ? [] : errors.map(({ message, path }) => `- ${path}: ${message}`)
  return [detail, ...faults].join('\n')
}

function unauthorizedText({ url, hasKey }: Service): string {
  const what = hasKey ? 'does not take the key that was sent' : 'asks for a key, and none is known for it'
  return `${url} ${what}. Keep one with: millrace login ${url}, or give one with --key or MILLRACE_API_KEY.`
}

export function notMillrace(service: Service): CommandError {
  return new CommandError(notMillraceText(service))
}

function notMillraceText({ url, from }: Service, status?: number): string {
  const how = status === undefined ? '' : ` (${status})`
  return `What answers at ${url}${how} is no Millrace, or something stands before it. The address comes from ${from}.`
}

export function unreachable({ url, from }: Service, error: unknown): CommandError {
  return new CommandError(
    `Millrace does not answer at ${url} (${causeOf(error)}). The address comes from ${from}: start the service there, or name another one with --url.`
  )
}

export function slow({ url }: Service, ms: number): CommandError {
  return new CommandError(
    `${url} has not answered within ${ms / 1000} s. Try again when the service has less to do.`
  )
}

/** What fetch says is "fetch failed"; the reason is beneath. */
export function causeOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
  const code = cause?.code ?? ''
  return REASONS[code] ?? (cause?.message || code || message)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNRESET: 'the connection broke',
  ETIMEDOUT: 'no way leads there',
  EHOSTUNREACH: 'no way leads there',
  UND_ERR_CONNECT_TIMEOUT: 'no way leads there',
  UND_ERR_SOCKET: 'the connection broke',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS names one to trust',
  CERT_HAS_EXPIRED: 'its certificate has expired'
}
