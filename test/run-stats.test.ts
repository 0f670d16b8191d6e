import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../src/clock.ts'
import { problemOf } from './support/api-client.ts'
import { callFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { type Service, shiftedClock, startService } from './support/service.ts'

const HOUR_MS = 3_600_000
const BODY = JSON.stringify(ORDER)

interface Bucket {
  readonly from: string
  readonly to: string
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  readonly open: number
  readonly p50_ms: number | null
  readonly p99_ms: number | null
  readonly usage: unknown
}

async function statsOf(service: Service, query: string, key = service.key): Promise<Bucket[]> {
  const answer = await service.get(`/api/v1/runs/stats?${query}`, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ buckets: Bucket[] }>().buckets
}

const counts = ({ succeeded, failed, cancelled, open }: Bucket) => [succeeded, failed, cancelled, open]

describe('the stats of runs', () => {
  it('count runs by when they were accepted, and what came of them', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock, plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const calls = await service.createFlow(callFlow(outside.url()))
    const since = new Date(clock.now() - HOUR_MS / 2).toISOString()
    for (let n = 0; n < 3; n++) await service.run('orders', BODY)
    await service.run('orders')
    advance(HOUR_MS)
    const cancelled = await service.start(calls.slug)
    await outside.next()
    await service.post(`/api/v1/runs/${cancelled}/cancel`)
    await service.start(calls.slug)
    const call = await outside.next()
    const until = new Date(Date.parse(since) + 3 * HOUR_MS).toISOString()
    const buckets = await statsOf(service, `since=${since}&until=${until}&buckets=3`)
    assert.deepEqual(buckets.map(counts), [
      [3, 1, 0, 0],
      [0, 0, 1, 1],
      [0, 0, 0, 0]
    ])
    assert.deepEqual([buckets[0]!.from, buckets[2]!.to], [since, until])
    assert.equal(buckets[0]!.to, buckets[1]!.from)
    for (const { p50_ms, p99_ms } of buckets.slice(0, 2)) assert.ok(p50_ms! >= 0 && p99_ms! >= p50_ms!)
    assert.deepEqual([buckets[2]!.p50_ms, buckets[2]!.p99_ms], [null, null])
    call.answer()
  })

  it('are of the last day in 48 parts where nothing is said', async (t) => {
    // It stands still: a run counts that was accepted in the very millisecond of the question.
    const now = Date.now()
    const service = await startService(t, { clock: { ...systemClock(), now: () => now } })
    await service.run('orders', BODY)
    const buckets = await statsOf(service, '')
    assert.equal(buckets.length, 48)
    assert.deepEqual(counts(buckets.at(-1)!), [1, 0, 0, 0])
    assert.equal(Date.parse(buckets.at(-1)!.to) - Date.parse(buckets[0]!.from), 24 * HOUR_MS)
    assert.equal((await statsOf(service, 'since=&until=&buckets=&flow_id=')).length, 48)
  })

  it('are of one flow, and of those that the key may read', async (t) => {
    const service = await startService(t)
    const [mine, other] = [
      await service.createFlow(ordersFlow({ name: 'Mine' })),
      await service.createFlow(ordersFlow({ name: 'Other' }))
    ]
    await service.run(mine.slug, BODY)
    for (let n = 0; n < 2; n++) await service.run(other.slug, BODY)
    const { key } = await service.createKey({ rights: ['read'], flow: mine.id })
    const total = async (query: string, by?: string) =>
      (await statsOf(service, `${query}&buckets=1`, by))[0]!.succeeded
    assert.equal(await total(''), 3)
    assert.equal(await total(`flow_id=${other.slug}`), 2)
    assert.equal(await total('flow_id=absent'), 0)
    assert.equal(await total('', key), 1)
    assert.equal(await total(`flow_id=${other.id}`, key), 0)
    assert.equal(await total(`flow_id=${mine.slug}`, key), 1)
  })

  it('count no tokens that a sender made up, though an output is called "usage"', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow({
      name: 'Sort',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'switch-1', type: 'switch', fields: { value: '{kind}', cases: ['usage'] } }
      ],
      edges: [{ from: 'webhook-1.data', to: 'switch-1.data' }]
    })
    const sent = { kind: 'usage', model: 'by a sender', input_tokens: 1e9, output_tokens: 1e9 }
    const run = await service.run(flow.slug, JSON.stringify(sent))
    assert.deepEqual(run.steps[1]!.outputs, { usage: sent })
    assert.equal((run as { usage?: unknown }).usage, null)
    const [bucket] = await statsOf(service, 'buckets=1')
    assert.deepEqual([bucket!.succeeded, bucket!.usage], [1, null])
    assert.doesNotMatch((await service.get('/metrics')).text, /by a sender/)
  })

  it('are refused where the question makes no sense', async (t) => {
    const service = await startService(t)
    for (const query of [
      'since=yesterday',
      'until=2026-13-01T00:00:00Z',
      'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z',
      'since=2026-01-01T00:00:00Z&until=2026-01-01T00:00:00Z',
      'buckets=0',
      'buckets=501',
      'buckets=1.5',
      'buckets=many',
      'bucket=1'
    ]) {
      problemOf(await service.get(`/api/v1/runs/stats?${query}`), 422, 'invalid_request')
    }
  })
})
