import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { madeZip } from '../src/documents/made-documents.test-kit.ts'
import { flowiseFlow } from '../src/import/flowise/flowise.test-kit.ts'
import { langflowFlow, parserFlow } from '../src/import/langflow/langflow.test-kit.ts'
import { n8nWorkflow } from '../src/import/n8n/n8n.test-kit.ts'
import type { ApiClient, FlowBody } from './support/api-client.ts'
import { ordersFlow } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { serviceOfFile } from './support/service.ts'
import { approvals } from './support/waiting-flows.ts'

interface ReportBody {
  readonly format: string
  readonly flows: readonly {
    readonly id: string | null
    readonly slug: string
    readonly name: string
    readonly nodes: readonly { node: string; was: string; became: string; verdict: string; note: string }[]
    readonly wires: { kept: number; lost: number }
    readonly pinned: number
    readonly connections: readonly string[]
  }[]
}

const shared = serviceOfFile()

const send = (service: ApiClient, file: unknown, query = '') =>
  service.request('POST', `/api/v1/import${query}`, { body: file as object })

async function imported(service: ApiClient, file: unknown): Promise<ReportBody> {
  const answer = await send(service, file)
  assert.equal(answer.status, 201, answer.text)
  return answer.json<ReportBody>()
}

async function published(service: ApiClient, file: unknown): Promise<string> {
  const [flow] = (await imported(service, file)).flows
  const answer = await service.request('POST', `/api/v1/flows/${flow!.id}/publish`, { body: {} })
  assert.equal(answer.status, 200, answer.text)
  return flow!.id!
}

interface DraftBody {
  readonly nodes: readonly {
    id: string
    type: string
    position: { x: number; y: number }
    fields: Record<string, unknown>
  }[]
  readonly edges: readonly { from: string; to: string }[]
  readonly errors: readonly { code: string; message: string }[]
}

/** What became of it, without what is only missing: connections, and what stands for nothing yet. */
async function draftOf(service: ApiClient, file: unknown, at = 0) {
  const report = (await imported(service, file)).flows[at]!
  const draft = (await service.get(`/api/v1/flows/${report.id}/draft`)).json<DraftBody>()
  const faults = draft.errors.filter(({ code }) => !/^(?:connection_|placeholder_left)/.test(code))
  assert.deepEqual(faults, [])
  const verdicts = Object.fromEntries(report.nodes.map(({ node, verdict }) => [node, verdict]))
  return { report, draft, verdicts, node: (id: string) => draft.nodes.find((node) => node.id === id) }
}

interface RunBody {
  readonly status: string
  readonly output: unknown
  readonly error: { message: string } | null
  readonly steps: readonly { node: string; status: string; outputs: Record<string, unknown> }[]
}

async function run(service: ApiClient, flow: string, input: unknown): Promise<RunBody> {
  return (await service.request('POST', `/api/v1/run/${flow}`, { body: { input } })).json<RunBody>()
}

/** What the Parser printed of a body, as a sender sends it. */
async function printed(
  service: ApiClient,
  flow: string,
  body: string,
  type = 'application/json'
): Promise<unknown> {
  const answer = await service.request('POST', `/api/v1/webhook/${flow}`, {
    body: Buffer.from(body),
    headers: { 'content-type': type, prefer: 'wait=10' }
  })
  assert.equal(answer.status, 202, answer.text)
  const { run_id } = answer.json<{ run_id: string }>()
  const { steps, error } = (await service.get(`/api/v1/runs/${run_id}`)).json<RunBody>()
  return steps.find(({ node }) => node.startsWith('chat-output'))?.outputs?.message ?? error?.message
}

describe('what is imported', () => {
  it('is a draft that can be published at once where nothing is missing', async (t) => {
    const service = await shared(t)
    const report = await imported(service, parserFlow('Order {order_id} from {customer}: {total}'))
    assert.equal(report.format, 'langflow')
    const [flow] = report.flows
    assert.deepEqual(flow!.wires, { kept: 2, lost: 0 })
    assert.deepEqual(
      flow!.nodes.map(({ node, was, became, verdict }) => [node, was, became, verdict]),
      [
        ['webhook-1', 'Webhook', 'webhook', 'exact'],
        ['parser-1', 'ParserComponent', 'parser', 'adapted'],
        ['chat-output-1', 'ChatOutput', 'chat-output', 'exact']
      ]
    )
    const live = (await service.get(`/api/v1/flows/${flow!.id}`)).json<FlowBody>()
    assert.equal(live.nodes.length, 0)
    const publish = await service.request('POST', `/api/v1/flows/${flow!.id}/publish`, { body: {} })
    assert.equal(publish.status, 200, publish.text)
  })

  it('is told and not saved in a dry run', async (t) => {
    const service = await shared(t)
    const before = (await service.get('/api/v1/flows')).json<{ flows: unknown[] }>().flows.length
    const answer = await send(service, parserFlow('{a}'), '?dry_run=true')
    assert.equal(answer.status, 200)
    assert.equal(answer.json<ReportBody>().flows[0]!.id, null)
    assert.equal((await service.get('/api/v1/flows')).json<{ flows: unknown[] }>().flows.length, before)
  })

  it('is refused where it is no flow, or broken, with the place', async (t) => {
    const service = await shared(t)
    const codes: [body: string, code: string][] = [
      ['{"a": 1}', 'unknown_format'],
      ['hello', 'unknown_format'],
      ['[]', 'unknown_format'],
      ['', 'unknown_format'],
      [`${'['.repeat(1000)}`, 'import_broken'],
      ['{\n  "nodes": [,]\n}', 'import_broken']
    ]
    for (const [raw, code] of codes) {
      const answer = await service.request('POST', '/api/v1/import', { body: Buffer.from(raw) })
      assert.deepEqual(
        [answer.status, answer.json<{ code: string }>().code],
        [422, code],
        `${raw} ${answer.text}`
      )
    }
    const broken = await service.request('POST', '/api/v1/import', {
      body: Buffer.from('{\n  "nodes": [,]\n}')
    })
    const [fault] = broken.json<{ errors: { line: number; column: number }[] }>().errors
    assert.deepEqual([fault!.line, fault!.column], [2, 13])
  })

  it('is refused where an object has two members of one name, with the place of the second', async (t) => {
    const service = await shared(t)
    const flow = JSON.stringify(parserFlow('{a}')).slice(1)
    const long = ' '.repeat(100_000)
    const files = [
      [`{"data": {"nodes": [], "edges": []},\n${flow}`, 'data', 2],
      [`{"d\\u0061ta": {"nodes": [], "edges": []},${long}\n\n${flow}`, 'data', 3],
      ['[{"nodes": [], "edges": [], "__proto__": {},\n"__proto__": {}}]', '__proto__', 2]
    ] as const
    for (const [raw, name, line] of files) {
      const answer = await service.request('POST', '/api/v1/import?dry_run=true', { body: Buffer.from(raw) })
      const { code, errors, detail } = answer.json<{
        code: string
        detail: string
        errors: { line: number }[]
      }>()
      assert.deepEqual([answer.status, code, errors[0]?.line], [422, 'import_broken', line], answer.text)
      assert.ok(detail.includes(`"${name}" a second time`), detail)
    }
  })

  it('keeps no secret that stood in settings, and says where each did', async (t) => {
    const service = await shared(t)
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const unknown = { type: 'odd', name: 'Odd', version: 1 }
    const setting = { show: true, _input_type: 'StrInput', value: secret }
    const placed = { position: { x: 0, y: 0 } }
    const files: Record<string, object> = {
      n8n: n8nWorkflow(
        'n8n',
        [
          { ...unknown, parameters: { apiKey: secret, rows: [{ name: 'X-Token', value: secret }] } },
          {
            name: 'Ask',
            type: 'httpRequest',
            version: 4,
            parameters: {
              url: `https://a.example/?api_key=${secret}`,
              sendHeaders: true,
              headerParameters: { parameters: [{ name: 'Authorization', value: `Bearer ${secret}` }] }
            }
          }
        ],
        []
      ),
      langflow: {
        data: {
          nodes: [{ id: 'Odd-1', data: { type: 'Odd', node: { template: { token: setting } } } }],
          edges: []
        }
      },
      'Node-RED': [
        { id: 't', type: 'tab', label: 'Red' },
        { id: 'o', z: 't', type: 'odd', wires: [], secret }
      ],
      Flowise: flowiseFlow([{ id: 'odd_0', name: 'odd', inputs: { authToken: secret } }], []),
      Millrace: {
        name: 'Signed',
        nodes: [
          { id: 'w', type: 'webhook', ...placed, fields: { auth: 'Signature', signing_secret: secret } }
        ],
        edges: []
      }
    }
    for (const [name, file] of Object.entries(files)) {
      const report = await imported(service, file)
      const told = report.flows[0]!.nodes.map(({ note }) => note).join(' ')
      assert.match(told, /[Ll]eft out/, `${name}: ${told}`)
      const kept = await service.get(`/api/v1/flows/${report.flows[0]!.id}/draft`)
      for (const text of [JSON.stringify(report), kept.text])
        assert.ok(!text.includes(secret), `${name}: ${text}`)
    }
  })

  it('leaves out what stands behind its JSON, and says so', async (t) => {
    const service = await shared(t)
    const text = `${JSON.stringify(parserFlow('{a}'), null, 2)}\n\nThat is all, {have fun}`
    const sendText = (body: string) =>
      service.request('POST', '/api/v1/import?dry_run=true', { body: Buffer.from(body) })
    const report = (await sendText(text)).json<ReportBody & { left_out: string[] }>()
    assert.deepEqual(report.flows[0]!.wires, { kept: 2, lost: 0 })
    const line = text.split('\n').length
    assert.deepEqual(report.left_out, [
      `The file has text behind its JSON, from line ${line}, column 1 on: that was left out.`
    ])
    // Long ones are read piece by piece.
    const long = `${JSON.stringify(parserFlow('x'.repeat(100_000)))} more`
    assert.equal((await sendText(long)).json<typeof report>().left_out.length, 1)
    assert.equal((await sendText(text.slice(0, 300))).json<{ code: string }>().code, 'import_broken')
  })

  it('may be an archive, in which what is no flow is passed over, and which is not believed', async (t) => {
    const service = await shared(t)
    const content = JSON.stringify(parserFlow('{a}'))
    const sendZip = (parts: Parameters<typeof madeZip>[0]) =>
      service.request('POST', '/api/v1/import', { body: Buffer.from(madeZip(parts)) })
    const project = await sendZip([
      { name: 'project/One.json', content },
      { name: 'project/package.json', content: '{"name":"p"}' },
      { name: '__MACOSX/._One.json', content: 'x' },
      { name: 'project/Two.json', content }
    ])
    assert.equal(project.status, 201, project.text)
    assert.equal(project.json<ReportBody>().flows.length, 2)
    const bad: Parameters<typeof madeZip>[0][] = [
      [{ name: '../../One.json', content }],
      [
        { name: 'One.json', content },
        { name: 'One.json', content: content.replaceAll('{a}', '{b}') }
      ],
      [{ name: 'One.json', content, saidSize: 10 }],
      [{ name: 'One.json', content: ' '.repeat(40 * 1024 ** 2) }],
      [{ name: 'One.txt', content }]
    ]
    for (const parts of bad) {
      const answer = await sendZip(parts)
      assert.deepEqual(
        [answer.status, answer.json<{ code: string }>().code],
        [422, 'unknown_format'],
        answer.text
      )
    }
  })

  it('may hold many flows of one name, and no more than are saved in some seconds', async (t) => {
    const service = await shared(t)
    const content = JSON.stringify(
      Array.from({ length: 500 }, () => ({ name: 'a', nodes: [], connections: {} }))
    )
    const sendFiles = (count: number) => {
      const files = Array.from({ length: count }, (_, at) => ({ name: `${at}.json`, content }))
      const body = Buffer.from(madeZip(files))
      return service.request('POST', '/api/v1/import?dry_run=true', { body })
    }
    const many = await sendFiles(2)
    assert.deepEqual([many.status, many.json<ReportBody>().flows.at(-1)!.slug], [200, 'a-1000'])
    const before = process.cpuUsage()
    const tooMany = await sendFiles(100)
    assert.deepEqual([tooMany.status, tooMany.json<{ code: string }>().code], [422, 'unknown_format'])
    assert.match(tooMany.text, /more than 5000 flows/)
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 10_000_000, `${(user + system) / 1e6} s`)
  })

  it('of our own is as it was', async (t) => {
    const service = await shared(t)
    const report = await imported(service, ordersFlow({ slug: 'sent-along' }))
    assert.equal(report.format, 'millrace')
    assert.equal(report.flows[0]!.slug, 'sent-along')
    const again = await imported(service, ordersFlow({ slug: 'sent-along' }))
    assert.equal(again.flows[0]!.slug, 'sent-along-2')
  })

  it('keeps what has no counterpart as a placeholder, which is not published', async (t) => {
    const service = await shared(t)
    const file = n8nWorkflow(
      'Odd',
      [
        { name: 'Webhook', type: 'webhook', version: 2, parameters: { httpMethod: 'POST' } },
        { name: 'Odd', type: 'someNodeOfNobody', parameters: { level: 3 } },
        { name: 'After', type: 'noOp' }
      ],
      [
        ['Webhook', 'Odd'],
        ['Odd', 'After']
      ]
    )
    const [flow] = (await imported(service, file)).flows
    assert.deepEqual(flow!.wires, { kept: 2, lost: 0 })
    assert.deepEqual(
      flow!.nodes.map(({ verdict }) => verdict),
      ['adapted', 'placeholder', 'exact']
    )
    const answer = await service.request('POST', `/api/v1/flows/${flow!.id}/publish`, { body: {} })
    assert.equal(answer.status, 422)
    assert.deepEqual(
      answer
        .json<{ errors: { code: string; node: string }[] }>()
        .errors.map(({ code, node }) => [code, node]),
      [['placeholder_left', 'odd']]
    )
  })
})

describe('a flow of Langflow', () => {
  const ORDER = 'Order {order_id} from {customer}: {total}'
  const cases: [pattern: string, body: string, text: string][] = [
    [
      'Order {order_id} from {customer}: {total}',
      '{"order_id":"7","customer":"Ann","total":"5"}',
      'Order 7 from Ann: 5'
    ],
    ['Order {order_id} from {customer}: {total}', '{"order_id":"7","customer":"Ann"}', 'Order 7 from Ann: '],
    ['Order {order_id} from {customer}: {total}', 'null', 'Order  from : '],
    ['Order {order_id} from {customer}: {total}', '{bad json', 'Order  from : '],
    ['Order {order_id} from {customer}: {total}', '   ', 'Order  from : '],
    ['{t} {u}', '{"t":129.90,"u":1e21}', '129.90 1e21'],
    ['{a[b]}', '{"a":{"b":"v"}}', 'v'],
    ['{a[0]}', '{"a":["x"]}', 'x'],
    ['{t:.2f}', '{"t":3.14159}', '3.14'],
    ['{n:>6}|', '{"n":"ab"}', '    ab|'],
    ['{{x}} {order id}', '{"order id":5}', '{x} 5'],
    ['{a!r}', '{"a":"v"}', "'v'"],
    ['{a!s}', '{"a":"v"}', 'v'],
    ['{payload}', 'some text', 'some text'],
    ['{a}', '[{"a":1},{"a":2}]', '1\n2'],
    ['Order {order_id} from {customer}: {total}', '{"order_id":null,"customer":"Ann"}', 'Order  from Ann: '],
    ['{a} {b} {c}', '{"a":true,"b":1.0,"c":129.90}', 'true 1.0 129.90'],
    ['{a} {b}', '{"a":{"x":1},"b":[1,"y"]}', '{"x":1} [1,"y"]'],
    ['{a.b}', '{"a":{"b":"v"}}', 'v'],
    ['{a[b][c]}', '{"a":{"b":{"c":5}}}', '5'],
    ['{a[b]}|', '{"a":{}}', '|'],
    ['{a[b]}|', '{}', '|'],
    ['{n:>6}|{n:<6}|{n:^6}', '{"n":"ab"}', '    ab|ab    |  ab  '],
    ['{n:05d} {n:,} {n:x} {p:.1%}', '{"n":1234,"p":0.25}', '01234 1,234 4d2 25.0%'],
    ['{first name} {user-id} {é}', '{"first name":"A","user-id":"B","é":"C"}', 'A B C'],
    ['{{{name}}}', '{"name":"Ann"}', '{Ann}'],
    ['{name', '{"name":"Ann"}', '{name'],
    ['{0}', '{"0":"v"}', 'v'],
    ['{a!r}|{b!r}', '{"a":true,"b":[1,null,"x"]}', "True|[1, None, 'x']"],
    ['{name!r:>8}|', '{"name":"v"}', "     'v'|"],
    ['{a}\n{b}', '{"a":"x\\ny","b":"z\\t"}', 'x\ny\nz\t'],
    ['{t}', '{"t":12345678901234567890}', '12345678901234567890'],
    ['nothing', '{"a":1}', 'nothing'],
    ['{a} {b}', '{"a":true,"b":null}', 'true '],
    [ORDER, '{}', 'Order  from : '],
    [ORDER, '', 'Order  from : '],
    [ORDER, '[{"order_id":1},{"order_id":2,"total":3}]', 'Order 1 from : \nOrder 2 from : 3'],
    ['{a} {b}', '{"a":129.90,"b":1e400}', '129.90 1e400'],
    ['{a!s}', '{"a":true}', 'true'],
    ['{a!r}|', '{}', "''|"],
    ['{a!r}', '{"a":"it\'s"}', '"it\'s"'],
    ['{n:{w}}|', '{"n":"ab","w":5}', 'ab   |'],
    ['{a[5]}|{__proto__}|{constructor}', '{"a":["x"]}', '||'],
    ['{payload}', '{bad json', '{bad json']
  ]
  for (const [pattern, body, text] of cases)
    it(`prints ${JSON.stringify(text)} of ${body} by ${pattern}`, async (t) => {
      const service = await shared(t)
      assert.equal(await printed(service, await published(service, parserFlow(pattern)), body), text)
    })

  it('prints a form by its fields, and a text as payload', async (t) => {
    const service = await shared(t)
    const flow = await published(service, parserFlow('{a}|{payload}'))
    assert.equal(await printed(service, flow, 'a=1&payload=2', 'application/x-www-form-urlencoded'), '1|2')
    assert.equal(await printed(service, flow, 'a text', 'text/plain'), '|a text')
  })

  it('fails where there are no keys to read, and says so, as Langflow does in the chat', async (t) => {
    const service = await shared(t)
    const flow = await published(service, parserFlow('{a}'))
    for (const [body, what] of Object.entries({ '"text"': 'string', '42': 'number', true: 'boolean' }))
      assert.match(String(await printed(service, flow, body)), new RegExp(`is a ${what}, not an object`))
  })

  it('prints data in a frame where the Parser stringifies it', async (t) => {
    const service = await shared(t)
    const flow = await published(service, parserFlow('', { mode: 'Stringify' }))
    assert.equal(
      await printed(service, flow, '{"a":{"b":[1,2.50,null]}}'),
      '```json\n{\n  "a": {\n    "b": [\n      1,\n      2.50,\n      null\n    ]\n  }\n}\n```'
    )
    assert.equal(await printed(service, flow, '{"a":1e400}'), '```json\n{\n  "a": 1e400\n}\n```')
  })
})

describe('a component of Langflow', () => {
  it('whose code somebody changed stands for nothing, whatever its type', async (t) => {
    const file = langflowFlow(
      'Changed',
      [
        { id: 'Webhook-1', type: 'Webhook' },
        { id: 'Old-1', type: 'ParserComponent', fields: { pattern: '{a}' }, more: { edited: true } },
        {
          id: 'New-1',
          type: 'ParserComponent',
          fields: { pattern: '{a}' },
          more: { metadata: { module: 'custom_components.parser' } }
        },
        {
          // Newer versions say so too where an update was refused.
          id: 'Kept-1',
          type: 'ParserComponent',
          fields: { pattern: '{a}' },
          more: { edited: true, metadata: { module: 'lfx.components.processing.parser.ParserComponent' } }
        },
        { id: 'Arxiv-1', type: 'ArXivComponent', fields: { search_type: 'title', max_results: 3 } }
      ],
      [
        ['Webhook-1', 'output_data', 'Old-1', 'input_data'],
        ['Webhook-1', 'output_data', 'New-1', 'input_data'],
        ['Webhook-1', 'output_data', 'Kept-1', 'input_data'],
        ['Webhook-1', 'output_data', 'Arxiv-1', 'search_query']
      ]
    )
    const { report, node } = await draftOf(await shared(t), file)
    assert.deepEqual(
      report.nodes.map(({ became }) => became),
      ['webhook', 'placeholder', 'placeholder', 'parser', 'api-request']
    )
    assert.deepEqual(report.wires, { kept: 4, lost: 0 })
    assert.deepEqual(node('api-request-1')!.fields.query, {
      search_query: 'ti:{search_query}',
      max_results: '3'
    })
  })
})

describe('a trigger of Langflow 1.13', () => {
  it('is a Webhook by its signature, whose body stands where it stood, or a Schedule; Human Input asks', async (t) => {
    const service = await shared(t)
    const decisions = ['Approve', 'Needs changes']
    const file = langflowFlow(
      'Inbound',
      [
        { id: 'InboundWebhookTrigger-1', type: 'InboundWebhookTrigger' },
        {
          id: 'ParserComponent-1',
          type: 'ParserComponent',
          fields: { pattern: '{payload[delivery][x]} {kind}', mode: 'Parser' }
        },
        {
          id: 'HumanInput-1',
          type: 'HumanInput',
          fields: { prompt: 'Well?', decisions, enable_fallback: true, timeout: { value: 2, unit: 'Days' } }
        },
        { id: 'ChatOutput-1', type: 'ChatOutput' },
        { id: 'ChatOutput-2', type: 'ChatOutput' }
      ],
      [
        ['InboundWebhookTrigger-1', 'event', 'ParserComponent-1', 'input_data'],
        ['ParserComponent-1', 'parsed_text', 'HumanInput-1', 'prompt'],
        ['HumanInput-1', 'branch_needs_changes', 'ChatOutput-1', 'input_value'],
        ['HumanInput-1', 'branch_fallback', 'ChatOutput-2', 'input_value']
      ]
    )
    const { report, draft, node } = await draftOf(service, file)
    assert.deepEqual(report.wires, { kept: 4, lost: 0 })
    const { question, choices, timeout } = node('approve-1')!.fields
    assert.deepEqual([question, choices, timeout], ['{$nodes.parser-1.parsed_text?}', decisions, '172800s'])
    const leaving = draft.edges.filter(({ from }) => from.startsWith('approve-1.'))
    assert.deepEqual(
      leaving.map(({ from }) => from),
      ['approve-1.needs-changes', 'approve-1.timed_out']
    )
    const secret = 'langflow-secret-0123456789abcdef'
    const body = { name: 'langflow-webhook', kind: 'webhook', secrets: { signing_secret: secret } }
    assert.equal((await service.post('/api/v1/connections', body)).status, 201)
    const published = await service.request('POST', `/api/v1/flows/${report.id}/publish`, { body: {} })
    assert.equal(published.status, 200, published.text)
    const sent = '{"x":"v"}'
    const time = String(Math.floor(Date.now() / 1000))
    const sign = (text: string) => createHmac('sha256', secret).update(`v1:${time}:${text}`).digest('hex')
    const call = (signature: string) =>
      service.request('POST', `/api/v1/webhook/${report.slug}`, {
        key: null,
        body: Buffer.from(sent),
        headers: {
          'x-langflow-timestamp': time,
          'x-langflow-signature': `v1=${signature}`,
          prefer: 'wait=10'
        }
      })
    assert.equal((await call(sign('{}'))).status, 401)
    const answer = await call(sign(sent))
    assert.equal(answer.status, 202, answer.text)
    const { run_id } = answer.json<{ run_id: string }>()
    const open = await eventually(
      () => approvals(service, `?status=open&flow_id=${report.id}`),
      ({ length }) => length === 1
    )
    const decided = await service.post(`/api/v1/approvals/${open[0]!.id}`, { choice: 'Needs changes' })
    assert.equal(decided.status, 200, decided.text)
    const { steps } = (await service.waitForRun(run_id)) as unknown as RunBody
    const said = (id: string) => steps.find(({ node: other }) => other === id)?.outputs?.message
    assert.equal(said('chat-output-1'), 'v inbound_webhook')

    const clock = { cron: '*/5 * * * *', timezone: 'Europe/Berlin', misfire_policy: 'skip' }
    const daily = langflowFlow('Clock', [{ id: 'Schedule-1', type: 'ScheduleTrigger', fields: clock }], [])
    const { node: drawn } = await draftOf(service, daily)
    const { cron, timezone, missed } = drawn('schedule-1')!.fields
    assert.deepEqual([cron, timezone, missed], ['*/5 * * * *', 'Europe/Berlin', 'Leave out'])
  })
})

describe('a workflow of n8n', () => {
  const hook = { name: 'Webhook', type: 'webhook', version: 2, parameters: { httpMethod: 'POST' } }
  const request = (name: string, url: string) => ({
    name,
    type: 'httpRequest',
    version: 4.2,
    parameters: { url }
  })
  const code = (name: string, jsCode: string) => ({ name, type: 'code', version: 2, parameters: { jsCode } })

  it('reads nothing of a node that does not lead to the one that reads it, and says so', async (t) => {
    const { report, node } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Beside',
        [
          hook,
          code('Beside', 'return [{ json: { path: "a/b" } }]'),
          request('Get', "=https://a.example/{{ $('Beside').item.json.path }}/{{ $json.body.id }}"),
          code('Sum', "return [{ json: { n: $('Beside').first().json.n } }]"),
          request('After', "=https://a.example/{{ $('Sum').item.json.n }}")
        ],
        [
          ['Webhook', 'Beside'],
          ['Webhook', 'Get'],
          ['Get', 'Sum'],
          ['Sum', 'After']
        ]
      )
    )
    assert.equal(node('get')!.fields.url, 'https://a.example//{body.id:raw?}')
    // As it is, as in n8n: what is put into an address may be several parts of a path.
    assert.equal(node('after')!.fields.url, 'https://a.example/{$nodes.sum.result.n:raw?}')
    const told = report.nodes.filter(({ note }) => note.includes('It read "Beside", which does not lead'))
    assert.deepEqual(
      told.map(({ node: id, verdict }) => [id, verdict]),
      [
        ['get', 'adapted'],
        ['sum', 'adapted']
      ]
    )
  })

  it('that asks again until something is there keeps its wire back, for somebody to replace', async (t) => {
    const asked = { leftValue: '={{ $json.state }}', rightValue: 'done' }
    const condition = {
      combinator: 'and',
      conditions: [{ ...asked, operator: { type: 'string', operation: 'equals' } }]
    }
    const { report, draft, node } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Poll',
        [
          hook,
          request('Ask', 'https://a.example/state'),
          { name: 'Done?', type: 'if', version: 2, parameters: { conditions: condition } },
          { name: 'Wait', type: 'wait', version: 1.1, parameters: { amount: 10 } },
          request('Tell', 'https://a.example/done')
        ],
        [
          ['Webhook', 'Ask'],
          ['Ask', 'Done?'],
          ['Done?', 'Tell', 0],
          ['Done?', 'Wait', 1],
          ['Wait', 'Ask']
        ]
      )
    )
    assert.deepEqual(report.wires, { kept: 5, lost: 0 })
    assert.match(String(node('back-to-ask')!.fields.nearest), /^A flow has no circles/)
    assert.deepEqual(
      draft.errors.map(({ code: fault }) => fault),
      ['placeholder_left']
    )
  })

  it('keeps the wires of loops in loops, also where each is in the other', async (t) => {
    const names = Array.from({ length: 12 }, (_, at) => `Loop ${at}`)
    const { report, draft } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Loops',
        names.map((name) => ({ name, type: 'splitInBatches', version: 1 })),
        names.flatMap((name, at) => [
          [name, names[(at + 1) % 12]!, 0] as const,
          [name, names[(at + 7) % 12]!, 1] as const
        ])
      )
    )
    assert.deepEqual(report.wires, { kept: 24, lost: 0 })
    assert.equal(draft.nodes.filter(({ type }) => type === 'for-each').length, 1)
  })

  it('that brings items together, and goes on with each of them too, runs in no circle', async (t) => {
    const { draft } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Out and in',
        [
          hook,
          { name: 'Split', type: 'splitOut', parameters: { fieldToSplitOut: 'body.ids' } },
          request('Each', '=https://a.example/{{ $json.ids }}'),
          { name: 'All', type: 'aggregate', parameters: { aggregate: 'aggregateAllItemData' } },
          request('Then', 'https://a.example/then')
        ],
        [
          ['Webhook', 'Split'],
          ['Split', 'Each'],
          ['Each', 'All'],
          ['Each', 'Then'],
          ['All', 'Then']
        ]
      )
    )
    // No node lies on another one: where they stood they were drawn smaller, and had no parts.
    const places = draft.nodes.filter(({ type }) => type !== 'for-each')
    for (const [at, { id, position }] of places.entries())
      for (const other of places.slice(at + 1)) {
        const [x, y] = [Math.abs(position.x - other.position.x), Math.abs(position.y - other.position.y)]
        assert.ok(x >= 240 || y >= 70, `${id} and ${other.id}: ${x}, ${y}`)
      }
  })

  it('answers with the headers that an answer may have, and asks with those that are written as JSON', async (t) => {
    const entries = [
      { name: 'X-Content-Type-Options', value: 'nosniff' },
      { name: 'X-Mine', value: '={{ $json.a }}' }
    ]
    const json = { sendHeaders: true, specifyHeaders: 'json', jsonHeaders: '={"X-Key": "{{ $json.a }}"}' }
    const { report, node } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Headers',
        [
          hook,
          { ...request('Get', 'https://a.example'), parameters: { url: 'https://a.example', ...json } },
          {
            name: 'Answer',
            type: 'respondToWebhook',
            parameters: { respondWith: 'text', responseBody: 'a', options: { responseHeaders: { entries } } }
          }
        ],
        [
          ['Webhook', 'Get'],
          ['Get', 'Answer']
        ]
      )
    )
    assert.deepEqual(node('get')!.fields.headers, { 'X-Key': '{a?}' })
    assert.deepEqual(node('answer')!.fields.headers, { 'X-Mine': '{a?}' })
    assert.match(report.nodes[2]!.note, /Millrace says these itself: X-Content-Type-Options/)
  })

  it('has nothing that stands for Python, or for a model that is lent to what stands for nothing', async (t) => {
    const python = { language: 'python', pythonCode: 'return [{"json": {"a": 1}}]' }
    const { verdicts } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Python',
        [
          hook,
          { name: 'Python', type: 'code', version: 2, parameters: python },
          { name: 'Odd', type: 'ai:code', parameters: {} },
          { name: 'Model', type: 'ai:lmOpenAi', parameters: {} }
        ],
        [
          ['Webhook', 'Python'],
          ['Python', 'Odd'],
          ['Model', 'Odd', 0, 'ai_languageModel']
        ]
      )
    )
    assert.deepEqual(verdicts, { webhook: 'adapted', python: 'placeholder', odd: 'placeholder' })
  })

  it('is not said to be exact where nothing was made of a setting', async (t) => {
    const telegram = { chatId: '1', text: 'a', replyMarkup: 'inlineKeyboard', additionalFields: {} }
    const { report } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Settings',
        [
          hook,
          { name: 'Say', type: 'telegram', version: 1.2, parameters: telegram },
          {
            ...request('Get', 'https://a.example'),
            parameters: { url: 'https://a.example', options: { proxy: 'p' } }
          },
          { name: 'Nothing', type: 'noOp', parameters: { text: 'a' } }
        ],
        [
          ['Webhook', 'Say'],
          ['Say', 'Get'],
          ['Get', 'Nothing']
        ]
      )
    )
    const [, say, get, nothing] = report.nodes
    assert.match(say!.note, /Of its settings nothing was made of "replyMarkup"\.$/)
    assert.match(get!.note, /nothing was made of "proxy"\.$/)
    assert.deepEqual([say!.verdict, nothing!.verdict], ['adapted', 'exact'])
  })

  it('gives an agent a tool that asks before it writes', async (t) => {
    const sheet = {
      documentId: { __rl: true, mode: 'id', value: 'book' },
      sheetName: { __rl: true, mode: 'name', value: 'S' }
    }
    const columns = { mappingMode: 'defineBelow', value: { name: "={{ $fromAI('name') }}" } }
    const tool = { ...sheet, operation: 'append', columns }
    const file = n8nWorkflow(
      'Tools',
      [
        { name: 'Chat', type: 'ai:chatTrigger', version: 1.1 },
        { name: 'Agent', type: 'ai:agent', version: 1.7 },
        { name: 'Row', type: 'googleSheetsTool', version: 4.5, parameters: tool }
      ],
      [
        ['Chat', 'Agent'],
        ['Row', 'Agent', 0, 'ai_tool']
      ]
    )
    const { draft } = await draftOf(await shared(t), file, 1)
    const requests = draft.nodes.filter(({ type }) => type === 'api-request')
    assert.deepEqual(
      requests.map(({ id }) => id),
      ['call', 'call-read']
    )
  })

  it('starts by the clock of the file, and looks where its triggers look', async (t) => {
    const daily = { rule: { interval: [{ triggerAtHour: 9 }] } }
    const drive = {
      event: 'fileUpdated',
      triggerOn: 'specificFolder',
      folderToWatch: { __rl: true, mode: 'list', value: 'f1' }
    }
    const file = {
      ...n8nWorkflow(
        'Clock',
        [
          { name: 'Daily', type: 'scheduleTrigger', version: 1.2, parameters: daily },
          { name: 'Drive', type: 'googleDriveTrigger', parameters: drive }
        ],
        []
      ),
      settings: { timezone: 'Europe/Berlin' }
    }
    const { node, verdicts } = await draftOf(await shared(t), file)
    assert.deepEqual(node('daily')!.fields, { cron: '0 9 * * *', timezone: 'Europe/Berlin' })
    assert.equal(verdicts.daily, 'exact')
    const { query, key } = node('drive')!.fields as { query: { q: string }; key: string }
    assert.deepEqual([query.q, key], ["'f1' in parents and trashed = false", '{id} {modifiedTime?}'])
    const [elsewhere] = (await imported(await shared(t), { ...file, settings: {} })).flows
    assert.match(elsewhere!.nodes[0]!.note, /^It counts by UTC/)
  })

  it('computes what n8n computes, and takes one branch', async (t) => {
    const service = await shared(t)
    const flow = await published(
      service,
      n8nWorkflow(
        'Orders',
        [
          { name: 'Webhook', type: 'webhook', version: 2, parameters: { httpMethod: 'POST', path: 'x' } },
          {
            name: 'Edit Fields',
            type: 'set',
            version: 3.4,
            parameters: {
              assignments: {
                assignments: [
                  { name: 'customer', type: 'string', value: '={{ $json.body.name.toUpperCase() }}' },
                  {
                    name: 'total',
                    type: 'number',
                    value: '={{ $json.body.lines.map(l => l.price).reduce((a, b) => a + b, 0) }}'
                  }
                ]
              }
            }
          },
          {
            name: 'If',
            type: 'if',
            version: 2,
            parameters: {
              conditions: {
                combinator: 'and',
                conditions: [
                  {
                    leftValue: '={{ $json.total }}',
                    rightValue: 10,
                    operator: { type: 'number', operation: 'gt' }
                  }
                ]
              }
            }
          },
          {
            name: 'Large',
            type: 'set',
            version: 3.4,
            parameters: {
              includeOtherFields: true,
              assignments: {
                assignments: [
                  { name: 'size', type: 'string', value: "=large of {{ $('Webhook').item.json.body.name }}" }
                ]
              }
            }
          },
          {
            name: 'Small',
            type: 'set',
            version: 3.4,
            parameters: { assignments: { assignments: [{ name: 'size', type: 'string', value: 'small' }] } }
          }
        ],
        [
          ['Webhook', 'Edit Fields'],
          ['Edit Fields', 'If'],
          ['If', 'Large', 0],
          ['If', 'Small', 1]
        ]
      )
    )
    const { status, steps, error } = await run(service, flow, {
      name: 'Ann',
      lines: [{ price: 7 }, { price: 8 }]
    })
    assert.equal(status, 'succeeded', error?.message)
    const output = (node: string) => steps.find((step) => step.node === node)?.outputs
    assert.deepEqual(output('large'), { result: { customer: 'ANN', total: 15, size: 'large of Ann' } })
    assert.equal(steps.find(({ node }) => node === 'small')?.status, 'skipped')
  })

  it('brings what was pinned, and tests take it', async (t) => {
    const service = await shared(t)
    const file = {
      ...n8nWorkflow(
        'Pinned',
        [
          { name: 'Webhook', type: 'webhook', version: 2, parameters: { httpMethod: 'POST' } },
          { name: 'Get', type: 'httpRequest', version: 4.2, parameters: { url: 'https://a.example/one' } },
          {
            name: 'Edit',
            type: 'set',
            version: 3.4,
            parameters: {
              assignments: { assignments: [{ name: 'x', type: 'string', value: '={{ $json.name }}' }] }
            }
          }
        ],
        [
          ['Webhook', 'Get'],
          ['Get', 'Edit']
        ]
      ),
      pinData: { Get: [{ json: { name: 'Ann' } }] }
    }
    const [flow] = (await imported(service, file)).flows
    assert.equal(flow!.pinned, 2)
    const pins = (await service.get(`/api/v1/flows/${flow!.id}/pins`)).json<{ pins: { node: string }[] }>()
      .pins
    assert.deepEqual(pins.map(({ node }) => node).sort(), ['get', 'get-item'])
    const test = await service.request('POST', `/api/v1/flows/${flow!.id}/test`, {
      body: { input: {} },
      headers: { prefer: 'wait=10' }
    })
    const { status, steps, error } = test.json<RunBody>()
    assert.equal(status, 'succeeded', error?.message ?? test.text)
    assert.deepEqual(steps.find(({ node }) => node === 'edit')?.outputs, { result: { x: 'Ann' } })
  })

  it('runs what n8n runs once per item in a For each, and brings the items together', async (t) => {
    const service = await shared(t)
    const flow = await published(
      service,
      n8nWorkflow(
        'Lines',
        [
          { name: 'Webhook', type: 'webhook', version: 2, parameters: { httpMethod: 'POST' } },
          { name: 'Split Out', type: 'splitOut', parameters: { fieldToSplitOut: 'body.lines' } },
          {
            name: 'Sum',
            type: 'dateTime',
            version: 2,
            parameters: {
              operation: 'formatDate',
              date: '={{ $json.day }}',
              format: 'custom',
              customFormat: 'dd.MM.yyyy',
              outputFieldName: 'shown'
            }
          },
          {
            name: 'Aggregate',
            type: 'aggregate',
            parameters: {
              aggregate: 'aggregateIndividualFields',
              fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'shown' }] }
            }
          }
        ],
        [
          ['Webhook', 'Split Out'],
          ['Split Out', 'Sum'],
          ['Sum', 'Aggregate']
        ]
      )
    )
    const { status, steps, error } = await run(service, flow, {
      lines: [{ day: '2026-01-02' }, { day: '2026-03-04' }]
    })
    assert.equal(status, 'succeeded', error?.message)
    assert.deepEqual(steps.find(({ node }) => node === 'aggregate')?.outputs, {
      result: { shown: ['02.01.2026', '04.03.2026'] }
    })
  })
})
