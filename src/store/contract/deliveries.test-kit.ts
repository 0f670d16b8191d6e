import assert from 'node:assert/strict'
import { type Delivery, KNOWN_FOR_MS } from '../deliveries.ts'
import type { Acceptance, NewRun, Store } from '../store.ts'
import {
  listedIds,
  newStoreTest,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const named = (...keys: string[]): Delivery[] => keys.map((key) => ({ key, body: null }))

async function accepted(
  store: Store,
  deliveries: readonly Delivery[],
  given: Partial<NewRun> = {}
): Promise<string> {
  const acceptance = await store.runs.acceptOnce(sampleRun(given), deliveries)
  assert.equal(acceptance.verdict, 'accepted', JSON.stringify(acceptance))
  return acceptance.run.id
}

const duplicateOf = (runId: string): Acceptance => ({ verdict: 'duplicate', runId })

export function deliveryContract(open: OpenSubject): void {
  repetitionContract(open)
  timeContract(open)
}

function repetitionContract(open: OpenSubject): void {
  storeTest(open, 'the first delivery starts a run like any other', async ({ store, reopen }) => {
    const given = sampleRun()
    const acceptance = await store.runs.acceptOnce(given, named('a'))
    assert.equal(acceptance.verdict, 'accepted')
    const { seq, ...rest } = acceptance.run
    assert.deepEqual(rest, given)
    assert.equal(await store.runs.lastChange(), seq)
    assert.equal((await (await reopen()).runs.get(given.id))?.seq, seq)
  })

  storeTest(open, 'one that comes again starts nothing, also after a restart', async ({ store, reopen }) => {
    const first = await accepted(store, named('a'))
    assert.deepEqual(await store.runs.acceptOnce(sampleRun(), named('a')), duplicateOf(first))
    const again = await reopen()
    assert.deepEqual(await again.runs.acceptOnce(sampleRun(), named('a')), duplicateOf(first))
    const other = await accepted(again, named('b'))
    assert.deepEqual(await listedIds(again), [other, first])
    assert.deepEqual(await again.runs.backlog(), new Map([['flow-a', 2]]))
  })

  storeTest(open, 'of many that come together one starts a run', async ({ store }) => {
    const plain = store.runs.accept(sampleRun())
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, place) =>
        store.runs.acceptOnce(sampleRun(), named(place % 2 === 0 ? 'even' : 'odd'))
      )
    )
    // Which one of them wins is left open: a store may write several batches at a time.
    const started = [0, 1].map((parity) => {
      const alike = all.filter((_, place) => place % 2 === parity)
      const winners = alike.flatMap((one) => (one.verdict === 'accepted' ? [one.run.id] : []))
      assert.equal(winners.length, 1)
      const others = alike.filter(({ verdict }) => verdict !== 'accepted')
      for (const other of others) assert.deepEqual(other, duplicateOf(winners[0]!))
      return winners[0]!
    })
    const { id } = await plain
    assert.deepEqual(new Set(await listedIds(store)), new Set([...started, id]))
  })

  storeTest(open, 'any of its names is enough, and only what was accepted is known', async ({ store }) => {
    const first = await accepted(store, named('key', 'id'))
    assert.deepEqual(await store.runs.acceptOnce(sampleRun(), named('id')), duplicateOf(first))
    assert.deepEqual(await store.runs.acceptOnce(sampleRun(), named('other', 'key')), duplicateOf(first))
    await accepted(store, named('other'))
    const together = await Promise.all(
      [['x', 'y'], ['y', 'z'], ['z']].map((keys) => store.runs.acceptOnce(sampleRun(), named(...keys)))
    )
    assert.deepEqual(
      together.map(({ verdict }) => verdict),
      ['accepted', 'duplicate', 'accepted']
    )
  })

  storeTest(open, 'where the body counts, another one is told', async ({ store }) => {
    const runId = await accepted(store, [{ key: 'a', body: 'one' }, ...named('b')])
    const sent = (...deliveries: Delivery[]) => store.runs.acceptOnce(sampleRun(), deliveries)
    assert.deepEqual(await sent({ key: 'a', body: 'one' }), duplicateOf(runId))
    assert.deepEqual(await sent({ key: 'a', body: 'two' }), { verdict: 'other body', runId })
    assert.deepEqual(await sent({ key: 'a', body: 'two' }, ...named('b')), { verdict: 'other body', runId })
    const [first, second] = await Promise.all(['one', 'two'].map((body) => sent({ key: 'c', body })))
    assert.deepEqual([first!.verdict, second!.verdict], ['accepted', 'other body'])
  })

  storeTest(open, 'a run that cannot be kept leaves no delivery behind', async ({ store }) => {
    const first = await store.runs.accept(sampleRun())
    const [before, twin, after] = await Promise.allSettled([
      store.runs.acceptOnce(sampleRun(), named('before')),
      store.runs.acceptOnce(sampleRun({ id: first.id }), named('twin')),
      store.runs.acceptOnce(sampleRun(), named('after'))
    ])
    assert.deepEqual([before.status, twin.status, after.status], ['fulfilled', 'rejected', 'fulfilled'])
    await accepted(store, named('twin'))
    assert.equal((await store.runs.acceptOnce(sampleRun(), named('after'))).verdict, 'duplicate')
  })

  newStoreTest(open, 'a closed store takes none', async ({ store }) => {
    await store.close()
    await assert.rejects(store.runs.acceptOnce(sampleRun(), named('a')), { code: 'store_unwritable' })
  })
}

function timeContract(open: OpenSubject): void {
  const DAY_1 = 1_700_000_000_000
  const DAY_2 = DAY_1 + KNOWN_FOR_MS

  storeTest(open, 'after a day it is new, and known for a day again', async ({ store, reopen }) => {
    const first = await accepted(store, named('a'), { createdAt: DAY_1 })
    const late = sampleRun({ createdAt: DAY_2 - 1 })
    assert.deepEqual(await store.runs.acceptOnce(late, named('a')), duplicateOf(first))
    const second = await accepted(store, named('a', 'b'), { createdAt: DAY_2 })
    const again = await reopen()
    const later = sampleRun({ createdAt: DAY_2 + 1 })
    assert.deepEqual(await again.runs.acceptOnce(later, named('a')), duplicateOf(second))
  })

  storeTest(open, 'it stays known when its run is deleted', async ({ store }) => {
    const acceptance = await store.runs.acceptOnce(sampleRun(), named('a'))
    assert.equal(acceptance.verdict, 'accepted')
    await store.runs.end(acceptance.run, sampleOutcome())
    assert.equal(await store.runs.prune({ keep: 0, slice: 10 }), 1)
    assert.equal(await store.runs.get(acceptance.run.id), undefined)
    assert.deepEqual(await store.runs.acceptOnce(sampleRun(), named('a')), duplicateOf(acceptance.run.id))
  })

  storeTest(open, 'the old ones are forgotten slice by slice, the others stay', async ({ store }) => {
    for (const [place, key] of ['a', 'b', 'c', 'd'].entries()) {
      await accepted(store, named(key), { createdAt: DAY_1 + place })
    }
    const before = DAY_1 + 3
    assert.equal(await store.runs.forgetDeliveries(before, 2), 2)
    assert.equal(await store.runs.forgetDeliveries(before, 2), 1)
    assert.equal(await store.runs.forgetDeliveries(before, 2), 0)
    await accepted(store, named('a'), { createdAt: DAY_1 + 4 })
    const again = sampleRun({ createdAt: DAY_1 + 4 })
    assert.equal((await store.runs.acceptOnce(again, named('d'))).verdict, 'duplicate')
  })
}
