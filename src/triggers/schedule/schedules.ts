import type { Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { Runs } from '../../runs/runs.ts'
import type { StoredTrigger, TriggerFault, TriggerStore } from '../../store/triggers.ts'
import { waitAfter } from '../trigger-life.ts'
import { keyOf, type Marks, marksOf } from '../trigger-marks.ts'
import type { TriggerNode } from '../trigger-nodes.ts'
import type { Begins, TriggerSource } from '../trigger-source.ts'
import { dueTicks, type Tick, type Times } from './due-ticks.ts'
import { EarliestFirst } from './earliest-first.ts'

interface SchedulesDeps {
  readonly clock: Clock
  readonly runs: Pick<Runs, 'startEvent'>
  readonly store: Pick<TriggerStore, 'setMark'>
  /** The node's fields with the variables of its context filled in. */
  readonly fieldsOf: (trigger: TriggerNode) => Readonly<Record<string, JsonValue>>
  /** Throws where the expression or the zone is not valid. */
  readonly timesOf: (cron: string, timezone: string) => Times
  readonly keepFault: (flowId: string, node: string, fault: TriggerFault | null) => void
  readonly onError: (error: unknown, doing: string) => void
}

interface Schedule {
  readonly key: string
  readonly trigger: TriggerNode
  readonly times: Times
  readonly timezone: string
  readonly runsMissed: boolean
  readonly watchedSince: number
  /** Times up to this one have had their run, or are to have none. */
  after: number
  /** How often it was put among those that are due: what was put there before counts no longer. */
  turn: number
  failures: number
  isOver: boolean
  /** Resolves when the store has the mark that it begins with. */
  ready: Promise<void>
  /** While its runs are being started. */
  starting: Promise<void> | undefined
}

/** A timer counts time, and a clock may be set meanwhile: it is looked at this often. */
const LOOK_MS = 30_000
/** To work out when a schedule comes next takes up to a millisecond: others have their turn in between. */
const TURN_MS = 10
/** What is due while a version takes the place of another is on time. */
const GRACE_MS = 1_000
/** A mark so far ahead is from a clock that was wrong: to wait for it would be to stop silently. */
const FAR_AHEAD_MS = 24 * 60 * 60 * 1000

/**
 * All schedules of the service, on one timer. A run is accepted together with the mark of its time in one transition of the
 * store, so a time has one run, however many processes there are and however often they start.
 */
export class Schedules implements TriggerSource {
  readonly #deps: SchedulesDeps
  readonly #schedules = new Map<string, Schedule>()
  readonly #due = new EarliestFirst<{ readonly schedule: Schedule; readonly turn: number }>()
  #marks: Marks = new Map()
  #timer: { stop(): void } | undefined
  #timerAt = Number.POSITIVE_INFINITY
  #isLooking = false
  #lastLook = Number.NEGATIVE_INFINITY

  constructor(deps: SchedulesDeps) {
    this.#deps = deps
  }

  takes({ component }: TriggerNode): boolean {
    return component.trigger === 'schedule'
  }

  recall(stored: readonly StoredTrigger[]): void {
    this.#marks = marksOf(stored)
  }

  begin(trigger: TriggerNode, from: Begins): void {
    const { flow, node } = trigger
    const key = keyOf(flow.id, node.id)
    this.#forget(key)
    try {
      const schedule = this.#scheduleOf(key, trigger, from)
      this.#schedules.set(key, schedule)
      this.#await(schedule, Number.NEGATIVE_INFINITY)
      this.#deps.keepFault(flow.id, node.id, null)
    } catch (error) {
      this.#deps.keepFault(flow.id, node.id, { message: messageOf(error), at: this.#deps.clock.now() })
    }
  }

  async end(flowId: string, node: string): Promise<void> {
    const schedule = this.#forget(keyOf(flowId, node))
    if (this.#schedules.size === 0) this.#stopTimer()
    await schedule?.starting
  }

  #scheduleOf(key: string, trigger: TriggerNode, from: Begins): Schedule {
    const { clock, timesOf, fieldsOf } = this.#deps
    const { cron, timezone, missed } = fieldsOf(trigger)
    const now = clock.now()
    const zone = String(timezone ?? '').trim() || 'UTC'
    const times = timesOf(String(cron), zone)
    const { after, ready } = this.#beginsAfter(key, trigger, { from, now })
    return {
      key,
      trigger,
      times,
      timezone: zone,
      runsMissed: missed !== 'Leave out',
      watchedSince: now - GRACE_MS,
      after,
      ready,
      turn: 0,
      failures: 0,
      isOver: false,
      starting: undefined
    }
  }

  /**
   * Times before this version are not its own: another one may have come at other times. Nor are those at which its flow
   * refused what arrived, or was deleted.
   */
  #beginsAfter(
    key: string,
    { flow, node }: TriggerNode,
    { from, now }: { readonly from: Begins; readonly now: number }
  ): Pick<Schedule, 'after' | 'ready'> {
    const mark = this.#marks.get(key)
    const isAhead = mark !== undefined && mark > now + FAR_AHEAD_MS
    if (isAhead) this.#deps.onError(aheadOf(mark, now), `reading how far schedule "${node.id}" has got`)
    const known = isAhead ? 0 : (mark ?? 0)
    const since = Math.max(flow.updatedAt, flow.triggersFrom ?? 0)
    const after = Math.max(known, from === 'now' ? now : Math.min(since, now))
    const isNew = isAhead || (from === 'now' && after !== mark)
    return { after, ready: isNew ? this.#keepMark(key, { flow, node }, after) : Promise.resolve() }
  }

  #keepMark(key: string, { flow, node }: Pick<TriggerNode, 'flow' | 'node'>, mark: number): Promise<void> {
    const { store, onError } = this.#deps
    this.#marks.set(key, mark)
    return store
      .setMark(flow.id, node.id, mark)
      .catch((error) => onError(error, 'noting how far a schedule has got'))
  }

  #forget(key: string): Schedule | undefined {
    const schedule = this.#schedules.get(key)
    if (schedule === undefined) return undefined
    schedule.isOver = true
    this.#schedules.delete(key)
    return schedule
  }

  #wakeAt(at: number): void {
    if (at >= this.#timerAt || this.#isLooking) return
    this.#stopTimer()
    this.#timerAt = at
    const { clock } = this.#deps
    this.#timer = clock.startTimer(Math.min(LOOK_MS, Math.max(0, at - clock.now())), () => this.#look())
  }

  #stopTimer(): void {
    this.#timer?.stop()
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  /** Those that are due, for as long as others can wait; the rest when they have had their turn. */
  #look(): void {
    const { clock } = this.#deps
    this.#stopTimer()
    this.#noticeSetBack(clock.now())
    this.#isLooking = true
    const until = clock.stopwatch() + TURN_MS
    let isOver = false
    while (!isOver && clock.stopwatch() <= until) {
      const due = this.#due.take(clock.now())
      if (due === undefined) isOver = true
      else if (!due.schedule.isOver && due.schedule.turn === due.turn) this.#execute(due.schedule)
    }
    this.#isLooking = false
    if (!isOver) return clock.soon(() => this.#look())
    const { earliest } = this.#due
    if (earliest !== undefined) this.#wakeAt(Math.min(earliest, clock.now() + LOOK_MS))
  }

  #execute(schedule: Schedule): void {
    const { after, times, watchedSince, runsMissed } = schedule
    const now = this.#deps.clock.now()
    const { ticks, next } = dueTicks(times, { after, now, watchedSince, runsMissed })
    if (ticks.length === 0) return this.#await(schedule, next)
    schedule.starting = this.#start(schedule, ticks).then(
      () => {
        schedule.failures = 0
        this.#await(schedule, next)
      },
      (error) => this.#tryLater(schedule, error)
    )
  }

  #await(schedule: Schedule, next: number | undefined): void {
    schedule.starting = undefined
    if (next === undefined || schedule.isOver) return
    schedule.turn += 1
    this.#due.add(next, { schedule, turn: schedule.turn })
    this.#wakeAt(next)
  }

  /** By a little, and all wait until it has caught up: what is due till then has had its run. By much, and it was wrong before. */
  #noticeSetBack(now: number): void {
    const isBack = now + FAR_AHEAD_MS < this.#lastLook
    this.#lastLook = now
    if (!isBack) return
    for (const { trigger, after } of [...this.#schedules.values()]) {
      if (after > now + FAR_AHEAD_MS) this.begin(trigger, 'where it left off')
      else this.#await(this.#schedules.get(keyOf(trigger.flow.id, trigger.node.id))!, now)
    }
  }

  async #start(schedule: Schedule, ticks: readonly Tick[]): Promise<void> {
    const { trigger, timezone, key } = schedule
    const { flow, node } = trigger
    await schedule.ready
    for (const { at, isLate } of ticks) {
      if (schedule.isOver) return
      const data = { scheduled_at: new Date(at).toISOString(), timezone, ...(isLate && { late: true }) }
      const input = Buffer.from(JSON.stringify(data))
      await this.#deps.runs.startEvent({ flow, trigger: 'schedule', input }, { node: node.id, mark: at })
      schedule.after = at
      this.#marks.set(key, at)
    }
  }

  /** The backlog is full, or the store cannot be written: the time stays due. */
  #tryLater(schedule: Schedule, error: unknown): void {
    const { clock, onError } = this.#deps
    const { flow, node } = schedule.trigger
    if (schedule.failures === 0)
      onError(error, `starting the run of schedule "${node.id}" of flow ${flow.slug}`)
    schedule.failures += 1
    this.#await(schedule, clock.now() + Math.min(waitAfter(schedule.failures, clock.random()), LOOK_MS))
  }
}

function aheadOf(mark: number, now: number): Error {
  const [then, today] = [mark, now].map((at) => new Date(at).toISOString())
  return new Error(`its last time was ${then}, and the clock says ${today}: it goes on from now`)
}
