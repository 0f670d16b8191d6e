import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EMPTY_JOURNAL, recall } from '../../engine/journal.ts'
import { plan } from '../../engine/plan.test-kit.ts'
import { NO_STEP_WATCH } from '../steps/step-watch.ts'
import { suspectSteps, withKiller } from './suspect-steps.ts'

const PLAN = plan('A -> B! -> C')
const RUN = { seq: 7 }

describe('a step that a process died in the middle of', () => {
  it('is put aside by the journal, where that was written for it', () => {
    const begun = [{ node: 'A', type: 'any', attempt: 1 }]
    assert.deepEqual(suspectSteps(PLAN, recall([{ at: 0, begun }])), new Set(['A']))
    assert.equal(suspectSteps(PLAN, EMPTY_JOURNAL), undefined)
  })

  it('is put aside by the mark of the death before, whatever it does', () => {
    const watch = { ...NO_STEP_WATCH, takeSuspect: (seq: number) => (seq === 7 ? 1 : undefined) }
    const recalled = withKiller(EMPTY_JOURNAL, PLAN, RUN, watch)
    assert.deepEqual(suspectSteps(PLAN, recalled), new Set(['B']))
    assert.equal(recalled.killer, undefined, 'it may only have been near')
    assert.equal(withKiller(EMPTY_JOURNAL, PLAN, { seq: 8 }, watch), EMPTY_JOURNAL)
  })

  it('is known by the marks of two deaths', () => {
    const watch = { ...NO_STEP_WATCH, takeDeadly: () => 1, takeSuspect: () => undefined }
    assert.equal(withKiller(EMPTY_JOURNAL, PLAN, RUN, watch).killer, 'B')
  })
})
