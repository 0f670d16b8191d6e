import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { manualClock, NOON } from '../../clock.test-kit.ts'
import { timetableOf } from '../../components/schedule/cron.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { Start } from '../../runs/record/new-run.ts'
import type { AcceptedRun } from '../../store/store.ts'
import type { StoredTrigger, TriggerEvent } from '../../store/triggers.ts'
import type { TriggerNode } from '../trigger-nodes.ts'
import { Schedules } from './schedules.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const KEY = { flowId: 'flow-a', node: 'schedule-1', fault: null }

interface Fields {
  readonly cron?: string
  readonly timezone?: string
  readonly missed?: string
}

function triggerOf(fields: Fields = {}, updatedAt = NOON - DAY): TriggerNode {
  const given = { cron: '* * * * *', timezone: '', missed: 'Run once, late', ...fields }
  return {
    flow: { id: KEY.flowId, slug: KEY.flowId, version: 1, updatedAt, paused: null },
    node: { id: KEY.node },
    component: { trigger: 'schedule' },
    fields: given
  } as unknown as TriggerNode
}

/** What processes share: the marks, and the runs that were started. */
class Shared {
  mark: number | null = null
  readonly started: string[] = []
  isFull = false

  startEvent = async ({ input }: Start, { mark }: TriggerEvent): Promise<AcceptedRun | undefined> => {
    if (this.isFull) throw new Error('full')
    if (this.mark !== null && this.mark >= mark) return undefined
    this.mark = mark
    const { scheduled_at, timezone, late } = JSON.parse(input.toString()) as Record<string, JsonValue>
    this.started.push(`${scheduled_at} ${timezone}${late === true ? ' late' : ''}`)
    return {} as AcceptedRun
  }
}

function process(shared = new Shared(), clock = manualClock()) {
  const faults: (string | null)[] = []
  const errors: string[] = []
  const schedules = new Schedules({
    clock,
    runs: shared,
    store: {
      setMark: async (_flow, _node, mark) => {
        shared.mark = mark
      }
    },
    fieldsOf: ({ fields }) => fields,
    timesOf: timetableOf,
    keepFault: (_flow, _node, fault) => faults.push(fault === null ? null : fault.message),
    onError: (_error, doing) => errors.push(doing)
  })
  const stored: StoredTrigger = { ...KEY, mark: shared.mark }
  schedules.recall(shared.mark === null ? [] : [stored])
  const pass = async (ms: number, step = 15_000) => {
    for (let passed = 0; passed < ms; passed += step) {
      clock.advance(Math.min(step, ms - passed))
      for (let i = 0; i < 4; i++) await turn()
    }
  }
  return { shared, clock, schedules, faults, errors, pass }
}

test('each of its times has a run, with one timer for all', async () => {
  const { shared, clock, schedules, pass } = process()
  schedules.begin(triggerOf({ timezone: 'Europe/Berlin' }), 'now')
  await pass(2.5 * MINUTE)
  assert.deepEqual(shared.started, [
    '2026-01-01T12:01:00.000Z Europe/Berlin',
    '2026-01-01T12:02:00.000Z Europe/Berlin'
  ])
  assert.equal(clock.timers, 1)
  await schedules.end(KEY.flowId, KEY.node)
  assert.equal(clock.timers, 0)
  await pass(5 * MINUTE)
  assert.equal(shared.started.length, 2)
})

test('what passed while nobody watched runs once, late, or is left out', async () => {
  for (const missed of ['Run once, late', 'Leave out']) {
    const shared = Object.assign(new Shared(), { mark: NOON - 60 * MINUTE })
    const { schedules, pass } = process(shared, manualClock(NOON + MINUTE))
    schedules.begin(triggerOf({ missed, cron: '*/10 * * * *' }), 'where it left off')
    await pass(10 * MINUTE)
    const onTime = '2026-01-01T12:10:00.000Z UTC'
    const all = missed === 'Leave out' ? [onTime] : ['2026-01-01T12:00:00.000Z UTC late', onTime]
    assert.deepEqual(shared.started, all)
  }
})

test('a version counts from when it went live, and one that begins now has missed nothing', async () => {
  const { shared, schedules, pass } = process(Object.assign(new Shared(), { mark: NOON - DAY }))
  schedules.begin(triggerOf({ cron: '30 * * * *' }, NOON - 20 * MINUTE), 'where it left off')
  await pass(MINUTE)
  assert.deepEqual(shared.started, [])
  const resumed = process(Object.assign(new Shared(), { mark: NOON - DAY }), manualClock(NOON + MINUTE))
  resumed.schedules.begin(triggerOf(), 'now')
  await resumed.pass(MINUTE - 1)
  assert.deepEqual([resumed.shared.started, resumed.shared.mark], [[], NOON + MINUTE])
})

test('what its flow refused is not made up for, whoever begins it', async () => {
  const refused = process(Object.assign(new Shared(), { mark: NOON - 60 * MINUTE }))
  const trigger = triggerOf()
  const flow = { ...trigger.flow, triggersFrom: NOON - 90_000 } as TriggerNode['flow']
  refused.schedules.begin({ ...trigger, flow }, 'where it left off')
  await refused.pass(MINUTE - 1)
  assert.deepEqual(refused.shared.started, ['2026-01-01T11:59:00.000Z UTC', '2026-01-01T12:00:00.000Z UTC'])
  const ahead = process(Object.assign(new Shared(), { mark: NOON }))
  ahead.schedules.begin({ ...trigger, flow }, 'where it left off')
  await ahead.pass(MINUTE - 1)
  assert.deepEqual(ahead.shared.started, [], 'the mark is later')
})

test('two processes start one run for a time', async () => {
  const shared = new Shared()
  const clock = manualClock()
  const [one, other] = [process(shared, clock), process(shared, clock)]
  one.schedules.begin(triggerOf(), 'where it left off')
  other.schedules.begin(triggerOf(), 'where it left off')
  await one.pass(3 * MINUTE)
  assert.deepEqual(shared.started, [
    '2026-01-01T11:59:00.000Z UTC late',
    '2026-01-01T12:00:00.000Z UTC',
    '2026-01-01T12:01:00.000Z UTC',
    '2026-01-01T12:02:00.000Z UTC',
    '2026-01-01T12:03:00.000Z UTC'
  ])
})

test('a clock that is put back waits until it has caught up, and by far goes on from there', async () => {
  const { shared, clock, schedules, pass, errors } = process()
  schedules.begin(triggerOf(), 'now')
  await pass(10 * MINUTE)
  assert.equal(shared.started.length, 10)
  const { now } = clock
  clock.now = () => now() - 5 * MINUTE
  await pass(4 * MINUTE)
  assert.equal(shared.started.length, 10)
  await pass(2 * MINUTE)
  assert.deepEqual(shared.started.slice(10), ['2026-01-01T12:11:00.000Z UTC'])
  clock.now = () => now() - 400 * DAY
  await pass(3 * MINUTE)
  assert.match(shared.started.at(-1)!, /^2024-11-27T12:1\d/)
  assert.equal(new Set(shared.started).size, shared.started.length)
  assert.deepEqual(errors, ['reading how far schedule "schedule-1" has got'])
})

test('a clock that is put forward is noticed within half a minute', async () => {
  const { shared, clock, schedules, pass } = process()
  schedules.begin(triggerOf({ cron: '0 * * * *' }), 'now')
  await pass(MINUTE)
  const { now } = clock
  clock.now = () => now() + 5 * 60 * MINUTE
  await pass(MINUTE / 2)
  assert.deepEqual(shared.started, ['2026-01-01T17:00:00.000Z UTC late'])
})

test('a time whose run cannot be taken now is tried again, and is late in the end', async () => {
  const { shared, schedules, pass, errors } = process()
  schedules.begin(triggerOf({ cron: '0 * * * *' }, NOON - 1), 'where it left off')
  shared.isFull = true
  await pass(10 * MINUTE)
  assert.deepEqual(errors, ['starting the run of schedule "schedule-1" of flow flow-a'])
  shared.isFull = false
  await pass(MINUTE)
  assert.deepEqual(shared.started, ['2026-01-01T12:00:00.000Z UTC late'])
})

test('fields that a variable made unsound are a fault of the trigger', () => {
  const { schedules, faults } = process()
  schedules.begin(triggerOf({ timezone: 'Nowhere' }), 'now')
  schedules.begin(triggerOf({ timezone: 'UTC' }), 'now')
  assert.match(faults[0]!, /Nowhere/)
  assert.equal(faults[1], null)
})

test('hundreds are begun in turns', async () => {
  const { clock, schedules } = process()
  for (let no = 0; no < 200; no++) {
    const trigger = triggerOf()
    schedules.begin({ ...trigger, flow: { ...trigger.flow, id: `flow-${no}` } } as TriggerNode, 'now')
  }
  const { stopwatch } = clock
  // Each look at the watch takes a millisecond.
  let looks = 0
  clock.stopwatch = () => stopwatch() + looks++
  clock.advance(1)
  assert.ok(looks < 20, String(looks))
  clock.turn()
  assert.ok(looks > 200)
  assert.equal(clock.timers, 1)
})
