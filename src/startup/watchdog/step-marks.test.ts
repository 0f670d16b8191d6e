import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/support/service.ts'
import { StepMarks } from './step-marks.ts'

describe('the mark of the step in hand', () => {
  it('tells the next process in which step this one died', async (t) => {
    const path = join(await temporaryFolder(t), 'mark')
    const first = new StepMarks(path)
    assert.deepEqual([first.isAfterDeath, first.deadly], [false, undefined])
    first.set({ seq: 2 ** 40, index: 3 })
    const second = new StepMarks(path)
    assert.deepEqual([second.isAfterDeath, second.deadly], [true, { seq: 2 ** 40, index: 3 }])
    second.set({ seq: 7, index: 0 })
    second.clear()
    const third = new StepMarks(path)
    assert.deepEqual([third.isAfterDeath, third.deadly], [true, undefined])
    third.close()
    assert.equal(existsSync(path), false)
    const fourth = new StepMarks(path)
    assert.deepEqual([fourth.isAfterDeath, fourth.deadly], [false, undefined])
    fourth.close()
  })
})
