import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CallerQueue } from './caller-queue.ts'

it('a queue of callers calls them in the order of arrival, without those who left', () => {
  const line = new CallerQueue()
  const called: number[] = []
  const leave = Array.from({ length: 5_000 }, (_, number) => line.join(() => called.push(number)))
  for (let number = 0; number < 5_000; number += 3) leave[number]!()
  for (let turn = 0; turn < 2_000; turn++) line.callNext()
  line.join(() => called.push(5_000))
  leave[4_999]!()
  while (line.callNext());
  leave[1]!()
  line.join(() => called.push(5_001))
  assert.ok(line.callNext())
  assert.equal(line.callNext(), false)
  const expected = Array.from({ length: 5_002 }, (_, number) => number)
  assert.deepEqual(
    called,
    expected.filter((number) => number >= 5_000 || (number % 3 !== 0 && number !== 4_999))
  )
})
