import { setTimeout as wait } from 'node:timers/promises'
import { askService } from './ask-service.ts'
import { type Receipt, sendOnce } from './send-once.ts'

export interface Approver {
  /** Whether a run may go on with an answer that has this comment: only it was told that it counts, or nobody was. */
  mayBe(comment: string): boolean
  readonly faults: readonly string[]
  /** Answers that were told 409, as they had to be. */
  readonly late: number
  /** Asks for no further questions, and resolves when those that are known are answered. */
  finish(): Promise<void>
}

export interface ApproverOptions {
  readonly urls: readonly string[]
  readonly random: () => number
  /** The slug of the flow that asks. */
  readonly flow: string
}

const LOOK_AGAIN_MS = 200

/** Who answers the questions of runs. It writes a comment that no other answer has, and answers some of them again. */
export function startApprover({ urls, random, flow }: ApproverOptions): Approver {
  const comments = new Set<string>()
  const tasks = new Map<string, Promise<void>>()
  const faults: string[] = []
  let late = 0
  let isStopped = false

  const anyUrl = () => urls[Math.floor(random() * urls.length)]!

  async function send(id: string, comment: string): Promise<Receipt> {
    const body = { choice: 'Approve', comment }
    const answer = await askService(`${anyUrl()}/api/v1/approvals/${id}`, { method: 'POST', body })
    if (answer?.status === 200) return 'taken'
    if (answer?.status === 409) {
      late++
      return 'over'
    }
    if (answer !== undefined && answer.status !== 503)
      faults.push(`an answer to question ${id} was told ${answer.status} ${answer.text}`)
    return 'unknown'
  }

  async function answer(id: string): Promise<void> {
    const options = { to: id, random, isStopped: () => isStopped, faults }
    const mayBe = await sendOnce({ ...options, send: (comment) => send(id, comment) })
    for (const comment of mayBe) comments.add(comment)
    if (random() < 0.5 && (await send(id, `${id}-again`)) === 'taken')
      faults.push(`question ${id} took a second answer`)
  }

  async function look(): Promise<void> {
    while (!isStopped) {
      const found = await askService(`${anyUrl()}/api/v1/approvals?status=open&flow_id=${flow}`)
      const { approvals } = (
        found?.status === 200 ? JSON.parse(found.text) : { approvals: [] }
      ) as OpenApprovals
      for (const { id } of approvals) if (!tasks.has(id)) tasks.set(id, answer(id))
      await wait(LOOK_AGAIN_MS)
    }
  }

  const looking = look()
  return {
    mayBe: (comment) => comments.has(comment),
    faults,
    get late() {
      return late
    },
    async finish() {
      isStopped = true
      await looking
      await Promise.all(tasks.values())
    }
  }
}

interface OpenApprovals {
  readonly approvals: readonly { readonly id: string }[]
}
