import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { flowIn, pluginFiles, startWith } from './support/contexts.ts'
import { type Outside, startOutside } from './support/outside.ts'
import { pluginPaths, type Service, shiftedClock, startService } from './support/service.ts'
import { approvals, startWaiting } from './support/waiting-flows.ts'

async function runIn(service: Service, context: string, input = '{}'): Promise<RunBody> {
  const flow = await service.createFlow(flowIn(context))
  return service.run(flow.slug, input)
}

describe('onRunStart', () => {
  it('is called with the run and its decorations before the first step, ancestors first, each awaited', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        const calls = []
        context.register(async function eu (eu) {
          eu.addRunHook('onRunStart', (run) => { calls.push('eu ' + run.region + ' ' + run.input.n) })
        })
        await context.after()
        context.decorateRun('region', 'all')
        context.addRunHook('onRunStart', async () => { await new Promise(setImmediate); calls.push('sales') })
        context.component({
          type: 'calls', title: 'Calls', effects: 'pure', inputs: { data: { title: 'Data', type: 'data' } },
          outputs: { calls: { title: 'Calls', type: 'data' } }, run: () => ({ calls: calls.splice(0) })
        })
      }`
    })
    const { slug } = await service.createFlow(flowIn('/sales/eu', { type: 'calls' }))
    const run = await service.run(slug, '{"n":7}')
    assert.deepEqual(run.steps[1]!.outputs, { calls: ['sales', 'eu all 7'] })
    assert.equal((await service.run('orders', '{"order_id":1,"customer":"A"}')).status, 'succeeded')
  })

  it('that throws fails the run before its first step, and only runs that see it', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        context.addRunHook('onRunStart', async () => { throw new Error('closed today') })
      }`
    })
    const run = await runIn(service, '/sales')
    assert.equal(run.status, 'failed')
    assert.deepEqual([run.error!.node, run.error!.code], [null, 'hook_failed'])
    assert.match(run.error!.message, /onRunStart.*closed today/)
    assert.deepEqual(run.steps, [])
    assert.equal((await runIn(service, '/')).status, 'succeeded')
  })

  it('does not keep a run from being cancelled while it takes its time', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        context.addRunHook('onRunStart', () => new Promise(() => {}))
      }`
    })
    const { slug } = await service.createFlow(flowIn('/sales'))
    const id = await service.start(slug)
    const answer = await service.post(`/api/v1/runs/${id}/cancel`)
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await service.waitForRun(id)).status, 'cancelled')
  })

  it('does not keep the service from stopping; the run begins anew with the next start', async (t) => {
    const waits = {
      'sales.ts': `export default async function sales (context) {
      context.addRunHook('onRunStart', () => new Promise(() => {}))
    }`
    }
    const passes = {
      'sales.ts':
        'export default async function sales (context) { context.addRunHook("onRunStart", () => {}) }'
    }
    const service = await startWith(t, waits)
    const { slug } = await service.createFlow(flowIn('/sales'))
    const id = await service.start(slug)
    await service.stop()
    const again = await startWith(t, passes, { home: service.home })
    assert.equal((await again.waitForRun(id)).status, 'succeeded')
  })

  it('has its say before the run goes on, also where a second wait of it ends meanwhile', async (t) => {
    const sales = await pluginFiles(t, {
      'sales.ts': `export default async function sales (context) {
        let isNew = true
        context.addRunHook('onRunStart', async ({ input }) => {
          if (!isNew && !(await fetch(input.gate)).ok) throw new Error('closed')
          isNew = false
        })
      }`
    })
    const service = await startService(t, {
      env: { MILLRACE_PLUGINS: `${pluginPaths(['call.ts'])},${sales}` }
    })
    const outside = await startOutside(t)
    const flow = await service.createFlow(twoApprovals(outside))
    const { id } = await startWaiting(service, flow, JSON.stringify({ gate: outside.url('/gate') }))
    const answer = async (asked: { readonly id: string }) =>
      assert.equal((await service.post(`/api/v1/approvals/${asked.id}`, { choice: 'Approve' })).status, 200)
    const [one, other] = await approvals(service, `?status=open&flow_id=${flow.id}`)
    await answer(one!)
    const gate = await outside.next()
    await answer(other!)
    for (let looks = 0; looks < 10; looks++) await service.readRun(id)
    gate.answer({}, 500)
    assert.equal((await service.waitForRun(id)).error!.code, 'hook_failed')
    assert.deepEqual(
      outside.calls.map(({ path }) => path),
      ['/gate']
    )
  })

  it('that fails a run which it let begin before forgets nothing: a retry goes on after what was done', async (t) => {
    const { clock, advance } = shiftedClock()
    const start = async (hook: string, home: object = {}) => {
      const sales = await pluginFiles(t, {
        'sales.ts': `export default async function sales (context) {
          context.addRunHook('onRunStart', () => { ${hook} })
        }`
      })
      return startService(t, {
        ...home,
        clock,
        env: { MILLRACE_PLUGINS: `${pluginPaths(['call.ts'])},${sales}` }
      })
    }
    const service = await start('')
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(twoCalls(outside))
    const id = await service.start(slug)
    ;(await outside.next()).answer({ done: 'first' })
    const second = await outside.next()
    const stopped = service.stop()
    second.answer({}, 500)
    await stopped
    advance(120_000)
    const refusing = await start('throw new Error("closed")', service)
    const failed = await refusing.waitForRun(id)
    assert.deepEqual([failed.status, failed.error!.code], ['failed', 'hook_failed'])
    await refusing.stop()
    const again = await start('', service)
    outside.answerAll(() => ({ body: { done: 'again' } }))
    assert.equal((await again.post(`/api/v1/runs/${id}/retry`)).status, 202)
    const run = await again.waitForRun(id)
    assert.equal(run.status, 'succeeded', run.error?.message)
    const paths = outside.calls.map(({ path }) => path)
    assert.deepEqual(paths, ['/first', '/second', '/second'], 'the first call is not made twice')
  })
})

function twoCalls(outside: Outside) {
  return {
    name: 'Two calls',
    context: '/sales',
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'first', type: 'call', fields: { url: outside.url('/first') } },
      {
        id: 'second',
        type: 'call',
        fields: { url: outside.url('/second') },
        retry: { attempts: 3, backoff_ms: 60_000 }
      }
    ],
    edges: [
      { from: 'w.data', to: 'first.data' },
      { from: 'first.data', to: 'second.data' }
    ]
  }
}

/** Two approvals beside each other, each with a call after it. */
function twoApprovals(outside: Outside) {
  const ways = ['1', '2'].map((way) => ({
    nodes: [
      { id: `ask-${way}`, type: 'approve', fields: { question: way } },
      { id: `call-${way}`, type: 'call', fields: { url: outside.url('/call') } }
    ],
    edges: [
      { from: 'w.data', to: `ask-${way}.data` },
      { from: `ask-${way}.approve`, to: `call-${way}.data` }
    ]
  }))
  return {
    name: 'Two approvals',
    context: '/sales',
    nodes: [{ id: 'w', type: 'webhook' }, ...ways.flatMap(({ nodes }) => nodes)],
    edges: ways.flatMap(({ edges }) => edges)
  }
}

/** A component that puts out what hooks have noted in `notes` since it was asked last. */
const NOTES = `const notes = []
  context.component({
    type: 'notes', title: 'Notes', effects: 'pure', inputs: { data: { title: 'Data', type: 'data' } },
    outputs: { notes: { title: 'Notes', type: 'data' } }, run: () => ({ notes: notes.splice(0) })
  })`

describe('onRunEnd', () => {
  it('is told how every run ended when that is durable, ancestors first', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        ${NOTES}
        context.register(async function eu (eu) {
          eu.addRunHook('onRunEnd', (run, end) => { notes.push('eu ' + end.status) })
        })
        await context.after()
        context.addRunHook('onRunEnd', async (run, { status, error }) => {
          await null
          notes.push(['sales', run.input.n, status, error && error.node + ': ' + error.code].join(' '))
        })
      }`
    })
    const good = await service.createFlow(flowIn('/sales/eu'))
    const bad = await service.createFlow(
      flowIn('/sales', { type: 'parser', fields: { template: '{absent}' } })
    )
    const reader = await service.createFlow({ ...flowIn('/sales', { type: 'notes' }), slug: 'reader' })
    await service.run(good.slug, '{"n":1}')
    await service.run(bad.slug, '{"n":2}')
    const run = await service.run(reader.slug)
    assert.deepEqual(run.steps[1]!.outputs, {
      notes: ['sales 1 succeeded ', 'eu succeeded', 'sales 2 failed n: template_missing_key']
    })
  })

  it('is told of runs too that were cancelled before they began, or between two attempts', async (t) => {
    const plugins = await pluginFiles(t, {
      'sales.ts': `export default async function sales (context) {
        ${NOTES}
        context.addRunHook('onRunEnd', (run, end) => { notes.push(run.input.n + ' ' + end.status) })
        context.addRunHook('onRunEnd', () => { throw new Error('in vain') })
      }`
    })
    const service = await startService(t, {
      env: { MILLRACE_PLUGINS: `${plugins},${pluginPaths(['call.ts'])}` }
    })
    const outside = await startOutside(t)
    const call = { type: 'call', fields: { url: outside.url() } }
    const retry = { attempts: 2, backoff_ms: 3_600_000, max_backoff_ms: 3_600_000 }
    const one = await service.createFlow(flowIn('/sales', { ...call, retry }, { concurrency: 1 }))
    const reader = await service.createFlow({ ...flowIn('/sales', { type: 'notes' }), slug: 'reader' })
    const events = await service.events(one.id)
    const going = await service.start(one.slug, '{"n":1}')
    const first = await outside.next()
    const queued = await service.start(one.slug, '{"n":2}')
    assert.equal((await service.post(`/api/v1/runs/${queued}/cancel`)).status, 200)
    first.answer({}, 503)
    await events.until(({ event }) => event === 'step.waiting')
    assert.equal((await service.post(`/api/v1/runs/${going}/cancel`)).status, 200)
    const run = await service.run(reader.slug)
    assert.deepEqual(run.steps[1]!.outputs, { notes: ['2 cancelled', '1 cancelled'] })
  })

  it('that throws changes nothing, neither for the run nor for the hooks after it', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        ${NOTES}
        context.addRunHook('onRunEnd', () => { throw new Error('at once') })
        context.addRunHook('onRunEnd', async () => { throw new Error('later') })
        context.addRunHook('onRunEnd', (run, end) => { notes.push(end.status) })
      }`
    })
    const { slug } = await service.createFlow(flowIn('/sales', { type: 'notes' }))
    assert.equal((await service.run(slug)).status, 'succeeded')
    const run = await service.run(slug)
    assert.equal(run.status, 'succeeded')
    assert.deepEqual(run.steps[1]!.outputs, { notes: ['succeeded'] })
  })
})

describe('onStep', () => {
  it('that throws fails the attempt, and the next one may succeed', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        context.component({
          type: 'echo', title: 'Echo', effects: 'external',
          inputs: { data: { title: 'Data', type: 'data' } }, outputs: { data: { title: 'Data', type: 'data' } },
          run: ({ inputs }) => ({ data: inputs.data })
        })
        context.addRunHook('onStep', (step, next) => {
          if (step.node === 'n' && step.attempt === 1) throw new Error('not yet')
          return next()
        })
      }`
    })
    const once = await service.createFlow(flowIn('/sales', { type: 'echo' }))
    const run = await service.run(once.slug)
    assert.deepEqual([run.status, run.error!.node], ['failed', 'n'])
    assert.match(run.error!.message, /not yet/)
    const document = flowIn('/sales', { type: 'echo', retry: { attempts: 2, backoff_ms: 0 } })
    const twice = await service.createFlow({ ...document, slug: 'twice' })
    const second = await service.run(twice.slug, '{"a":1}')
    assert.equal(second.status, 'succeeded', second.error?.message)
    assert.deepEqual([second.steps[1]!.attempts, second.steps[1]!.outputs], [2, { data: { a: 1 } }])
  })

  it('sees inputs, fields and the run, and what it returns is what the step puts out', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        context.addRunHook('onStep', async ({ node, inputs, fields, run }, next) => {
          const outputs = await next()
          if (node !== 'n') return outputs
          return { parsed_text: [outputs.parsed_text, inputs.data.a, fields.mode, run.trigger].join(' ') }
        })
      }`
    })
    const { slug } = await service.createFlow(flowIn('/sales'))
    const run = await service.run(slug, '{"a":1}')
    assert.deepEqual(run.steps[1]!.outputs, { parsed_text: '{\n  "a": 1\n} 1 Stringify webhook' })
  })
})
