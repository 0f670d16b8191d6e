import { problems } from './problems.ts'

export { problems } from './problems.ts'

export type ProblemCode = keyof typeof problems

interface ProblemExtras {
  /** Where a plugin refuses a request, it also says how. */
  readonly status?: number
  /** One entry per fault, for answers that list several. */
  readonly errors?: readonly Fault[]
  /** Sent as HTTP headers with the answer, for example Retry-After. */
  readonly headers?: Readonly<Record<string, string>>
  /** Further members of the problem document. */
  readonly members?: Readonly<Record<string, unknown>>
  /** What callers read who have shown no key, where the message names what is inside. */
  readonly publicMessage?: string
  readonly cause?: unknown
}

/** One thing that is wrong in something a client sent: where it is, what is wrong and what to do. */
export interface Fault {
  readonly code: string
  /** JSON pointer into what was sent. */
  readonly path: string
  readonly node?: string
  readonly field?: string
  readonly line?: number
  readonly column?: number
  readonly message: string
}

/** An error that somebody outside can act on. Anything else that is thrown is a bug and answers 500. */
export class MillraceError extends Error {
  readonly code: ProblemCode
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, message: string, extras: ProblemExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.name = 'MillraceError'
    this.code = code
    this.extras = extras
  }

  get status(): number {
    return this.extras.status ?? problems[this.code].status
  }
}

/** Whatever was thrown, as text for a person. Never throws: a plugin can throw even what cannot be printed. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return String(thrown.message || thrown.name)
    const { message } = Object(thrown) as { message?: unknown }
    return typeof message === 'string' && message !== '' ? message : String(thrown)
  } catch {
    return `Something of type ${typeof thrown} that cannot be printed.`
  }
}
