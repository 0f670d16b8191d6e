import { NEVER } from '../../store/waits.ts'
import type { History } from '../life/history.ts'
import type { World } from '../world/world.ts'
import { isTest, type RunRecord } from './records.ts'

/** Calls of the store in a minute in which nothing is to be done: what looks every now and then makes a few. */
const MOST_IDLE_CALLS = 100
/** For each run that ends, and each wait that begins: nobody outside may see either. */
const MOST_CALLS_OF_ONE = 30

/** When nobody asks for anything any more and time has passed, everything that was accepted has ended. */
export function judgeEnds(world: World, history: History): void {
  const open = world.records.open()
  const [worst] = open.toSorted((a, b) => HOW.indexOf(howOf(a)) - HOW.indexOf(howOf(b)))
  if (worst !== undefined)
    world.fail(
      `everything accepted ends: ${howOf(worst)}`,
      `${open.length} never ended, such as ${describeRun(worst)}.`
    )
  const left = world.records.openWaits()
  if (left.length > 0)
    world.fail(
      'a tree that has ended waits for nothing',
      `${left[0]!.node} of ${left[0]!.runId} still waits.`
    )
  if (world.scenario.retentionMs !== null || world.scenario.features.includes('delete')) return
  for (const id of history.runs.keys()) {
    if (world.records.byId(id) === undefined)
      world.fail('nothing accepted is lost', `Run ${id} was accepted and is in no table.`)
  }
}

/** Others may wait for what is queued or due, so that is told first. */
const HOW = ['queued', 'claimed', 'parked', 'paused', 'in line', 'waits'] as const

function howOf({ state, dueAt }: RunRecord): (typeof HOW)[number] {
  return dueAt === NEVER ? 'waits' : state!
}

/** What is counted agrees with what is there. */
export function judgeCounts(world: World): void {
  for (const { no, deps } of world.processes) {
    const { backlog } = deps.runs
    if (backlog !== 0)
      world.fail(
        'the backlog agrees with the records',
        `The backlog is ${backlog} in process ${no}, and nothing is open.`
      )
  }
  for (const table of ['queue', 'releases']) {
    const rows = world.records.count(table)
    if (rows > 0)
      world.fail('tables agree with the records', `${rows} rows are left in ${table}, and nothing is open.`)
  }
}

/** Only where it can be known: a process forgets with its end what it counted, and a run that is retried ends twice. */
export async function judgeMetrics(world: World): Promise<void> {
  const { events, retentionMs } = world.scenario
  const isKnown = !events.some(({ kind }) => ['retry', 'retry-items', 'purge'].includes(kind))
  // Where processes share a store, a process counts what it heard the end of.
  if (!isKnown || retentionMs !== null || world.lives > 1 || world.scenario.processes !== undefined) return
  const text = await world.deps.metrics.text()
  const counted = [...text.matchAll(/^millrace_runs_total\{[^}]*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0
  )
  const ended = world.records.all().filter((run) => run.parentSeq === null && !isTest(run)).length
  if (counted !== ended)
    world.fail('metrics agree with the records', `${counted} runs are counted as ended; ${ended} have.`)
}

/** Counts what the service asks of its store while nothing happens; calls back what must be true of that. */
export function watchIdle(world: World): () => void {
  const before = new Map(world.storeCalls)
  const begun = world.ledger.effects.length
  const { steps } = world.scheduler
  const progress = world.records.progress()
  return () => {
    if (world.ledger.effects.length !== begun) return
    const calls = [...world.storeCalls].map(
      ([call, count]) => [call, count - (before.get(call) ?? 0)] as const
    )
    const sum = calls.reduce((all, [, count]) => all + count, 0)
    const most = calls.toSorted((a, b) => b[1] - a[1])[0]
    const done = Math.max(0, world.records.progress() - progress)
    if (sum > MOST_IDLE_CALLS + done * MOST_CALLS_OF_ONE)
      world.fail(
        'an idle service polls nothing',
        `${sum} calls of the store in a quiet minute (${world.scheduler.steps - steps} steps), of these ${most?.[1]} of ${most?.[0]}.`
      )
  }
}

function describeRun(run: RunRecord): string {
  const { id, flowId, trigger, state, dueAt, parentSeq } = run
  return JSON.stringify({ id, flowId, trigger, parentSeq, state, dueAt })
}
