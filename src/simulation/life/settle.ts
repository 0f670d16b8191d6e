import { NEVER } from '../../store/waits.ts'
import { watchIdle } from '../oracle/judge-quiet.ts'
import { BEGINNING } from '../world/virtual-clock.ts'
import { actOut, answerQuestion, callRun, purge } from './act-out.ts'
import type { Play } from './play.ts'

const ALONE = { firstMs: 10_000, roundMs: 60_000, longestMs: 1_200_000 }
/** Processes that share a store look every second, and each look takes its time here. */
export const SHARED = { firstMs: 3_000, roundMs: 4_000, longestMs: 20_000 }
/** Rounds in which nothing changes. */
const STILL_ROUNDS = 6
/** Until all that has come to the lists is seen. */
const LOOK_MS = 4_000
const MOST_LOOKS = 60
/** What is nested waits one after the other. */
const ROUNDS = 400

/** How a life comes to its end, after the last event. */
export class Settling {
  readonly #play: Play

  constructor(play: Play) {
    this.#play = play
  }

  /** Nothing new comes, everything that is waited for does, and time passes. */
  async all(): Promise<void> {
    const world = this.#play.world
    const { scheduler } = world
    const { firstMs, roundMs, longestMs } = world.scenario.processes === undefined ? ALONE : SHARED
    await this.#play.run(scheduler.now + firstMs)
    await this.#seeLists(roundMs)
    await this.#endTicks()
    let [stillFor, before] = [0, '']
    for (let round = 0; round < ROUNDS && stillFor < STILL_ROUNDS && !this.#play.isDecided; round++) {
      world.machine.passTime?.(world)
      await this.#play.run(scheduler.now + roundMs)
      const judgeIdle = watchIdle(world)
      await this.#play.run(scheduler.now + roundMs)
      if (this.#play.isDecided) return
      if (this.#play.unanswered === 0 && !this.#play.isToEnd) judgeIdle()
      const isQuiet = world.records.open().length === 0 && this.#play.unanswered === 0
      if (isQuiet || this.#play.isDecided) return
      const left = this.#left()
      stillFor = left === before && !this.#hasTime() ? stillFor + 1 : 0
      before = left
      await this.#endTicks()
      if (round === 1) await this.#leaveContexts()
      // First those that nobody else started: what they started goes on without them, or is still waited for.
      await this.#answerAll(round === 0)
      await this.#play.run(scheduler.now + Math.min(roundMs * 2 ** round, longestMs))
    }
    if (this.#play.unanswered > 0 && !this.#play.isDecided)
      world.fail('calls are answered', `${this.#play.unanswered} requests were never answered.`)
  }

  /** What has not ended, and is waited for. */
  #left(): string {
    const { records } = this.#play.world
    return [...records.open(), ...records.openWaits()].map((one) => Object.values(one).join()).join()
  }

  /** Something is due later: who has set the clock back, maybe twice, waits for so much longer. */
  #hasTime(): boolean {
    const { records, scheduler, wall } = this.#play.world
    const now = BEGINNING + wall.skewMs + scheduler.now
    return records.open().some(({ dueAt }) => dueAt !== null && dueAt > now && dueAt < NEVER)
  }

  /** What has come to a list is seen as soon as somebody looks who is there, and whose store takes it. */
  async #seeLists(roundMs: number): Promise<void> {
    const world = this.#play.world
    const watched = [...world.scenario.flows.entries()].filter(([, { list }]) => list !== undefined)
    const isSeen = ([flow, { list }]: (typeof watched)[number]) => {
      const live = world.process === undefined ? undefined : world.flow(flow)
      if (live === undefined || live.paused !== null) return world.process !== undefined
      const last = Math.max(
        0,
        ...list!.comeAt,
        ...list!.away.flat(),
        world.lastGoneAt,
        world.condition.troubledAt
      )
      return world.lists.looks.filter((look) => look.flow === flow && look.beganAt > last).length > 2
    }
    for (let round = 0; round < MOST_LOOKS && !this.#play.isDecided && !watched.every(isSeen); round++)
      await this.#play.run(world.scheduler.now + Math.min(roundMs, LOOK_MS))
  }

  async #endTicks(): Promise<void> {
    const world = this.#play.world
    for (const [flow, spec] of world.scenario.flows.entries()) {
      const goesOn = spec.everySeconds > 0 || spec.list !== undefined
      const live = goesOn ? world.flow(flow) : undefined
      if (live === undefined) continue
      this.#play.history.unreachable.add(flow)
      this.#play.askUnlessRefused(world.deps.library.remove(live.id))
    }
    await this.#play.run(world.scheduler.now + 1_000)
  }

  /** Who tidies up does so while the last runs still wait. */
  async #leaveContexts(): Promise<void> {
    const world = this.#play.world
    for (let context = 1; context <= world.scenario.contexts; context++) {
      for (const kind of ['leave-context', 'delete-context'] as const) {
        this.#play.ask(actOut({ at: 0, kind, context }, world, this.#play.history))
        await this.#play.run(world.scheduler.now + 5_000)
      }
    }
  }

  async #answerAll(onlyRoots: boolean): Promise<void> {
    const world = this.#play.world
    const isMeant = (runId: string) => !onlyRoots || world.records.byId(runId)?.parentSeq === null
    for (const live of world.deps.library.list()) {
      if (live.paused !== null) this.#play.askUnlessRefused(world.deps.library.setPaused(live.id, null))
    }
    // Runs of a paused flow that was deleted are paused until it goes for good.
    for (const flowId of new Set(world.records.open().map((run) => run.flowId))) {
      if (world.deps.library.find(flowId) !== undefined) continue
      const isPaused = world.records.open().some((run) => run.flowId === flowId && run.state === 'paused')
      if (isPaused) this.#play.askUnlessRefused(purge(flowId, world, this.#play.history))
    }
    for (const { runId, node, kind, id } of world.records.openWaits()) {
      if (!isMeant(runId)) continue
      if (kind === 'call') this.#play.askUnlessRefused(callRun({ runId, node }, world, this.#play.history))
      if (kind === 'answer' && id !== null) this.#play.askUnlessRefused(answerQuestion(id, 'Approve', world))
    }
  }
}
