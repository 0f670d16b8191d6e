import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { MillraceError } from '../../../errors.ts'
import { acceptMany, sampleFlow, sampleOutcome, sampleRun } from '../../contract/subject.test-kit.ts'
import type { NewRun } from '../../store.ts'
import { openFor } from '../sqlite-subject.test-kit.ts'
import type { CommittedBatch } from './gather-time.ts'
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts'

/** A group commit on a table of words, with a count of them in memory. */
function setUp(options: Partial<GroupCommitOptions> = {}) {
  const db = new DatabaseSync(':memory:')
  db.exec('CREATE TABLE words (word TEXT NOT NULL UNIQUE)')
  const insert = db.prepare('INSERT INTO words VALUES (?)')
  const seen = { count: 0, saves: 0, batches: [] as number[], failures: [] as MillraceError[] }
  const counter = {
    snapshot() {
      const { count } = seen
      return () => {
        seen.count = count
      }
    },
    save() {
      seen.saves += 1
    }
  }
  const commit = new GroupCommit({
    db,
    folder: '/data',
    members: [counter],
    onBatch: (size) => seen.batches.push(size),
    onUnwritable: (error) => seen.failures.push(error),
    // However slow the machine is.
    timing: { stopwatch: () => 0 },
    ...options
  })
  const add = (word: string | undefined) =>
    commit.write(() => {
      seen.count += 1
      insert.run(word as string)
      return seen.count
    })
  const words = () =>
    db
      .prepare('SELECT word FROM words ORDER BY rowid')
      .all()
      .map((row) => row.word)
  return { db, commit, add, words, seen }
}

function sqliteError(errcode: number): Error {
  return Object.assign(new Error('from SQLite'), { errcode })
}

test('writes of one tick share one commit, those of the next have their own', async (t) => {
  const batches: number[] = []
  const { store } = await openFor(t, {
    onBatch: (size) => batches.push(size),
    timing: { stopwatch: () => 0 }
  })
  const runs = await acceptMany(store, 90)
  assert.deepEqual(batches, [90])
  await Promise.all([
    ...runs.map((run) => store.runs.end(run, sampleOutcome())),
    store.runs.accept(sampleRun()),
    store.flows.create(sampleFlow())
  ])
  assert.deepEqual(batches, [90, 92])
  await store.runs.accept(sampleRun())
  assert.deepEqual(batches, [90, 92, 1])
})

test('a flood is committed in batches of a bounded size, in order', async (t) => {
  const batches: number[] = []
  const { store } = await openFor(t, {
    onBatch: (size) => batches.push(size),
    timing: { stopwatch: () => 0 }
  })
  const runs = await acceptMany(store, 2_500)
  assert.deepEqual(batches, [1000, 1000, 500])
  assert.deepEqual(
    runs.map((run) => run.seq),
    Array.from({ length: 2_500 }, (_, index) => index + 1)
  )
})

test('a batch of large writes is bounded by their bytes, and one that is larger is a batch by itself', async () => {
  const { commit, seen } = setUp()
  const write = (megabytes: number) => commit.write(() => seen.count++, megabytes * 1024 ** 2)
  await Promise.all([0, 1, 3, 1, 9, 2, 0, 0].map(write))
  assert.deepEqual(seen.batches, [3, 1, 1, 3])
})

test('what further turns bring is taken along, for no longer than a commit takes', async () => {
  let now = 0
  const turns: (() => void)[] = []
  const { commit, seen } = setUp({ timing: { stopwatch: () => now, soon: (then) => void turns.push(then) } })
  const write = (ms: number) =>
    commit.write(() => {
      now += ms
    })
  /** Each turn of the loop brings as many writes, and takes a millisecond. Returns what was committed together. */
  const bring = (counts: readonly number[], ms = 0) => {
    for (const count of counts) {
      for (let nth = 0; nth < count; nth++) void write(ms)
      now += 1
      turns.shift()?.()
    }
    return seen.batches.splice(0)
  }
  assert.deepEqual(bring([1], 5), [1], 'nobody knows yet what a commit takes')
  assert.deepEqual(bring([1, 1, 1, 0]), [3], 'until a turn brings nothing')
  assert.deepEqual(bring([1, 1]), [1, 1], 'a commit that takes no time is waited for by nobody')
  bring([1], 5)
  assert.deepEqual(bring([1, 1, 1, 1, 1, 1]), [5, 1], 'until so much time is over')
  bring([1], 5)
  assert.deepEqual(bring([64]), [64], 'so many are worth a commit')
})

test('a batch of slow writes is bounded by their time, and none is lost or done twice', async () => {
  let now = 0
  const { commit, seen } = setUp({ timing: { stopwatch: () => now } })
  const done: number[] = []
  const slow = (number: number) =>
    commit.write(() => {
      now += 0.25
      done.push(number)
      return number
    }, 1)
  const numbers = Array.from({ length: 100 }, (_, number) => number)
  const results = await Promise.all(numbers.map(slow))
  assert.deepEqual(seen.batches, [32, 32, 32, 4])
  assert.deepEqual([results, done], [numbers, numbers])
})

test('one faulty write among many slow ones rejects by itself', async () => {
  let now = 0
  const { add, words, seen } = setUp({
    timing: {
      stopwatch: () => {
        now += 5
        return now
      }
    }
  })
  const asked = Array.from({ length: 50 }, (_, number) => (number === 40 ? 'word 7' : `word ${number}`))
  const results = await Promise.allSettled(asked.map(add))
  assert.deepEqual(
    results.flatMap(({ status }, number) => (status === 'rejected' ? [number] : [])),
    [40]
  )
  assert.deepEqual(words(), asked.toSpliced(40, 1))
  assert.equal(seen.count, 49)
})

test('writes are done and settled in the order in which they were handed in', async () => {
  const { commit } = setUp()
  const order: string[] = []
  const write = (name: string) => commit.write(() => order.push(`do ${name}`)).then(() => order.push(name))
  await Promise.all([write('a'), write('b'), write('c')])
  assert.deepEqual(order, ['do a', 'do b', 'do c', 'a', 'b', 'c'])
})

test('a write that is refused does not touch its neighbours', async () => {
  const { add, commit, words, seen } = setUp()
  const refusal = new MillraceError('slug_taken', 'No.')
  const refused = commit.write(() => {
    throw refusal
  })
  const [first, second, third] = await Promise.allSettled([add('a'), refused, add('b')])
  assert.equal(first.status, 'fulfilled')
  assert.deepEqual(second, { status: 'rejected', reason: refusal })
  assert.equal(third.status, 'fulfilled')
  assert.deepEqual(words(), ['a', 'b'])
  assert.deepEqual([seen.batches, seen.saves, seen.failures], [[3], 1, []])
})

test('a faulty write rejects by itself, and the count in memory does not notice it', async () => {
  const { add, words, seen } = setUp()
  const results = await Promise.allSettled([add('a'), add(undefined), add('b'), add('a'), add('c')])
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
    [1, 'Provided value cannot be bound to SQLite parameter 1.', 2, 'UNIQUE constraint failed: words.word', 3]
  )
  assert.deepEqual(words(), ['a', 'b', 'c'])
  assert.equal(seen.count, 3)
  assert.deepEqual([seen.batches, seen.failures], [[5], []])
})

test('a faulty run leaves no gap in the numbers', async (t) => {
  const { store } = await openFor(t)
  const faulty = { ...sampleRun(), session: undefined } as unknown as NewRun
  const [before, , after] = await Promise.allSettled([
    store.runs.accept(sampleRun()),
    store.runs.accept(faulty),
    store.runs.accept(sampleRun())
  ])
  assert.ok(before.status === 'fulfilled' && after.status === 'fulfilled')
  assert.deepEqual([before.value.seq, after.value.seq], [1, 2])
  assert.equal(await store.runs.lastChange(), 2)
})

test('when the store fails, the whole batch is refused and nothing of it is kept', async () => {
  const { add, commit, words, seen } = setUp()
  const full = sqliteError(13)
  const failing = commit.write(() => {
    throw full
  })
  const results = await Promise.allSettled([add('a'), failing, add('b')])
  for (const result of results) {
    assert.ok(result.status === 'rejected')
    assert.equal(result.reason.code, 'store_unwritable')
    assert.equal(result.reason.cause, full)
    assert.match(result.reason.message, /\/data.*disk is full.*Make room/)
  }
  assert.deepEqual(words(), [])
  assert.equal(seen.count, 0)
  assert.equal(seen.failures.length, 1)
  assert.equal(await add('c'), 1)
  assert.deepEqual(words(), ['c'])
})

test('a transaction that SQLite has ended by itself does not block the next batch', async () => {
  const { add, commit, db, words } = setUp()
  const lost = commit.write(() => {
    db.exec('ROLLBACK')
    throw sqliteError(10)
  })
  await assert.rejects(lost, { code: 'store_unwritable' })
  await add('a')
  assert.deepEqual(words(), ['a'])
})

test('closing commits what waits; after that writes are refused', async () => {
  const { add, commit, words } = setUp()
  const queued = [add('a'), add('b')]
  commit.close()
  assert.deepEqual(words(), ['a', 'b'])
  assert.deepEqual(await Promise.all(queued), [1, 2])
  await assert.rejects(add('c'), { code: 'store_unwritable', message: 'The store in /data is closed.' })
})

test('writes that can wait are gathered until another comes, or they are many, or the store closes', async () => {
  const joined: number[] = []
  const gatherTime = {
    waitMs: () => 600_000,
    committed: (_now: number, batch: CommittedBatch) => joined.push(batch.joined)
  }
  const { commit, seen } = setUp({ gatherTime })
  const order: string[] = []
  const soon = (name: string) => commit.writeSoon(() => order.push(name))
  const first = soon('a')
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  assert.equal(order.length, 0, 'it waits for others')
  const second = soon('b')
  await commit.write(() => order.push('c'))
  await Promise.all([first, second])
  assert.deepEqual(order, ['a', 'b', 'c'])
  await Promise.all(Array.from({ length: 64 }, (_, number) => soon(String(number))))
  const last = soon('z')
  commit.close()
  await last
  assert.deepEqual(seen.batches, [3, 64, 1])
  assert.deepEqual(joined, [2, 63, 0])
})
