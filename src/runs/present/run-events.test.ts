import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOON } from '../../clock.test-kit.ts'
import type { JournalEntry } from '../../engine/journal.ts'
import { parseJson } from '../../flows/json/exact-json.ts'
import type { Change } from '../../store/store.ts'
import { encodeEntry } from '../record/journal-codec.ts'
import { encodeSteps } from '../record/step-codec.ts'
import { acceptedRun, stepRecord } from '../record/stored-run.test-kit.ts'
import { eventsOf, type RunEvent } from './run-events.ts'

const input = { order: 'a payload' }
const start = { input, request: null }
const messages = [{ id: 'm1', text: 'hi', sender: 'Machine', session: 's', createdAt: NOON }]
const TWELVE = '2026-01-01T12:00:00.000Z'

function journal(news: Partial<JournalEntry>): Change {
  const entry = encodeEntry({ at: NOON, startedAt: NOON, ...news }, start)
  return { kind: 'journal', no: 4, flowId: 'flow-1', runId: 'run-1', entry }
}

function ended(more: Partial<Extract<Change, { kind: 'ended' }>['outcome']> = {}): Change {
  const steps = encodeSteps([stepRecord('a'), stepRecord('b', { messages })], start)
  const outcome = {
    no: 6,
    status: 'succeeded',
    startedAt: NOON,
    finishedAt: NOON,
    error: null,
    steps
  } as const
  return { kind: 'ended', no: 6, flowId: 'flow-1', runId: 'run-1', outcome: { ...outcome, ...more } }
}

function told(events: readonly RunEvent[]): [id: string, event: string][] {
  return events.map(({ id, event }) => [id, event])
}

function dataOf(event: RunEvent | undefined): Record<string, unknown> {
  return JSON.parse(event!.data) as Record<string, unknown>
}

describe('events of a run', () => {
  it('tell that it was accepted, without its payload', () => {
    const [event, ...others] = eventsOf({
      kind: 'accepted',
      no: 3,
      flowId: 'flow-1',
      run: acceptedRun(3, { input: '{"x":1}' })
    })
    assert.deepEqual(others, [])
    assert.deepEqual([event!.id, event!.event], ['3.0', 'run.queued'])
    assert.deepEqual(dataOf(event), {
      run_id: 'run-3',
      status: 'queued',
      flow_id: 'flow-1',
      flow_version: 1,
      trigger: 'webhook',
      session: 'default',
      created_at: TWELVE
    })
  })

  it('tell what a checkpoint holds, numbered within it', () => {
    const error = { code: 'x', message: 'not now' }
    const change = journal({
      settled: [stepRecord('a', { messages })],
      begun: [{ node: 'b', type: 't', attempt: 2 }],
      waiting: [{ node: 'c', type: 't', attempts: 1, until: NOON, error }]
    })
    const events = eventsOf(change)
    assert.deepEqual(told(events), [
      ['4.0', 'run.started'],
      ['4.1', 'step.settled'],
      ['4.2', 'message'],
      ['4.3', 'step.started'],
      ['4.4', 'step.waiting']
    ])
    assert.deepEqual(dataOf(events[0]), {
      flow_id: 'flow-1',
      run_id: 'run-1',
      status: 'in progress',
      started_at: TWELVE
    })
    assert.deepEqual(dataOf(events[2]), {
      flow_id: 'flow-1',
      id: 'm1',
      text: 'hi',
      sender: 'Machine',
      session: 's',
      run_id: 'run-1',
      created_at: TWELVE
    })
    assert.deepEqual(dataOf(events[3]), { flow_id: 'flow-1', run_id: 'run-1', node: 'b', attempt: 2 })
    assert.deepEqual(dataOf(events[4]), {
      flow_id: 'flow-1',
      run_id: 'run-1',
      node: 'c',
      attempts: 1,
      until: TWELVE,
      error
    })
  })

  it('tell that it was opened again', () => {
    assert.deepEqual(told(eventsOf(journal({ reopened: true }))), [['4.0', 'run.queued']])
  })

  it('tell its steps, its messages and its end', () => {
    const events = eventsOf(ended())
    assert.deepEqual(told(events), [
      ['6.0', 'run.started'],
      ['6.1', 'step.settled'],
      ['6.2', 'step.settled'],
      ['6.3', 'message'],
      ['6.4', 'run.ended']
    ])
    assert.deepEqual(dataOf(events[1]).step, {
      node: 'a',
      type: 'pure',
      status: 'succeeded',
      attempts: 1,
      started_at: TWELVE,
      duration_ms: 0.4,
      outputs: { out: 'a' },
      error: null
    })
  })

  it('tell why it failed', () => {
    const error = { node: 'a', code: 'x', message: 'no' }
    const last = eventsOf(ended({ status: 'failed', error: JSON.stringify(error) })).at(-1)
    assert.deepEqual([dataOf(last).status, dataOf(last).error], ['failed', error])
  })

  it('are told for a run that ended before it began', () => {
    const last = eventsOf(ended({ status: 'cancelled', startedAt: null, steps: '[]' })).at(-1)
    assert.deepEqual([dataOf(last).status, dataOf(last).started_at], ['cancelled', null])
  })

  it('leave out what is the payload: it is read with the run', () => {
    const events = eventsOf(journal({ settled: [stepRecord('w', { outputs: { data: input } })] }))
    assert.ok(events.every(({ data }) => !data.includes('a payload')))
  })

  it('leave out outputs that are too large, and say so', () => {
    const outputs = { out: 'x'.repeat(100_000) }
    const events = eventsOf(journal({ settled: [stepRecord('a', { outputs })] }))
    const { step } = dataOf(events[1]) as { step: Record<string, unknown> }
    assert.deepEqual([step.outputs, step.outputs_omitted, step.status], [null, true, 'succeeded'])
  })

  it('keep every digit of a number', () => {
    const outputs = parseJson('{"id":12345678901234567890}') as Record<string, unknown>
    const steps = encodeSteps([stepRecord('a', { outputs })], start)
    assert.match(eventsOf(ended({ steps }))[1]!.data, /"id":12345678901234567890/)
  })

  it('are the same whenever they are made: live, or read again after a break', () => {
    for (const change of [ended(), journal({ settled: [stepRecord('a', { messages })] })])
      assert.deepEqual(eventsOf(change), eventsOf(structuredClone(change)))
  })
})
