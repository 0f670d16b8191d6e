import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Member, MemoryCluster } from './cluster.test-kit.ts'

/** Claim to be dead after 10 s without a beat, of which there is one a second; others look once a second. */
const TAKEN_UP_MS = { earliest: 8_900, latest: 11_200 }

/** Several processes, started one after the other at these distances. The first one is the leader. */
async function started(distancesMs: readonly number[], first: 'web' | 'worker' = 'worker') {
  const cluster = new MemoryCluster()
  const members: Member[] = []
  for (const [place, distance] of distancesMs.entries()) {
    members.push(await cluster.start(`p${place}`, place === 0 ? first : 'worker'))
    await cluster.pass(distance)
  }
  const holder = members.find(({ tookUpAt }) => tookUpAt.length === 1)!
  return { cluster, members, holder, others: members.filter((member) => member !== holder) }
}

async function takenUpAfter(
  cluster: MemoryCluster,
  members: readonly Member[],
  ms: number
): Promise<number[]> {
  const since = cluster.clock.stopwatch()
  await cluster.pass(ms)
  return members.flatMap(({ tookUpAt }) => tookUpAt.filter((at) => at > since).map((at) => at - since))
}

describe('what a killed process held', () => {
  it('is taken up at one time, whoever is killed, whenever, and whoever dies after it', async () => {
    const ms = (max: number) => fc.integer({ min: 0, max })
    const apart = fc.array(ms(1_000), { minLength: 4, maxLength: 5 })
    const role = fc.constantFrom('web' as const, 'worker' as const)
    const kills = fc.record({ apart, role, until: ms(4_000), later: ms(8_000), second: fc.nat(3) })
    await fc.assert(
      fc.asyncProperty(kills, async ({ apart, role, until, later, second }) => {
        const { cluster, holder, others } = await started(apart, role)
        await cluster.pass(until)
        holder.kill()
        const soon = await takenUpAfter(cluster, others, later)
        others[second % others.length]!.kill()
        const [takenUp, ...more] = await takenUpAfter(cluster, others, 25_000 - later)
        assert.deepEqual([soon, more], [[], []])
        const after = later + (takenUp ?? Number.POSITIVE_INFINITY)
        assert.ok(after >= TAKEN_UP_MS.earliest && after <= TAKEN_UP_MS.latest, `it took ${after} ms`)
      }),
      { numRuns: 40 }
    )
  })

  it('is taken up no later because one pulse of another process fails', async () => {
    const { cluster, holder, others } = await started([100, 200])
    holder.kill()
    await cluster.pass(9_000)
    cluster.isStoreAway = true
    await cluster.pass(900)
    cluster.isStoreAway = false
    const [takenUp] = await takenUpAfter(cluster, others, 5_000)
    assert.ok(9_900 + takenUp! <= TAKEN_UP_MS.latest, `it took ${9_900 + takenUp!} ms`)
  })

  it('is left to whoever lives, when the database was away for longer than the dead are waited for', async () => {
    const { cluster, holder, others } = await started([100, 200, 300])
    cluster.isStoreAway = true
    await cluster.pass(30_000)
    cluster.isStoreAway = false
    assert.deepEqual(await takenUpAfter(cluster, others, 20_000), [])
    holder.kill()
    assert.equal((await takenUpAfter(cluster, others, 12_000)).length, 1)
  })
})
