import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type Costs,
  clusterCapacity,
  databaseLimit,
  type Machines
} from '../bench/capacity/cluster-capacity.ts'

const costs: Costs = {
  accept: { web: 100, database: 50 },
  run: { worker: 200, database: 50 },
  idle: { database: 0 }
}

describe('clusterCapacity', () => {
  it('does what the workers can do while the database has room', () => {
    assert.deepEqual(clusterCapacity(costs, { databaseCores: 8, load: 1 }, 4), {
      workers: 4,
      webs: 2,
      runsPerSecond: 20_000,
      databaseCoresBusy: 2,
      limit: 'workers'
    })
  })

  it('does what the database can do beyond that', () => {
    const point = clusterCapacity(costs, { databaseCores: 2, load: 1 }, 64)
    assert.deepEqual(point, {
      workers: 64,
      webs: 2,
      runsPerSecond: 20_000,
      databaseCoresBusy: 2,
      limit: 'database'
    })
  })

  it('plans with a part of every core, and pays for every process that is there', () => {
    const { runsPerSecond, webs } = clusterCapacity(
      { ...costs, idle: { database: 10_000 } },
      { databaseCores: 1, load: 0.5 },
      9
    )
    // 0.5 cores, of which nine workers and one web process take 0.01 each: 0.4 cores for 100 µs per run.
    assert.equal(runsPerSecond, 4_000)
    assert.equal(webs, 1)
  })

  it('never asks more of anything than it has', () => {
    fc.assert(
      fc.property(someCosts, someMachines, fc.integer({ min: 1, max: 64 }), (given, machines, workers) => {
        const { webs, runsPerSecond, databaseCoresBusy } = clusterCapacity(given, machines, workers)
        const slack = 1 + 1e-9
        assert.ok(runsPerSecond * given.run.worker <= workers * machines.load * 1e6 * slack)
        assert.ok(runsPerSecond * given.accept.web <= webs * machines.load * 1e6 * slack)
        if (runsPerSecond > 0) assert.ok(databaseCoresBusy <= machines.databaseCores * machines.load * slack)
      })
    )
  })

  it('does no less with a larger database', () => {
    fc.assert(
      fc.property(someCosts, someMachines, fc.integer({ min: 1, max: 64 }), (given, machines, workers) => {
        const larger = { ...machines, databaseCores: machines.databaseCores * 2 }
        const [small, large] = [machines, larger].map(
          (one) => clusterCapacity(given, one, workers).runsPerSecond
        )
        assert.ok(large! >= small! * (1 - 1e-9))
      })
    )
  })
})

describe('databaseLimit', () => {
  it('is the first number of workers that the database cannot keep busy', () => {
    const machines = { databaseCores: 4, load: 1 }
    assert.equal(databaseLimit(costs, machines)?.workers, 9)
    assert.equal(clusterCapacity(costs, machines, 8).limit, 'workers')
  })

  it('is nowhere for flows that cost the workers much', () => {
    assert.equal(
      databaseLimit({ ...costs, run: { worker: 100_000, database: 50 } }, { databaseCores: 8, load: 1 }),
      undefined
    )
  })
})

const micros = fc.double({ min: 1, max: 10_000, noNaN: true })
const someCosts: fc.Arbitrary<Costs> = fc.record({
  accept: fc.record({ web: micros, database: micros }),
  run: fc.record({ worker: micros, database: micros }),
  idle: fc.record({ database: fc.double({ min: 0, max: 5_000, noNaN: true }) })
})
const someMachines: fc.Arbitrary<Machines> = fc.record({
  databaseCores: fc.integer({ min: 1, max: 128 }),
  load: fc.double({ min: 0.1, max: 1, noNaN: true })
})
