import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { QueuedPage } from '../../store/store.ts'
import { acceptedRun, storedRun } from '../record/stored-run.test-kit.ts'
import { Lane, type Reading } from './lane.ts'

interface ModelRun {
  readonly seq: number
  state: 'queued' | 'paused' | 'parked' | 'ended'
  hasBegun: boolean
  /** How often it was to be executed, and how often it was. */
  lives: number
  taken: number
}

type ExecutingRun = { readonly seq: number; readonly how: 'parked' | 'ended' }

const PAGE = 3
const SMALLEST_TEST = 5

/**
 * A flow, its lane and a store. What is written is so at once; that it is, is told later: in any order, and long after others have seen it
 * in the store.
 */
class World {
  readonly #memory = { runs: 0, bytes: 0 }
  #lane = new Lane('flow-1', this.#memory)
  readonly #runs = new Map<number, ModelRun>()
  #isPaused = false
  readonly #offers: number[] = []
  readonly #reopenings: number[] = []
  readonly #pauses: boolean[] = []
  readonly #active: number[] = []
  readonly #finishing: ExecutingRun[] = []
  #reading: { readonly reading: Reading; readonly page: QueuedPage; readonly newest: number } | undefined
  #due: number[] | undefined

  accept(): void {
    const seq = this.#runs.size + 1
    const isHeldBack = this.#isPaused && !isTest(seq)
    const state = isHeldBack ? 'paused' : 'queued'
    this.#runs.set(seq, { seq, state, hasBegun: false, lives: 1, taken: 0 })
    if (!isHeldBack) this.#offers.push(seq)
  }

  offer(which: number, hasRoom: boolean): void {
    const seq = pick(this.#offers, which)
    if (seq === undefined) return
    if (isTest(seq)) this.#lane.acceptedAhead(acceptedRun(seq))
    else this.#lane.accepted(acceptedRun(seq), hasRoom)
  }

  take(): void {
    const waiting = this.#lane.shift()
    if (waiting !== undefined) this.#begin(waiting.run.seq)
  }

  cancel(which: number): void {
    const seq = this.#runs.size === 0 ? 0 : 1 + (which % this.#runs.size)
    const run = this.#runs.get(seq)
    if (run === undefined || this.#isInHands(seq) || this.#offers.includes(seq)) return
    if (this.#lane.remove(`run-${seq}`) !== undefined) return this.#begin(seq)
    // Nobody has it: it is ended in the store, and whoever brings it from there is told.
    const isOnItsWay = this.#reopenings.includes(seq) || this.#due?.includes(seq) === true
    if (run.state === 'ended' || isOnItsWay) return
    if (run.state !== 'parked') run.lives--
    run.state = 'ended'
    this.#lane.endedElsewhere({ seq })
  }

  write(which: number, how: ExecutingRun['how']): void {
    const seq = pick(this.#active, which)
    if (seq === undefined) return
    this.#run(seq).state = how
    this.#finishing.push({ seq, how })
  }

  tellWritten(which: number): void {
    const done = pick(this.#finishing, which)
    if (done !== undefined) this.#lane.executed(done.seq, done.how === 'parked')
  }

  reopen(which: number): void {
    const ended = [...this.#runs.values()].filter(({ state }) => state === 'ended')
    const run = pick(ended, which)
    if (run === undefined || this.#reopenings.includes(run.seq)) return
    this.#lane.reopening(run)
    this.#live(run)
    this.#reopenings.push(run.seq)
  }

  tellReopened(which: number): void {
    const seq = pick(this.#reopenings, which)
    if (seq !== undefined) this.#lane.reopened(acceptedRun(seq), [])
  }

  takeDue(): void {
    if (this.#lane.isReading) return
    const due = [...this.#runs.values()].filter(({ state }) => state === 'parked').slice(0, PAGE)
    for (const run of due) this.#live(run)
    this.#due = due.map(({ seq }) => seq)
    this.#lane.beginTakingDue()
  }

  tellDue(): void {
    if (this.#due === undefined) return
    this.#lane.woken({ runs: this.#due.map((seq) => storedRun(seq)), isLast: true })
    this.#due = undefined
  }

  read(): void {
    if (this.#lane.isReading || this.#lane.mode === 'abreast') return
    const reading = this.#lane.beginReading()
    const rest = [...this.#runs.values()].filter((run) => run.state === 'queued' && run.seq > reading.after)
    const runs = rest.slice(0, PAGE).map(({ seq }) => storedRun(seq))
    this.#reading = { reading, page: { runs, isLast: rest.length < PAGE }, newest: this.#runs.size }
  }

  tellRead(): void {
    if (this.#reading === undefined) return
    const { reading, page, newest } = this.#reading
    this.#reading = undefined
    this.#lane.loaded(reading, page, newest)
  }

  pause(isPaused: boolean): void {
    if (this.#isPaused === isPaused) return
    this.#isPaused = isPaused
    for (const run of this.#runs.values()) {
      if (isPaused && run.state === 'queued' && !run.hasBegun) run.state = 'paused'
      if (!isPaused && run.state === 'paused') run.state = 'queued'
    }
    this.#pauses.push(isPaused)
  }

  tellPause(): void {
    const isPaused = this.#pauses.shift()
    if (isPaused === undefined) return
    if (isPaused) this.#lane.giveBack()
    this.#lane.beginAnew()
  }

  forgetIdle(): void {
    if (this.#lane.isIdle) this.#lane = new Lane('flow-1', this.#memory, this.#lane.readUpTo)
  }

  /** Everything is told, and nothing new happens. */
  drain(): void {
    this.pause(false)
    for (let turn = 0; turn < 12 * this.#runs.size + 12; turn++) {
      this.tellPause()
      this.offer(0, true)
      this.tellReopened(0)
      this.tellDue()
      this.tellRead()
      this.tellWritten(0)
      this.write(0, 'ended')
      this.take()
      if (turn % 2 === 0) this.takeDue()
      else this.read()
    }
    for (const { seq, state, lives, taken } of this.#runs.values()) {
      assert.equal(state, 'ended', `run ${seq} is left as ${state}`)
      assert.equal(taken, lives, `run ${seq} was executed ${taken} times, and not ${lives}`)
    }
    assert.equal(this.#lane.isIdle, true)
    assert.deepEqual(this.#memory, { runs: 0, bytes: 0 })
  }

  #begin(seq: number): void {
    const run = this.#run(seq)
    assert.ok(!this.#isInHands(seq), `run ${seq} was given while it is being executed`)
    assert.ok(
      run.state === 'queued' || run.state === 'paused',
      `run ${seq} was given though it is ${run.state}`
    )
    run.taken++
    run.hasBegun = true
    this.#active.push(seq)
  }

  #live(run: ModelRun): void {
    run.state = 'queued'
    run.lives++
    run.hasBegun = true
  }

  #isInHands(seq: number): boolean {
    return this.#active.includes(seq) || this.#finishing.some((execution) => execution.seq === seq)
  }

  #run(seq: number): ModelRun {
    return this.#runs.get(seq)!
  }
}

function isTest(seq: number): boolean {
  return seq % SMALLEST_TEST === 0
}

function pick<T>(from: T[], which: number): T | undefined {
  return from.length === 0 ? undefined : from.splice(which % from.length, 1)[0]
}

const deeds: readonly ((world: World, which: number) => void)[] = [
  (world) => world.accept(),
  (world) => world.accept(),
  (world, which) => world.offer(which, true),
  (world, which) => world.offer(which, false),
  (world) => world.take(),
  (world) => world.take(),
  (world, which) => world.write(which, 'ended'),
  (world, which) => world.write(which, 'parked'),
  (world, which) => world.tellWritten(which),
  (world, which) => world.reopen(which),
  (world, which) => world.tellReopened(which),
  (world) => world.takeDue(),
  (world) => world.tellDue(),
  (world) => world.read(),
  (world) => world.tellRead(),
  (world, which) => world.cancel(which),
  (world, which) => world.pause(which % 2 === 0),
  (world) => world.tellPause(),
  (world) => world.forgetIdle()
]

test('in whatever order a lane is told of runs, each is given exactly once each time that it is to be executed', () => {
  const deed = fc.tuple(fc.nat({ max: deeds.length - 1 }), fc.nat({ max: 7 }))
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 80, size: 'max' }), (story) => {
      const world = new World()
      for (const [what, which] of story) deeds[what]!(world, which)
      world.drain()
    }),
    { numRuns: 4_000 }
  )
})
