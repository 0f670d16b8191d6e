import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { redEndpoint, redTab } from '../src/import/node-red/node-red.test-kit.ts'
import type { ApiClient, FlowBody } from './support/api-client.ts'
import { startOutside } from './support/outside.ts'
import { serviceOfFile } from './support/service.ts'

interface FlowReport {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly nodes: readonly { node: string; was: string; became: string; verdict: string; note: string }[]
  readonly wires: { kept: number; lost: number }
}

const shared = serviceOfFile({ env: { MILLRACE_EGRESS_ALLOW: '127.0.0.1' } })

async function imported(service: ApiClient, file: unknown): Promise<readonly FlowReport[]> {
  const answer = await service.request('POST', '/api/v1/import', { body: file as object })
  assert.equal(answer.status, 201, answer.text)
  const { format, flows } = answer.json<{ format: string; flows: FlowReport[] }>()
  assert.equal(format, 'node-red')
  for (const { wires } of flows) assert.equal(wires.lost, 0)
  return flows
}

/** All flows of a file, live; what others run comes first. */
async function published(service: ApiClient, file: unknown): Promise<readonly FlowReport[]> {
  const flows = await imported(service, file)
  for (const { id } of [...flows].reverse()) {
    const answer = await service.request('POST', `/api/v1/flows/${id}/publish`, { body: {} })
    assert.equal(answer.status, 200, answer.text)
  }
  return flows
}

interface RunBody {
  readonly status: string
  readonly error: { message: string } | null
  readonly steps: readonly { node: string; status: string; outputs: Record<string, unknown> }[]
}

async function run(service: ApiClient, flow: string, input: unknown = {}): Promise<RunBody> {
  const ran = (await service.request('POST', `/api/v1/run/${flow}`, { body: { input } })).json<RunBody>()
  assert.equal(ran.error, null, JSON.stringify(ran.error))
  return ran
}

/** What the node gave; undefined where it did not run. */
function shown(ran: RunBody, node: string, output = 'result'): unknown {
  return ran.steps.find((step) => step.node === node)?.outputs?.[output]
}

/** What a chain of nodes makes of a message whose payload is the body. */
async function made(service: ApiClient, nodes: Parameters<typeof redEndpoint>[1], body: unknown) {
  const [flow] = await published(service, redEndpoint('post', nodes))
  const answer = await service.request('POST', `/api/v1/webhook/${flow!.slug}`, {
    body: Buffer.from(JSON.stringify(body)),
    headers: { 'content-type': 'application/json' }
  })
  return answer
}

describe('a flow of Node-RED', () => {
  it('answers who calls it, by the way that a Switch takes', async (t) => {
    const service = await shared(t)
    const nodes = [
      {
        id: 'sum',
        type: 'function',
        name: 'Total',
        func: 'msg.total = msg.payload.lines.reduce((sum, line) => sum + line.price, 0)\nreturn msg',
        outputs: 1,
        to: [['way']]
      },
      {
        id: 'way',
        type: 'switch',
        name: 'Large?',
        property: 'total',
        propertyType: 'msg',
        rules: [{ t: 'gte', v: '100', vt: 'num' }, { t: 'else' }],
        checkall: 'false',
        to: [['large'], ['small']]
      },
      {
        id: 'large',
        type: 'change',
        name: 'Large',
        rules: [
          {
            t: 'set',
            p: 'payload',
            pt: 'msg',
            to: '{ "order": payload.id, "total": total }',
            tot: 'jsonata'
          },
          { t: 'set', p: 'statusCode', pt: 'msg', to: '201', tot: 'num' }
        ],
        to: [['answer']]
      },
      {
        id: 'small',
        type: 'template',
        name: 'Small',
        field: 'payload',
        format: 'handlebars',
        syntax: 'mustache',
        template:
          'Order {{payload.id}} <{{{payload.note}}}> {{payload.note}}{{#payload.lines}} [{{price}}]{{/payload.lines}}',
        to: [['answer']]
      }
    ]
    const large = await made(service, nodes, { id: 7, lines: [{ price: 60 }, { price: 50 }] })
    assert.deepEqual([large.status, large.json()], [201, { order: 7, total: 110 }])
    const small = await made(service, nodes, { id: 8, note: 'a&b', lines: [{ price: 1 }, { price: 2 }] })
    assert.deepEqual([small.status, small.text], [200, 'Order 8 <a&b> a&amp;b [1] [2]'])
    assert.match(small.headers.get('content-type') ?? '', /text\/html/)
  })

  it('reads the query of a GET, and what stood in its path', async (t) => {
    const service = await shared(t)
    const file = redTab('People', [
      { id: 'in', type: 'http in', method: 'get', url: '/people/:name', to: [['greet']] },
      {
        id: 'greet',
        type: 'function',
        func: 'msg.payload = { hello: msg.req.params.name, query: msg.payload, agent: msg.req.headers["x-agent"] }\nreturn msg;',
        outputs: 1,
        to: [['answer']]
      },
      { id: 'answer', type: 'http response', statusCode: '200', headers: { 'X-Made-By': 'red' } }
    ])
    const [flow] = await published(service, file)
    const answer = await service.request('GET', `/api/v1/webhook/${flow!.slug}?name=Ann&x=1`, {
      headers: { 'x-agent': 'a test' }
    })
    assert.deepEqual(answer.json(), { hello: 'Ann', query: { name: 'Ann', x: '1' }, agent: 'a test' })
    assert.equal(answer.headers.get('x-made-by'), 'red')
  })

  it('starts by the clock, and by hand', async (t) => {
    const service = await shared(t)
    const inject = (id: string, more: object) => ({
      id,
      type: 'inject',
      name: id,
      props: [{ p: 'payload' }, { p: 'topic', vt: 'str' }],
      topic: 'greeting',
      payload: id,
      payloadType: 'str',
      repeat: '',
      crontab: '',
      to: [['see']],
      ...more
    })
    const file = redTab('Greetings', [
      inject('Morning', { crontab: '0 8 * * 1-5' }),
      inject('Hello', {}),
      inject('Bye', {}),
      { id: 'see', type: 'debug', name: 'See', active: true, complete: 'true' }
    ])
    const [flow, ...others] = await published(service, file)
    assert.equal(others.length, 0)
    const { nodes } = (await service.get(`/api/v1/flows/${flow!.id}`)).json<FlowBody>()
    const clock = nodes.find(({ type }) => type === 'schedule')
    assert.deepEqual(clock?.fields, { cron: '0 8 * * 1-5', timezone: 'UTC' })
    const bye = await run(service, flow!.id, { inject: 'Bye' })
    assert.deepEqual(payloadOf(shown(bye, 'see')), { payload: 'Bye', topic: 'greeting' })
    assert.deepEqual(payloadOf(shown(await run(service, flow!.id), 'see')), {
      payload: 'Hello',
      topic: 'greeting'
    })
  })

  it('sends several messages by a Split, and brings them together by a Join', async (t) => {
    const service = await shared(t)
    const nodes = [
      { id: 'split', type: 'split', name: 'Lines', splt: '\\n', arraySplt: 1, to: [['each']] },
      {
        id: 'each',
        type: 'change',
        rules: [{ t: 'set', p: 'payload', to: '$uppercase(payload)', tot: 'jsonata' }],
        to: [['join']]
      },
      { id: 'join', type: 'join', name: 'All', mode: 'auto', to: [['answer']] }
    ]
    assert.deepEqual((await made(service, nodes, ['a', 'b', 'c'])).json(), ['A', 'B', 'C'])
    const object = [nodes[0]!, { ...nodes[1]!, id: 'each' }, nodes[2]!]
    assert.deepEqual((await made(service, object, { x: 'a', y: 'b' })).json(), { x: 'A', y: 'B' })
  })

  it('says where a Join waited for messages of other runs', async (t) => {
    const join = (count: string) => ({ id: 'join', type: 'join', mode: 'custom', build: 'array', count })
    const branch = (id: string) => ({ id, type: 'function', func: 'return msg', outputs: 1, to: [['join']] })
    for (const [count, verdict] of [
      ['2', 'exact'],
      ['5', 'adapted']
    ] as const) {
      const start = { id: 'in', type: 'inject', to: [['a', 'b']] }
      const file = redTab(`Join ${count}`, [start, branch('a'), branch('b'), join(count)])
      const [flow] = await imported(await shared(t), file)
      const joined = flow!.nodes.find(({ was }) => was === 'join')!
      assert.equal(joined.verdict, verdict, joined.note)
    }
  })

  it('sends what a Function sends: by several outputs, several at once, or nothing', async (t) => {
    const service = await shared(t)
    const several = [
      {
        id: 'many',
        type: 'function',
        func: 'const out = []\nfor (const n of msg.payload) out.push({ payload: n * 2 })\nreturn [out]',
        outputs: 1,
        to: [['join']]
      },
      {
        id: 'join',
        type: 'join',
        mode: 'custom',
        build: 'array',
        property: 'payload',
        propertyType: 'msg',
        count: '',
        to: [['sum']]
      },
      {
        id: 'sum',
        name: 'Sum',
        type: 'function',
        func: 'if (msg.payload.length === 0) return null\nnode.send(msg)',
        outputs: 1,
        to: [['answer']]
      }
    ]
    // A Join gives the last message on, which here has no request any more: the run ends without an answer of its own.
    const [flow] = await published(service, redEndpoint('post', several))
    const ran = await run(service, flow!.id, [1, 2, 3])
    assert.deepEqual(payloadOf(shown(ran, 'sum')), { payload: [2, 4, 6] })
    const ways = redEndpoint('post', [
      {
        id: 'way',
        type: 'function',
        func: 'return msg.payload.ok ? [msg, null] : [null, { ...msg, statusCode: 400 }]',
        outputs: 2,
        to: [['answer'], ['answer']]
      }
    ])
    const [both] = await published(service, ways)
    const call = (body: object) => service.request('POST', `/api/v1/webhook/${both!.slug}`, { body })
    assert.equal((await call({ ok: true })).status, 200)
    assert.equal((await call({ ok: false })).status, 400)
  })

  it('keeps what it kept in a context', async (t) => {
    const service = await shared(t)
    const file = redEndpoint('post', [
      {
        id: 'count',
        type: 'function',
        name: 'Count',
        func: 'const n = (flow.get("count") || 0) + 1\nflow.set("count", n)\nmsg.payload = { n, last: global.get("last") || null }\nreturn msg',
        outputs: 1,
        to: [['keep']]
      },
      {
        id: 'keep',
        type: 'change',
        rules: [{ t: 'set', p: 'last', pt: 'global', to: 'payload.n', tot: 'msg' }],
        to: [['answer']]
      }
    ])
    const [flow] = await published(service, file)
    const call = async () => {
      const ran = await run(service, flow!.id, {})
      return payloadOf(shown(ran, 'count-out1')).payload
    }
    assert.deepEqual(await call(), { n: 1, last: null })
    assert.deepEqual(await call(), { n: 2, last: 1 })
  })

  it('leads failures to a Catch, with the message that the node got', async (t) => {
    const service = await shared(t)
    const file = redEndpoint('post', [
      { id: 'read', type: 'json', name: 'Read', property: 'payload', action: 'obj', to: [['answer']] },
      { id: 'caught', type: 'catch', name: 'Caught', scope: null, to: [['told']] },
      {
        id: 'told',
        type: 'change',
        rules: [
          { t: 'move', p: 'payload', pt: 'msg', to: 'was', tot: 'msg' },
          { t: 'set', p: 'payload', to: '{ "was": was, "by": error.source.name }', tot: 'jsonata' },
          { t: 'set', p: 'statusCode', to: '422', tot: 'num' }
        ],
        to: [['answer']]
      }
    ])
    const [flow] = await published(service, file)
    const answer = await service.request('POST', `/api/v1/webhook/${flow!.slug}`, {
      body: Buffer.from('{bad'),
      headers: { 'content-type': 'text/plain' }
    })
    assert.equal(answer.status, 422, answer.text)
    assert.deepEqual(answer.json(), { was: '{bad', by: 'Read' })
  })

  it('runs a subflow, and what another tab has behind a link', async (t) => {
    const service = await shared(t)
    const file = [
      {
        id: 'sub',
        type: 'subflow',
        name: 'Greet',
        in: [{ wires: [{ id: 'say' }] }],
        out: [{ wires: [{ id: 'say', port: 0 }] }],
        env: [{ name: 'WORD', type: 'str', value: 'Hello' }]
      },
      {
        id: 'say',
        type: 'function',
        z: 'sub',
        name: 'Say',
        func: 'msg.payload = env.get("WORD") + " " + msg.payload.name\nreturn msg',
        outputs: 1,
        x: 10,
        y: 10,
        wires: [[]]
      },
      ...redEndpoint('post', [
        {
          id: 'use',
          type: 'subflow:sub',
          name: 'Use',
          env: [{ name: 'WORD', type: 'str', value: 'Bye' }],
          to: [['call']]
        },
        { id: 'call', type: 'link call', name: 'Louder', links: ['louder'], to: [['out']] },
        { id: 'out', type: 'link out', mode: 'link', links: ['back'], to: [] },
        { id: 'back', type: 'link in', links: ['out'], to: [['answer']] }
      ]),
      ...redTab('Other', [
        { id: 'louder', type: 'link in', name: 'Louder', links: [], to: [['shout']] },
        {
          id: 'shout',
          type: 'change',
          rules: [{ t: 'set', p: 'payload', to: 'payload & "!"', tot: 'jsonata' }],
          to: [['given']]
        },
        { id: 'given', type: 'link out', mode: 'return', links: [], to: [] }
      ])
    ]
    const flows = await published(service, file)
    const [flow] = flows
    const answer = await service.request('POST', `/api/v1/webhook/${flow!.slug}`, { body: { name: 'Ann' } })
    assert.equal(answer.text, 'Bye Ann!', JSON.stringify(flows.map(({ name, slug }) => [name, slug])))
  })

  it('asks others as it asked them', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    outside.answerAll(({ body }) => ({ body: { got: JSON.parse(body) } }))
    const file = redEndpoint('post', [
      {
        id: 'set',
        type: 'function',
        func: 'msg.headers = { "X-Token": "t", "content-type": "application/json" }\nmsg.url = msg.payload.url\nmsg.payload = { a: 1 }\nreturn msg',
        outputs: 1,
        to: [['ask']]
      },
      {
        id: 'ask',
        type: 'http request',
        method: 'POST',
        ret: 'obj',
        paytoqs: 'ignore',
        url: '',
        to: [['answer']]
      }
    ])
    const [flow] = await published(service, file)
    const answer = await service.request('POST', `/api/v1/webhook/${flow!.slug}`, {
      body: { url: outside.url('/things?x=1') }
    })
    assert.deepEqual(answer.json(), { got: { a: 1 } })
    const [call] = outside.calls
    assert.deepEqual([call!.path, call!.headers['x-token'], call!.body], ['/things?x=1', 't', '{"a":1}'])
  })

  it('comes from an address, by the guard that all steps go by', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const file = redEndpoint('post', [{ id: 'see', type: 'debug', to: [] }])
    outside.answerAll(({ path }) => (path === '/flows.json' ? { body: file } : { status: 404 }))
    const [flow] = await imported(service, { url: outside.url('/flows.json') })
    assert.equal(flow!.name, 'Endpoint')
    const refusals: [url: string, why: RegExp][] = [
      [outside.url('/none.json'), /status 404/],
      ['http://169.254.169.254/latest', /may not reach/],
      ['file:///etc/passwd', /begin with https/]
    ]
    for (const [url, why] of refusals) {
      const answer = await service.request('POST', '/api/v1/import', { body: { url } })
      const { code, detail } = answer.json<{ code: string; detail: string }>()
      assert.deepEqual([answer.status, code], [422, 'import_unreachable'])
      assert.match(detail, why)
    }
  })

  it('has a place where it is broken, and is never run by what it says', async (t) => {
    const service = await shared(t)
    const broken = await service.request('POST', '/api/v1/import', {
      body: Buffer.from('[{"id":"a","type":"tab"},\n{"id":"b",}]')
    })
    const { code, errors } = broken.json<{ code: string; errors: { line: number }[] }>()
    assert.deepEqual([broken.status, code, errors[0]!.line], [422, 'import_broken', 2])
    const hostile = redEndpoint('post', [
      { id: '__proto__', type: 'constructor', to: [['toString']] },
      { id: 'toString', type: 'function', name: '__proto__', func: '"', outputs: 1e9, to: [['a'], ['a']] },
      {
        id: 'a',
        type: 'switch',
        rules: [{ t: '__proto__' }],
        property: '__proto__.x',
        to: [['a'], ['toString']]
      },
      { id: 'sub', type: 'subflow:sub', to: [['sub']] },
      { id: 'link', type: 'link out', links: ['in', 'link', 'nobody'], mode: 'link' }
    ])
    const loop = {
      id: 'sub',
      type: 'subflow',
      name: 'Self',
      in: [{ wires: [{ id: 'own' }] }],
      out: [{ wires: [{ id: 'own' }] }]
    }
    const own = { id: 'own', type: 'subflow:sub', z: 'sub', x: 1, y: 1, wires: [['own']] }
    const text = JSON.stringify([
      ...hostile,
      { ...loop, id: 'sub2' },
      { ...own, type: 'subflow:sub2', z: 'sub2' }
    ])
    const answer = await service.request('POST', '/api/v1/import', { body: Buffer.from(text) })
    assert.equal(answer.status, 201, answer.text)
    for (const { wires } of answer.json<{ flows: FlowReport[] }>().flows) assert.equal(wires.lost, 0)
    assert.equal(({} as { x?: unknown }).x, undefined)
  })
})

function payloadOf(message: unknown): Record<string, unknown> {
  const { _msgid, req, res, ...rest } = message as Record<string, unknown>
  return rest
}
