import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { madeZip } from '../src/documents/made-documents.test-kit.ts'
import { flowiseFlow } from '../src/import/flowise/flowise.test-kit.ts'
import { parserFlow } from '../src/import/langflow/langflow.test-kit.ts'
import { n8nWorkflow } from '../src/import/n8n/n8n.test-kit.ts'
import type { FlowBody } from './support/api-client.ts'
import { ordersFlow } from './support/documents.ts'
import { imported, type ReportBody, send } from './support/imported.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

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
