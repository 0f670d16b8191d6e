import type { Count } from './count.ts'
import { LEDGER_NODES } from './flows.ts'
import { judgeLedger } from './judge-ledger.ts'
import type { Accepted } from './sender.ts'

export interface DrillReport {
  readonly kills: number
  readonly accepted: number
  readonly unanswered: number
  readonly completed: number
  readonly lost: number
  readonly cutOff: number
  readonly repeated: number
  readonly repeatedAfterEffect: number
  readonly illegalRepeats: number
  /** The slowest way from starting again after a kill to accepting again. */
  readonly slowestRecoveryMs: number
  /** How long the last start took to finish what was left. */
  readonly drainMs: number
  /** Everything that breaks a promise, in words. Empty is what a drill is for. */
  readonly violations: readonly string[]
}

/** What a drill leaves behind to be judged. */
export interface Evidence {
  readonly kills: number
  readonly accepted: readonly Accepted[]
  /** The life in which a request was answered; lives count from 1, and each kill ends one. */
  readonly answeredIn: (one: Accepted) => number
  /** Answers that nobody should get. */
  readonly refused: readonly string[]
  /** What was found wrong on the way. */
  readonly faults: readonly string[]
  readonly count: Count
  readonly ledger: string
  readonly slowestRecoveryMs: number
  readonly drainMs: number
}

export function reportOf(evidence: Evidence): DrillReport {
  const { accepted, answeredIn, refused, faults, count, kills, slowestRecoveryMs, drainMs } = evidence
  const verdict = judgeLedger({
    text: evidence.ledger,
    nodes: LEDGER_NODES,
    answered: new Map(accepted.filter((one) => one.sawEnd).map((one) => [one.runId, answeredIn(one)]))
  })
  const withoutEffect = accepted.filter(
    ({ flow, runId }) => flow === 'ledger' && verdict.ended.get(runId)?.size !== LEDGER_NODES.length
  )
  return {
    kills,
    accepted: accepted.length,
    unanswered: count.unanswered,
    completed: count.completed,
    lost: count.lost.length,
    cutOff: verdict.cutOff,
    repeated: verdict.repeated,
    repeatedAfterEffect: verdict.repeatedAfterEffect,
    illegalRepeats: verdict.illegal.length,
    slowestRecoveryMs,
    drainMs,
    violations: [
      ...refused.map((answer) => `a request was answered ${answer}`),
      ...faults,
      ...count.lost.map((id) => `run ${id} was accepted and is lost`),
      ...count.wrong,
      ...verdict.illegal,
      ...withoutEffect.map(({ runId }) => `run ${runId} has succeeded without its effects`)
    ]
  }
}
