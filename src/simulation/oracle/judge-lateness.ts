import { insideOf, isRegion, type Segment } from '../life/flow-spec.ts'
import type { History } from '../life/history.ts'
import type { Effect } from '../world/ledger.ts'
import { BEGINNING } from '../world/virtual-clock.ts'
import type { World } from '../world/world.ts'
import type { RunRecord } from './records.ts'

/** So long it may take until whoever executes a run learns that a wait of it is over: connections come back, and writes are tried again. */
const LATE_MS = 12_000

/** What follows a wait begins when that is over, and not when another branch of the run has come to its end. */
export function judgeLateness(effect: Effect, run: RunRecord, world: World, history: History): void {
  const { ledger, scheduler, condition } = world
  if (run.parentSeq !== null || history.reopened.has(run.id) || ledger.ofKey(effect.key).length > 0) return
  const before = segmentBefore(world.specOf(run)?.segments ?? [], effect.node)
  const overAt = before === undefined ? undefined : endOf(before, run, world, history)
  if (overAt === undefined || isExcused(overAt, world)) return
  const since = Math.max(overAt, condition.troubledAt)
  const isBusy = ({ process, beganAt, endedAt }: Effect) =>
    process === effect.process && beganAt <= overAt && (endedAt ?? scheduler.now) - since > LATE_MS
  const other = ledger.ofRun(run.id).find(isBusy)
  if (other !== undefined)
    world.fail(
      'what follows a wait does not wait for other branches',
      `${effect.label} of run ${run.id} began ${Math.round(scheduler.now - since)} ms after ${before!.id} was over, while ${other.label} went on.`
    )
}

/** Word of it may be lost: by a seed that loses words, with a process that is gone, or that stands still. */
function isExcused(overAt: number, { scenario, processes, lastGoneAt }: World): boolean {
  if ((scenario.unheard ?? 0) > 0 || lastGoneAt >= overAt) return true
  return processes.some(({ frozenUntil }) => frozenUntil >= overAt)
}

/** Undefined where it is no wait, or nobody can tell. */
function endOf(segment: Segment, run: RunRecord, world: World, history: History): number | undefined {
  if (segment.kind === 'wait') {
    const isEarly = world.scenario.events.some((event) => event.kind === 'call' && event.early)
    return isEarly ? undefined : history.wokenAt.get(`${run.id} ${segment.id}`)
  }
  const startsRuns = isRegion(segment) || (segment.kind === 'call' && segment.waits)
  if (!startsRuns || (segment.attempts ?? 1) > 1) return undefined
  if (world.scenario.events.some(({ kind }) => kind === 'jump')) return undefined
  const ends = world.records.childrenOf(run.seq, segment.id).map(({ finishedAt }) => finishedAt)
  if (ends.length === 0 || ends.includes(null)) return undefined
  return Math.max(...(ends as number[])) - BEGINNING - world.wall.skewMs
}

/** The one that stands right before this node. */
function segmentBefore(segments: readonly Segment[], node: string): Segment | undefined {
  const at = segments.findIndex(({ id }) => id === node)
  if (at >= 0) return segments[at - 1]
  for (const segment of segments) {
    for (const way of insideOf(segment)) {
      const found = segmentBefore(way, node)
      if (found !== undefined) return found
    }
  }
  return undefined
}
