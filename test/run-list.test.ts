import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { anythingFlow, callFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { type Service, shiftedClock, startService } from './support/service.ts'

interface Page {
  readonly runs: readonly RunBody[]
  readonly next_cursor: string | null
}

describe('the list of runs', () => {
  it('is newest first, and walked to its end by its cursor without gap or doubles', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(anythingFlow())
    const ids: string[] = []
    for (let n = 0; n < 7; n++) ids.unshift((await service.run(flow.slug, String(n))).id)
    const all = await list(service, `flow_id=${flow.id}`)
    assert.deepEqual(idsOf(all), ids)
    assert.equal(all.next_cursor, null)
    assert.ok(!('steps' in all.runs[0]!) && !('input' in all.runs[0]!), 'a list is short')
    for (const limit of [1, 2, 3, 7, 8]) {
      const walked: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const more = cursor === '' ? '' : `&cursor=${cursor}`
        const page: Page = await list(service, `flow_id=${flow.slug}&limit=${limit}${more}`)
        assert.ok(page.runs.length <= limit)
        walked.push(...idsOf(page))
        cursor = page.next_cursor
      }
      assert.deepEqual(walked, ids, `in pages of ${limit}`)
    }
  })

  it('tells of each run one line of its input, as the run itself does', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(ordersFlow())
    const long = { order_id: 8, customer: 'Bob', note: 'A note. '.repeat(500) }
    const started = []
    for (const body of [JSON.stringify(ORDER), JSON.stringify(long), 'order 9,\nplease']) {
      started.push(await service.run(slug, body))
    }
    const { runs } = await list(service, '')
    const told = runs.map((run) => run.summary).reverse()
    assert.equal(told[0], 'order_id: 7 · customer: Ann')
    assert.match(told[1]!, /^order_id: 8 · customer: Bob · note: A note\..*…$/)
    assert.equal(told[2], 'order 9, please')
    assert.deepEqual(
      started.map((run) => run.summary),
      told
    )
  })

  it('is not disturbed by runs that arrive while it is walked', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(anythingFlow())
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.unshift((await service.run(flow.slug)).id)
    const first = await list(service, `flow_id=${flow.id}&limit=2`)
    await service.run(flow.slug)
    const second = await list(service, `flow_id=${flow.id}&limit=2&cursor=${first.next_cursor}`)
    assert.deepEqual([...idsOf(first), ...idsOf(second)], ids)
  })

  it('is filtered by flow, status and both', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const orders = await service.createFlow(ordersFlow())
    const calls = await service.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    const good = (await service.run(orders.slug, JSON.stringify(ORDER))).id
    const bad = (await service.run(orders.slug)).id
    const running = await service.start(calls.slug)
    const call = await outside.next()
    const queued = await service.start(calls.slug)
    const ids = async (query: string) => idsOf(await list(service, query))
    assert.deepEqual(await ids(''), [queued, running, bad, good])
    assert.deepEqual(await ids(`flow_id=${orders.id}`), [bad, good])
    assert.deepEqual(await ids('status=succeeded'), [good])
    assert.deepEqual(await ids('status=failed'), [bad])
    assert.deepEqual(await ids('status=cancelled'), [])
    assert.deepEqual(await ids('status=in%20progress'), [running])
    assert.deepEqual(await ids('status=in+progress'), [running])
    assert.deepEqual(await ids('status=queued'), [queued])
    assert.deepEqual(await ids(`status=failed&flow_id=${calls.id}`), [])
    assert.deepEqual(await ids('flow_id=absent'), [])
    assert.equal((await list(service, 'status=failed')).runs[0]!.error!.node, 'parser-1')
    outside.answerAll(() => ({}))
    call.answer()
    await service.waitForRun(queued)
    assert.deepEqual(await ids(`status=succeeded&flow_id=${calls.slug}`), [queued, running])
  })

  it('has the runs that go on on its first page, however many wait behind them', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    const going = await service.start(flow.slug)
    const call = await outside.next()
    const waiting: string[] = []
    for (let n = 0; n < 5; n++) waiting.unshift(await service.start(flow.slug))
    const page = await list(service, 'status=in%20progress&limit=1')
    assert.deepEqual([idsOf(page), page.next_cursor], [[going], null])
    const first = await list(service, 'status=queued&limit=3')
    assert.deepEqual(idsOf(first), waiting.slice(0, 3))
    const rest = await list(service, `status=queued&limit=3&cursor=${first.next_cursor}`)
    assert.deepEqual([idsOf(rest), rest.next_cursor], [waiting.slice(3), null])
    for (const id of waiting) await service.post(`/api/v1/runs/${id}/cancel`)
    call.answer()
    await service.waitForRun(going)
  })

  it('is searched in inputs, errors and ids, without regard to case', async (t) => {
    const service = await startService(t)
    const orders = await service.createFlow(ordersFlow())
    const ann = (await service.run(orders.slug, '{"order_id":7,"customer":"Ann_% Ä"}')).id
    const bob = (await service.run(orders.slug, '{"order_id":12345678901234567890,"customer":"Bob"}')).id
    const bad = (await service.run(orders.slug, '{"who":"Carl"}')).id
    const ids = async (q: string) => idsOf(await list(service, `q=${encodeURIComponent(q)}`))
    assert.deepEqual(await ids('ann'), [ann])
    assert.deepEqual(await ids('BOB'), [bob])
    assert.deepEqual(await ids('345678901234567890'), [bob])
    assert.deepEqual(await ids('_%'), [ann], 'the text is taken as it is')
    assert.deepEqual(await ids('order_id'), [bad, bob, ann], 'the error of the failed run names the key')
    assert.deepEqual(await ids('carl'), [bad])
    assert.deepEqual(await ids(bob), [bob])
    assert.deepEqual(await ids('nothing of the kind'), [])
    assert.deepEqual(await ids("'; DROP TABLE runs; --"), [])
  })

  it('is bounded by since and until', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    const flow = await service.createFlow(anythingFlow())
    const first = await service.run(flow.slug)
    advance(3_600_000)
    const second = await service.run(flow.slug)
    const ids = async (query: string) => idsOf(await list(service, query))
    const between = new Date(Date.parse(second.created_at) - 1_800_000)
    assert.deepEqual(await ids(`since=${between.toISOString()}`), [second.id])
    assert.deepEqual(await ids(`until=${between.toISOString()}`), [first.id])
    assert.deepEqual(await ids(`since=${first.created_at}&until=${second.created_at}`), [first.id])
    assert.deepEqual(await ids(`since=${second.created_at}`), [second.id])
    const offset = `${new Date(between.getTime() + 7_200_000).toISOString().slice(0, 19)}%2B02:00`
    assert.deepEqual(await ids(`since=${offset}`), [second.id], 'a time may have an offset')
    problemOf(await service.get('/api/v1/runs?since=yesterday'), 422, 'invalid_request')
  })

  it('takes the call of the contract with every filter left blank', async (t) => {
    const service = await startService(t)
    const { id } = await service.run('orders')
    const page = await list(service, 'flow_id=&status=&q=&since=&until=&limit=&cursor=')
    assert.deepEqual(idsOf(page), [id])
  })

  it('refuses filters that it cannot mean', async (t) => {
    const service = await startService(t)
    const refused: [query: string, message: RegExp][] = [
      ['status=done', /"done"\. Use one of "queued"/],
      ['limit=0', /is 0\. Write 1 or more/],
      ['limit=x', /is "x"\. Write a whole number/],
      ['limit=100000', /Write 500 or less/],
      ['limit=1&limit=2', /is a list\. Write a whole number/],
      ['cursor=x', /"x"\. Send the next_cursor of an earlier answer/],
      ['cursor=-1', /next_cursor/],
      ['since=1', /"since" is "1"\. Write a time as ISO 8601/],
      ['until=2026-02-30', /"until".*2026-02-30.*ISO 8601/],
      ['nope=1', /unknown member "nope"/]
    ]
    for (const [query, message] of refused) {
      const { errors = [] } = problemOf(await service.get(`/api/v1/runs?${query}`), 422, 'invalid_request')
      assert.equal(errors.length, 1, query)
      assert.match(errors[0]!.message, message)
    }
  })
})

async function list(service: Service, query: string): Promise<Page> {
  const answer = await service.get(`/api/v1/runs?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<Page>()
}

function idsOf(page: Page): string[] {
  return page.runs.map(({ id }) => id)
}
