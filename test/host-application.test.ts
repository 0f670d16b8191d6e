import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import millrace, { type FirstStart } from '../src/millrace.ts'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { contextAt, flowIn } from './support/contexts.ts'
import { ORDER } from './support/documents.ts'
import { createHost, HOST_KEY } from './support/host.ts'
import { guarded, NONE } from './support/host-guard.ts'
import { allOperations } from './support/routes.ts'
import { temporaryFolder } from './support/service.ts'

describe('Millrace in an application', () => {
  it('serves everything under its prefix, and nothing beside', async (t) => {
    const host = await createHost(t, {
      before: (app) => void app.get('/own', async () => 'the application’s')
    })
    const client = await host.listen()
    const flow = await client.createFlow(flowIn('/'))
    assert.equal((await client.run(flow.slug)).status, 'succeeded')
    for (const path of ['/livez', '/readyz', '/api/v1/contexts', '/api/v1/components', '/metrics']) {
      assert.equal((await client.get(path)).status, 200, path)
    }
    for (const { path } of await allOperations(client)) assert.ok(path.startsWith('/flows/'), path)
    for (const url of ['/livez', '/api/v1/flows', '/metrics', `/api/v1/webhook/${flow.slug}`]) {
      assert.equal((await host.app.inject(url)).json<{ error: string }>().error, 'Not Found', url)
    }
    assert.equal((await host.app.inject('/own')).body, 'the application’s')
  })

  it('names its prefix in every Location', async (t) => {
    const client = await (await createHost(t)).listen()
    const made = await client.post('/api/v1/flows', flowIn('/'))
    const { id, slug } = made.json<FlowBody>()
    assert.equal(made.headers.get('location'), `/flows/api/v1/flows/${id}`)
    for (const path of ['/api/v1/webhook', '/v1/webhook']) {
      const started = await client.post(`${path}/${slug}`, ORDER)
      const { run_id } = started.json<{ run_id: string }>()
      assert.equal(started.headers.get('location'), `/flows/api/v1/runs/${run_id}`)
      const replayed = await client.post(`/api/v1/runs/${run_id}/replay`)
      assert.match(replayed.headers.get('location')!, /^\/flows\/api\/v1\/runs\//)
    }
    const context = await client.post('/api/v1/contexts', { name: 'sales' })
    const location = context.headers.get('location')!
    assert.equal(location, `/flows/api/v1/contexts/${context.json<{ id: string }>().id}`)
    const read = await client.get(location.slice('/flows'.length))
    assert.equal(read.json<{ path: string }>().path, '/sales')
  })

  it('lets its plugins and flows see what the application has, as that of an ancestor', async (t) => {
    async function sales(context: FastifyInstance & { db?: { name: string } }) {
      context.decorateRun('db', context.db)
      context.component({
        type: 'query',
        title: 'Query',
        effects: 'pure',
        inputs: { data: { title: 'Data', type: 'data' } },
        outputs: { text: { title: 'Text', type: 'text' } },
        run: ({ run }) => ({ text: (run.db as { name: string }).name })
      })
      context.get('/sales/db', async function () {
        return (this as unknown as { db: { name: string } }).db.name
      })
    }
    const host = await createHost(t, {
      before: (app) => void app.decorate('db', { name: 'ledger' }),
      plugins: [sales]
    })
    const client = await host.listen()
    const { slug } = await client.createFlow(flowIn('/sales', { type: 'query' }))
    assert.deepEqual((await client.run(slug)).steps[1]!.outputs, { text: 'ledger' })
    assert.equal((await client.get('/sales/db')).text, 'ledger')
    assert.equal(host.app.hasDecorator('component'), false, 'nothing of Millrace is on the application')
    assert.equal((await contextAt(client, '/sales')).owner, 'sales')
  })

  it('leaves the application its own answers: for unknown addresses, errors and bodies', async (t) => {
    const host = await createHost(t, {
      before: (app) => {
        app.setErrorHandler((error, _request, reply) =>
          reply.code(418).send(`own: ${(error as Error).message}`)
        )
        app.setNotFoundHandler((_request, reply) => reply.code(404).send('own 404'))
        app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) =>
          done(null, 'own body')
        )
        app.post('/own', async (request) => ({ got: request.body }))
        app.get('/throws', async () => {
          throw new Error('broken')
        })
      }
    })
    const client = await host.listen()
    problemOf(await client.get('/nowhere'), 404, 'route_not_found')
    problemOf(await client.get('/api/v1/flows/absent'), 404, 'flow_not_found')
    const wrongMethod = await client.request('PUT', '/api/v1/webhook/orders')
    problemOf(wrongMethod, 405, 'method_not_allowed')
    assert.equal(wrongMethod.headers.get('allow'), 'POST')
    assert.equal((await client.run('orders', JSON.stringify(ORDER))).status, 'succeeded')
    for (const url of ['/nowhere', '/flowsandmore', '/'])
      assert.equal((await host.app.inject(url)).body, 'own 404')
    assert.deepEqual(
      [(await host.app.inject('/throws')).statusCode, (await host.app.inject('/throws')).body],
      [418, 'own: broken']
    )
    const own = await host.app.inject({
      method: 'POST',
      url: '/own',
      payload: 'x',
      headers: { 'content-type': 'a/b' }
    })
    assert.deepEqual(own.json(), { got: 'own body' })
  })

  for (const prefix of ['/flows/', '/deep/er', '']) {
    it(`takes the prefix "${prefix}" too`, async (t) => {
      const host = await createHost(t, { prefix, plugins: [guarded] })
      const client = await host.listen()
      const made = await client.post('/api/v1/flows', flowIn('/guarded', undefined, NONE))
      const { id, slug } = made.json<FlowBody>()
      assert.equal(made.headers.get('location'), `${prefix.replace(/\/$/, '')}/api/v1/flows/${id}`)
      assert.equal((await client.webhook(slug)).status, 401)
      assert.equal((await client.webhook(slug, '{}', { headers: { 'x-pass': 'yes' } })).status, 202)
    })
  }

  it('can be there twice, each with its own home', async (t) => {
    const host = await createHost(t, { plugins: [guarded] })
    const home = await temporaryFolder(t)
    host.app.register(millrace, { prefix: '/second', home, apiKey: HOST_KEY, plugins: [guarded] })
    const client = await host.listen()
    const { slug } = await client.createFlow(flowIn('/guarded', undefined, NONE))
    const second = (path: string) =>
      host.app.inject({ method: 'POST', url: path, headers: { 'x-api-key': HOST_KEY } })
    assert.equal((await client.webhook(slug)).status, 401)
    assert.equal((await second(`/second/api/v1/webhook/${slug}`)).statusCode, 404)
    assert.equal((await second('/second/api/v1/webhook/orders')).statusCode, 202)
  })

  it('tells the application of a key that it made, once, and no log', async (t) => {
    let log = ''
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        log += chunk
        done()
      }
    })
    const server = { logger: { level: 'trace', stream } }
    const told: FirstStart[] = []
    const options = { server, apiKey: undefined, onFirstStart: (first: FirstStart) => void told.push(first) }
    const first = await createHost(t, options)
    await first.app.ready()
    const [{ apiKey, signInLink } = assert.fail('nothing was told')] = told
    assert.doesNotMatch(log, /mr_|sign-in/)
    const headers = { 'x-api-key': apiKey ?? assert.fail('no key was made') }
    assert.equal((await first.app.inject({ url: '/flows/api/v1/flows', headers })).statusCode, 200)
    assert.equal((await first.app.inject(signInLink!)).headers.location, '/flows/')
    await first.close()
    await (await createHost(t, { ...options, home: first.home })).app.ready()
    assert.equal(told.length, 1)
  })

  it('waits for an application that puts the first key away, and does not start where it cannot', async (t) => {
    const host = await createHost(t, {
      apiKey: undefined,
      onFirstStart: () => Promise.reject(new Error('the vault is closed'))
    })
    await assert.rejects(Promise.resolve(host.app.ready()), /the vault is closed/)
    await host.close()
    let told: FirstStart | undefined
    const again = await createHost(t, {
      apiKey: undefined,
      home: host.home,
      onFirstStart: async (first) => {
        told = first
      }
    })
    await again.app.ready()
    assert.match(told?.apiKey ?? '', /^mr_/, 'a key that nobody took is lost')
  })

  it('refuses options that it does not have, and names the nearest', async (t) => {
    const host = await createHost(t, { publicURL: 'https://shop.example' } as object)
    await assert.rejects(Promise.resolve(host.app.ready()), /no option "publicURL".*publicUrl/)
  })

  it('has links begin with the public address of the application', async (t) => {
    const told: FirstStart[] = []
    const host = await createHost(t, {
      publicUrl: 'https://shop.example/',
      onFirstStart: (first) => void told.push(first)
    })
    const client = await host.listen()
    assert.match(told[0]!.signInLink!, /^https:\/\/shop\.example\/flows\/sign-in\?token=/)
    assert.equal(told[0]!.apiKey, null, 'the key is the one that the application set')
    await client.createFlow({
      name: 'Waits',
      slug: 'waits',
      nodes: [
        { id: 'webhook', type: 'webhook' },
        { id: 'call-1', type: 'wait-for-call' },
        { id: 'address', type: 'parser', fields: { template: '{$resume.call-1}' } }
      ],
      edges: [
        { from: 'webhook.data', to: 'call-1.data' },
        { from: 'webhook.data', to: 'address.data' }
      ]
    })
    const events = await client.events('waits')
    const run = await client.start('waits')
    await events.until(({ event }) => event === 'run.waiting')
    events.close()
    const { steps } = await client.readRun(run)
    const address = steps.find(({ node }) => node === 'address')?.outputs as { parsed_text: string }
    assert.match(address.parsed_text, /^https:\/\/shop\.example\/flows\/api\/v1\/resume\//)
    await client.post(`/api/v1/runs/${run}/cancel`)
    const connection = await client.post('/api/v1/connections', {
      name: 'crm',
      kind: 'http',
      settings: {
        base_url: 'https://crm.example',
        auth: 'oauth2',
        grant: 'authorization_code',
        authorize_url: 'https://crm.example/authorize',
        token_url: 'https://crm.example/token',
        client_id: 'shop'
      },
      secrets: { client_secret: 'a secret of the client' }
    })
    assert.equal(connection.status, 201, connection.text)
    const { id } = connection.json<{ id: string }>()
    const begun = await client.post(`/api/v1/connections/${id}/sign-in`)
    assert.match(
      begun.json<{ redirect_uri: string }>().redirect_uri,
      /^https:\/\/shop\.example\/flows\/api\/v1\//,
      begun.text
    )
  })
})
