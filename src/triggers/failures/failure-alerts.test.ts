import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { manualClock, NOON } from '../../clock.test-kit.ts'
import type { Start } from '../../runs/record/new-run.ts'
import type { AcceptedRun, StoredRun } from '../../store/store.ts'
import type { TriggerEvent } from '../../store/triggers.ts'
import type { TriggerNode } from '../trigger-nodes.ts'
import { FailureAlerts } from './failure-alerts.ts'

/** A store with runs that failed, and what was started for them. */
class Failures {
  readonly failed: { readonly no: number; readonly at: number; readonly flowId: string }[] = []
  readonly told: string[] = []
  mark: number | null = null
  room = Number.POSITIVE_INFINITY
  reads = 0

  fail(count: number, flowId = 'flow-b', at = NOON + 1): void {
    for (let i = 0; i < count; i++) this.failed.push({ no: this.failed.length + 1, at, flowId })
  }

  readonly store = {
    failures: async (after: number, limit: number) => {
      this.reads += 1
      return this.failed
        .filter(({ no }) => no > after)
        .slice(0, limit)
        .map(({ no, flowId }) => ({ no, flowId, runId: `run-${no}` }))
    },
    lastFailureBefore: async (before: number) => this.failed.findLast(({ at }) => at < before)?.no ?? 0,
    get: async (id: string) =>
      ({
        id,
        trigger: 'webhook',
        input: Buffer.from('7'),
        outcome: { status: 'failed', error: null }
      }) as unknown as StoredRun
  }

  readonly triggers = {
    setMark: async (_flow: string, _node: string, mark: number) => {
      this.mark = mark
    },
    advanceMark: async (_flow: string, _node: string, mark: number) => {
      this.mark = Math.max(this.mark ?? 0, mark)
    }
  }

  readonly runs = {
    startEvent: async ({ input }: Start, { mark }: TriggerEvent): Promise<AcceptedRun | undefined> => {
      if (this.told.length >= this.room) throw new Error('full')
      if (this.mark !== null && this.mark >= mark) return undefined
      this.mark = mark
      this.told.push((JSON.parse(input.toString()) as { run_id: string }).run_id)
      return {} as AcceptedRun
    }
  }
}

const TRIGGER = {
  flow: { id: 'flow-a', slug: 'flow-a', context: '/', updatedAt: NOON },
  node: { id: 'failed-1' },
  component: { trigger: 'run-failed' },
  fields: { flows: [] }
} as unknown as TriggerNode

function watch(failures: Failures) {
  const clock = manualClock()
  const errors: string[] = []
  const alerts = new FailureAlerts({
    clock,
    runs: failures.runs,
    store: failures.store,
    triggers: failures.triggers,
    fieldsOf: ({ fields }) => fields,
    flowOf: async (id) => ({ id, slug: id, aliases: [], context: id === 'flow-c' ? '/' : '/sales' }),
    lookMs: 1_000,
    onError: (_error, doing) => errors.push(doing)
  })
  if (failures.mark !== null) {
    alerts.recall([{ flowId: 'flow-a', node: 'failed-1', mark: failures.mark, fault: null }])
  }
  const settle = async () => {
    // As long as there is something to read, it is read on.
    for (let reads = -1; reads !== failures.reads; ) {
      reads = failures.reads
      for (let i = 0; i < 3_000; i++) {
        await turn()
        clock.turn()
      }
    }
  }
  return { alerts, clock, errors, settle }
}

test('all that failed since the version was published are told, in order, page by page', async () => {
  const failures = new Failures()
  failures.fail(3, 'flow-b', NOON - 1)
  failures.fail(450)
  const { alerts, settle } = watch(failures)
  alerts.begin(TRIGGER, 'where it left off')
  await settle()
  assert.deepEqual(
    failures.told,
    Array.from({ length: 450 }, (_, i) => `run-${i + 4}`)
  )
  await alerts.end('flow-a', 'failed-1')
})

test('what failed while its flow refused what arrived is not told, whoever begins it', async () => {
  for (const [mark, expected] of [
    [null, ['run-5']],
    [1, ['run-5']],
    [5, []]
  ] as const) {
    const failures = new Failures()
    failures.fail(4)
    failures.fail(1, 'flow-b', NOON + 10)
    failures.mark = mark
    const { alerts, settle } = watch(failures)
    const flow = { ...TRIGGER.flow, triggersFrom: NOON + 5 } as TriggerNode['flow']
    alerts.begin({ ...TRIGGER, flow }, 'where it left off')
    await settle()
    assert.deepEqual(failures.told, expected)
    await alerts.end('flow-a', 'failed-1')
  }
})

test('what cannot be started now is started later, and nothing twice', async () => {
  const failures = new Failures()
  failures.fail(5)
  failures.room = 2
  const { alerts, clock, settle, errors } = watch(failures)
  alerts.begin(TRIGGER, 'where it left off')
  await settle()
  clock.advance(1_000)
  await settle()
  assert.deepEqual([failures.told, errors], [['run-1', 'run-2'], ['starting runs for runs that failed']])
  failures.room = 10
  clock.advance(30_000)
  await settle()
  assert.deepEqual(failures.told, ['run-1', 'run-2', 'run-3', 'run-4', 'run-5'])
  // Another process goes on from the mark.
  failures.fail(1)
  const other = watch(failures)
  other.alerts.begin(TRIGGER, 'where it left off')
  alerts.runFailed()
  await settle()
  assert.deepEqual(failures.told.slice(5), ['run-6'])
})

test('those that are nobody’s business are passed over, and not looked at again after each start', async () => {
  const failures = new Failures()
  failures.fail(600, 'flow-a')
  const { alerts, settle } = watch(failures)
  alerts.begin(TRIGGER, 'where it left off')
  await settle()
  assert.deepEqual([failures.told, failures.mark], [[], 500])
})

test('one that begins now tells nothing of before', async () => {
  const failures = new Failures()
  failures.fail(2, 'flow-b', NOON)
  const { alerts, clock, settle } = watch(failures)
  alerts.begin(TRIGGER, 'now')
  await settle()
  assert.deepEqual([failures.told, failures.mark], [[], 2])
  failures.fail(1)
  clock.advance(1_000)
  await settle()
  assert.deepEqual(failures.told, ['run-3'])
  await alerts.end('flow-a', 'failed-1')
  assert.equal(clock.timers, 0)
})
