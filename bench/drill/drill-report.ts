import type { Count } from './count.ts'
import { LEDGER_WAYS } from './flows.ts'
import { judgeLedger } from './judge-ledger.ts'
import { judgeTicks, type Span } from './judge-ticks.ts'
import type { RecordedSteps } from './recorded-steps.ts'
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
  /** Runs of items and of the flow that the program runs. */
  readonly children: number
  readonly ticks: number
  readonly lateTicks: number
  readonly doubledTicks: number
  /** Times that came while somebody watched the clock, and how many of them have a run. */
  readonly dueTicks: number
  readonly dueTicksRan: number
  /** Runs that failed, before they were retried; each has to have raised one alert. */
  readonly failed: number
  readonly alerts: number
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
  readonly failed: readonly string[]
  /** What had succeeded when those were retried. */
  readonly recorded: RecordedSteps
  /** When somebody watched the clock. */
  readonly watched: readonly Span[]
  readonly ledger: string
  readonly slowestRecoveryMs: number
  readonly drainMs: number
}

export function reportOf(evidence: Evidence): DrillReport {
  const { accepted, answeredIn, refused, faults, count, kills, slowestRecoveryMs, drainMs } = evidence
  const verdict = judgeLedger({
    text: evidence.ledger,
    ways: LEDGER_WAYS,
    parents: count.parents,
    recorded: evidence.recorded,
    answered: new Map(accepted.filter((one) => one.sawEnd).map((one) => [one.runId, answeredIn(one)]))
  })
  const ticks = judgeTicks(count.ticks, evidence.watched)
  const withoutEffect = [...count.effects].filter(([run, nodes]) => {
    const ended = verdict.ended.get(run)
    return !nodes.every((node) => ended?.has(node))
  })
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
    children: count.parents.size,
    ticks: count.ticks.length,
    lateTicks: ticks.late,
    doubledTicks: ticks.doubled,
    dueTicks: ticks.due,
    dueTicksRan: ticks.ran,
    failed: evidence.failed.length,
    alerts: count.alerts.length,
    slowestRecoveryMs,
    drainMs,
    violations: [
      ...refused.map((answer) => `a request was answered ${answer}`),
      ...faults,
      ...count.lost.map((id) => `run ${id} was accepted and is lost`),
      ...count.wrong,
      ...verdict.illegal,
      ...ticks.illegal,
      ...faultsOfAlerts(evidence.failed, count.alerts),
      ...withoutEffect.map(([runId]) => `run ${runId} has succeeded without its effects`)
    ]
  }
}

/** Each run that failed is told of once, and nothing else is. */
function faultsOfAlerts(failed: readonly string[], alerts: readonly string[]): string[] {
  const told = Map.groupBy(alerts, (id) => id)
  const unknown = new Set(told.keys()).difference(new Set(failed))
  return [
    ...failed.flatMap((id) => {
      const times = told.get(id)?.length ?? 0
      return times === 1 ? [] : [`of run ${id}, which failed, somebody was told ${times} times`]
    }),
    ...[...unknown].map((id) => `of run ${id} it was told that it failed, which it did not`)
  ]
}
