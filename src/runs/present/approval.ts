import { plainText } from '../../flows/template/plain-words.ts'
import type { StoredWait } from '../../store/waits.ts'
import { timeText } from './time-text.ts'

export const APPROVAL_STATUSES = ['open', 'answered', 'over'] as const

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

/** What somebody answered, and how. */
export interface Answer {
  readonly choice: string
  readonly comment: string | null
  /** The name of the key; by a link, what the person wrote there, if anything. */
  readonly by: string | null
  readonly via: 'key' | 'link'
}

/** A question to a person, as the API shows it. */
export interface Approval {
  readonly id: string
  readonly run_id: string
  readonly flow_id: string
  readonly node: string
  readonly question: string
  readonly choices: readonly string[]
  readonly created_at: string
  /** Null where it has time without end. */
  readonly expires_at: string | null
  readonly status: ApprovalStatus
  readonly test: boolean
  /** Null until somebody has answered. */
  readonly answer: (Answer & { readonly at: string }) | null
}

export function presentApproval(wait: StoredWait, now: number): Approval {
  const { text, choices } = questionOf(wait)
  const answer = wait.state === 'woken' && wait.answer !== null ? (JSON.parse(wait.answer) as Answer) : null
  return {
    id: wait.id,
    run_id: wait.runId,
    flow_id: wait.flowId,
    node: wait.node,
    question: text,
    choices,
    created_at: timeText(wait.createdAt),
    expires_at: timeText(wait.expiresAt),
    status: answer === null ? standingOf(wait, now) : 'answered',
    test: wait.isTest,
    answer: answer === null ? null : { ...answer, at: timeText(wait.endedAt!) }
  }
}

/** Its time may be over before its run has taken notice. */
function standingOf({ state, expiresAt }: StoredWait, now: number): ApprovalStatus {
  return state === 'open' && (expiresAt === null || expiresAt > now) ? 'open' : 'over'
}

export function questionOf({ question }: Pick<StoredWait, 'question'>): {
  readonly text: string
  readonly choices: readonly string[]
} {
  if (question === null) return { text: '', choices: [] }
  const { text, choices } = JSON.parse(question) as { text: string; choices: string[] }
  // Questions that an older Millrace asked hold values as they were sent.
  return { text: plainText(text), choices }
}

/** The choice that is meant, as it is written; undefined where there is no such choice. */
export function choiceIn(choices: readonly string[], meant: string): string | undefined {
  const plain = (text: string) => text.trim().toLowerCase()
  return (
    choices.find((choice) => choice === meant) ?? choices.find((choice) => plain(choice) === plain(meant))
  )
}
