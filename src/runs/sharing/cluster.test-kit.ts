import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { type ManualClock, manualClock } from '../../clock.test-kit.ts'
import type { Clock } from '../../clock.ts'
import type { ClaimedRun, ClaimWish, Pulse, RunQueue } from '../../store/shared-store.ts'
import { EndedWatch } from '../dispatch/ended-watch.ts'
import { Membership, type MembershipDeps } from './membership.ts'

const FLOW = 'flow-a'
/** As in the store: who holds a run and says nothing for so long is held to be dead. */
const DEAD_AFTER_MS = 10_000
/** Longer than in the store: nothing that is tested here may depend on it. */
const LEADING_MS = 10_000
const STEP_MS = 50

/** A process that shares the work with others. */
export interface Member {
  readonly id: string
  /** When it began to execute the run, in milliseconds. */
  readonly tookUpAt: number[]
  readonly errors: string[]
  /** From now on nothing in it happens any more. */
  kill(): void
}

/** Processes with one run among them that never ends, on a store in memory and a clock that the test moves. */
export class MemoryCluster {
  readonly clock: ManualClock = manualClock()
  /** While it is away, whatever is asked of the store fails. */
  isStoreAway = false
  #holder: { readonly id: string; readonly claim: string } | undefined
  #lastBeat = 0
  #claims = 0
  #leader = { id: '', until: Number.NEGATIVE_INFINITY }

  async start(id: string, role: 'web' | 'worker' = 'worker'): Promise<Member> {
    const member = { id, tookUpAt: [] as number[], errors: [] as string[], isDead: false }
    const clock = clockOf(this.clock, () => member.isDead)
    const membership = new Membership({
      store: this.#storeFor(id, () => member.isDead),
      clock,
      facts: { id, role, host: 'here', pid: 1, version: '1' },
      executes: role === 'worker',
      onLibraryChange: async () => {},
      onError: (_error, doing) => member.errors.push(doing)
    })
    const dispatch = membership.dispatch(
      {
        clock,
        places: { computing: 4, underWay: 100 },
        isCrowded: () => false,
        limitOf: () => Number.POSITIVE_INFINITY,
        onError: (_error, doing) => member.errors.push(doing),
        execute: () => {
          member.tookUpAt.push(this.clock.stopwatch())
          return { cancel() {}, interrupt() {}, notify() {} }
        },
        onTakenUp: () => {},
        cancelUnbegun: () => ({ cancel() {}, interrupt() {}, notify() {} })
      },
      new EndedWatch(clock)
    )
    await dispatch.start()
    await membership.start()
    return Object.assign(member, {
      kill: () => {
        member.isDead = true
      }
    })
  }

  /** Moves time on, and lets everything happen that follows from it. */
  async pass(ms: number): Promise<void> {
    const until = this.clock.stopwatch() + ms
    while (this.clock.stopwatch() < until) {
      this.clock.advance(Math.min(STEP_MS, until - this.clock.stopwatch()))
      await turnOfTheLoop()
      this.clock.turn()
      await turnOfTheLoop()
    }
  }

  #storeFor(id: string, isDead: () => boolean): MembershipDeps['store'] {
    /** What a dead process has asked for is never answered. */
    const ask = async <T>(answer: () => T): Promise<T> => {
      if (isDead()) return new Promise<T>(() => {})
      if (this.isStoreAway) throw new Error('away')
      return answer()
    }
    const signals = { tell: () => {}, flush: async () => {}, listen: () => () => {} }
    const processes = {
      pulse: () => ask(() => this.#pulse(id)),
      runMaintenance: () => ask(() => {}),
      leave: () => ask(() => {})
    }
    return {
      signals,
      processes,
      queue: this.#queueFor(id, ask),
      runs: {}
    } as unknown as MembershipDeps['store']
  }

  #queueFor(id: string, ask: <T>(answer: () => T) => Promise<T>): RunQueue {
    return {
      flowsWithWork: () => ask(() => (this.#holder === undefined ? [FLOW] : [])),
      isStuck: () => ask(() => false),
      claim: (wishes: readonly ClaimWish[]) =>
        ask(() => (wishes.length > 0 && this.#holder === undefined ? [this.#claim(id)] : [])),
      heartbeat: (runs) =>
        ask(() => {
          const isHeld = runs.some(({ claim }) => claim === this.#holder?.claim)
          if (isHeld) this.#lastBeat = this.clock.stopwatch()
          return { lost: isHeld ? [] : runs, cancelled: [] }
        }),
      wantCancel: () => ask(() => false),
      giveBack: () => ask(() => {}),
      reclaimAbandoned: () => ask(() => this.#reclaim()),
      endsOf: () => ask(() => new Map())
    }
  }

  #pulse(id: string): Pulse {
    const now = this.clock.stopwatch()
    const isLeader = this.#leader.id === id || this.#leader.until < now
    if (isLeader) this.#leader = { id, until: now + LEADING_MS }
    const revisions = { flows: 0, contexts: 0, keys: 0, connections: 0 }
    return { isLeader, at: now, workers: 1, silent: 0, backlog: 0, backlogAgeMs: 0, lastChange: 0, revisions }
  }

  #claim(id: string): ClaimedRun {
    const claim = `${++this.#claims}`
    this.#holder = { id, claim }
    this.#lastBeat = this.clock.stopwatch()
    return {
      id: 'run-1',
      seq: 1,
      flowId: FLOW,
      claim,
      deaths: 0,
      input: '',
      journal: []
    } as unknown as ClaimedRun
  }

  #reclaim(): string[] {
    const isSilent = this.clock.stopwatch() - this.#lastBeat > DEAD_AFTER_MS
    if (this.#holder === undefined || !isSilent) return []
    this.#holder = undefined
    return [FLOW]
  }
}

/** The clock of one process: when it is dead, no timer of it fires any more. */
function clockOf(clock: ManualClock, isDead: () => boolean): Clock {
  const whileAlive = (then: () => void) => () => {
    if (!isDead()) then()
  }
  return {
    ...clock,
    startTimer: (ms, then) => clock.startTimer(ms, whileAlive(then)),
    after: (ms) => new Promise((resolve) => void clock.startTimer(ms, whileAlive(resolve))),
    soon: (then) => clock.soon(whileAlive(then))
  }
}
