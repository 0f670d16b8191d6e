import { recall, type WaitingStep } from '../../engine/journal.ts'
import { failsRun, isLedOn } from '../../engine/settle.ts'
import type { StoredRun } from '../../store/store.ts'
import type { RunAgain } from '../items-again.ts'
import { decodeEntry, encodeEntry } from './journal-codec.ts'
import { runStartOf } from './run-start.ts'
import { decodeSteps } from './step-codec.ts'

interface ReopeningEntry {
  /** What the journal begins with. */
  readonly entry: string
  /** Nodes that are to wait anew, and that nothing has come to which still counts. */
  readonly calledAnew: readonly string[]
}

/**
 * What succeeded stays, and so does a failure that was led on: what came of that is done. What failed the run, or was cut off with
 * it, is a wait that is over, so that its attempts go on counting: whom it reaches outside tells them apart by that.
 */
export function reopeningEntry(run: StoredRun, now: number, again?: RunAgain): ReopeningEntry {
  const start = runStartOf(run)
  const steps = decodeSteps(run.outcome!.steps, start)
  const failed = steps.filter(failsRun).map((step): WaitingStep => {
    const { node, type, attempts } = step
    return { node, type, attempts, until: 0, error: step.error! }
  })
  // A call that came before the run had got to wait for it: it was answered, so it counts.
  const recalled = recall(run.journal.map((entry) => decodeEntry(entry, start)))
  // Children that failed go on, and are waited for anew. What let the next attempt begin at once is no answer to it.
  const done = steps.filter((step) => step.status === 'succeeded' || isLedOn(step))
  // Nor is what somebody has said to other results than those that come now.
  const answeredBefore = new Set(done.filter(({ node }) => again?.after.has(node)).map(({ node }) => node))
  const woken = recalled.woken
    .values()
    .toArray()
    .filter(({ by, node }) => by !== 'children' && recalled.waiting.get(node)?.wait?.kind !== 'retry')
    .filter(({ node }) => !answeredBefore.has(node))
  const settled = again === undefined ? done : done.filter(({ node }) => !isAgain(again, node))
  // One that waited, for its children among others, when the run ended around it.
  const stopped = steps
    .filter(({ status, attempts }) => status === 'cancelled' && attempts > 0)
    .map(({ node, type, attempts }): WaitingStep => ({ node, type, attempts, until: 0, error: null }))
  const known = new Set([...failed, ...stopped, ...done].map(({ node }) => node))
  const begun = recalled.begun.values().map(({ attempt, ...step }) => ({ ...step, attempts: attempt }))
  const cutOff = [...begun, ...recalled.waiting.values()]
    .filter(({ node }) => !known.has(node))
    .map(({ node, type, attempts }): WaitingStep => ({ node, type, attempts, until: 0, error: null }))
  const repeated = done
    .filter(({ node }) => again?.nodes.includes(node))
    .map((step): WaitingStep => {
      const { node, type, attempts } = step
      const items = again?.items
      return { node, type, attempts, until: 0, error: null, ...(items !== undefined && { items }) }
    })
  // The run ended before they were ready. As waits that are over they would let the run be taken up for them, again and again.
  const isUntried = ({ node, attempts }: WaitingStep) => recalled.anew?.get(node) === attempts
  const open = [...stopped, ...cutOff]
  // They have to wait for those; their attempts go on counting.
  const followers = [...done.filter(({ node }) => again?.after.has(node)), ...open.filter(isUntried)]
  const anew = new Map(recalled.anew)
  for (const { node, attempts } of followers) anew.set(node, attempts)
  const waiting = [...failed, ...open.filter((step) => !isUntried(step)), ...repeated]
  const answered = recalled.answered ?? steps.find(({ answer }) => answer !== undefined)
  const entry = encodeEntry(
    {
      at: now,
      startedAt: now - workedFor(run.outcome!),
      reopened: true,
      settled,
      waiting,
      ...(woken.length > 0 && { woken }),
      ...(answered !== undefined && { answered: { ...answered, outputs: null } }),
      ...(anew.size > 0 && { anew: Array.from(anew, ([node, after]) => ({ node, after })) }),
      ...(followers.length > 0 && {
        begun: followers.map(({ node, type, attempts }) => ({ node, type, attempt: attempts })),
        left: followers.map(({ node }) => node)
      })
    },
    start
  )
  const answers = new Set(woken.map(({ node }) => node))
  const anewWaiting = waiting.map(({ node }) => node).filter((node) => !answers.has(node))
  return { entry, calledAnew: [...anewWaiting, ...(again?.after ?? [])] }
}

function isAgain({ nodes, after }: RunAgain, node: string): boolean {
  return nodes.includes(node) || after.has(node)
}

/**
 * A run that is opened again goes on counting where it ended: how long it took is its work, and not the wait of whoever
 * retried it.
 */
function workedFor({ startedAt, finishedAt }: NonNullable<StoredRun['outcome']>): number {
  return startedAt === null ? 0 : Math.max(0, finishedAt - startedAt)
}
