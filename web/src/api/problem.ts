/** What the service answers when it refuses: a problem document (RFC 9457) with the status and the words for a person. */
export interface Problem {
  readonly title: string
  readonly detail: string
  readonly status: number
  readonly code: string
  readonly errors: readonly ProblemFault[]
  readonly [member: string]: unknown
}

export interface ProblemFault {
  readonly code: string
  readonly path: string
  readonly node?: string
  readonly field?: string
  /** Where in a text the fault is; both count from 1. */
  readonly line?: number
  readonly column?: number
  readonly message: string
}

export class ApiProblem extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.name = 'ApiProblem'
    this.problem = problem
  }

  get code(): string {
    return this.problem.code
  }

  get status(): number {
    return this.problem.status
  }
}

/** No answer came: the service is down, or the network is. */
export const UNREACHABLE = 'unreachable'

export function unreachable(): ApiProblem {
  return new ApiProblem({
    title: 'Millrace cannot be reached',
    detail:
      'There is no answer. Check that the service is running and the network is up. The page reconnects by itself.',
    status: 0,
    code: UNREACHABLE,
    errors: []
  })
}

/** Whatever was thrown, as a problem that can be shown. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof ApiProblem) return thrown.problem
  const detail = thrown instanceof Error ? thrown.message : String(thrown)
  return { title: 'The page failed', detail, status: 0, code: 'page_failed', errors: [] }
}

/** Something else than a problem document came, for example from a proxy on the way. */
export function readProblem(status: number, statusText: string, body: unknown): ApiProblem {
  const sent = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const text = (name: string, otherwise: string) => {
    const value = sent[name]
    return typeof value === 'string' && value !== '' ? value : otherwise
  }
  return new ApiProblem({
    ...sent,
    title: text('title', `The service answered ${status} ${statusText}`.trim()),
    detail: text(
      'detail',
      'The answer has no explanation. It may come from a proxy between the page and Millrace.'
    ),
    status,
    code: text('code', `http_${status}`),
    errors: Array.isArray(sent.errors) ? (sent.errors as ProblemFault[]) : []
  })
}
