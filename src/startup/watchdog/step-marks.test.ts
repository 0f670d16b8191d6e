import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/support/service.ts'
import { StepMarks } from './step-marks.ts'

describe('the mark of the step in hand', () => {
  it('tells the next process in which step two in a row have died', async (t) => {
    const path = join(await temporaryFolder(t), 'mark')
    const step = { seq: 2 ** 40, index: 3 }
    const first = new StepMarks(path)
    assert.deepEqual([first.isAfterDeath, first.deadly], [false, undefined])
    first.set(step)
    const second = new StepMarks(path)
    assert.deepEqual([second.isAfterDeath, second.deadly, second.suspect], [true, undefined, step])
    second.set(step)
    const third = new StepMarks(path)
    assert.deepEqual([third.isAfterDeath, third.deadly, third.suspect], [true, step, undefined])
    third.set({ seq: 7, index: 0 })
    const fourth = new StepMarks(path)
    assert.deepEqual([fourth.isAfterDeath, fourth.deadly], [true, undefined], 'another step was in hand')
    fourth.set({ seq: 7, index: 0 })
    fourth.clear()
    const fifth = new StepMarks(path)
    assert.deepEqual([fifth.isAfterDeath, fifth.deadly], [true, undefined], 'none was in hand')
    assert.equal(fifth.suspect, undefined)
    fifth.close()
    assert.equal(existsSync(path), false)
    const sixth = new StepMarks(path)
    assert.deepEqual([sixth.isAfterDeath, sixth.deadly], [false, undefined])
    sixth.close()
  })
})
