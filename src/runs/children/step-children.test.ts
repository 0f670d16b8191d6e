import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Child } from '../../store/children.ts'
import type { StoredRun } from '../../store/store.ts'
import { encodeEntry } from '../record/journal-codec.ts'
import { runStartOf } from '../record/run-start.ts'
import { storedRun } from '../record/stored-run.test-kit.ts'
import type { ChildrenDeps, StepOfRun } from './children-deps.ts'
import { StepChildren } from './step-children.ts'

const RULES = { atOnce: 1, stopsOnFailure: true }
const REGION = { nodes: [{ id: 'each', effects: 'pure', component: {}, isGiven: true }] }

interface Left {
  /** The children. */
  readonly recorded: readonly Child[]
  /** What the store has of the run and its children, by id. */
  readonly runs?: ReadonlyMap<string, StoredRun>
  readonly state?: 'open' | 'over'
}

/** The second attempt of a For each whose inside has no effects, with what the first one left. */
function secondAttempt({ recorded, runs = new Map(), state = 'over' }: Left) {
  const started: number[] = []
  const reopened: string[] = []
  /** How many were opened again with each write. */
  const writes: number[] = []
  const abort: { reason?: Error } = {}
  const step = {
    run: { seq: 1, id: 'run-1', flowId: 'flow-1', flowVersion: 1, session: 'default' },
    plan: { regions: new Map([['each', REGION]]) },
    call: { node: { id: 'each', index: 1 }, attempt: 2, abort },
    around: { scope: { onRunStart: [], onRunEnd: [] } },
    pause: () => undefined
  } as unknown as StepOfRun
  const deps = {
    store: {
      closeWait: async () => ({ state }),
      get: async (id: string) => runs.get(id),
      first: async (seqs: readonly number[]) => [...runs.values()].filter(({ seq }) => seqs.includes(seq)),
      reopenChildren: async (_parent: object, _node: string, children: readonly { run: StoredRun }[]) => {
        writes.push(children.length)
        reopened.push(...children.map(({ run }) => run.id))
      },
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
  return { children: new StepChildren(step, deps), started, reopened, writes, abort }
}

describe('items of a step that is tried again', () => {
  it('are not run again where they are recorded; the others are runs of their own', async () => {
    const outcome = { status: 'succeeded' as const, finishedAt: 9, error: null, steps: '[]' }
    const recorded = [0, 1].map((index) => ({
      seq: index,
      id: `item-${index}`,
      flowId: 'flow-1',
      index,
      outcome
    }))
    const { children, started } = secondAttempt({ recorded })
    assert.equal(await children.startItems(['a', 'b', 'c', 'd'], RULES), 'started')
    assert.deepEqual(started, [2, 3])
  })

  it('are all opened again that had failed before, also where the process died in the midst of that', async () => {
    const run = storedRun(1)
    const waiting = [{ node: 'each', type: 'for-each', attempts: 1, until: 0, error: null }]
    const journal = [encodeEntry({ at: 1_000, startedAt: 5, reopened: true, waiting }, runStartOf(run))]
    const outcome = { no: 1, status: 'cancelled' as const, startedAt: 5, error: null, steps: '[]' }
    const parent = { seq: 1, runId: run.id, flowId: run.flowId, node: 'each', depth: 1, isAwaited: true }
    const items = [900, 1_100, 950].map((finishedAt, index) => ({
      ...storedRun(2 + index),
      parent: { ...parent, index },
      outcome: { ...outcome, finishedAt }
    }))
    const runs = new Map<string, StoredRun>([{ ...run, journal }, ...items].map((each) => [each.id, each]))
    const recorded = items.map(({ seq, id, flowId, outcome, parent: { index } }) => ({
      seq,
      id,
      flowId,
      index,
      outcome
    }))
    const { children, reopened } = secondAttempt({ recorded, runs, state: 'open' })
    await children.startItems(['a', 'b', 'c'], RULES)
    assert.deepEqual(reopened, [items[0]!.id, items[2]!.id])
  })

  it('are opened again many at a time', async () => {
    const outcome = {
      no: 1,
      status: 'cancelled' as const,
      startedAt: 5,
      error: null,
      steps: '[]',
      finishedAt: 9
    }
    const parent = { seq: 1, runId: 'run-1', flowId: 'flow-1', node: 'each', depth: 1, isAwaited: true }
    const items = Array.from({ length: 450 }, (_, index) => ({
      ...storedRun(2 + index),
      parent: { ...parent, index },
      outcome
    }))
    const runs = new Map<string, StoredRun>(items.map((each) => [each.id, each]))
    const recorded = items.map((item) => ({ ...item, index: item.parent.index }))
    const { children, reopened, writes } = secondAttempt({ recorded, runs })
    await children.startItems(items, RULES)
    assert.deepEqual([reopened.length, new Set(reopened).size, writes.length], [450, 450, 5])
  })
})

describe('children of an attempt that is over', () => {
  it('are not started: its run may be on its way along the error output', async () => {
    const { children, started, abort } = secondAttempt({ recorded: [] })
    const starting = children.startItems(['a'], RULES)
    abort.reason = new Error('The step took too long.')
    await assert.rejects(starting, abort.reason)
    assert.deepEqual(started, [])
  })
})

describe('a run that nobody waits for', () => {
  it('is left as it ended when the step that started it is tried again', async () => {
    const outcome = { status: 'failed' as const, finishedAt: 9, error: null, steps: '[]' }
    const run = { ...storedRun(2), outcome: { ...outcome, no: 1, startedAt: 5 } }
    const recorded = [{ seq: run.seq, id: run.id, flowId: run.flowId, index: 0, outcome }]
    const { children, reopened } = secondAttempt({ recorded, runs: new Map([[run.id, run]]) })
    assert.equal(await children.startFlow('flow-1', {}, false), run.id)
    assert.deepEqual(reopened, [])
  })
})
