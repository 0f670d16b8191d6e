import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { eventually } from './support/eventually.ts'
import { type Service, shiftedClock, startService, temporaryFolder } from './support/service.ts'

const watching = (slug: string, fields: object) => ({
  name: slug,
  slug,
  nodes: [
    { id: 'watch-1', type: 'watch', position: { x: 0, y: 0 }, fields: { every: '1s', ...fields } },
    { id: 'parser-1', type: 'parser', position: { x: 300, y: 0 }, fields: { template: 'New: {id}' } }
  ],
  edges: [{ from: 'watch-1.data', to: 'parser-1.data' }]
})

interface Item {
  readonly id: unknown
  readonly title?: string
}

/** What its runs were started with, oldest first. */
async function itemsOf(service: Service, slug: string): Promise<Item[]> {
  const { runs } = (await service.get(`/api/v1/runs?flow_id=${slug}&limit=100`)).json<{ runs: RunBody[] }>()
  const whole = await Promise.all(runs.map(({ id }) => service.waitForRun(id)))
  return whole.map(({ input }) => input as unknown as Item).reverse()
}

const idsOf = async (service: Service, slug: string) => (await itemsOf(service, slug)).map(({ id }) => id)

interface Found {
  readonly status: string
  readonly items: readonly { readonly item: Item; readonly is_new: boolean }[]
  readonly error: { readonly code: string } | null
}

interface TriggerBody {
  readonly triggers: readonly {
    readonly node: string
    readonly error: { readonly message: string } | null
  }[]
}

async function faultOf(service: Service, slug: string): Promise<string | undefined> {
  const answer = await service.get(`/api/v1/flows/${slug}/triggers`)
  return answer.json<TriggerBody>().triggers[0]!.error?.message
}

const feedOf = (...ids: readonly string[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${ids
    .map(
      (id) => `<item><guid>${id}</guid><title>On ${id}</title><link>https://blog.example/${id}</link></item>`
    )
    .join('')}</channel></rss>`

/** Lists of others, by the path at which they are. */
async function startLists(test: TestContext) {
  const lists: Record<string, unknown> = {}
  const refused = new Set<string>()
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const name = url.split('?')[0]!
    if (refused.has(name)) return response.writeHead(503).end('closed')
    const list = lists[name]
    response.end(typeof list === 'string' ? list : JSON.stringify(list))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(test, () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { lists, refused, asked, url: (path: string) => `http://127.0.0.1:${port}${path}` }
}

const env = { MILLRACE_EGRESS_ALLOW: '127.0.0.1' }

test('a watch', async (t) => {
  const home = await temporaryFolder(t)
  const { clock, advance } = shiftedClock()
  let service = await startService(t, { home, env, clock })
  const { lists, refused, asked, url } = await startLists(t)
  /** All that was there has been looked at. */
  const looked = async (path: string) => {
    const count = () => asked.filter((each) => each.startsWith(path)).length
    const before = count()
    // The second one begins when the first one is over.
    await eventually(count, (now) => now >= before + 2)
  }

  await t.test('starts no run for what is there, and one for what is new', async () => {
    lists['/orders'] = { data: { orders: [{ id: 1 }, { id: 2 }] } }
    const fields = {
      url: url('/orders'),
      items: 'data.orders',
      query: { state: 'open', tag: ['a', 'b'], by: '{$flow.slug}', in: '{$now:yyyy}' }
    }
    await service.createFlow(watching('new-orders', fields))
    await looked('/orders')
    assert.deepEqual(await itemsOf(service, 'new-orders'), [])
    const year = new Date(clock.now()).getUTCFullYear()
    assert.equal(asked[0], `/orders?state=open&tag=a&tag=b&by=new-orders&in=${year}`)
    lists['/orders'] = { data: { orders: [{ id: 3, title: 'Bread' }, { id: 1 }, { id: 2 }, { id: 3 }] } }
    await eventually(() => itemsOf(service, 'new-orders'), [{ id: 3, title: 'Bread' }])
    await looked('/orders')
    const { runs } = (await service.get('/api/v1/runs?flow_id=new-orders')).json<{ runs: RunBody[] }>()
    const run = await service.waitForRun(runs[0]!.id)
    assert.deepEqual([runs.length, run.status, run.trigger], [1, 'succeeded', 'watch'])
    assert.deepEqual(run.steps[1]!.outputs, { parsed_text: 'New: 3' })
  })

  await t.test('reads feeds, and takes all, the oldest first', async () => {
    lists['/feed'] = feedOf('c', 'b', 'a')
    await service.createFlow(watching('feed', { url: url('/feed'), first: 'Take all' }))
    const found = await eventually(
      () => itemsOf(service, 'feed'),
      (items) => items.length === 3
    )
    assert.deepEqual(found[0], {
      id: 'a',
      title: 'On a',
      link: 'https://blog.example/a',
      published: null,
      content: null
    })
    assert.deepEqual(await idsOf(service, 'feed'), ['a', 'b', 'c'])
  })

  await t.test('goes on with what it knows after a restart, and in another version', async () => {
    await service.stop()
    lists['/orders'] = { data: { orders: [{ id: 1 }, { id: 3 }, { id: 4 }] } }
    service = await startService(t, { home, env, clock })
    await eventually(() => idsOf(service, 'new-orders'), [3, 4])
    const flow = (await service.get('/api/v1/flows/new-orders')).json<FlowBody>()
    const nodes = watching('new-orders', { url: url('/orders'), items: 'data.orders', every: '2s' }).nodes
    await service.saveFlow(flow, { nodes })
    await looked('/orders')
    // It was away for a while.
    lists['/orders'] = { data: { orders: [{ id: 2 }, { id: 5 }] } }
    await eventually(() => idsOf(service, 'new-orders'), [3, 4, 5])
    assert.deepEqual(await idsOf(service, 'feed'), ['a', 'b', 'c'])
  })

  await t.test('looks at the times of a cron, and at what is there when it goes live', async () => {
    lists['/cron'] = [{ id: 'old' }]
    const flow = await service.createFlow(watching('cron', { every: '0 9 * * *', url: url('/cron') }))
    const looks = () => asked.filter((path) => path === '/cron').length
    await eventually(looks, 1)
    // What was seen is kept by now: a look that a stop cuts off is made again.
    const tried = async () =>
      (await service.post(`/api/v1/flows/${flow.id}/nodes/watch-1/look`)).json<Found>()
    await eventually(async () => (await tried()).items.map(({ is_new }) => is_new), [false])
    const before = looks()
    lists['/cron'] = [{ id: 'new' }]
    await service.stop()
    service = await startService(t, { home, env, clock })
    await looked('/orders')
    assert.equal(looks(), before)
    await service.stop()
    advance(Date.UTC(2030, 0, 1, 9) - clock.now())
    service = await startService(t, { home, env, clock })
    await eventually(() => idsOf(service, 'cron'), ['new'])
  })

  await t.test('tells why it does not work, and goes on when it does', async () => {
    lists['/pets'] = { pets: [] }
    await service.createFlow(watching('pets', { url: url('/pets') }))
    const comesTo = (pattern: RegExp | undefined) =>
      eventually(
        () => faultOf(service, 'pets'),
        (fault) => (pattern === undefined ? fault === undefined : pattern.test(fault ?? ''))
      )
    await comesTo(/The answer is not a list.*Items/)
    refused.add('/pets')
    await comesTo(/was answered 503 and said: "?closed/)
    refused.delete('/pets')
    lists['/pets'] = [{ id: 'Tom' }]
    await comesTo(undefined)
    lists['/pets'] = [{ id: 'Tom' }, { id: 'Ann' }]
    await eventually(() => idsOf(service, 'pets'), ['Ann'])
    await service.createFlow(watching('inside', { url: 'http://10.0.0.1/feed' }))
    const inside = () => faultOf(service, 'inside')
    assert.match((await eventually(inside, (fault) => fault !== undefined))!, /10\.0\.0\.1/)
  })

  await t.test('makes up for what it held, and not for what its flow refused', async () => {
    const pause = async (mode: string) => service.post('/api/v1/flows/feed/pause', { mode })
    const resume = async () => service.post('/api/v1/flows/feed/resume')
    await pause('hold')
    lists['/feed'] = feedOf('d', 'c', 'b')
    await resume()
    await eventually(() => idsOf(service, 'feed'), ['a', 'b', 'c', 'd'])
    await pause('refuse')
    lists['/feed'] = feedOf('e', 'd')
    await resume()
    await looked('/feed')
    lists['/feed'] = feedOf('f', 'e', 'd')
    await eventually(() => idsOf(service, 'feed'), ['a', 'b', 'c', 'd', 'f'])
  })

  await t.test('of another address begins anew', async () => {
    lists['/news'] = feedOf('a', 'z')
    const flow = (await service.get('/api/v1/flows/feed')).json<FlowBody>()
    const { nodes } = watching('feed', { url: url('/news') })
    await service.saveFlow(flow, { nodes })
    await looked('/news')
    lists['/news'] = feedOf('y', 'a', 'z')
    await eventually(async () => (await idsOf(service, 'feed')).slice(5), ['y'])
  })

  await t.test(
    'is tried from the editor: it tells what is there and what is new, and starts nothing',
    async () => {
      lists['/tried'] = { pets: [{ id: 'Tom' }, { id: 'Ann' }, { id: 'Tom' }] }
      const flow = await service.createFlow(watching('tried', { url: url('/tried'), items: 'pets' }))
      await eventually(() => faultOf(service, 'tried'), undefined)
      await looked('/tried')
      const path = `/api/v1/flows/${flow.id}/nodes/watch-1/look`
      const look = async (body?: object) => (await service.post(path, body)).json<Found>()
      lists['/tried'] = { pets: [{ id: 'Tom' }, { id: 'Ann' }] }
      assert.deepEqual(await look(), {
        status: 'succeeded',
        count: 2,
        new_count: 0,
        items: [
          { item: { id: 'Tom' }, is_new: false },
          { item: { id: 'Ann' }, is_new: false }
        ],
        error: null
      })
      const anew = { every: '1d', url: url('/tried'), items: 'pets', key: '{id}', first: 'Take all' }
      lists['/other'] = [{ id: 1 }]
      assert.deepEqual((await look({ fields: { ...anew, url: url('/other'), items: '' } })).items, [
        { item: { id: 1 }, is_new: true }
      ])
      const failed = await look({ fields: { ...anew, items: 'dogs' } })
      assert.deepEqual([failed.status, failed.error?.code, failed.items], ['failed', 'items_not_a_list', []])
      const reached = await look({ fields: { ...anew, url: 'http://10.0.0.1/list' } })
      assert.equal(reached.error?.code, 'egress_refused')
      problemOf(await service.post(path.replace('watch-1', 'parser-1')), 409, 'node_watches_nothing')
      problemOf(await service.post(path, { fields: { ...anew, key: '{' } }), 422, 'flow_invalid')
      problemOf(await service.post(path, { items: 1 }), 422, 'invalid_request')
      assert.deepEqual(await idsOf(service, 'tried'), [])
    }
  )

  await t.test('that cannot be is refused where it is written', async () => {
    const errorsOf = async (fields: object) => {
      const answer = await service.post('/api/v1/flows', watching('refused', fields))
      return problemOf(answer, 422, 'flow_invalid').errors!.map(({ code, path }) => `${code} ${path}`)
    }
    const feed = { url: 'https://blog.example/feed' }
    assert.deepEqual(await errorsOf({ ...feed, every: 'often' }), ['invalid_every /nodes/0/fields/every'])
    assert.deepEqual(await errorsOf({ ...feed, every: '0.1s' }), ['invalid_every /nodes/0/fields/every'])
    assert.deepEqual(await errorsOf({ ...feed, every: '0 0 30 2 *' }), ['cron_never /nodes/0/fields/every'])
    assert.deepEqual(await errorsOf({ ...feed, timezone: 'Berlin' }), [
      'unknown_timezone /nodes/0/fields/timezone'
    ])
    assert.deepEqual(await errorsOf({ url: '/feed' }), ['url_invalid /nodes/0/fields/url'])
    const early = { ...feed, query: { since: ['{$run.created_at}'] }, headers: { of: '{$data.id}' } }
    assert.deepEqual(await errorsOf({ ...early, key: '{$data.id}{$run.id}' }), [
      'invalid_field /nodes/0/fields/query',
      'invalid_field /nodes/0/fields/headers',
      'invalid_field /nodes/0/fields/key'
    ])
  })

  await t.test('a run by API starts there, with the input as its data', async () => {
    const run = (await service.post('/api/v1/run/new-orders', { input: { id: 9 } })).json<RunBody>()
    assert.deepEqual([run.trigger, run.steps[0]!.outputs], ['api', { data: { id: 9 } }])
  })
})
