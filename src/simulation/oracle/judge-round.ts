import { ROUND_TRIGGER } from '../../runs/children/run-result.ts'
import { allSegments } from '../life/flow-spec.ts'
import type { History } from '../life/history.ts'
import type { Effect } from '../world/ledger.ts'
import { BEGINNING } from '../world/virtual-clock.ts'
import type { World } from '../world/world.ts'
import type { RunRecord } from './records.ts'

/** Rounds of a Repeat go on one after the other, with the pause between them unless somebody ends it. */
export function judgeRound(effect: Effect, run: RunRecord, world: World, history: History): void {
  if (run.trigger !== ROUND_TRIGGER || run.parentSeq === null) return
  const rounds = world.records.childrenOf(run.parentSeq, run.node!)
  const what = `${effect.label} of round ${run.index} of run ${run.parentSeq}`
  const open = rounds.find(({ index, status }) => index !== run.index && status === null)
  if (open !== undefined)
    world.fail('rounds follow one another', `${what} began while round ${open.index} went on.`)
  const before = rounds.find(({ index }) => index === run.index! - 1)
  if (before?.finishedAt == null || !isFirst(run, world)) return
  const since = BEGINNING + world.wall.skewMs + world.scheduler.now - before.finishedAt
  if (since < pauseOf(run, world, history))
    world.fail('a Repeat pauses between rounds', `${what} began ${since} ms after the last one.`)
}

function isFirst({ id }: RunRecord, { ledger }: World): boolean {
  return ledger.ofRun(id).length === 0
}

/** Nobody can tell where the clock is set, where somebody woke it, or where what failed is tried again. */
function pauseOf({ parentSeq, node }: RunRecord, world: World, history: History): number {
  const parent = world.records.bySeq(parentSeq!)
  if (parent === undefined || history.reopened.size > 0) return 0
  if (history.wakes.has(`${parent.id} ${node}`)) return 0
  if (world.scenario.events.some(({ kind }) => kind === 'jump')) return 0
  const repeat = [...allSegments(world.specOf(parent)?.segments ?? [])].find(({ id }) => id === node)
  return repeat?.kind === 'repeat' && repeat.attempts === undefined ? repeat.pauseSeconds * 1_000 : 0
}
