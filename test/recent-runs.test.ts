import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { callFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'

interface Recent {
  readonly id: string
  readonly status: string
  readonly created_at: string
  readonly duration_ms: number | null
}

type Listed = FlowBody & { readonly recent_runs?: readonly Recent[]; readonly draft?: unknown }

async function flows(service: Service, query = '', key = service.key): Promise<Map<string, Listed>> {
  const answer = await service.get(`/api/v1/flows${query}`, { key })
  assert.equal(answer.status, 200, answer.text)
  return new Map(answer.json<{ flows: Listed[] }>().flows.map((flow) => [flow.id, flow]))
}

describe('the list of flows', () => {
  it('has the newest runs of each where they are asked for, newest first', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const orders = await service.createFlow(ordersFlow())
    const quiet = await service.createFlow(ordersFlow({ name: 'Quiet' }))
    const calls = await service.createFlow(callFlow(outside.url()))
    const failed = await service.run(orders.slug)
    const succeeded = await service.run(orders.slug, JSON.stringify(ORDER))
    const running = await service.start(calls.slug)
    const call = await outside.next()
    const listed = await flows(service, '?recent=20')
    const [newest, oldest, ...more] = listed.get(orders.id)!.recent_runs!
    assert.deepEqual(more, [])
    assert.deepEqual([newest!.id, newest!.status], [succeeded.id, 'succeeded'])
    assert.deepEqual([oldest!.id, oldest!.status], [failed.id, 'failed'])
    assert.equal(newest!.created_at, succeeded.created_at)
    assert.equal(newest!.duration_ms, Date.parse(succeeded.finished_at!) - Date.parse(succeeded.started_at!))
    assert.deepEqual(listed.get(quiet.id)!.recent_runs, [])
    const [current] = listed.get(calls.id)!.recent_runs!
    assert.deepEqual([current!.id, current!.status, current!.duration_ms], [running, 'in progress', null])
    assert.deepEqual(
      (await flows(service, '?recent=1')).get(orders.id)!.recent_runs!.map(({ id }) => id),
      [succeeded.id]
    )
    assert.equal((await flows(service)).get(orders.id)!.recent_runs, undefined)
    call.answer()
    await service.waitForRun(running)
    assert.equal((await flows(service, '?recent=1')).get(calls.id)!.recent_runs![0]!.status, 'succeeded')
  })

  it('shows each key its own flows and their runs', async (t) => {
    const service = await startService(t)
    const mine = await service.createFlow(ordersFlow({ name: 'Mine' }))
    const run = await service.run(mine.slug)
    await service.run('orders')
    const { key } = await service.createKey({ rights: ['read'], flow: mine.id })
    const listed = await flows(service, '?recent=5', key)
    assert.deepEqual(
      [...listed.values()].map(({ recent_runs }) => recent_runs!.map(({ id }) => id)),
      [[run.id]]
    )
  })

  it('tells what is not published, and its faults, where it is asked for', async (t) => {
    const service = await startService(t)
    const edited = await service.createFlow(ordersFlow({ name: 'Edited' }))
    const live = await service.createFlow(ordersFlow({ name: 'Live' }))
    const body = { ...edited, slug: 'Not a slug!', revision: 0 }
    const path = `/api/v1/flows/${edited.id}/draft`
    const { updated_at } = (await service.request('PUT', path, { body })).json<{ updated_at: string }>()
    const listed = await flows(service, '?drafts=true')
    assert.deepEqual(listed.get(edited.id)!.draft, {
      revision: 1,
      author: 'MILLRACE_API_KEY',
      updated_at,
      faults: 1
    })
    assert.equal(listed.get(live.id)!.draft, null)
    assert.equal((await flows(service)).get(edited.id)!.draft, undefined)
  })

  it('takes whole numbers from 1 to 50', async (t) => {
    const service = await startService(t)
    for (const recent of ['0', '51', '1.5', 'all', '-1', '1e1', 'true']) {
      problemOf(await service.get(`/api/v1/flows?recent=${recent}`), 422, 'invalid_request')
    }
    assert.equal((await service.get('/api/v1/flows?recent=50')).status, 200)
  })
})
