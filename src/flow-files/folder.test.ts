import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/support/any-text.ts'
import { writeJson } from '../flows/json/exact-json.ts'
import { type FiledFlow, filesOf, readFolder } from './folder.ts'
import { flowsInFolder, placedFlows } from './placed.ts'

const flow = {
  name: 'Orders',
  slug: 'orders',
  context: '/sales',
  tags: ['b', 'a'],
  nodes: [
    { id: 'webhook-1', type: 'webhook', position: { y: 0, x: 0 }, fields: {} },
    {
      fields: { template: 'Dear {name},\nthank you', mode: 'Parser', body: { z: 1, a: 2 } },
      position: { x: 320, y: 0.5 },
      type: 'parser',
      id: 'parser-1',
      retry: { backoff_ms: 10, attempts: 2 }
    }
  ],
  edges: [{ to: 'parser-1.data', from: 'webhook-1.data' }]
}

const ORDERS = `name: Orders
tags:
  - b
  - a
nodes:
  - id: webhook-1
    type: webhook
    position: { x: 0, y: 0 }
    fields: {}
  - id: parser-1
    type: parser
    retry: { attempts: 2, backoff_ms: 10 }
    position: { x: 320, y: 0.5 }
    fields:
      body:
        z: 1
        a: 2
      mode: Parser
      template: |-
        Dear {name},
        thank you
edges:
  - { from: webhook-1.data, to: parser-1.data }
`

const nothing = { flows: [], connections: [], contexts: [] }

function read(files: Readonly<Record<string, string>>) {
  return readFolder(Object.entries(files).map(([path, text]) => ({ path, text })))
}

describe('a folder of flows', () => {
  it('has a file for each flow, in the folder of its context, with its members in one order', () => {
    const files = filesOf({ ...nothing, flows: [flow] })
    assert.deepEqual([...files], [['sales/orders.yaml', ORDERS]])
    const { flows, faults } = read({ 'sales/orders.yaml': ORDERS })
    assert.deepEqual([flows, faults], [[flow], []])
    // What is sent somewhere keeps its order.
    assert.equal(JSON.stringify((flows[0]!.nodes as typeof flow.nodes)[1]!.fields.body), '{"z":1,"a":2}')
  })

  it('changes one line where one field changes', () => {
    const before = filesOf({ ...nothing, flows: [flow] })
      .get('sales/orders.yaml')!
      .split('\n')
    const edited = structuredClone(flow)
    edited.nodes[1]!.fields = { mode: 'Parser', body: { z: 1, a: 2 }, template: 'Dear {name},\nthanks a lot' }
    const after = filesOf({ ...nothing, flows: [edited] })
      .get('sales/orders.yaml')!
      .split('\n')
    assert.deepEqual(
      after.flatMap((line, at) => (line === before[at] ? [] : [line.trim()])),
      ['thanks a lot']
    )
  })

  it('has settings of contexts and connections beside their flows', () => {
    const set = {
      flows: [],
      connections: [
        {
          name: 'shop',
          kind: 'http',
          context: '/',
          settings: { base_url: 'https://shop.example', auth: 'none' }
        },
        { name: 'a b', kind: 'sqlite', context: '/sales', settings: {} }
      ],
      contexts: [
        { path: '/sales', variables: { region: 'eu' }, default_auth: 'None', limits: { rate_limit: 5 } }
      ]
    }
    const files = filesOf(set)
    assert.deepEqual(Object.fromEntries(files), {
      'connections.yaml':
        'shop:\n  kind: http\n  settings:\n    auth: none\n    base_url: https://shop.example\n',
      'sales/connections.yaml': '"a b":\n  kind: sqlite\n  settings: {}\n',
      'sales/context.yaml': 'variables:\n  region: eu\ndefault_auth: None\nlimits:\n  rate_limit: 5\n'
    })
    const { faults, placeOf, ...again } = read(Object.fromEntries(files))
    assert.deepEqual([again, faults], [set, []])
    assert.deepEqual(placeOf('/connections/0/settings/base_url'), {
      file: 'connections.yaml',
      line: 5,
      column: 5
    })
  })

  it('holds flows that are called as its own files are', () => {
    const flows = ['connections', 'context'].map((slug) => ({ ...flow, slug, context: '/' }))
    const files = filesOf({ ...nothing, flows })
    assert.deepEqual([...files.keys()], ['connections.flow.yaml', 'context.flow.yaml'])
    assert.deepEqual(read(Object.fromEntries(files)).flows, flows)
  })

  it('passes over what is no file of flows', () => {
    assert.deepEqual(read({ 'README.md': '# Flows', 'sales/notes.txt': 'x' }).faults, [])
  })

  for (const [name, files, file, message] of [
    [
      'a name that is no slug',
      { 'My Flow.yaml': 'name: x' },
      'My Flow.yaml',
      /No flow can be called "My Flow"/
    ],
    [
      'a folder that is no context',
      { 'a b/x.yaml': 'name: x' },
      'a b/x.yaml',
      /No context can be called "a b"/
    ],
    ['a slug twice', { 'a/x.yaml': 'name: x', 'b/x.yml': 'name: x' }, 'b/x.yml', /"x" is in a\/x\.yaml too/],
    ['a slug that its place denies', { 'x.yaml': 'name: x\nslug: y' }, 'x.yaml', /by its place it is "x"/],
    ['a list', { 'x.yaml': '- a' }, 'x.yaml', /holds no object/],
    [
      'a secret',
      { 'connections.yaml': 'a:\n  kind: http\n  secrets: {token: x}' },
      'connections.yaml',
      /secrets are entered/
    ],
    [
      'something unknown of a context',
      { 'context.yaml': 'variables: {}\nname: x' },
      'context.yaml',
      /Take "name" out/
    ]
  ] as const) {
    it(`tells of ${name}, and reads the others`, () => {
      const { faults, flows } = read({ ...files, 'sales/orders.yaml': ORDERS })
      assert.equal(faults.length, 1)
      assert.equal(faults[0]!.file, file)
      assert.match(faults[0]!.message, message)
      assert.ok(flows.some(({ slug }) => slug === 'orders'))
    })
  }

  it('goes elsewhere and comes back, with the flows that it calls', () => {
    const calling = {
      ...flow,
      slug: 'caller',
      context: '/',
      nodes: [
        { id: 'run-1', type: 'run-flow', fields: { flow: 'orders' } },
        { id: 'run-2', type: 'run-flow', fields: { flow: 'elsewhere' } },
        { id: 'failed-1', type: 'run-failed', fields: { flows: ['orders', 'x'] } }
      ]
    }
    const placement = { context: '/staging', prefix: 'staging-' }
    const placed = placedFlows<FiledFlow>([calling, flow], placement)
    assert.deepEqual(
      placed.map(({ slug, context }) => [slug, context]),
      [
        ['staging-caller', '/staging'],
        ['staging-orders', '/staging/sales']
      ]
    )
    assert.deepEqual(
      (placed[0]!.nodes as typeof calling.nodes).map(({ fields }) => fields),
      [{ flow: 'staging-orders' }, { flow: 'elsewhere' }, { flows: ['staging-orders', 'x'] }]
    )
    const others = [
      { ...flow, slug: 'staging-far', context: '/production' },
      { ...flow, slug: 'staging--x', context: '/staging' },
      { ...flow, slug: 'staging-', context: '/staging' }
    ]
    assert.deepEqual(flowsInFolder<FiledFlow>([...placed, ...others], placement), [calling, flow])
  })

  it('says of any flow what it was', () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,8}$/)
    const value = fc.jsonValue()
    const anyFlow = fc.record({
      name: fc.string(),
      description: anyText(),
      slug: name,
      context: fc.constantFrom('/', '/a', '/a/b'),
      nodes: fc.array(
        fc.record({
          id: name,
          type: name,
          title: fc.string(),
          position: fc.record({ x: fc.double({ noNaN: true, noDefaultInfinity: true }), y: fc.integer() }),
          fields: fc.dictionary(fc.string(), value),
          tool: fc.dictionary(fc.string(), value)
        }),
        { maxLength: 3 }
      ),
      edges: fc.array(fc.record({ from: fc.string(), to: fc.string() }), { maxLength: 3 })
    })
    fc.assert(
      fc.property(anyFlow, (document) => {
        // As every document of a flow is: JSON knows no -0.
        const stored = JSON.parse(JSON.stringify(document))
        const files = filesOf({ ...nothing, flows: [stored] })
        const { flows, faults } = read(Object.fromEntries(files))
        assert.deepEqual(faults, [])
        assert.deepEqual(JSON.parse(writeJson(flows[0])), stored)
        assert.deepEqual([...filesOf({ ...nothing, flows })], [...files])
      }),
      { numRuns: 300 }
    )
  })
})
