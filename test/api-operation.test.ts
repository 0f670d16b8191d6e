import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { pets } from './support/pets-api.ts'
import { type Service, startService } from './support/service.ts'

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Story {
  readonly service: Service
  readonly requests: readonly Sent[]
  readonly connection: string
  /** A run of Webhook → API Operation, to its end. */
  run(fields: Readonly<Record<string, unknown>>, input?: unknown): Promise<RunBody>
  send(document: unknown): Promise<void>
}

/** Whatever is asked is answered with what was sent. */
async function startEcho(test: TestContext) {
  const requests: Sent[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { method = '', url = '', headers } = request
    const sent = { method, url, headers, body: Buffer.concat(pieces).toString() }
    requests.push(sent)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sent))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUp(test, () => void server.close())
  return { requests, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function begin(test: TestContext): Promise<Story> {
  const { requests, origin } = await startEcho(test)
  const service = await startService(test)
  const settings = { base_url: `${origin}/echo` }
  const made = await service.request('POST', '/api/v1/connections', {
    body: { name: 'pets', kind: 'http', settings }
  })
  const connection = `/api/v1/connections/${made.json<{ id: string }>().id}`
  const send: Story['send'] = async (document) => {
    const answer = await service.request('PUT', `${connection}/document`, { body: document })
    assert.equal(answer.status, 200, answer.text)
  }
  await send(pets())
  const run: Story['run'] = async (fields, input = {}) => {
    const flow = await service.createFlow({
      name: 'Pets',
      nodes: [
        { id: 'webhook-1', type: 'webhook', fields: {} },
        { id: 'call', type: 'api-operation', fields: { connection: 'pets', ...fields } }
      ],
      edges: [{ from: 'webhook-1.data', to: 'call.data' }]
    })
    const answer = await service.request('POST', `/api/v1/run/${flow.id}`, { body: { input } })
    return answer.json<RunBody>()
  }
  return { service, requests, connection, run, send }
}

function lastOf({ requests }: Story): Sent {
  return requests.at(-1)!
}

function errorOf({ status, error }: RunBody) {
  assert.equal(status, 'failed')
  return error!
}

describe('API Operation in a flow', () => {
  it('sends parameters where and how the document says, to the base URL of the connection', async (t) => {
    const story = await begin(t)
    const { id, status, steps } = await story.run(
      {
        operation: 'listPets',
        parameters: {
          owner: '{owner}',
          tags: '{tags}',
          ids: '{ids}',
          filter: { colour: '{colour}', size: { min: 2 } },
          limit: '{limit?}',
          'X-Trace': 'a b',
          session: 's;1'
        }
      },
      { owner: '7', tags: ['a b', 'c'], ids: [1, 2], colour: 'red&blue' }
    )
    assert.equal(status, 'succeeded')
    const { method, url, headers } = lastOf(story)
    assert.equal(method, 'GET')
    assert.equal(
      url,
      '/echo/owners/7/pets?tags=a%20b&tags=c&ids=1,2&filter[colour]=red%26blue&filter[size][min]=2'
    )
    assert.partialDeepStrictEqual(headers, {
      'x-trace': 'a b',
      cookie: 'session=s%3B1',
      'idempotency-key': `${id}/call`
    })
    const { body, response } = steps.find(({ node }) => node === 'call')!.outputs as {
      body: { method: string }
      response: { status: number; body: unknown }
    }
    assert.deepEqual([body.method, response.status, response.body], ['GET', 200, body])
  })

  it('makes of texts what the document says, in the body too', async (t) => {
    const story = await begin(t)
    const body = { name: '{name}', age: '{age}', weight: '3.50', is_tame: 'true', tags: '{tag}', more: '1' }
    const { status } = await story.run(
      { operation: 'POST /owners/{owner}/pets', parameters: { owner: '{owner}' }, body },
      { owner: 1, name: 12, age: '9007199254740993', tag: 'shy' }
    )
    assert.equal(status, 'succeeded')
    assert.equal(
      lastOf(story).body,
      '{"name":"12","age":9007199254740993,"weight":3.50,"is_tame":true,"tags":["shy"],"more":"1"}'
    )
    await story.run({ operation: 'addPet', parameters: { owner: 1 } }, { name: 'Rex', age: '3' })
    assert.equal(lastOf(story).body, '{"name":"Rex","age":3}')
  })

  it('sends forms as the document encodes them, and files in a form', async (t) => {
    const story = await begin(t)
    await story.run({
      operation: 'feedPet',
      parameters: { id: 3 },
      body: { what: 'fish & rice', extras: { vitamins: ['C', 'D'] } }
    })
    const form = lastOf(story)
    assert.equal(form.headers['content-type'], 'application/x-www-form-urlencoded')
    assert.equal(form.body, 'what=fish%20%26%20rice&extras[vitamins][0]=C&extras[vitamins][1]=D')
    const photo = {
      base64: Buffer.from('picture').toString('base64'),
      filename: 'rex.png',
      content_type: 'image/png'
    }
    await story.run(
      { operation: 'photographPet', parameters: { id: 3 }, body: { photo: '{photo}', note: 'n' } },
      { photo }
    )
    assert.match(lastOf(story).body, /filename="rex.png"\r\nContent-Type: image\/png\r\n\r\npicture\r\n/)
    const list = { in: 'formData', type: 'array', items: { type: 'string' } }
    const parameters = ['csv', 'pipes', 'multi', undefined].map((collectionFormat, at) => ({
      ...list,
      name: `l${at}`,
      collectionFormat
    }))
    const post = {
      operationId: 'tagPet',
      consumes: ['application/x-www-form-urlencoded'],
      parameters,
      responses: {}
    }
    await story.send({ swagger: '2.0', info: { title: 'Pets', version: '1' }, paths: { '/tags': { post } } })
    const two = ['a b', 'c']
    await story.run({ operation: 'tagPet', body: { l0: two, l1: two, l2: two, l3: two } })
    assert.equal(lastOf(story).body, 'l0=a%20b,c&l1=a%20b%7Cc&l2=a%20b&l2=c&l3=a%20b,c')
  })

  it('fails before the call where something is missing, unknown or of another type', async (t) => {
    const story = await begin(t)
    const fails = async (
      fields: Readonly<Record<string, unknown>>,
      code: string,
      says: RegExp,
      input = {}
    ) => {
      const error = errorOf(await story.run(fields, input))
      assert.equal(error.code, code)
      assert.match(error.message, says)
    }
    const value = { operation: 'listPets', parameters: { owner: '{owner}' } }
    await fails({ ...value, parameters: { owner: '{owner?}' } }, 'parameter_missing', /needs "owner"/)
    await fails(value, 'parameter_invalid', /whole number, and is the text "x"/, { owner: 'x' })
    await fails({ operation: 'photographPet', parameters: { id: '{id}' } }, 'url_invalid', /another path/, {
      id: '..'
    })
    assert.deepEqual(story.requests, [])
  })

  it('asks no node for what the connection sends itself, and lets none write the head of the message', async (t) => {
    const story = await begin(t)
    const asked = (name: string, place: string) => ({ name, in: place, required: true })
    const parameters = [
      asked('appid', 'query'),
      asked('units', 'query'),
      asked('X-Tenant', 'header'),
      asked('Host', 'header'),
      asked('city', 'query')
    ]
    const info = { title: 'Weather', version: '1' }
    await story.send({
      openapi: '3.1.0',
      info,
      paths: { '/now': { get: { operationId: 'now', parameters } } }
    })
    const read = await story.service.request('GET', story.connection)
    const { base_url } = read.json<{ settings: { base_url: string } }>().settings
    const settings = {
      base_url,
      auth: 'query',
      parameter: 'appid',
      query: { units: 'metric' },
      headers: { 'x-tenant': 'a' }
    }
    const body = { name: 'pets', kind: 'http', settings, secrets: { value: 'planted-secret-1' } }
    assert.equal((await story.service.request('PUT', story.connection, { body })).status, 200)
    const called = await story.run({ operation: 'now', parameters: { city: 'Rome' } })
    assert.equal(called.status, 'succeeded', JSON.stringify(called))
    const { url, headers } = lastOf(story)
    assert.equal(url, '/echo/now?city=Rome&units=metric&appid=planted-secret-1')
    assert.equal(headers['x-tenant'], 'a')
    const told = await story.service.request('GET', `${story.connection}/operations?operation=now`)
    const [operation] = told.json<{ operations: { parameters: { name: string; required: boolean }[] }[] }>()
      .operations
    assert.deepEqual(
      operation!.parameters.filter(({ required }) => required).map(({ name }) => name),
      ['city']
    )
    assert.ok(!operation!.parameters.some(({ name }) => name === 'Host'))
  })

  it('says that the operation is gone when the document was replaced', async (t) => {
    const story = await begin(t)
    const flow = await story.service.createFlow({
      name: 'Pets',
      nodes: [
        { id: 'webhook-1', type: 'webhook', fields: {} },
        {
          id: 'call',
          type: 'api-operation',
          fields: { connection: 'pets', operation: 'GET /pets/{id}', parameters: { id: 1 } }
        }
      ],
      edges: [{ from: 'webhook-1.data', to: 'call.data' }]
    })
    const run = () => story.service.request('POST', `/api/v1/run/${flow.id}`, { body: { input: {} } })
    assert.equal((await run()).json<RunBody>().status, 'succeeded')
    const { '/pets/{id}': _, ...paths } = pets().paths
    await story.send({ ...pets(), paths })
    const gone = errorOf((await run()).json<RunBody>())
    assert.equal(gone.code, 'operation_not_found')
    assert.match(gone.message, /no operation "GET \/pets\/\{id\}"\. Did you mean/)
    await story.service.request('DELETE', `${story.connection}/document`)
    assert.equal(errorOf((await run()).json<RunBody>()).code, 'document_missing')
  })

  it('is judged by the document before it runs', async (t) => {
    const { service, connection } = await begin(t)
    const judge = async (fields: Readonly<Record<string, unknown>>) => {
      const nodes = [
        { id: 'webhook-1', type: 'webhook', fields: {} },
        { id: 'call', type: 'api-operation', fields: { connection: 'pets', ...fields } }
      ]
      const edges = [{ from: 'webhook-1.data', to: 'call.data' }]
      return service.request('POST', '/api/v1/flows', { body: { name: 'Judged', nodes, edges } })
    }
    const wrong = await judge({ operation: 'listPets', parameters: { limits: '1' }, body: { a: 1 } })
    assert.equal(wrong.status, 422)
    const { errors } = wrong.json<{ errors: { code: string; message: string; node: string }[] }>()
    assert.deepEqual(
      errors.map(({ code, node }) => `${node} ${code}`),
      ['call parameter_unknown', 'call parameter_missing', 'call body_unexpected']
    )
    assert.match(errors[0]!.message, /Did you mean "limit"/)

    const flow = (await judge({ operation: 'addPet', parameters: { owner: 1 }, body: { age: 1 } })).json<{
      id: string
    }>()
    const draft = await service.request('GET', `/api/v1/flows/${flow.id}`)
    const path = `/api/v1/flows/${flow.id}/draft`
    const warningsOf = async () =>
      (await service.request('GET', path))
        .json<{ warnings?: { code: string }[] }>()
        .warnings?.map(({ code }) => code)
    const put = await service.request('PUT', path, { body: { ...draft.json<object>(), name: 'Other' } })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual(await warningsOf(), ['member_missing'])
    const { '/owners/{owner}/pets': _, ...paths } = pets().paths
    await service.request('PUT', `${connection}/document`, { body: { ...pets(), paths } })
    assert.deepEqual(await warningsOf(), ['operation_not_found'])
    await service.request('DELETE', `${connection}/document`)
    assert.deepEqual(await warningsOf(), ['document_missing'])
  })
})
