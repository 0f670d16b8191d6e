import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiClient, type RunBody } from './support/api-client.ts'
import { callFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'

interface ListenOptions {
  readonly host: string
  readonly port: number
}

const plugins = ['call.ts']

describe('a restart', () => {
  it('takes up what was left before what arrives while it starts, and loses neither', async (t) => {
    const service = await startService(t, { plugins })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    const ids: string[] = []
    for (const n of [1, 2, 3]) ids.push(await service.start(flow.slug, String(n)))
    const first = await outside.next()
    const stopped = service.stop()
    first.answer()
    await stopped
    const again = await startService(t, {
      home: service.home,
      plugins,
      // The first request comes in the very moment in which somebody listens.
      prepare: ({ app }) => {
        const listen = app.listen.bind(app) as (options: ListenOptions) => Promise<string>
        const listenAndHear = async (options: ListenOptions) => {
          const address = await listen(options)
          ids.push(await new ApiClient(t, address, service.key).start(flow.slug, '4'))
          return address
        }
        Object.assign(app, { listen: listenAndHear })
      }
    })
    for (const n of [2, 3, 4]) {
      const call = await outside.next()
      assert.equal(call.body, String(n))
      call.answer()
    }
    for (const id of ids) assert.equal((await again.waitForRun(id)).status, 'succeeded')
    assert.equal(outside.calls.length, 4)
    assert.match((await again.get('/metrics')).text, /^millrace_backlog_runs 0$/m)
  })

  it('goes on with a run that waits for its next attempt', async (t) => {
    const service = await startService(t, { plugins })
    const outside = await startOutside(t)
    outside.answerAll(({ headers }) => ({ status: headers['x-attempt'] === '1' ? 503 : 200 }))
    // The time of the next attempt comes while nobody runs.
    const retry = { attempts: 2, backoff_ms: 20 }
    const flow = await service.createFlow(callFlow(outside.url(), { call: { retry } }))
    const events = await service.events(flow.id)
    const id = await service.start(flow.slug)
    await events.until(({ event }) => event === 'step.waiting')
    await service.stop()
    const again = await startService(t, { home: service.home, plugins })
    const run = await again.waitForRun(id)
    assert.equal(run.status, 'succeeded')
    assert.equal(run.steps[1]!.attempts, 2)
    assert.equal(outside.calls.length, 2)
  })

  it('finishes a run on its version, of a flow that was deleted meanwhile', async (t) => {
    const service = await startService(t, { plugins })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url('/old'), { webhook: { concurrency: 1 } }))
    const ids = [await service.start(flow.slug), await service.start(flow.slug)]
    const first = await outside.next()
    await service.saveFlow(flow, callFlow(outside.url('/new')))
    await service.request('DELETE', `/api/v1/flows/${flow.id}`)
    const stopped = service.stop()
    first.answer()
    await stopped
    const again = await startService(t, { home: service.home, plugins })
    const call = await outside.next()
    assert.equal(call.path, '/old')
    const run = await again.readRun(ids[1]!)
    assert.equal(run.status, 'in progress')
    call.answer()
    await call.gone
    await again.stop()
    const last = await startService(t, { home: service.home, plugins })
    for (const id of ids) assert.equal((await finished(last, id)).status, 'succeeded')
  })

  it('without a component that a run needs fails the run, and a retry does nothing again that was done', async (t) => {
    const service = await startService(t, { plugins })
    const outside = await startOutside(t)
    const { nodes, edges } = callFlow(outside.url('/a'))
    const retry = { attempts: 2, backoff_ms: 0 }
    const flow = await service.createFlow({
      name: 'Two calls',
      nodes: [...nodes, { id: 'call-2', type: 'call', fields: { url: outside.url('/b') }, retry }],
      edges: [...edges, { from: 'call-1.data', to: 'call-2.data' }]
    })
    const id = await service.start(flow.slug)
    ;(await outside.next()).answer({ path: '/a' })
    const second = await outside.next()
    const stopped = service.stop()
    second.answer({}, 503)
    await stopped
    const without = await startService(t, { home: service.home })
    const failed = await finished(without, id)
    assert.deepEqual([failed.status, failed.error!.code], ['failed', 'unknown_type'])
    assert.deepEqual(failed.steps.find(({ node }) => node === 'call-1')?.outputs, { data: { path: '/a' } })
    await without.stop()
    const again = await startService(t, { home: service.home, plugins })
    outside.answerAll(() => ({}))
    await again.post(`/api/v1/runs/${id}/retry`)
    assert.equal((await finished(again, id)).status, 'succeeded')
    assert.equal(outside.calls.filter(({ path }) => path === '/a').length, 1)
  })

  it('may come again and again', async (t) => {
    let service = await startService(t)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      ids.unshift(await service.start('orders', `{"order_id":${n},"customer":"Ann"}`))
      await service.stop()
      service = await startService(t, { home: service.home })
    }
    for (const id of ids) assert.equal((await service.waitForRun(id)).status, 'succeeded')
    const { runs } = (await service.get('/api/v1/runs')).json<{ runs: { id: string }[] }>()
    assert.deepEqual(
      runs.map(({ id }) => id),
      ids
    )
  })
})

/** Nobody hears events of a flow that was deleted. */
async function finished(service: Service, id: string): Promise<RunBody> {
  for (;;) {
    const run = await service.readRun(id)
    if (run.finished_at !== null) return run
  }
}
