import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Child } from '../../store/children.ts'
import { type ChildrenDeps, StepChildren, type StepOfRun } from './step-children.ts'

const RULES = { atOnce: 1, stopsOnFailure: true }
const REGION = { nodes: [{ id: 'each', effects: 'pure', component: {}, isGiven: true }] }

/** The second attempt of a For each whose inside has no effects. `recorded` is what the first one left. */
function secondAttempt(recorded: readonly Child[]) {
  const started: number[] = []
  const step = {
    run: { seq: 1, id: 'run-1', flowId: 'flow-1', flowVersion: 1, session: 'default' },
    plan: { regions: new Map([['each', REGION]]) },
    call: { node: { id: 'each', index: 1 }, attempt: 2, abort: {} },
    around: { scope: { onRunStart: [], onRunEnd: [] } },
    pause: () => undefined
  } as unknown as StepOfRun
  const deps = {
    store: {
      closeWait: async () => ({ state: 'over' }),
      children: async (_seq: number, _node: string, from: number) =>
        recorded.filter(({ index }) => index >= from),
      startChildren: async (
        _parent: object,
        _node: string,
        children: readonly { parent: { index: number } }[]
      ) => {
        started.push(...children.map(({ parent }) => parent.index))
        return []
      }
    },
    clock: { newId: () => 'id', now: () => 0 },
    persist: (write: () => Promise<unknown>) => write(),
    mayHaveDue: () => {}
  } as unknown as ChildrenDeps
  return { children: new StepChildren(step, deps), started }
}

describe('items of a step that is tried again', () => {
  it('are not run again where they are recorded; the others are runs of their own', async () => {
    const outcome = { status: 'succeeded' as const, error: null, steps: '[]' }
    const recorded = [0, 1].map((index) => ({
      seq: index,
      id: `item-${index}`,
      flowId: 'flow-1',
      index,
      outcome
    }))
    const { children, started } = secondAttempt(recorded)
    assert.equal(await children.startItems(['a', 'b', 'c', 'd'], RULES), 'started')
    assert.deepEqual(started, [2, 3])
  })
})
