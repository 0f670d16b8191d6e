import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOON } from '../../clock.test-kit.ts'
import type { JournalEntry } from '../../engine/journal.ts'
import { inTurns, type Turns } from '../../flows/in-turns.ts'
import { ExactNumber } from '../../flows/json/exact-json.ts'
import type { JsonBytes } from '../../flows/json/json-bytes.ts'
import { inputStartOf } from '../../store/input-start.ts'
import type { StoredOutcome, StoredRun } from '../../store/store.ts'
import { encodeEntry } from '../record/journal-codec.ts'
import { encodeSteps } from '../record/step-codec.ts'
import { stepRecord, storedRun } from '../record/stored-run.test-kit.ts'
import { presentRun, presentSummary } from './present-run.ts'
import type { PresentedRun } from './run-shape.ts'
import { timeText } from './time-text.ts'

const NO_GIVENS = { input: {}, request: null }
const TWELVE = '2026-01-01T12:00:00.000Z'

function presented(run: StoredRun, isActive: boolean): PresentedRun {
  return inTurns(presentRun(run, isActive), { pause: () => undefined }) as PresentedRun
}

function outcome(more: Partial<StoredOutcome> = {}): StoredOutcome {
  const steps = encodeSteps(
    [stepRecord('parser-1', { type: 'parser', outputs: { parsed_text: 'Order 7' } })],
    NO_GIVENS
  )
  return { no: 9, status: 'succeeded', startedAt: NOON, finishedAt: NOON + 5, error: null, steps, ...more }
}

function entry(news: Partial<JournalEntry>): string {
  return encodeEntry({ at: NOON, startedAt: NOON, ...news }, NO_GIVENS)
}

describe('a run as the API shows it', () => {
  it('has the members of the contract', () => {
    const run = storedRun(7, { input: '{"order_id":7}', outcome: outcome() })
    assert.deepEqual(presented(run, false), {
      id: 'run-7',
      flow_id: 'flow-1',
      flow_version: 1,
      trigger: 'webhook',
      session: 'default',
      status: 'succeeded',
      created_at: TWELVE,
      started_at: TWELVE,
      finished_at: '2026-01-01T12:00:00.005Z',
      replay_of: null,
      parent: null,
      test: false,
      error: null,
      summary: 'order_id: 7',
      input: { order_id: 7 },
      steps: [
        {
          node: 'parser-1',
          type: 'parser',
          status: 'succeeded',
          attempts: 1,
          started_at: TWELVE,
          duration_ms: 0.4,
          outputs: { parsed_text: 'Order 7' },
          error: null
        }
      ],
      request: null,
      attempts: [],
      messages: [],
      output: null,
      answer: null,
      usage: null,
      cost: null,
      waiting: []
    })
  })

  it('has what came with the request, without its payload', () => {
    const request = ['POST', '/hook?a=1&a=2', '::1', 'x-shop', 'eu']
    const run = presented(storedRun(1, { request: JSON.stringify(request) }), false)
    assert.deepEqual(run.request, {
      method: 'POST',
      headers: { 'x-shop': 'eu' },
      query: { a: ['1', '2'] },
      address: '::1'
    })
  })

  it('has every attempt of a step that reaches outside', () => {
    const error = { code: 'x', message: 'not now' }
    const journal = [
      entry({ begun: [{ node: 'a', type: 't', attempt: 1 }] }),
      entry({ at: NOON + 5, waiting: [{ node: 'a', type: 't', attempts: 1, until: NOON + 9, error }] })
    ]
    assert.deepEqual(presented(storedRun(1, { journal }), true).attempts, [
      {
        node: 'a',
        attempt: 1,
        started_at: TWELVE,
        ended_at: '2026-01-01T12:00:00.005Z',
        retry_at: '2026-01-01T12:00:00.009Z',
        error
      }
    ])
  })

  it('keeps every digit of its input', () => {
    assert.deepEqual(presented(storedRun(1, { input: '1.10' }), false).input, new ExactNumber('1.10'))
  })

  it('shows why it failed', () => {
    const error = { node: 'a', code: 'x', message: 'Node "a" failed' }
    const run = storedRun(1, { outcome: outcome({ status: 'failed', error: JSON.stringify(error) }) })
    assert.deepEqual([presented(run, false).status, presented(run, false).error], ['failed', error])
  })

  it('has the messages that it printed, with the node, and not inside its steps', () => {
    const messages = [{ id: 'm', text: 'hi', sender: 'Machine', session: 's', createdAt: NOON }]
    const steps = encodeSteps([stepRecord('a', { messages })], NO_GIVENS)
    const run = presented(storedRun(1, { outcome: outcome({ steps }) }), false)
    assert.ok(!('messages' in run.steps![0]!))
    assert.deepEqual(run.messages, [
      { id: 'm', node: 'a', session: 's', sender: 'Machine', text: 'hi', created_at: TWELVE }
    ])
  })
})

describe('a run with a long payload', () => {
  const objects = `[${'{},'.repeat(340_000)}1.10]`
  const given = { type: 'webhook', outputs: { data: [] } }
  const stored = { input: given.outputs.data, request: null }

  it('is shown as it came, wherever it stands, in turns', () => {
    const steps = encodeSteps([stepRecord('w', given), stepRecord('p')], stored)
    const run = storedRun(1, { input: objects, outcome: outcome({ steps }) })
    const turns = [...turnsOf(presentRun(run, false))]
    const { input, steps: shown } = turns.at(-1)!.value as PresentedRun
    assert.equal(Buffer.from((input as JsonBytes).bytes).toString(), objects)
    assert.equal(shown![0]!.outputs!.data, input)
    assert.deepEqual(shown![1]!.outputs, { out: 'p' })
    assert.ok(turns.length > 20)
  })

  it('is text where it is not JSON, and what is not a character is replaced', () => {
    const text = `{"a":"${'x'.repeat(70_000)}`
    assert.deepEqual(presented(storedRun(1, { input: text }), false).input, { payload: text })
    const bytes = Buffer.from(`\uFEFF${text}?"}`)
    bytes[bytes.length - 3] = 0xff
    const { input } = presented({ ...storedRun(1), input: bytes }, false)
    assert.equal(JSON.stringify(input), `${text}\uFFFD"}`)
  })

  it('has its steps read one by one where they are long', () => {
    const outputs = { text: `,]"\\[${'x'.repeat(50_000)}`, list: [[1], {}] }
    const records = ['a', 'b', 'c'].map((node) => stepRecord(node, { outputs }))
    const run = storedRun(1, { outcome: outcome({ steps: encodeSteps(records, NO_GIVENS) }) })
    assert.deepEqual(
      presented(run, false).steps!.map((step) => step.outputs),
      [outputs, outputs, outputs]
    )
    assert.equal([...turnsOf(presentRun(run, false))].length, 4)
  })
})

function* turnsOf<T>(work: Turns<T>): Generator<IteratorResult<void, T>> {
  for (let turn = work.next(); ; turn = work.next()) {
    yield turn
    if (turn.done === true) return
  }
}

describe('the status of an open run', () => {
  it('is queued until it begins', () => {
    const shown = presented(storedRun(1), false)
    assert.deepEqual(
      [shown.status, shown.started_at, shown.finished_at, shown.steps],
      ['queued', null, null, []]
    )
  })

  it('is in progress while it goes on, or once it has a checkpoint', () => {
    assert.equal(presented(storedRun(1), true).status, 'in progress')
    const begun = [{ node: 'a', type: 't', attempt: 1 }]
    const shown = presented(storedRun(1, { journal: [entry({ begun })] }), false)
    assert.deepEqual([shown.status, shown.started_at], ['in progress', TWELVE])
  })

  it('shows steps as far as its checkpoints tell', () => {
    const error = { code: 'x', message: 'not now' }
    const journal = [
      entry({ begun: [{ node: 'b', type: 't', attempt: 2 }], settled: [stepRecord('a')] }),
      entry({ waiting: [{ node: 'c', type: 't', attempts: 3, until: NOON + 9, error }] })
    ]
    const steps = presented(storedRun(1, { journal }), true).steps!
    assert.deepEqual(
      steps.map(({ node, status, attempts, error }) => [node, status, attempts, error]),
      [
        ['a', 'succeeded', 1, null],
        ['b', 'in progress', 2, null],
        ['c', 'waiting', 3, error]
      ]
    )
  })
})

describe('a run in a list', () => {
  const inputStart = { text: '{"order_id":7,"text":"Where is', isCut: true }

  it('has one line of its input', () => {
    const { input: _, request: __, journal: ___, ...summary } = storedRun(1)
    const shown = presentSummary({ ...summary, firstEntry: null, inputStart }, false)
    assert.equal(shown.summary, 'order_id: 7 · text: Where is')
  })

  it('has the same line as by itself, also where a character stands across the cut', () => {
    const run = storedRun(1, { input: `{"n":1,"t":"${'é'.repeat(900)}"}` })
    const { input, request: __, journal: ___, ...summary } = run
    const found = { ...summary, firstEntry: null, inputStart: inputStartOf(input) }
    assert.ok(!found.inputStart.text.includes('\ufffd'))
    assert.equal(presentSummary(found, false).summary, presented(run, false).summary)
  })

  it('has neither input nor steps', () => {
    const { input: _, request: __, journal: ___, ...summary } = storedRun(1, { outcome: outcome() })
    const shown = presentSummary({ ...summary, firstEntry: null, inputStart }, false)
    assert.ok(!('input' in shown) && !('steps' in shown))
    assert.deepEqual([shown.status, shown.started_at], ['succeeded', TWELVE])
  })

  it('is in progress since it has a journal', () => {
    const { input: _, request: __, journal: ___, ...summary } = storedRun(1)
    const shown = (firstEntry: string | null) => {
      const { status, started_at } = presentSummary({ ...summary, firstEntry, inputStart }, false)
      return [status, started_at]
    }
    assert.deepEqual(shown(encodeEntry({ at: NOON + 5, startedAt: NOON }, NO_GIVENS)), [
      'in progress',
      TWELVE
    ])
    assert.deepEqual(shown(null), ['queued', null])
  })
})

describe('timeText', () => {
  it('is ISO 8601, or nothing', () => {
    assert.equal(timeText(NOON), TWELVE)
    assert.equal(timeText(null), null)
  })
})
