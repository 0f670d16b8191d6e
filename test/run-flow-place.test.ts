import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { childrenOf, type Returned } from './support/child-flows.ts'
import { flowIn, makeContext } from './support/contexts.ts'
import { eventually } from './support/eventually.ts'
import { startService } from './support/service.ts'

const CALLERS = "The caller's context"

const edge = (from: string, to: string) => ({ from, to })

/** Says whose team it is, once for itself and once for each item, and whose connection it is refused. */
async function library(service: ApiClient) {
  return service.createFlow({
    name: 'Library',
    slug: 'library',
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'wait', type: 'delay', fields: { for: '1s' } },
      { id: 'each', type: 'for-each' },
      { id: 'p', type: 'parser', parent: 'each', fields: { template: 'item of {$team}' } },
      { id: 'call', type: 'api-request', on_error: 'output', fields: { connection: 'shop', url: '/' } },
      { id: 'r', type: 'return', fields: {} },
      { id: 'join', type: 'parser', fields: { template: '{code}: {message} in {$team}' } }
    ],
    edges: [
      edge('w.data', 'wait.data'),
      edge('wait.data', 'each.items'),
      edge('each.item', 'p.data'),
      edge('p.parsed_text', 'each.result'),
      edge('each.results', 'call.data'),
      edge('call.error', 'join.data'),
      edge('join.parsed_text', 'r.data')
    ]
  })
}

function calls(context: string, flow: string, run_in?: string) {
  return {
    name: `Calls ${flow} from ${context}`,
    context,
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'call', type: 'run-flow', fields: { flow, ...(run_in !== undefined && { run_in }) } },
      { id: 'r', type: 'return' }
    ],
    edges: [edge('w.data', 'call.data'), edge('call.data', 'r.data')]
  }
}

describe('a called flow', () => {
  it('finds connections and variables in its own context, or where its caller lends it, in that one', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales', { variables: { team: 'Sales' } })

    const own = await service.createFlow({
      name: 'Own',
      nodes: [
        { id: 'w', type: 'webhook' },
        { id: 'r', type: 'return' },
        { id: 'p', type: 'parser', fields: { template: 'of {$team?nobody}' } }
      ],
      edges: [edge('w.data', 'p.data'), edge('p.parsed_text', 'r.data')]
    })
    const between = await service.createFlow({ ...calls('/', own.slug, CALLERS), slug: 'between' })
    const said = async (document: ReturnType<typeof calls>) =>
      ((await service.run((await service.createFlow(document)).slug)) as Returned).output
    assert.equal(await said(calls('/sales', own.slug)), 'of nobody')
    assert.equal(await said(calls('/sales', own.slug, CALLERS)), 'of Sales')
    assert.equal(
      await said(calls('/sales', between.slug, CALLERS)),
      'of Sales',
      'a caller lends what it was lent'
    )
    assert.equal(await said(calls('/sales', between.slug)), 'of nobody')
    assert.equal(await said(calls('/', own.slug, CALLERS)), 'of nobody')
  })

  it('keeps the place for its items and over a restart, and a replay asks who may', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales', { variables: { team: 'Sales' } })
    const { id: flowId } = await library(service)
    const { slug } = await service.createFlow(calls('/sales', 'library', CALLERS))
    const id = await service.start(slug, [{ id: 1 }, { id: 2 }])
    await eventually(async () => (await childrenOf(service, id))[0]?.status, 'waiting')
    await service.stop()
    const again = await startService(t, { home: service.home })
    const run = (await again.waitForRun(id)) as Returned
    assert.match(
      String(run.output),
      /^connection_not_found: The context "\/sales" sees no connection "shop".* in Sales$/s
    )
    const [child] = await childrenOf(again, id)
    assert.equal((child as { context?: string }).context, '/sales')
    const shown = await again.readRun(child!.id)
    const each = shown.steps.find(({ node }) => node === 'each')
    assert.deepEqual(each?.outputs?.results, ['item of Sales', 'item of Sales'])

    const { key } = await again.createKey({ rights: ['trigger', 'read'], flow: flowId })
    const replay = `/api/v1/runs/${child!.id}/replay`
    const refused = problemOf(await again.post(replay, undefined, { key }), 403, 'forbidden')
    assert.match(refused.detail, /\/sales, the context of the flow that called it/)
    const replayed = await again.post(replay)
    assert.equal(replayed.status, 202, replayed.text)
    const ended = await again.waitForRun(replayed.json<{ run_id: string }>().run_id)
    assert.match(String((ended as Returned).output), / in Sales$/)
  })

  it('keeps the context that it was lent from being deleted, also where nobody waits for it', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales', { variables: { team: 'Sales' } })
    await library(service)
    const caller = calls('/sales', 'library', CALLERS)
    const [webhook, call, end] = caller.nodes
    const fields = { ...call!.fields, wait: false }
    const edges = [caller.edges[0]!, edge('call.run', 'r.data')]
    const { id, slug } = await service.createFlow({
      ...caller,
      nodes: [webhook, { ...call, fields }, end],
      edges
    })
    const { output } = (await service.run(slug)) as Returned
    const child = (output as { id: string }).id
    await service.request('DELETE', `/api/v1/flows/${id}`)
    const remove = () => service.request('DELETE', `/api/v1/contexts/${encodeURIComponent('/sales')}`)
    assert.match(
      problemOf(await remove(), 409, 'context_in_use').detail,
      /runs that began there are not finished/
    )
    await service.post(`/api/v1/runs/${child}/cancel`)
    await eventually(async () => (await remove()).status, 204)
  })

  it('sees no flows of its caller’s context: it names those that it was written with', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    const inside = await service.createFlow(flowIn('/sales', { type: 'return' }))
    await service.createFlow({ ...calls('/', inside.slug, CALLERS), slug: 'between' })
    const { slug } = await service.createFlow(calls('/sales', 'between', CALLERS))
    const run = await service.run(slug)
    assert.match(String(run.error?.message), /no flow ".*" that this flow's context \(\/\) sees/)
  })
})
