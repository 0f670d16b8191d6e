import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

const plugins = ['call.ts', 'fork.ts']

//  Webhook ┬ Fork ┬ left ── Idle ┬ Join
//          │      └ right ───────┘       (two wires to its one input)
//          ├ Passed (disabled) ─ Stamp
//          └ First ┬ data ── Good
//                  └ error ─ Second ─ Third
function branches(url: (path: string) => string) {
  const call = (id: string, more: object = {}) => ({
    id,
    type: 'call',
    fields: { url: url(`/${id}`) },
    ...more
  })
  return {
    name: 'Branches',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'fork-1', type: 'fork' },
      call('idle'),
      call('join'),
      call('passed', { disabled: true }),
      { id: 'stamp', type: 'parser', fields: { template: 'number {n}' } },
      call('first', { on_error: 'output' }),
      call('good'),
      call('second'),
      call('third')
    ],
    edges: [
      { from: 'webhook-1.data', to: 'fork-1.data' },
      { from: 'fork-1.left', to: 'idle.data' },
      { from: 'idle.data', to: 'join.data' },
      { from: 'fork-1.right', to: 'join.data' },
      { from: 'webhook-1.data', to: 'passed.data' },
      { from: 'passed.data', to: 'stamp.data' },
      { from: 'webhook-1.data', to: 'first.data' },
      { from: 'first.data', to: 'good.data' },
      { from: 'first.error', to: 'second.data' },
      { from: 'second.data', to: 'third.data' }
    ]
  }
}

const SETTLED = {
  'webhook-1': 'succeeded',
  'fork-1': 'succeeded',
  idle: 'skipped',
  join: 'succeeded',
  passed: 'succeeded',
  stamp: 'succeeded',
  first: 'failed',
  good: 'skipped',
  second: 'succeeded',
  third: 'succeeded'
}

function statuses(run: RunBody): Record<string, string> {
  return Object.fromEntries(run.steps.map((step) => [step.node, step.status]))
}

const BODY = JSON.stringify({ way: 'right', n: 7 })

describe('what a run decided', () => {
  it('holds when it is retried: what was skipped, passed by or led on is not done again', async (t) => {
    const service = await startService(t, { plugins })
    const outside = await startOutside(t)
    let isMended = false
    outside.answerAll(({ path }) => ({
      status: path === '/first' || (path === '/second' && !isMended) ? 400 : 200
    }))
    const flow = await service.createFlow(branches(outside.url))
    const failed = await service.run(flow.slug, BODY)
    assert.deepEqual([failed.status, failed.error!.node], ['failed', 'second'])
    isMended = true
    await service.post(`/api/v1/runs/${failed.id}/retry`)
    const run = await service.waitForRun(failed.id)
    assert.deepEqual([run.status, run.error, statuses(run)], ['succeeded', null, SETTLED])
    const paths = outside.calls.map(({ path }) => path).sort()
    assert.deepEqual(paths, ['/first', '/join', '/second', '/second', '/third'])
    const { error } = run.steps.find(({ node }) => node === 'first')!.outputs as { error: unknown }
    assert.deepEqual(JSON.parse(outside.calls.findLast(({ path }) => path === '/second')!.body), error)
  })

  it('holds when the process goes and another takes the run up', async (t) => {
    const service = await startService(t, { plugins })
    const outside = await startOutside(t)
    const flow = await service.createFlow(branches(outside.url))
    const id = await service.start(flow.slug, BODY)
    const calls = [await outside.next(), await outside.next()]
    for (const call of calls) call.answer({}, call.path === '/first' ? 400 : 200)
    const second = await outside.next()
    const stopped = service.stop()
    second.answer({}, 200)
    await stopped
    const again = await startService(t, { home: service.home, plugins })
    const third = await outside.next()
    third.answer()
    const run = await again.waitForRun(id)
    assert.deepEqual([run.status, statuses(run)], ['succeeded', SETTLED])
    assert.deepEqual(outside.calls.map(({ path }) => path).sort(), ['/first', '/join', '/second', '/third'])
  })
})
