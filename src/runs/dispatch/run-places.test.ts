import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RunPlaces } from './run-places.ts'

describe('the places of a process', () => {
  it('are as many as may compute', () => {
    const places = new RunPlaces({ computing: 2, underWay: 10 })
    places.take()
    assert.equal(places.free, 1)
    places.take()
    assert.equal(places.free, 0)
    places.give()
    assert.equal(places.free, 1)
  })

  it('are free for others while a run waits, up to the bound for all', () => {
    const places = new RunPlaces({ computing: 2, underWay: 4 })
    for (let run = 0; run < 3; run++) {
      places.take()
      places.awaits(true)
    }
    assert.equal(places.free, 1)
    places.take()
    places.awaits(true)
    assert.equal(places.free, 0)
  })

  it('are not given while more have come back than may compute', () => {
    const places = new RunPlaces({ computing: 1, underWay: 10 })
    for (let run = 0; run < 3; run++) {
      places.take()
      places.awaits(true)
    }
    for (let run = 0; run < 3; run++) places.awaits(false)
    assert.ok(places.free < 0)
    for (let run = 0; run < 3; run++) places.give()
    assert.equal(places.free, 1)
  })

  it('are never all for one flow', () => {
    const { mostOfOne, mostComputingOfOne } = new RunPlaces({ computing: 8, underWay: 100 })
    assert.deepEqual([mostOfOne, mostComputingOfOne], [75, 6])
    assert.equal(new RunPlaces({ computing: 1, underWay: 1 }).mostOfOne, 1)
  })
})
