import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { ordersFlow } from './support/documents.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

const [WEBHOOK, PARSER, OUTPUT] = ordersFlow().nodes
const [FIRST, SECOND] = ordersFlow().edges
const parserWith = (fields: object) => [WEBHOOK, { ...PARSER, fields }, OUTPUT]

/** What is wrong in the document, and the faults that must be named: code, path and what the message tells. */
const FAULTY: [title: string, changes: object, faults: [code: string, path: string, message: RegExp][]][] = [
  ['no name', { name: undefined }, [['missing_member', '/name', /name/]]],
  ['an unknown member', { nodez: [] }, [['unknown_member', '/nodez', /nodez/]]],
  ['a slug that is none', { slug: 'Not A Slug' }, [['invalid_shape', '/slug', /lower-case/]]],
  ['nodes that are no list', { nodes: {} }, [['invalid_shape', '/nodes', /nodes/]]],
  ['an unknown context', { context: '/nowhere' }, [['unknown_context', '/context', /\/nowhere/]]],
  [
    'an unknown type',
    { nodes: [WEBHOOK, { ...PARSER, type: 'parsr' }, OUTPUT] },
    [['unknown_type', '/nodes/1/type', /parser-1.*parsr.*Did you mean "parser"/]]
  ],
  [
    'an unknown field',
    { nodes: parserWith({ templete: 'x' }) },
    [['unknown_field', '/nodes/1/fields/templete', /parser-1.*templete.*Did you mean "template"/]]
  ],
  [
    'a value of the wrong kind',
    { nodes: parserWith({ template: 7, mode: 'Parse' }) },
    [
      ['invalid_field', '/nodes/1/fields/template', /text/],
      ['invalid_field', '/nodes/1/fields/mode', /"Parser", "Stringify"/]
    ]
  ],
  [
    'a place beyond any canvas',
    {
      nodes: [{ ...WEBHOOK, position: { x: 1e308, y: 0 } }, PARSER, OUTPUT],
      notes: [{ id: 'note-1', text: '', position: { x: 0, y: -1e8 }, size: { width: 1e308, height: 10 } }]
    },
    [
      ['invalid_shape', '/nodes/0/position/x', /10000000/],
      ['invalid_shape', '/notes/0/position/y', /10000000/],
      ['invalid_shape', '/notes/0/size/width', /20000000/]
    ]
  ],
  [
    'a number out of range',
    { nodes: [{ ...WEBHOOK, fields: { rate_limit: -1, concurrency: 1.5 } }, PARSER, OUTPUT] },
    [
      ['invalid_field', '/nodes/0/fields/rate_limit', /0 or more/],
      ['invalid_field', '/nodes/0/fields/concurrency', /whole number/]
    ]
  ],
  ['a missing id', { nodes: [{ type: 'webhook' }], edges: [] }, [['missing_member', '/nodes/0/id', /id/]]],
  [
    'a doubled id',
    { nodes: [WEBHOOK, PARSER, PARSER], edges: [FIRST] },
    [['duplicate_node_id', '/nodes/2/id', /parser-1/]]
  ],
  [
    'two webhooks',
    { nodes: [WEBHOOK, { ...WEBHOOK, id: 'webhook-2' }], edges: [] },
    [['duplicate_trigger', '/nodes/1', /webhook-2/]]
  ],
  [
    'edges to nowhere',
    {
      edges: [
        { from: 'webhook-9.data', to: 'parser-1.data' },
        { from: 'webhook-1.dta', to: 'parser-1.text' }
      ]
    },
    [
      ['edge_to_nowhere', '/edges/0/from', /webhook-9/],
      ['edge_to_nowhere', '/edges/1/from', /dta.*Did you mean "data"/],
      ['edge_to_nowhere', '/edges/1/to', /text.*inputs are data/]
    ]
  ],
  [
    'an edge without a port',
    { edges: [{ from: 'webhook-1', to: 'parser-1.data' }] },
    [['invalid_edge', '/edges/0/from', /node\.port/]]
  ],
  [
    'port types that do not fit',
    { edges: [{ from: 'webhook-1.data', to: 'chat-output-1.text' }] },
    [['port_type_mismatch', '/edges/0', /Parser/]]
  ],
  [
    'an edge that is there twice',
    { edges: [FIRST, FIRST, SECOND] },
    [['input_taken', '/edges/1', /parser-1\.data/]]
  ],
  [
    'a wire from "error" of a node that leads no errors on',
    { edges: [FIRST, SECOND, { from: 'parser-1.error', to: 'chat-output-1.text' }] },
    [['edge_to_nowhere', '/edges/2/from', /"on_error": "output"/]]
  ],
  [
    'an unknown way to fail',
    { nodes: [WEBHOOK, { ...PARSER, on_error: 'ignore' }, OUTPUT] },
    [['invalid_shape', '/nodes/1/on_error', /"fail", "output"/]]
  ],
  [
    'a cycle',
    {
      nodes: [
        { id: 'a', type: 'prompt', fields: { template: '{x}' } },
        { id: 'b', type: 'prompt', fields: { template: '{x}' } }
      ],
      edges: [
        { from: 'a.prompt', to: 'b.x' },
        { from: 'b.prompt', to: 'a.x' }
      ]
    },
    [['cycle', '/edges', /a -> b -> a|b -> a -> b/]]
  ],
  [
    'a template that does not parse',
    { nodes: parserWith({ template: 'Order {order_id' }) },
    [['template_invalid', '/nodes/1/fields/template', /parser-1/]]
  ]
]

describe('a flow document', () => {
  for (const [title, changes, expected] of FAULTY) {
    it(`with ${title} is refused with 422, and every fault is named`, async (t) => {
      const service = await shared(t)
      const answer = await service.post('/api/v1/flows', ordersFlow({ ...changes }))
      const { errors = [] } = problemOf(answer, 422, 'flow_invalid')
      assert.deepEqual(
        errors.map(({ path }) => path),
        expected.map(([, path]) => path),
        answer.text
      )
      expected.forEach(([code, , message], index) => {
        if (code !== 'template_invalid') assert.equal(errors[index]!.code, code)
        assert.match(errors[index]!.message, message)
      })
    })
  }

  it('is judged by the same rules when it is saved, and nothing of a faulty one is kept', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    for (const [title, changes] of FAULTY) {
      const body = { ...flow, ...changes }
      const answer = await service.request('PUT', `/api/v1/flows/${flow.id}`, { body })
      if (title === 'no name') assert.equal(answer.status, 422)
      else problemOf(answer, 422, 'flow_invalid')
    }
    assert.deepEqual((await service.get(`/api/v1/flows/${flow.id}`)).json(), flow)
  })

  it('with many faults gets one entry for each, with node and field named', async (t) => {
    const service = await shared(t)
    const body = ordersFlow({
      nodes: [WEBHOOK, { ...PARSER, fields: { template: '{', nope: 1 } }, { ...OUTPUT, type: 'nothing' }],
      edges: [FIRST, FIRST, { from: 'x.y', to: 'chat-output-1.text' }]
    })
    const { errors = [], detail } = problemOf(await service.post('/api/v1/flows', body), 422, 'flow_invalid')
    assert.equal(errors.length, 4, JSON.stringify(errors, null, 2))
    assert.deepEqual(
      errors.map(({ code }) => code),
      ['unknown_field', 'unknown_type', 'input_taken', 'edge_to_nowhere']
    )
    assert.deepEqual([errors[0]!.node, errors[0]!.field], ['parser-1', 'nope'])
    assert.match(detail, /3 more/)
  })

  it('with a faulty template is told line and column', async (t) => {
    const service = await shared(t)
    const body = ordersFlow({ nodes: parserWith({ template: 'Hello\nyou {a} and {b' }) })
    const { errors = [] } = problemOf(await service.post('/api/v1/flows', body), 422, 'flow_invalid')
    assert.equal(errors.length, 1)
    const [{ node, field, line, column }] = errors as [(typeof errors)[number]]
    assert.deepEqual(
      { node, field, line, column },
      { node: 'parser-1', field: 'template', line: 2, column: 13 }
    )
  })

  it('that is nested as deep as its sender likes crashes nothing', async (t) => {
    const service = await shared(t)
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const documents = [
      `{"name":${deep}}`,
      `{"name":"a","nodes":${deep}}`,
      `{"name":"a","nodes":[{"id":"p","type":"parser","fields":{"mode":${deep}}}]}`,
      `{"name":"a","nodes":[{"id":"p","type":"parser","fields":{"template":${deep}}}]}`,
      `{"name":"a","nodes":[{"id":"p","type":"parser","fields":{"unknown":${deep}}}]}`,
      `{"name":"a","notes":[{"id":"n","text":"","colour":${deep}}]}`,
      deep
    ]
    for (const document of documents) {
      const options = { body: Buffer.from(document), headers: { 'content-type': 'application/json' } }
      const answer = await service.request('POST', '/api/v1/flows', options)
      assert.ok([400, 422].includes(answer.status), `${document.slice(0, 70)}… was answered ${answer.text}`)
    }
  })
})
