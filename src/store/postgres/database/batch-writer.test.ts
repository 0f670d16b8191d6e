import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MillraceError } from '../../../errors.ts'
import { BatchWriter, type BatchWriterOptions } from './batch-writer.ts'

interface Given {
  readonly key: string
  readonly kind?: string
  readonly bytes?: number
}

/** A database that answers when it is told to, and remembers the batches that it was sent. */
function recorder(options: Partial<BatchWriterOptions<Given, string>> = {}) {
  const batches: string[][] = []
  const answers: { resolve: () => void; reject: (error: unknown) => void }[] = []
  let onSent: (() => void) | undefined
  const writer = new BatchWriter<Given, string>({
    place: 'here',
    keyOf: ({ key }) => key,
    kindOf: ({ kind }) => kind,
    bytesOf: ({ bytes = 1 }) => bytes,
    commit: (batch) => {
      batches.push(batch.map(({ key }) => key))
      onSent?.()
      return new Promise((resolve, reject) => {
        answers.push({ resolve: () => resolve(batch.map(({ key }) => `${key}!`)), reject })
      })
    },
    ...options
  })
  /** Resolves when so many batches have been sent. */
  const sent = async (count: number) => {
    while (batches.length < count) {
      await new Promise<void>((resolve) => {
        onSent = resolve
      })
    }
  }
  return { writer, batches, answers, sent }
}

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const faulty = () => Object.assign(new Error('duplicate key'), { code: '23505' })

test('what is handed in together shares a batch; what comes meanwhile shares the next', async () => {
  const { writer, batches, answers, sent } = recorder()
  const first = ['a', 'b', 'c'].map((key) => writer.write({ key }))
  await sent(1)
  const second = ['d', 'e'].map((key) => writer.write({ key }))
  answers[0]!.resolve()
  assert.deepEqual(await Promise.all(first), ['a!', 'b!', 'c!'])
  await sent(2)
  answers[1]!.resolve()
  assert.deepEqual(await Promise.all(second), ['d!', 'e!'])
  assert.deepEqual(batches, [
    ['a', 'b', 'c'],
    ['d', 'e']
  ])
})

test('where two batches may be on their way, the second one waits until it is as large as the first', async () => {
  const { writer, batches, answers, sent } = recorder({ atOnce: 2 })
  const writes = ['a', 'b'].map((key) => writer.write({ key }))
  await sent(1)
  writes.push(writer.write({ key: 'c' }))
  await new Promise(setImmediate)
  assert.equal(batches.length, 1)
  writes.push(writer.write({ key: 'd' }))
  await sent(2)
  writes.push(writer.write({ key: 'e' }), writer.write({ key: 'f' }))
  await new Promise(setImmediate)
  assert.equal(batches.length, 2, 'and a third one until there is room')
  answers[1]!.resolve()
  await sent(3)
  answers[0]!.resolve()
  answers[2]!.resolve()
  assert.deepEqual(await Promise.all(writes), ['a!', 'b!', 'c!', 'd!', 'e!', 'f!'])
  assert.deepEqual(batches, [
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f']
  ])
})

test('writes of one key never share a batch and keep their order', async () => {
  const { writer, batches, answers, sent } = recorder()
  const all = ['a', 'b', 'a', 'a'].map((key) => writer.write({ key }))
  for (let n = 1; n <= 3; n++) {
    await sent(n)
    answers[n - 1]!.resolve()
  }
  await Promise.all(all)
  assert.deepEqual(batches, [['a', 'b'], ['a'], ['a']])
})

test('kinds have batches of their own, and a key keeps its order across them', async () => {
  const { writer, batches, answers, sent } = recorder()
  const given = [
    { key: 'a', kind: 'journal' },
    { key: 'b', kind: 'end' },
    { key: 'c', kind: 'journal' },
    { key: 'a', kind: 'end' },
    { key: 'b', kind: 'journal' }
  ]
  const all = given.map((each) => writer.write(each))
  for (let n = 1; n <= 3; n++) {
    await sent(n)
    answers[n - 1]!.resolve()
  }
  await Promise.all(all)
  assert.deepEqual(batches, [['a', 'c'], ['b', 'a'], ['b']])
})

test('large writes make small batches, and past a bound nothing more is taken', async () => {
  const { writer, batches, answers, sent } = recorder()
  const mega = 1024 * 1024
  const all = ['a', 'b', 'c'].map((key) => writer.write({ key, bytes: 5 * mega }))
  for (let n = 1; n <= 3; n++) {
    await sent(n)
    answers[n - 1]!.resolve()
  }
  await Promise.all(all)
  assert.deepEqual(batches, [['a'], ['b'], ['c']])
  const settled = Promise.allSettled(
    Array.from({ length: 30 }, (_, n) => writer.write({ key: `${n}`, bytes: 5 * mega }))
  )
  for (let n = 4; n <= 29; n++) {
    await sent(n)
    answers[n - 1]!.resolve()
  }
  const refused = (await settled).filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 4, 'of 150 MB more than the bound of 128 MB was taken')
})

test('a database that is away refuses the batch, and the next one tries anew', async () => {
  const told: string[] = []
  const { writer, answers, sent } = recorder({ onUnwritable: ({ code }) => told.push(code) })
  const refused = Promise.allSettled(['a', 'b'].map((key) => writer.write({ key })))
  await sent(1)
  answers[0]!.reject(away())
  for (const each of await refused) {
    assert.ok(each.status === 'rejected' && each.reason instanceof MillraceError)
    assert.equal(each.reason.code, 'store_unwritable')
  }
  assert.deepEqual(told, ['store_unwritable'])
  const later = writer.write({ key: 'c' })
  await sent(2)
  answers[1]!.resolve()
  assert.equal(await later, 'c!')
})

test('a faulty write is alone in being refused', async () => {
  const { writer, batches, answers, sent } = recorder()
  const all = Promise.allSettled(['a', 'bad', 'c'].map((key) => writer.write({ key })))
  await sent(1)
  answers[0]!.reject(faulty())
  await sent(2)
  answers[1]!.resolve()
  await sent(3)
  answers[2]!.reject(faulty())
  await sent(4)
  answers[3]!.resolve()
  const [a, bad, c] = await all
  assert.deepEqual([a!.status, bad!.status, c!.status], ['fulfilled', 'rejected', 'fulfilled'])
  assert.equal((bad as PromiseRejectedResult).reason.code, '23505')
  assert.deepEqual(batches, [['a', 'bad', 'c'], ['a'], ['bad'], ['c']])
})

test('transactions that stood in each other’s way are done again', async () => {
  const { writer, batches, answers, sent } = recorder()
  const done = writer.write({ key: 'a' })
  await sent(1)
  answers[0]!.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' }))
  await sent(2)
  answers[1]!.resolve()
  assert.equal(await done, 'a!')
  assert.deepEqual(batches, [['a'], ['a']])
})

test('closing settles what was handed in and takes nothing more', async () => {
  const { writer, answers, sent } = recorder()
  const first = writer.write({ key: 'a' })
  await sent(1)
  const second = writer.write({ key: 'b' })
  const closed = writer.close()
  await assert.rejects(writer.write({ key: 'c' }), { code: 'store_unwritable' })
  answers[0]!.resolve()
  await sent(2)
  answers[1]!.resolve()
  await closed
  assert.deepEqual(await Promise.all([first, second]), ['a!', 'b!'])
})
