import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attempt, FlowDocument, Run, Step } from '../../../api/shapes.ts'
import type { Bar } from './bars.ts'
import { layOut } from './lay-out.ts'

const NOON = Date.parse('2026-01-31T12:00:00.000Z')
const at = (ms: number) => new Date(NOON + ms).toISOString()

function run(more: Partial<Run> = {}): Run {
  return {
    id: 'run-1',
    flow_id: 'flow-1',
    flow_version: 1,
    trigger: 'webhook',
    session: 'default',
    status: 'succeeded',
    created_at: at(0),
    started_at: at(2),
    finished_at: at(10),
    replay_of: null,
    parent: null,
    summary: '',
    test: false,
    error: null,
    input: {},
    steps: [],
    request: null,
    attempts: [],
    messages: [],
    usage: null,
    waiting: [],
    output: null,
    answer: null,
    cost: null,
    ...more
  }
}

function step(node: string, more: Partial<Step> = {}): Step {
  const facts = { node, type: 't', status: 'succeeded', attempts: 1, outputs: {}, error: null }
  return { ...facts, started_at: at(2), duration_ms: 0.25, ...more }
}

function attempt(number: number, more: Partial<Attempt>): Attempt {
  return {
    node: 'a',
    attempt: number,
    started_at: null,
    ended_at: null,
    retry_at: null,
    error: null,
    ...more
  }
}

/** A chain of nodes, each feeding the next. */
function chain(...ids: string[]): FlowDocument {
  return {
    name: 'Chain',
    slug: 'chain',
    context: '/',
    nodes: ids.map((id) => ({ id, type: 't', position: { x: 0, y: 0 }, fields: {} })),
    edges: ids.slice(1).map((id, index) => ({ from: `${ids[index]}.out`, to: `${id}.in` }))
  }
}

function drawn(bars: readonly Bar[]): string[] {
  return bars.map(({ kind, from, to, state }) => `${kind} ${from}–${to} ${state}`)
}

describe('a waterfall', () => {
  it('has the run itself above its steps, with its time in the queue', () => {
    assert.deepEqual(drawn(layOut(run(), undefined, 0).run), ['queue 0–2 queued', 'run 2–10 succeeded'])
  })

  it('begins a run that was retried where its first step did', () => {
    const steps = [step('a', { started_at: at(2) }), step('b', { started_at: at(9_000) })]
    const retried = run({ started_at: at(8_995), finished_at: at(9_004), steps })
    assert.deepEqual(drawn(layOut(retried, undefined, 0).run), ['queue 0–2 queued', 'run 2–9004 succeeded'])
  })

  it('goes on until now while the run does', () => {
    const open = run({ status: 'in progress', finished_at: null })
    assert.deepEqual(drawn(layOut(open, undefined, NOON + 500).run)[1], 'run 2–500 in progress')
    const queued = run({ status: 'queued', started_at: null, finished_at: null })
    assert.deepEqual(drawn(layOut(queued, undefined, NOON + 500).run), ['queue 0–500 queued'])
  })

  it('puts steps of one millisecond one after the other, as the graph has them', () => {
    const steps = ['a', 'b', 'c'].map((node) => step(node))
    const { rows } = layOut(run({ steps }), chain('a', 'b', 'c'), 0)
    assert.deepEqual(
      rows.map((row) => drawn(row.bars)[0]),
      ['attempt 2–2.25 succeeded', 'attempt 2.25–2.5 succeeded', 'attempt 2.5–2.75 succeeded']
    )
  })

  it('lets no step end after its run', () => {
    const late = step('a', { started_at: at(10), duration_ms: 0.75 })
    assert.deepEqual(drawn(layOut(run({ steps: [late] }), undefined, 0).run)[1], 'run 2–10.75 succeeded')
  })

  it('lets branches begin together', () => {
    const document = { ...chain('a', 'b', 'c'), edges: [] }
    const { rows } = layOut(run({ steps: [step('a'), step('b')] }), document, 0)
    assert.deepEqual(
      rows.map((row) => row.bars[0]!.from),
      [2, 2]
    )
  })

  it('shows attempts and the waits between them', () => {
    const error = { code: 'x', message: 'not now' }
    const attempts = [
      attempt(1, { started_at: at(2), ended_at: at(3), retry_at: at(6), error }),
      attempt(2, { started_at: at(7), ended_at: at(9) })
    ]
    const steps = [step('a', { attempts: 2, started_at: at(7), duration_ms: 2.5 })]
    assert.deepEqual(drawn(layOut(run({ steps, attempts }), undefined, 0).rows[0]!.bars), [
      'attempt 2–3 failed',
      'wait 3–7 waiting',
      'attempt 7–9.5 succeeded'
    ])
  })

  it('shows an attempt and a wait that go on', () => {
    const open = { status: 'in progress', finished_at: null } as const
    const going = run({
      ...open,
      steps: [step('a', { status: 'in progress' })],
      attempts: [attempt(1, { started_at: at(2) })]
    })
    assert.deepEqual(drawn(layOut(going, undefined, NOON + 50).rows[0]!.bars), ['attempt 2–50 in progress'])
    const error = { code: 'x', message: 'not now' }
    const failed = attempt(1, { started_at: at(2), ended_at: at(4), retry_at: at(900), error })
    const waiting = run({
      ...open,
      steps: [step('a', { status: 'waiting', started_at: null, duration_ms: null })],
      attempts: [failed]
    })
    assert.deepEqual(drawn(layOut(waiting, undefined, NOON + 50).rows[0]!.bars), [
      'attempt 2–4 failed',
      'wait 4–50 waiting'
    ])
    assert.equal(layOut(waiting, undefined, NOON + 50).rows[0]!.againInMs, 850)
    assert.equal(layOut(waiting, undefined, NOON + 950).rows[0]!.againInMs, 0)
    assert.equal(layOut(going, undefined, NOON + 50).rows[0]!.againInMs, undefined)
  })

  it('ends an attempt that was cut off with the run, or where the next one begins', () => {
    const attempts = [attempt(1, { started_at: at(2) }), attempt(2, { started_at: at(5) })]
    const steps = [step('a', { status: 'cancelled', started_at: null, duration_ms: null })]
    assert.deepEqual(
      drawn(layOut(run({ steps, attempts, status: 'cancelled' }), undefined, 0).rows[0]!.bars),
      ['attempt 2–5 cancelled', 'attempt 5–10 cancelled']
    )
  })

  it('has no bar for attempts from before a retry, of which no time is known', () => {
    const error = { code: 'x', message: 'not now' }
    const attempts = [
      attempt(1, { retry_at: at(5), error }),
      attempt(2, { started_at: at(6), ended_at: at(7) })
    ]
    const { rows } = layOut(run({ steps: [step('a', { duration_ms: 1 })], attempts }), undefined, 0)
    assert.deepEqual(drawn(rows[0]!.bars), ['attempt 6–7 succeeded'])
  })

  it('names the steps that an open run has not come to', () => {
    const open = run({ status: 'in progress', finished_at: null, steps: [step('a')] })
    const { rows } = layOut(open, chain('a', 'b'), NOON)
    assert.deepEqual(
      rows.map(({ node, state, bars }) => [node, state, bars.length]),
      [
        ['a', 'succeeded', 1],
        ['b', 'queued', 0]
      ]
    )
  })

  describe('of a flow with a For each', () => {
    const flow = chain('hook', 'each', 'end')
    const inside = { id: 'body', type: 't', parent: 'each', position: { x: 0, y: 0 }, fields: {} }
    const document = { ...flow, nodes: [...flow.nodes, inside] }
    const open = { status: 'waiting', finished_at: null } as const
    const listed = (more: Partial<Run>) => layOut(run(more), document, NOON).rows.map(({ node }) => node)
    const item = { trigger: 'for-each', parent: { run_id: 'r', node: 'each', index: 2 } }

    it('leaves what stands inside to the items', () => {
      assert.deepEqual(listed(open), ['hook', 'each', 'end'])
    })

    it('has only what stands inside, where it is of an item', () => {
      assert.deepEqual(listed({ ...item, ...open }), ['body'])
      const failed = step('each', { status: 'not reached' })
      assert.deepEqual(listed({ ...item, steps: [step('body'), failed] }), ['body'])
    })
  })

  it('shows steps also where the document is not to be had, or has other nodes', () => {
    const steps = [step('gone')]
    assert.equal(layOut(run({ steps }), undefined, 0).rows[0]!.node, 'gone')
    assert.deepEqual(
      layOut(run({ steps }), chain('a'), 0).rows.map(({ node }) => node),
      ['gone']
    )
  })
})
