import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Plan } from '../../engine/plan.ts'
import type { RunScope } from '../steps/run-scope.ts'
import { isExecutedInPlace } from './item-executor.ts'

interface Inside {
  readonly effects: 'pure' | 'external'
  readonly component: { readonly resume?: () => void }
}

const PURE: Inside = { effects: 'pure', component: {} }
const QUIET = { onRunStart: [], onRunEnd: [] }

function isInPlace(nodes: readonly Inside[], hooks: object = {}): boolean {
  return isExecutedInPlace({ nodes } as unknown as Plan, { ...QUIET, ...hooks } as unknown as RunScope)
}

describe('items are executed where their parent is', () => {
  it('where nothing inside reaches outside or waits', () => {
    assert.equal(isInPlace([PURE, PURE]), true)
    assert.equal(isInPlace([PURE, { effects: 'external', component: {} }]), false)
    assert.equal(isInPlace([PURE, { effects: 'pure', component: { resume() {} } }]), false)
  })

  it('where no hook is to hear of their beginning or their end', () => {
    assert.equal(isInPlace([PURE], { onRunStart: [() => {}] }), false)
    assert.equal(isInPlace([PURE], { onRunEnd: [() => {}] }), false)
  })
})
