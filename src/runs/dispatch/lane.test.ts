import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StoredRun } from '../../store/store.ts'
import { acceptedRun, storedRun } from '../record/stored-run.test-kit.ts'
import { Lane } from './lane.ts'

function newLane(): Lane {
  return new Lane('flow-1', { runs: 0, bytes: 0 })
}

function read(lane: Lane, runs: StoredRun[], newestBefore: number, isLast = true): void {
  lane.loaded(lane.beginReading(), { runs, isLast }, newestBefore)
}

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
    const lane = newLane()
    for (const seq of [3, 5, 9]) lane.accepted(acceptedRun(seq), true)
    assert.equal(lane.mode, 'abreast')
    assert.deepEqual(takeAll(lane), [3, 5, 9])
  })

  it('gives thousands of runs in order', () => {
    const lane = newLane()
    for (let seq = 1; seq <= 5_000; seq++) lane.accepted(acceptedRun(seq), true)
    assert.deepEqual(
      takeAll(lane),
      Array.from({ length: 5_000 }, (_, index) => index + 1)
    )
    assert.equal(lane.size, 0)
  })

  it('is idle when nothing waits, goes on or is left in the store', () => {
    const lane = newLane()
    assert.equal(lane.isIdle, true)
    lane.accepted(acceptedRun(1), true)
    assert.equal(lane.isIdle, false)
    lane.shift()
    assert.deepEqual([lane.active, lane.isIdle], [1, false])
    lane.executed(1, false)
    assert.deepEqual([lane.active, lane.isIdle], [0, true])
  })
})

describe('a run that is taken out of a lane', () => {
  it('is not given, and the order of the others holds', () => {
    const lane = newLane()
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
    const lane = newLane()
    for (const seq of [7, 8, 9]) lane.accepted(acceptedRun(seq), true)
    lane.woken({ runs: [storedRun(1), storedRun(2)], isLast: true })
    assert.deepEqual(takeAll(lane), [1, 7, 2, 8, 9])
  })

  it('keep the lane from being forgotten until all that are due are taken up', () => {
    const lane = newLane()
    lane.mayHaveDue()
    assert.equal(lane.isIdle, false)
    lane.beginTakingDue()
    assert.equal(lane.isIdle, false)
    lane.woken({ runs: [], isLast: false })
    assert.equal(lane.isIdle, false)
    lane.beginTakingDue()
    lane.woken({ runs: [], isLast: true })
    assert.equal(lane.isIdle, true)
  })
})

describe('a lane without room', () => {
  it('leaves a run to the store, and every later one too, so that their order holds', () => {
    const lane = newLane()
    lane.accepted(acceptedRun(1), true)
    lane.accepted(acceptedRun(2), false)
    lane.accepted(acceptedRun(3), true)
    assert.deepEqual([lane.mode, lane.size], ['behind', 1])
    read(lane, [storedRun(1), storedRun(2), storedRun(3)], 3)
    assert.equal(lane.mode, 'abreast')
    assert.deepEqual(takeAll(lane), [1, 2, 3])
  })

  it('takes runs in again once reading has caught up', () => {
    const lane = newLane()
    lane.accepted(acceptedRun(1), false)
    read(lane, [storedRun(1)], 1)
    lane.accepted(acceptedRun(2), true)
    assert.equal(lane.size, 2)
  })

  it('stays behind while a full page was read', () => {
    const lane = newLane()
    for (const seq of [1, 2, 3]) lane.accepted(acceptedRun(seq), false)
    read(lane, [storedRun(1), storedRun(2)], 3, false)
    assert.deepEqual([lane.mode, lane.readUpTo], ['behind', 2])
  })

  it('stays behind when a run was accepted after the reading began', () => {
    const lane = newLane()
    lane.accepted(acceptedRun(1), false)
    const reading = lane.beginReading()
    lane.accepted(acceptedRun(2), true)
    lane.loaded(reading, { runs: [storedRun(1)], isLast: true }, 1)
    assert.deepEqual([lane.mode, lane.size], ['behind', 1])
  })
})

describe('a lane of a service that starts', () => {
  it('is behind until it has read all that an earlier process left', () => {
    const lane = newLane()
    lane.mayBeBehind()
    assert.equal(lane.mode, 'behind')
    read(lane, [storedRun(4, { journal: ['{}'] })], 8)
    assert.equal(lane.mode, 'abreast')
    assert.deepEqual(lane.shift()?.journal, ['{}'])
    lane.accepted(acceptedRun(9), true)
    assert.equal(lane.size, 1)
  })

  it('does not lose a run that is accepted meanwhile', () => {
    const lane = newLane()
    lane.mayBeBehind()
    const reading = lane.beginReading()
    lane.accepted(acceptedRun(9), true)
    lane.loaded(reading, { runs: [storedRun(4)], isLast: true }, 8)
    assert.equal(lane.mode, 'behind')
  })
})

describe('a run outside the order', () => {
  it('is given with its journal', () => {
    const lane = newLane()
    lane.reopened(acceptedRun(5), ['entry'])
    assert.deepEqual(lane.shift()?.journal, ['entry'])
  })

  it('that still waits in the lane goes on from its new journal, and is given once', () => {
    const lane = newLane()
    lane.accepted(acceptedRun(1), true)
    lane.accepted(acceptedRun(2), true)
    lane.shift()
    lane.reopened(acceptedRun(2), ['reopened'])
    assert.equal(lane.size, 1)
    assert.deepEqual(lane.shift()?.journal, ['reopened'])
    assert.equal(lane.shift(), undefined)
  })

  it('is not read a second time', () => {
    const lane = newLane()
    lane.mayBeBehind()
    lane.reopened(acceptedRun(5), [])
    read(lane, [storedRun(4), storedRun(5), storedRun(6)], 6)
    assert.deepEqual(takeAll(lane), [5, 4, 6])
  })

  it('that somebody waits for goes before those that were accepted earlier, also where it was read meanwhile', () => {
    const lane = newLane()
    lane.accepted(acceptedRun(1), false)
    read(lane, [storedRun(1), storedRun(2), storedRun(3)], 3)
    lane.acceptedAhead(acceptedRun(3))
    lane.acceptedAhead(acceptedRun(4))
    assert.deepEqual(takeAll(lane), [3, 1, 4, 2])
  })
})

describe('offers in another order than that of acceptance', () => {
  it('are taken in, and executed in the order of acceptance', () => {
    const lane = newLane()
    for (const seq of [2, 4, 1, 3]) lane.accepted(acceptedRun(seq), true)
    assert.deepEqual(takeAll(lane), [1, 2, 3, 4])
  })

  it('lose none and double none where the window is full in their midst', () => {
    const lane = newLane()
    lane.accepted(acceptedRun(2), true)
    lane.accepted(acceptedRun(1), false)
    assert.equal(lane.mode, 'behind')
    lane.accepted(acceptedRun(4), true)
    lane.accepted(acceptedRun(3), true)
    read(
      lane,
      [1, 2, 3, 4].map((seq) => storedRun(seq)),
      4
    )
    assert.deepEqual([takeAll(lane), lane.mode], [[1, 2, 3, 4], 'abreast'])
  })

  it('are no news where the run was read before they came, also when it has ended since', () => {
    const lane = newLane()
    lane.accepted(acceptedRun(1), false)
    read(
      lane,
      [1, 2, 3].map((seq) => storedRun(seq)),
      3
    )
    assert.equal(take(lane), 1)
    lane.executed(1, false)
    for (const seq of [3, 1, 2]) lane.accepted(acceptedRun(seq), true)
    assert.deepEqual([takeAll(lane), lane.mode], [[2, 3], 'abreast'])
  })
})

describe('a run that is being executed', () => {
  it('is not taken in a second time, whoever brings it', () => {
    const lane = newLane()
    lane.accepted(acceptedRun(1), true)
    lane.shift()
    lane.beginAnew()
    read(lane, [storedRun(1)], 1)
    lane.accepted(acceptedRun(1), true)
    lane.acceptedAhead(acceptedRun(1))
    lane.reopened(acceptedRun(1), [])
    lane.woken({ runs: [storedRun(1)], isLast: true })
    assert.deepEqual([lane.size, lane.active], [0, 1])
  })

  it('and was taken up again before it is known that it is parked, goes on after that', () => {
    const lane = newLane()
    lane.accepted(acceptedRun(1), true)
    lane.shift()
    lane.woken({ runs: [storedRun(1, { journal: ['parked'] })], isLast: true })
    assert.equal(lane.shift(), undefined)
    lane.executed(1, true)
    assert.deepEqual(lane.shift()?.journal, ['parked'])
  })

  it('and was opened again before it is known that it has ended, is looked for in the store after that', () => {
    const lane = newLane()
    lane.accepted(acceptedRun(1), true)
    lane.shift()
    lane.reopened(acceptedRun(1), ['reopened'])
    lane.executed(1, false)
    assert.equal(lane.mode, 'behind')
    read(lane, [storedRun(1, { journal: ['reopened'] })], 2)
    assert.deepEqual(lane.shift()?.journal, ['reopened'])
  })

  it('and ends while the store is read, is not taken in as it was before', () => {
    const lane = newLane()
    lane.accepted(acceptedRun(1), true)
    lane.accepted(acceptedRun(2), false)
    lane.shift()
    const reading = lane.beginReading()
    lane.executed(1, false)
    lane.endedElsewhere(storedRun(2))
    lane.loaded(reading, { runs: [storedRun(1), storedRun(2), storedRun(3)], isLast: true }, 3)
    assert.deepEqual(takeAll(lane), [3])
  })
})
