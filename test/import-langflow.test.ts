import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { langflowFlow, parserFlow } from '../src/import/langflow/langflow.test-kit.ts'
import { eventually } from './support/eventually.ts'
import { draftOf, printed, published, type RunBody } from './support/imported.ts'
import { serviceOfFile } from './support/service.ts'
import { approvals } from './support/waiting-flows.ts'

const shared = serviceOfFile()

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
