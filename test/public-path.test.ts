import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiClient } from './support/api-client.ts'
import type { Lifetime } from './support/clean-up.ts'
import { startPathProxy } from './support/path-proxy.ts'
import { type Service, startService } from './support/service.ts'

interface Proxied {
  readonly service: Service
  /** By the address that people use. */
  readonly client: ApiClient
  readonly url: string
  readonly path: string
}

async function startBehind(test: Lifetime, strips: boolean, path = '/flows'): Promise<Proxied> {
  const proxy = await startPathProxy(test, { path, strips })
  const service = await startService(test, { env: { MILLRACE_PUBLIC_URL: proxy.url } })
  proxy.leadsTo(service.address)
  return { service, client: new ApiClient(test, proxy.url, service.key), url: proxy.url, path }
}

const ASKING = {
  name: 'Asking',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'links', type: 'parser', fields: { template: '{$approve.ask} {$resume.call}' } },
    { id: 'ask', type: 'approve', fields: { question: 'Pay?' } },
    { id: 'call', type: 'wait-for-call' }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'links.data' },
    { from: 'webhook-1.data', to: 'ask.data' },
    { from: 'webhook-1.data', to: 'call.data' }
  ]
}

for (const strips of [true, false]) {
  describe(`below a path of a proxy that ${strips ? 'strips it' : 'passes it on'}`, () => {
    it('the page, its parts and its addresses are found', async (t) => {
      const { client, url, path } = await startBehind(t, strips, '/team/mill')
      for (const page of ['', '/', '/runs', '/flows/orders']) {
        const answer = await client.get(page, { key: null, headers: { accept: 'text/html' } })
        assert.equal(answer.status, 200, page)
        assert.match(answer.text, /<base href="\/team\/mill\/">/, page)
        const [, script] = /<script type="module"[^>]* src="\.\/([^"]+)"/.exec(answer.text)!
        const part = await fetch(`${url}/${script}`)
        assert.equal(part.status, 200, script)
        await part.arrayBuffer()
      }
      assert.equal((await client.get('/api/v1/flows/orders')).status, 200)
      assert.equal((await client.get('/api/v1/flows/absent')).status, 404)
      assert.equal(new URL(url).pathname, path)
    })

    it('what starts something says where it is', async (t) => {
      const { client, path, service } = await startBehind(t, strips)
      for (const query of ['', '?a=1']) {
        const started = await client.post(`/api/v1/webhook/orders${query}`, { order_id: 7, customer: 'Ann' })
        assert.equal(started.status, 202, started.text)
        const run = started.json<{ run_id: string }>().run_id
        assert.equal(started.headers.get('location'), `${path}/api/v1/runs/${run}`)
      }
      const made = await client.post('/api/v1/flows', { name: 'New', nodes: [], edges: [] })
      assert.match(made.headers.get('location') ?? '', /^\/flows\/api\/v1\/flows\//)
      // Machines beside it ask without the path, whichever proxy there is.
      for (const health of ['/livez', '/readyz', '/api/v1/flows'])
        assert.equal((await service.get(health)).status, 200)
    })

    it('links sign in, are answered and lead back there', async (t) => {
      const { client, path, url, service } = await startBehind(t, strips)
      const link = await fetch(`${url}/sign-in?token=${service.signInToken}`, { redirect: 'manual' })
      assert.deepEqual([link.status, link.headers.get('location')], [303, `${path}/`])
      assert.match(link.headers.get('set-cookie') ?? '', /; Path=\/flows;/)
      const cookie = link.headers.get('set-cookie')!.split(';')[0]!
      const session = await client.get('/api/v1/session', { key: null, headers: { cookie } })
      assert.equal(session.status, 200, session.text)

      const flow = await client.createFlow(ASKING)
      const events = await client.events(flow.id)
      const id = await client.start(flow.slug, '{}')
      await events.until(({ event, data }) => event === 'run.waiting' && data.run_id === id)
      events.close()
      const { steps } = await client.readRun(id)
      const links = String(steps.find(({ node }) => node === 'links')!.outputs!.parsed_text).split(' ')
      assert.ok(
        links.every((each) => each.startsWith(`${url}/`)),
        links.join()
      )
      assert.match(await (await fetch(links[0]!)).text(), /Pay\?/)
      const answered = await fetch(links[0]!, {
        method: 'POST',
        body: new URLSearchParams({ choice: 'Approve' }),
        redirect: 'manual'
      })
      assert.deepEqual(
        [answered.status, answered.headers.get('location')],
        [303, new URL(links[0]!).pathname]
      )
      const resumed = await fetch(links[1]!, { method: 'POST' })
      assert.equal(resumed.headers.get('location'), `${path}/api/v1/runs/${id}`)
      await resumed.text()
    })
  })
}
