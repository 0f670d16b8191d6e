import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { storedRun } from '../record/stored-run.test-kit.ts'
import { RunMemory, weightOf } from './run-memory.ts'

const weigh = (input: string, journal: string[] = []) => weightOf({ run: storedRun(1, { input }), journal })

describe('what a run holds in memory', () => {
  it('is told by what it was given once that is read, and not by its length alone', () => {
    const units = ['{},', '[1],', '{"a":{}},', '"text of a letter",']
    const [objects, lists, nested, texts] = units.map((unit) =>
      weigh(`[${unit.repeat(9_000 / unit.length)}1]`)
    )
    assert.ok(objects! > 9_000 * 21 && lists! > 9_000 * 16 && nested! > 9_000 * 11)
    assert.ok(texts! < 9_000 * 8)
  })

  it('is by what a journal holds too', () => {
    assert.equal(weigh('{}', ['{},'.repeat(999), '[]']) - weigh('{}'), weigh('{},'.repeat(999)) + weigh('[]'))
  })
})

describe('the memory of runs under way', () => {
  it('has room until its bound is reached, and for any run where there is none', () => {
    const memory = new RunMemory(100)
    memory.take('a', 99)
    assert.equal(memory.hasRoom, true)
    memory.take('b', 1_000)
    assert.deepEqual([memory.hasRoom, memory.hasRoomFor('c')], [false, false])
    memory.give('b', 1_000)
    assert.deepEqual([memory.hasRoom, memory.hasRoomFor('c')], [true, true])
  })

  it('is never all for one flow', () => {
    const memory = new RunMemory(100)
    memory.take('a', 75)
    assert.deepEqual([memory.hasRoomFor('a'), memory.hasRoomFor('b')], [false, true])
    memory.give('a', 75)
    assert.equal(memory.hasRoomFor('a'), true)
  })
})
