import { MillraceError } from '../errors.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { words } from '../flows/template/plain-words.ts'
import type { RunStore, StoredRun } from '../store/store.ts'
import type { StoredWait, WaitFilter, WakeResult } from '../store/waits.ts'
import { type Answer, type Approval, choiceIn, presentApproval, questionOf } from './present/approval.ts'
import type { WakeReason } from './record/woken-entry.ts'

interface ApprovalsDeps {
  readonly store: Pick<RunStore, 'get' | 'waitById' | 'listWaits'>
  readonly wake: (run: StoredRun, node: string, reason: WakeReason) => Promise<WakeResult>
  readonly now: () => number
}

type ListFilter = Pick<WaitFilter, 'flowIds' | 'before' | 'limit'> & {
  readonly status?: Approval['status'] | undefined
}

/** Questions that runs put to people. */
export class Approvals {
  readonly #deps: ApprovalsDeps

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps
  }

  /** Newest first. A page may hold fewer than asked for; it is the last one where `next` is null. */
  async list({ status, ...filter }: ListFilter): Promise<{ approvals: Approval[]; next: StoredWait | null }> {
    const state = status === 'open' ? 'open' : status === 'answered' ? 'woken' : undefined
    const waits = await this.#deps.store.listWaits({
      kind: 'answer',
      ...filter,
      ...(state !== undefined && { state })
    })
    const approvals = waits.map((wait) => this.present(wait))
    return {
      approvals: status === undefined ? approvals : approvals.filter((each) => each.status === status),
      next: waits.length < filter.limit ? null : waits.at(-1)!
    }
  }

  async find(id: string): Promise<StoredWait | undefined> {
    const wait = await this.#deps.store.waitById(id)
    return wait?.kind === 'answer' ? wait : undefined
  }

  /** What a node of a run asks, or asked last; undefined where the run has not come to it. */
  async ofNode({ seq }: Pick<StoredRun, 'seq'>, node: string): Promise<StoredWait | undefined> {
    const waits = await this.#deps.store.listWaits({ kind: 'answer', runSeq: seq, limit: 1_000 })
    return waits.find((wait) => wait.node === node)
  }

  present(wait: StoredWait): Approval {
    return presentApproval(wait, this.#deps.now())
  }

  /** Once: whoever comes later is told who was first. */
  async answer(wait: StoredWait, given: Answer): Promise<Approval> {
    const choice = choiceIn(questionOf(wait).choices, given.choice)
    if (choice === undefined) throw unknownChoice(given.choice, questionOf(wait).choices)
    const run = await this.#deps.store.get(wait.runId)
    if (run === undefined) throw closed(this.present(wait))
    const answer = { ...given, choice }
    const result = await this.#deps.wake(run, wait.node, {
      by: 'answer',
      value: { choice, comment: given.comment, by: given.by },
      answer: answer as unknown as JsonValue
    })
    const after = this.present((await this.find(wait.id)) ?? wait)
    if (!result.won) throw closed(after)
    return after
  }
}

export function approvalNotFound(): MillraceError {
  return new MillraceError(
    'approval_not_found',
    'There is no such approval, or this key may not see it. Old ones are deleted with their run.'
  )
}

function closed({ status, answer }: Approval): MillraceError {
  const why =
    status === 'answered' && answer !== null
      ? words`It was answered with "${answer.choice}"${answer.by === null ? '' : ` by ${answer.by}`}, ${answer.at}.`
      : 'Its time is over, or its run has ended.'
  return new MillraceError('approval_closed', `This approval takes no answer any more. ${why}`)
}

function unknownChoice(choice: string, choices: readonly string[]): MillraceError {
  const list = choices.map((each) => `"${each}"`).join(', ')
  return new MillraceError(
    'unknown_choice',
    `"${choice.slice(0, 100)}" is not one of the choices. Send one of ${list}.`,
    { members: { choices } }
  )
}
