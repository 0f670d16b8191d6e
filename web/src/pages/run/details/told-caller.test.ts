import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowDocument, Run } from '../../../api/shapes.ts'
import { toldCaller } from './told-caller.ts'

const REQUEST = { method: 'POST', headers: {}, query: {}, address: '10.0.0.7' }
const at = (ms: number) => new Date(Date.parse('2026-01-31T12:00:00.000Z') + ms).toISOString()

function run(more: Partial<Run> = {}): Run {
  return {
    answer: null,
    created_at: at(0),
    finished_at: at(20),
    output: null,
    replay_of: null,
    request: REQUEST,
    status: 'succeeded',
    steps: [],
    test: false,
    trigger: 'webhook',
    ...more
  } as Run
}

function flow(fields: object): FlowDocument {
  return { nodes: [{ id: 'webhook-1', type: 'webhook', fields }] } as unknown as FlowDocument
}

const WAITS = flow({ respond: 'When the flow answers' })
const ANSWER = {
  node: 'respond-1',
  status: 201,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: '{"id":7}',
  file: null,
  at: at(5)
}

describe('what the caller of a flow was told', () => {
  it('is what its Respond said, as what it is, and after how long', () => {
    const told = toldCaller(run({ answer: ANSWER }), WAITS)!
    assert.deepEqual(
      [told.who, told.status, told.node, told.afterMs, told.body],
      ['caller', 201, 'respond-1', 5, { id: 7 }]
    )
    const file = { file: 'file_1', filename: 'a.pdf', content_type: 'application/pdf', size: 3 }
    assert.deepEqual(toldCaller(run({ answer: { ...ANSWER, file, body: '' } }), WAITS)!.body, file)
  })

  it('is what the run came to, where nothing answered', () => {
    const steps = [{ node: 'return-1', type: 'return', status: 'succeeded' }] as unknown as Run['steps']
    const statusOf = (more: Partial<Run>) => toldCaller(run(more), WAITS)?.status
    assert.deepEqual(
      [statusOf({ steps }), statusOf({}), statusOf({ status: 'failed' }), statusOf({ finished_at: null })],
      [200, 204, 500, undefined]
    )
    assert.equal(toldCaller(run(), flow({})), undefined)
  })

  it('reaches nobody in a replay, a test and where nobody waits, and is too late after the time of the Webhook', () => {
    const who = (more: Partial<Run>, document = WAITS) =>
      toldCaller(run({ answer: ANSWER, ...more }), document)!.who
    assert.equal(who({ replay_of: 'run-1' }), 'nobody')
    assert.equal(who({ test: true }), 'nobody')
    assert.equal(who({}, flow({})), 'nobody')
    const late = flow({ respond: 'When the flow answers', respond_within: '1s' })
    assert.equal(who({ answer: { ...ANSWER, at: at(2_000) } }, late), 'too late')
  })
})
