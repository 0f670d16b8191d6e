import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Plan } from '../../engine/plan.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { ParentRef, RunStore, StoredRun } from '../../store/store.ts'
import { FLOW_TRIGGER, ITEM_TRIGGER } from '../children/run-result.ts'
import { storedRun } from '../record/stored-run.test-kit.ts'
import { documentOfRun, PlansOfRuns } from './plan-of-run.ts'

const parentRef = (parent: StoredRun, node: string): ParentRef => ({
  seq: parent.seq,
  runId: parent.id,
  flowId: parent.flowId,
  node,
  index: 0,
  depth: 1,
  isAwaited: true
})

/** A test of a draft, which runs another flow, which has items. */
const test: StoredRun = { ...storedRun(1), flowId: 'flow-a', isTest: true }
const itemOfTest: StoredRun = {
  ...test,
  seq: 2,
  id: 'run-2',
  trigger: ITEM_TRIGGER,
  parent: parentRef(test, 'each')
}
const called: StoredRun = {
  ...storedRun(3),
  flowId: 'flow-b',
  flowVersion: 7,
  isTest: true,
  trigger: FLOW_TRIGGER,
  parent: parentRef(test, 'call')
}
const item: StoredRun = {
  ...called,
  seq: 4,
  id: 'run-4',
  trigger: ITEM_TRIGGER,
  parent: parentRef(called, 'each')
}

const runs = new Map([test, itemOfTest, called, item].map((run) => [run.id, run]))

/** As the store has it: of all that are below a test, the document that is tried out. */
const store = {
  get: async (id: string) => runs.get(id),
  testDocument: async () => '{"name":"draft of a"}',
  testScope: async () => undefined
} as unknown as RunStore

const REGION = {} as Plan
const library = {
  plan: (id: string, version: number) => ({ id: `${id}@${version}`, regions: new Map([['each', REGION]]) }),
  version: async (id: string, version: number) => ({ document: `{"name":"${id}@${version}"}` })
} as unknown as FlowLibrary

describe('below a test', () => {
  it('other flows run as they are live, and so do their items', async () => {
    const plans = new PlansOfRuns(store, library)
    assert.deepEqual((await plans.of(called)) as { id?: string }, library.plan('flow-b', 7))
    assert.equal(await plans.of(item), REGION)
  })

  it('an item shows the document of the run that it is a part of', async () => {
    const nameOf = async (run: StoredRun) => (await documentOfRun(run, store, library)).name
    assert.equal(await nameOf(test), 'draft of a')
    assert.equal(await nameOf(itemOfTest), 'draft of a')
    assert.equal(await nameOf(called), 'flow-b@7')
    assert.equal(await nameOf(item), 'flow-b@7')
  })
})
