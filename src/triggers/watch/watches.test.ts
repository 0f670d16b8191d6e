import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import { systemClock } from '../../clock.ts'
import { sampleRun } from '../../store/contract/subject.test-kit.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import type { TriggerNode } from '../trigger-nodes.ts'
import { listOf, type WatchDeps } from './watch-life.ts'
import { Watches } from './watches.ts'

const trigger = {
  flow: { id: 'flow-a', slug: 'a', context: '/', version: 1, updatedAt: 1 },
  node: { id: 'watch-1', type: 'watch', fields: {} },
  component: { trigger: 'watch' },
  fields: { connection: '', url: 'https://a.b/', key: '{id}', first: 'Take all' }
} as unknown as TriggerNode

function soon(_: number, then: () => void) {
  const next = setImmediate(then)
  return { stop: () => clearImmediate(next) }
}

const noneTaken = { taken: async () => undefined, forgetTaken: async () => {} }

const item = (at: number) => ({ id: String(at).padStart(16, '0'), item: { id: at } })

test('two processes that both take a watch for theirs start one run for each item', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-watches-'))
  t.after(() => rm(folder, { recursive: true }))
  const store = await openSqliteStore({ folder })
  t.after(() => store.close())
  const started: string[] = []
  const all = Promise.withResolvers<void>()
  const faults: string[] = []
  let there = 3
  const watchesOf = () =>
    new Watches({
      // Who has lost its turn comes back at once. The timers of the service keep no process, and so no test.
      clock: { ...systemClock(), startTimer: soon },
      store: store.triggers,
      timesOf: () => ({ isCron: false, next: (after) => after + 1 }),
      runs: {
        startEvent: async ({ input }, event) => {
          const run = await store.runs.acceptEvent(sampleRun({ input }), event)
          if (run !== undefined) started.push(Buffer.from(input).toString())
          if (started.length >= 200) all.resolve()
          return run
        }
      },
      look: async () => {
        there = Math.min(200, there + 4)
        return Array.from({ length: there }, (_, at) => item(at))
      },
      isMine: () => true,
      onFault: (_, error) => {
        if (error !== null) faults.push((error as Error).message)
      }
    })
  const both = [watchesOf(), watchesOf()]
  for (const watches of both) watches.begin(trigger, 'where it left off')
  await all.promise
  await Promise.all(both.map((watches) => watches.end('flow-a', 'watch-1')))
  assert.equal(started.length, 200)
  assert.equal(new Set(started).size, 200)
  assert.ok(faults.every((message) => message.startsWith('another process has looked meanwhile')))
})

test('looks never overlap, end when they are told to, and wait longer while they fail', async () => {
  const clock = manualClock()
  const looks: PromiseWithResolvers<readonly []>[] = []
  const faults: unknown[] = []
  let asked = Promise.withResolvers<void>()
  const look: WatchDeps['look'] = (_, signal) => {
    const next = Promise.withResolvers<readonly []>()
    signal.addEventListener('abort', () => next.reject(signal.reason))
    looks.push(next)
    asked.resolve()
    return next.promise
  }
  let told = Promise.withResolvers<void>()
  const watches = new Watches({
    clock,
    store: { ...noneTaken, seen: async () => ({ mark: 0, seen: null }), keepSeen: async () => true },
    timesOf: () => ({ isCron: false, next: (after) => after + 1_000 }),
    runs: { startEvent: () => assert.fail('nothing is new') },
    look,
    isMine: () => true,
    onFault: (_, error, isFirst) => {
      faults.push(error === null ? null : [(error as Error).message, isFirst])
      told.resolve()
    }
  })
  const settle = async (act: () => void) => {
    told = Promise.withResolvers()
    asked = Promise.withResolvers()
    act()
    await told.promise
    await new Promise((resolve) => setImmediate(resolve))
  }
  watches.begin(trigger, 'where it left off')
  await asked.promise
  clock.advance(60_000)
  assert.equal(looks.length, 1, 'the first one is not over')
  await settle(() => looks[0]!.resolve([]))
  clock.advance(1_000)
  await asked.promise
  await settle(() => looks[1]!.reject(new Error('away')))
  clock.advance(1_000)
  await asked.promise
  await settle(() => looks[2]!.reject(new Error('still away')))
  clock.advance(1_400)
  assert.equal(looks.length, 3, 'it waits longer')
  clock.advance(600)
  await asked.promise
  assert.equal(looks.length, 4)
  assert.deepEqual(faults, [null, ['away', true], ['still away', false]])
  await watches.end('flow-a', 'watch-1')
  assert.equal(clock.timers, 0)
})

test('what was noted before a kill has its run, though the list has dropped it, and at once where it is watched by the hour', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-watches-'))
  t.after(() => rm(folder, { recursive: true }))
  const started: number[] = []
  const isOver = Promise.withResolvers<void>()
  const lookedAgain = Promise.withResolvers<void>()
  const watchesOf = (
    store: Pick<Store, 'triggers' | 'runs'>,
    there: readonly ReturnType<typeof item>[],
    killedAfter: number
  ) =>
    new Watches({
      clock: manualClock(),
      store: store.triggers,
      timesOf: () => ({ isCron: true, next: (after) => after + 3_600_000 }),
      runs: {
        startEvent: async ({ input }, event) => {
          if (started.length === killedAfter) {
            isOver.resolve()
            return new Promise(() => {})
          }
          const run = await store.runs.acceptEvent(sampleRun({ input }), event)
          started.push(JSON.parse(Buffer.from(input).toString()).id)
          return run
        }
      },
      look: async () => there,
      isMine: () => true,
      onFault: (_, error) => {
        if (error === null) lookedAgain.resolve()
      }
    })
  const before = await openSqliteStore({ folder })
  watchesOf(before, [item(1), item(2), item(3)], 1).begin(trigger, 'where it left off')
  await isOver.promise
  await before.close()
  assert.deepEqual(started, [1])
  const store = await openSqliteStore({ folder })
  t.after(() => store.close())
  const after = watchesOf(store, [item(4)], Number.POSITIVE_INFINITY)
  after.begin(trigger, 'where it left off')
  await lookedAgain.promise
  await after.end('flow-a', 'watch-1')
  assert.deepEqual(started, [1, 2, 3, 4])
  assert.equal(await store.triggers.taken('flow-a', 'watch-1'), undefined)
})

test('a watch by the hour that counts from now looks at once, and so does the version that takes its place before', async () => {
  let memory = { of: listOf(trigger), since: 0, seen: item(1).id, upTo: 0 }
  const kept: (typeof memory)[] = []
  let asked = Promise.withResolvers<void>()
  const looked = Promise.withResolvers<void>()
  let isAway = true
  const watches = new Watches({
    clock: manualClock(),
    store: {
      ...noneTaken,
      seen: async () => ({ mark: 0, seen: JSON.stringify(memory) }),
      keepSeen: async (_flow, _node, { seen }) => {
        memory = JSON.parse(seen!)
        kept.push(memory)
        return true
      }
    },
    timesOf: () => ({ isCron: true, next: (after) => after + 3_600_000 }),
    runs: { startEvent: () => assert.fail('nothing is new') },
    look: (_, signal) => {
      asked.resolve()
      if (!isAway) return Promise.resolve([item(1), item(2)])
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
    isMine: () => true,
    onFault: (_, error) => {
      if (error === null) looked.resolve()
    }
  })
  watches.begin(trigger, 'now')
  await asked.promise
  asked = Promise.withResolvers()
  isAway = false
  watches.begin(trigger, 'where it left off')
  await looked.promise
  await watches.end('flow-a', 'watch-1')
  const [noted, ...looks] = kept.map(({ since, seen }) => [since === 0, seen])
  assert.deepEqual(noted, [false, item(1).id])
  assert.deepEqual(looks, [[true, item(1).id + item(2).id]])
})

test('a watch that was put back while its site was down passes over what came before, also after a restart', async () => {
  const memory = { of: listOf(trigger), since: 0, seen: item(1).id, upTo: 0 }
  let known = { mark: 7, seen: JSON.stringify(memory) }
  const lookedBy = async (watches: Watches, from: 'now' | 'where it left off', done: Promise<void>) => {
    watches.begin(trigger, from)
    await done.finally(() => watches.end('flow-a', 'watch-1'))
  }
  const watchesOf = (look: WatchDeps['look'], told: (error: unknown) => void) =>
    new Watches({
      clock: manualClock(),
      store: {
        ...noneTaken,
        seen: async () => known,
        keepSeen: async (_flow, _node, next, before) => {
          assert.equal(before, known.mark)
          known = next as typeof known
          return true
        }
      },
      timesOf: () => ({ isCron: false, next: (after) => after + 3_600_000 }),
      runs: { startEvent: () => assert.fail('it came before') },
      look,
      isMine: () => true,
      onFault: (_, error) => told(error)
    })
  const down = Promise.withResolvers<void>()
  const before = watchesOf(
    async () => Promise.reject(new Error('down')),
    () => down.resolve()
  )
  await lookedBy(before, 'now', down.promise)
  const up = Promise.withResolvers<void>()
  const after = watchesOf(
    async () => [item(1), item(2)],
    (error) => (error === null ? up.resolve() : up.reject(error))
  )
  await lookedBy(after, 'where it left off', up.promise)
  assert.equal(JSON.parse(known.seen).seen, item(1).id + item(2).id)
})
