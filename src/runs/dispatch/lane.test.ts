import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { StoredRun } from '../../store/store.ts'
import { acceptedRun, storedRun } from '../record/stored-run.test-kit.ts'
import { Lane } from './lane.ts'

function take(lane: Lane): number | undefined {
  return lane.shift()?.run.seq
}

function takeAll(lane: Lane): number[] {
  const taken: number[] = []
  for (let seq = take(lane); seq !== undefined; seq = take(lane)) taken.push(seq)
  return taken
}

describe('a lane', () => {
  it('gives runs in the order of acceptance', () => {
    const lane = new Lane('flow-1')
    for (const seq of [3, 5, 9]) assert.equal(lane.accepted(acceptedRun(seq), true), true)
    assert.equal(lane.isBehind, false)
    assert.deepEqual(takeAll(lane), [3, 5, 9])
  })

  it('gives thousands of runs in order', () => {
    const lane = new Lane('flow-1')
    for (let seq = 1; seq <= 5_000; seq++) lane.accepted(acceptedRun(seq), true)
    assert.deepEqual(
      takeAll(lane),
      Array.from({ length: 5_000 }, (_, index) => index + 1)
    )
    assert.equal(lane.size, 0)
  })

  it('is idle when nothing waits, goes on or is left in the store', () => {
    const lane = new Lane('flow-1')
    assert.equal(lane.isIdle, true)
    lane.accepted(acceptedRun(1), true)
    assert.equal(lane.isIdle, false)
    lane.shift()
    lane.active++
    assert.equal(lane.isIdle, false)
    lane.active--
    assert.equal(lane.isIdle, true)
  })
})

describe('a run that is taken out of a lane', () => {
  it('is not given, and the order of the others holds', () => {
    const lane = new Lane('flow-1')
    for (const seq of [1, 2, 3, 4]) lane.accepted(acceptedRun(seq), true)
    assert.equal(take(lane), 1)
    assert.equal(lane.remove('run-3')?.run.seq, 3)
    assert.equal(lane.remove('run-3'), undefined)
    assert.equal(lane.remove('run-1'), undefined)
    assert.deepEqual([lane.size, takeAll(lane)], [2, [2, 4]])
  })
})

describe('runs whose parking is over', () => {
  it('have their turns with those that were accepted', () => {
    const lane = new Lane('flow-1')
    for (const seq of [7, 8, 9]) lane.accepted(acceptedRun(seq), true)
    lane.woken([storedRun(1), storedRun(2)])
    assert.deepEqual(takeAll(lane), [1, 7, 2, 8, 9])
  })

  it('keep the lane from being forgotten until all that are due are taken up', () => {
    const lane = new Lane('flow-1')
    lane.hasDue = true
    assert.equal(lane.isIdle, false)
    lane.hasDue = false
    lane.isTakingDue = true
    assert.equal(lane.isIdle, false)
  })
})

describe('a lane without room', () => {
  it('leaves a run to the store, and every later one too, so that their order holds', () => {
    const lane = new Lane('flow-1')
    lane.accepted(acceptedRun(1), true)
    assert.equal(lane.accepted(acceptedRun(2), false), false)
    assert.equal(lane.accepted(acceptedRun(3), true), false)
    assert.equal(lane.isBehind, true)
    assert.equal(lane.loadedUpTo, 1)
    lane.loaded({ runs: [storedRun(2), storedRun(3)], isLast: true }, 3)
    assert.equal(lane.isBehind, false)
    assert.deepEqual(takeAll(lane), [1, 2, 3])
  })

  it('takes runs in again once reading has caught up', () => {
    const lane = new Lane('flow-1')
    lane.accepted(acceptedRun(1), false)
    lane.loaded({ runs: [storedRun(1)], isLast: true }, 1)
    assert.equal(lane.accepted(acceptedRun(2), true), true)
  })

  it('stays behind while a full page was read', () => {
    const lane = new Lane('flow-1')
    for (const seq of [1, 2, 3]) lane.accepted(acceptedRun(seq), false)
    lane.loaded({ runs: [storedRun(1), storedRun(2)], isLast: false }, 3)
    assert.equal(lane.isBehind, true)
    assert.equal(lane.loadedUpTo, 2)
  })

  it('stays behind when a run was accepted after the reading began', () => {
    const lane = new Lane('flow-1')
    lane.accepted(acceptedRun(1), false)
    lane.isLoading = true
    assert.equal(lane.accepted(acceptedRun(2), true), false)
    lane.isLoading = false
    lane.loaded({ runs: [storedRun(1)], isLast: true }, 1)
    assert.equal(lane.isBehind, true)
  })
})

describe('a lane of a service that starts', () => {
  it('is behind until it has read all that an earlier process left', () => {
    const lane = new Lane('flow-1')
    lane.mayBeBehind()
    assert.equal(lane.isBehind, true)
    lane.loaded({ runs: [storedRun(4, { journal: ['{}'] })], isLast: true }, 8)
    assert.equal(lane.isBehind, false)
    assert.deepEqual(lane.shift()?.journal, ['{}'])
    assert.equal(lane.accepted(acceptedRun(9), true), true)
  })

  it('does not lose a run that is accepted meanwhile', () => {
    const lane = new Lane('flow-1')
    lane.mayBeBehind()
    lane.isLoading = true
    lane.accepted(acceptedRun(9), true)
    lane.isLoading = false
    lane.loaded({ runs: [storedRun(4)], isLast: true }, 8)
    assert.equal(lane.isBehind, true)
  })
})

describe('a run outside the order', () => {
  it('is given with its journal', () => {
    const lane = new Lane('flow-1')
    lane.reopened(acceptedRun(5), ['entry'])
    assert.deepEqual(lane.shift()?.journal, ['entry'])
  })

  it('that still waits in the lane goes on from its new journal, and is given once', () => {
    const lane = new Lane('flow-1')
    lane.accepted(acceptedRun(1), true)
    lane.accepted(acceptedRun(2), true)
    lane.shift()
    assert.equal(lane.reopened(acceptedRun(2), ['reopened']), false)
    assert.equal(lane.size, 1)
    assert.deepEqual(lane.shift()?.journal, ['reopened'])
    assert.equal(lane.reopened(acceptedRun(2), []), true)
  })

  it('is not read a second time', () => {
    const lane = new Lane('flow-1')
    lane.mayBeBehind()
    lane.reopened(acceptedRun(5), [])
    assert.deepEqual(
      lane
        .loaded({ runs: [storedRun(4), storedRun(5), storedRun(6)], isLast: true }, 6)
        .map(({ run }) => run.seq),
      [4, 6]
    )
    assert.deepEqual(takeAll(lane), [5, 4, 6])
  })
})

/** A flow whose runs are accepted, taken, parked, resumed and reopened in any order, with a store beside it. */
class World {
  readonly #open = new Map<number, StoredRun>()
  readonly #ended: number[] = []
  readonly #parked: number[] = []
  readonly #active: number[] = []
  #lane = new Lane('flow-1')
  #reading: { readonly page: StoredRun[]; readonly newestBefore: number } | undefined
  #seq = 0
  /** How often each run was opened, and how often it was taken. */
  readonly opened = new Map<number, number>()
  readonly taken: number[] = []

  accept(hasRoom: boolean): void {
    const seq = ++this.#seq
    this.#openUp(seq)
    this.#lane.accepted(acceptedRun(seq), hasRoom)
  }

  take(): boolean {
    const seq = take(this.#lane)
    if (seq === undefined) return false
    assert.ok(!this.#active.includes(seq), `run ${seq} was given while it goes on`)
    assert.ok(this.#open.has(seq), `run ${seq} was given though it has ended`)
    this.taken.push(seq)
    this.#active.push(seq)
    this.#lane.active++
    return true
  }

  leave(into: 'ended' | 'parked'): void {
    const seq = this.#active.shift()
    if (seq === undefined) return
    this.#lane.active--
    this.#open.delete(seq)
    ;(into === 'ended' ? this.#ended : this.#parked).push(seq)
  }

  reopen(): void {
    const seq = this.#ended.shift()
    if (seq === undefined) return
    this.#openUp(seq)
    this.#lane.reopened(acceptedRun(seq), [])
  }

  /** One read of a lane at a time. */
  wake(): void {
    if (this.#reading !== undefined) return
    const seq = this.#parked.shift()
    if (seq === undefined) return
    this.#openUp(seq)
    this.#lane.woken([storedRun(seq)])
  }

  read(): void {
    if (this.#reading !== undefined || !this.#lane.isBehind) return
    const after = this.#lane.loadedUpTo
    const rest = [...this.#open.values()].filter((run) => run.seq > after).sort((a, b) => a.seq - b.seq)
    this.#lane.isLoading = true
    this.#reading = { page: rest.slice(0, PAGE), newestBefore: this.#seq }
  }

  finishReading(): void {
    if (this.#reading === undefined) return
    const { page, newestBefore } = this.#reading
    this.#reading = undefined
    this.#lane.isLoading = false
    this.#lane.loaded({ runs: page, isLast: page.length < PAGE }, newestBefore)
  }

  forgetIdle(): void {
    if (this.#lane.isIdle) this.#lane = new Lane('flow-1')
  }

  drain(): void {
    for (let turn = 0; turn < 200; turn++) {
      this.finishReading()
      this.read()
      this.finishReading()
      this.take()
      this.leave('ended')
    }
  }

  #openUp(seq: number): void {
    this.#open.set(seq, storedRun(seq))
    this.opened.set(seq, (this.opened.get(seq) ?? 0) + 1)
  }
}

const PAGE = 3

describe('whatever happens', () => {
  const deeds: Record<string, (world: World) => void> = {
    accept: (world) => world.accept(true),
    'accept without room': (world) => world.accept(false),
    take: (world) => world.take(),
    end: (world) => world.leave('ended'),
    park: (world) => world.leave('parked'),
    reopen: (world) => world.reopen(),
    wake: (world) => world.wake(),
    read: (world) => world.read(),
    'finish reading': (world) => world.finishReading(),
    forget: (world) => world.forgetIdle()
  }

  it('every run is given exactly once each time that it is open', () => {
    const story = fc.array(fc.constantFrom(...Object.keys(deeds)), { maxLength: 60 })
    fc.assert(
      fc.property(story, (names) => {
        const world = new World()
        for (const name of names) deeds[name]!(world)
        world.drain()
        const times = new Map<number, number>()
        for (const seq of world.taken) times.set(seq, (times.get(seq) ?? 0) + 1)
        assert.deepEqual(
          [...times].sort(([a], [b]) => a - b),
          [...world.opened]
        )
      }),
      { numRuns: 1_000 }
    )
  })
})
