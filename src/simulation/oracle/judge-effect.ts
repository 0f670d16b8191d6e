import { type Agent, allSegments, insideOf, type Segment } from '../life/flow-spec.ts'
import type { History } from '../life/history.ts'
import type { Effect } from '../world/ledger.ts'
import { BEGINNING } from '../world/virtual-clock.ts'
import type { World } from '../world/world.ts'
import { judgeLateness } from './judge-lateness.ts'
import { judgeRound } from './judge-round.ts'
import { isTest, type RunRecord } from './records.ts'

/** For so long after a tree was cancelled, or items were dropped, a step of it may still begin: word of it is on its way. */
const GRACE_MS = 8_000

/** For so long a process that is asked to stop waits for what is under way. */
const DRAINED_MS = 7_900
/** What came back so long after it was asked to stop has time to be written down. */
const IN_TIME_MS = 4_000

/** So long it takes until a process that stood still has learned what it lost, and until what it was told is written down. */
const JUST_BACK_MS = 3_000
const ON_ITS_WAY_MS = 3_000

/** What must be true in the moment in which something outside begins. */
export function judgeEffect(effect: Effect, world: World, history: History): void {
  judgeKey(effect, world)
  // It goes on where it stood still, and learns in a moment what has become of its runs meanwhile.
  if (isJustBack(effect.process, world)) return
  judgeRepetition(effect, world, history)
  const run = world.records.byId(effect.runId)
  if (run === undefined) {
    world.fail('a run that acts is there', `${describe(effect)} of a run that is in no table.`)
    return
  }
  judgeEnded(effect, run, world, history)
  judgeLimit(effect, world)
  judgeOrder(effect, run, world, history)
  judgeTurn(effect, run, world)
  judgeRound(effect, run, world, history)
  judgeStillness(effect, run, world, history)
  judgeLateness(effect, run, world, history)
}

function judgeKey(effect: Effect, world: World): void {
  const sameStep = world.ledger.ofRun(effect.runId).find(({ node }) => node === effect.node)
  if (sameStep !== undefined && sameStep.key !== effect.key)
    world.fail('a step keeps its key', `${describe(effect)} has another key than before.`)
  const other = world.ledger.ofKey(effect.key).find(({ value }) => value !== effect.value)
  if (other !== undefined)
    world.fail('another request has another key', `${describe(effect)} has the key of ${describe(other)}`)
}

/** Of one that was held to be dead. */
function isJustBack(no: number, world: World): boolean {
  const process = world.processOf(no)
  return process?.heldToBeDeadSince !== undefined && world.scheduler.now - process.frozenUntil < JUST_BACK_MS
}

/** Nothing begins twice without a death, and after one only what was under way, with the same key. */
function judgeRepetition(effect: Effect, world: World, history: History): void {
  const { ledger } = world
  const last = ledger.ofKey(effect.key).at(-1)
  if (last === undefined) return
  const isCutOff = last.process !== effect.process && wasCutOff(last, world)
  if (last.state === 'begun' && !isCutOff)
    world.fail('no effect is under way twice', `${describe(effect)} began while it was under way.`)
  if (last.state !== 'done') return
  if (!isCutOff && !wasCancelled(effect.runId, world, history))
    world.fail(
      world.stops.has(last.process)
        ? 'nothing that came back before an orderly stop begins again'
        : 'no effect begins twice without a death',
      `${describe(effect)} was done before.`
    )
  const later = ledger
    .ofRun(effect.runId)
    .find(({ no, node }) => no > last.no && isAfter(node, effect.node, world, effect.runId))
  if (later !== undefined)
    world.fail(
      'only what was in flight begins again',
      `${describe(effect)} again, after ${later.label} had begun.`
    )
}

/** Its process is gone and may not have written down what came of it. One that was asked to stop had time to, unless its store failed. */
function wasCutOff({ process, state, endedAt }: Effect, world: World): boolean {
  const askedAt = world.stops.get(process)
  if (askedAt === undefined) {
    const up = world.processOf(process)
    const since = up?.heldToBeDeadSince
    return up === undefined || (since !== undefined && (endedAt ?? since) >= since - ON_ITS_WAY_MS)
  }
  const { scheduler, condition } = world
  if (condition.troubledAt >= askedAt) return true
  return state === 'begun' ? scheduler.now - askedAt >= DRAINED_MS : endedAt! - askedAt > IN_TIME_MS
}

/** A step that was done while its run was being cancelled may have been cut off before that was written down. */
function wasCancelled(runId: string, world: World, history: History): boolean {
  for (let run = world.records.byId(runId); run !== undefined; ) {
    if (history.cancels.has(run.id) || history.reopened.has(run.id)) return true
    const parent: RunRecord | undefined =
      run.parentSeq === null ? undefined : world.records.bySeq(run.parentSeq)
    if (parent !== undefined && isTriedAgain(run, parent, world)) return true
    run = parent
  }
  return false
}

/** By the node that started it: what was dropped with an attempt is opened again by the next. */
function isTriedAgain({ node }: RunRecord, parent: RunRecord, world: World): boolean {
  const starter = [...allSegments(world.specOf(parent)?.segments ?? [])].find(({ id }) => id === node)
  return starter !== undefined && 'attempts' in starter && (starter.attempts ?? 1) > 1
}

/** Whether the one node can only come after the other. */
function isAfter(node: string, other: string, world: World, runId: string): boolean {
  const run = world.records.byId(runId)
  const spec = run === undefined ? undefined : world.specOf(run)
  return followsIn(spec?.segments ?? [], node, other)
}

/** In a sequence the later one does; of two ways neither. */
function followsIn(segments: readonly Segment[], node: string, other: string): boolean {
  const [at, before] = [node, other].map((id) => segments.findIndex((segment) => holds(segment, nodeOf(id))))
  if (at! < 0 || before! < 0) return false
  if (at !== before) return at! > before!
  const same = segments[at!]!
  if (same.kind === 'agent') return turnOf(same, node) > turnOf(same, other)
  return insideOf(same).some((way) => followsIn(way, node, other))
}

/** What an agent asks has the place of it behind its name. */
function nodeOf(effect: string): string {
  return effect.split('/', 1)[0]!
}

/** Questions to the model and the calls of its answers, by turns: those of one turn are side by side. */
function turnOf({ turns }: Agent, effect: string): number {
  const place = Number(effect.split('/')[1])
  let index = 0
  for (const [turn, calls] of turns.entries()) {
    if (place === index) return turn
    if (place <= index + calls.length) return turn + 0.5
    index += 1 + calls.length
  }
  return turns.length
}

function holds(segment: Segment, id: string): boolean {
  return segment.id === id || insideOf(segment).some((way) => way.some((one) => holds(one, id)))
}

/** Word of an end is on its way for a while, unless whoever asked for it has been answered. */
function judgeEnded(effect: Effect, run: RunRecord, world: World, history: History): void {
  if (run.status === null) return
  const { now } = world.scheduler
  const since = history.noticed(`${run.id} ${run.finishedAt} ended`, now)
  if (now - since > GRACE_MS || history.stillFrom.has(run.id))
    world.fail('an ended run is still', `${describe(effect)} began although the run had ${run.status}.`)
}

/** Runs of one flow that go on at the same time. */
function judgeLimit(effect: Effect, world: World): void {
  const limit = world.limitOf(effect.flowId)
  if (limit === 0) return
  const runs = new Set([effect.runId])
  for (const { flowId, runId, process } of world.ledger.underWay) {
    if (flowId === effect.flowId && world.processOf(process)?.heldToBeDeadSince === undefined) runs.add(runId)
  }
  const isLive = world.process?.deps.library.find(effect.flowId) !== undefined
  if (runs.size > limit)
    world.fail(
      isLive ? 'concurrency holds' : 'concurrency holds for a deleted flow',
      `${describe(effect)}: ${runs.size} runs of a flow of ${limit} at the same time.`
    )
}

/** Of a flow whose runs go on one at a time, those begin first that were accepted first; but a test goes ahead of them. */
function judgeOrder(effect: Effect, run: RunRecord, world: World, history: History): void {
  if (world.limitOf(effect.flowId) !== 1 || isTest(run) || !isFresh(run, world, history)) return
  const asked = history.runs.get(run.id)?.asked
  if (asked === undefined) return
  for (const before of history.runs.values()) {
    if (before.flowId !== effect.flowId || before.answered >= asked) continue
    const passedBy = world.records.bySeq(before.seq)
    if (passedBy === undefined || isTest(passedBy) || !waitsToBegin(passedBy, world, history)) continue
    world.fail(
      'runs begin in the order of their acceptance',
      `${describe(effect)} began before ${passedBy.id}, which was accepted before it was sent.`
    )
  }
}

/** It has just begun: all that its journal may have is what it begins with. */
function isFresh({ id, seq }: RunRecord, world: World, history: History): boolean {
  return !history.reopened.has(id) && world.ledger.ofRun(id).length === 0 && world.records.entriesOf(seq) <= 1
}

/** Nothing but its turn is missing. */
function waitsToBegin({ id, seq, state }: RunRecord, world: World, history: History): boolean {
  if (state !== 'queued' && state !== 'claimed') return false
  if (history.cancels.has(id) || history.reopened.has(id)) return false
  return world.ledger.ofRun(id).length === 0 && world.records.entriesOf(seq) === 0
}

/** Items of a For each begin when it is their turn, so many at the same time. */
function judgeTurn(effect: Effect, run: RunRecord, world: World): void {
  if (run.trigger !== 'for-each' || run.parentSeq === null) return
  if (run.state === 'in line')
    world.fail('items wait for their turn', `${describe(effect)}: item ${run.index} has not had its turn.`)
  const parent = world.records.bySeq(run.parentSeq)
  const each = parent && world.specOf(parent)?.segments
  const atOnce = each === undefined ? undefined : atOnceOf(each, run.node!)
  if (atOnce === undefined) return
  const items = world.records.childrenOf(run.parentSeq, run.node!)
  const isFirst = world.ledger.ofRun(run.id).length === 0
  const isPassedBy = ({ id, state, index }: RunRecord) =>
    state === 'in line' && index! < run.index! && world.ledger.ofRun(id).length === 0
  const passedBy = isFirst ? items.find(isPassedBy) : undefined
  if (passedBy !== undefined)
    world.fail(
      'items begin in order',
      `${describe(effect)}: item ${run.index} began before ${passedBy.index}.`
    )
  const hasBegun = (id: string) => id === run.id || world.ledger.ofRun(id).length > 0
  const isIdle = (state: RunRecord['state']) => state === null || state === 'paused' || state === 'in line'
  const active = items.filter(({ id, state }) => !isIdle(state) && hasBegun(id))
  if (active.length > atOnce)
    world.fail(
      'items wait for their turn',
      `${describe(effect)}: ${active.length} items at the same time, not ${atOnce}.`
    )
}

function atOnceOf(segments: readonly unknown[], node: string): number | undefined {
  const found = JSON.stringify(segments).match(new RegExp(`"id":"${node}","count":\\d+,"atOnce":(\\d+)`))
  return found === null ? undefined : Number(found[1])
}

/** Nothing acts below a run that was cancelled, nor for one that does not wait for it any more; but for what somebody has retried by itself. */
function judgeStillness(effect: Effect, run: RunRecord, world: World, history: History): void {
  const now = world.scheduler.now
  let below = run
  for (let depth = 0; below.parentSeq !== null && depth < 40; depth++) {
    const parent = world.records.bySeq(below.parentSeq)
    const isOnItsOwn = !below.isAwaited && history.reopened.has(below.id)
    if (parent === undefined || isOnItsOwn) return
    const isDropped =
      below.isAwaited &&
      below.status === null &&
      (parent.status !== null || world.records.waitState(parent.seq, below.node!) === 'over')
    // One that was opened again may have ended anew.
    const what = `${parent.id} ${below.node} ${parent.status} ${parent.finishedAt}`
    if (!isDropped && parent.status !== 'cancelled') history.forget(what)
    else {
      const noticed = history.noticed(what, now)
      const since = Math.min(noticed, endOf(parent, world) ?? noticed)
      if (now - since > GRACE_MS)
        world.fail(
          'a dropped tree is still',
          `${describe(effect)} began ${Math.round(now - since)} ms after ${parent.id} had ${parent.status ?? 'dropped it'}.`
        )
    }
    below = parent
  }
}

/** By the clock on the wall, so only where nobody has set it. */
function endOf({ finishedAt }: RunRecord, { scenario, scheduler, wall }: World): number | undefined {
  if (finishedAt === null || scenario.events.some(({ kind }) => kind === 'jump')) return undefined
  return Math.min(finishedAt - BEGINNING - wall.skewMs, scheduler.now)
}

function describe({ label, runId, attempt, value }: Effect): string {
  return `${label}(${value}) of run ${runId}, attempt ${attempt},`
}
