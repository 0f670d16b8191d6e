import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInCatalogue } from '../../contexts/catalogue.test-kit.ts'
import type { Fault } from '../../errors.ts'
import type { AnyComponent } from '../component/component.ts'
import { EXAMPLE_FLOW } from '../document/example-flow.ts'
import type { FlowDocument } from '../document/flow-document.ts'
import { flowWarnings } from './flow-warnings.ts'
import { validateFlow } from './validate-flow.ts'

const everyKind: AnyComponent = {
  type: 'every-kind',
  title: 'Every Kind',
  fields: {
    text: { kind: 'text', title: 'Text' },
    secret: { kind: 'secret', title: 'Secret' },
    flag: { kind: 'boolean', title: 'Flag' },
    count: { kind: 'number', title: 'Count', min: 1, max: 9, integer: true },
    json: { kind: 'json', title: 'JSON' },
    keys: {
      kind: 'rows',
      title: 'Keys',
      item: 'key',
      maxItems: 2,
      columns: { field: { title: 'Key' }, direction: { title: 'Direction', choices: ['up', 'down'] } }
    }
  },
  inputs: { table: { title: 'Table', type: 'table' } },
  run: () => ({})
}
const catalogue = builtInCatalogue(everyKind)

const webhook = { id: 'webhook-1', type: 'webhook' }
const parser = { id: 'parser-1', type: 'parser' }
const chatOutput = { id: 'chat-output-1', type: 'chat-output' }

function faultsOf(more: Record<string, unknown>): readonly Fault[] {
  return validateFlow({ name: 'Test', slug: 'test', ...more }, catalogue).faults ?? []
}

/** The only fault of a document; it must have just one. */
function faultOf(more: Record<string, unknown>): Fault {
  const faults = faultsOf(more)
  assert.equal(faults.length, 1, JSON.stringify(faults))
  return faults[0]!
}

function edge(from: string, to: string, nodes: object[] = [webhook, parser, chatOutput]) {
  return { nodes, edges: [{ from, to }] }
}

describe('a sound document', () => {
  it('is taken as it is', () => {
    assert.deepEqual(validateFlow(EXAMPLE_FLOW, catalogue).document, EXAMPLE_FLOW)
  })

  it('may leave out what has one obvious value', () => {
    const { document } = validateFlow({ name: 'A', slug: 'a', nodes: [webhook] }, catalogue)
    assert.deepEqual(document, {
      name: 'A',
      slug: 'a',
      context: '/',
      nodes: [{ ...webhook, position: { x: 0, y: 0 }, fields: {} }],
      edges: []
    })
  })

  it('may be sent back as it was read', () => {
    const read = {
      ...EXAMPLE_FLOW,
      id: 'x',
      version: 3,
      created_at: 'then',
      updated_at: 'now',
      paused: null,
      aliases: []
    }
    assert.deepEqual(validateFlow(read, catalogue).document, EXAMPLE_FLOW)
  })
})

describe('the shape of a document', () => {
  it('is an object', () => {
    for (const sent of [null, [], 'text', 5, undefined]) {
      assert.deepEqual(validateFlow(sent, catalogue).faults?.[0]?.code, 'invalid_shape')
    }
  })

  const rows: [name: string, more: Record<string, unknown>, code: string, path: string, message: RegExp][] = [
    [
      'a missing id',
      { nodes: [{ type: 'parser' }] },
      'missing_member',
      '/nodes/0/id',
      /nodes\.0.*"id".*Add it/
    ],
    ['a missing type', { nodes: [{ id: 'a' }] }, 'missing_member', '/nodes/0/type', /"type"/],
    ['an unknown member', { colour: 1 }, 'unknown_member', '/colour', /"colour"\. Remove it/],
    ['an unknown member of a node', { nodes: [{ ...parser, x: 1 }] }, 'unknown_member', '/nodes/0/x', /"x"/],
    ['an unknown member with a slash', { 'a/b~c': 1 }, 'unknown_member', '/a~1b~0c', /"a\/b~c"/],
    [
      'a bad id',
      { nodes: [{ ...parser, id: 'a.b' }] },
      'invalid_shape',
      '/nodes/0/id',
      /"a\.b"\. Use 1 to 100/
    ],
    ['a bad slug', { slug: 'A b' }, 'invalid_shape', '/slug', /"A b"\. Use .*lower-case/],
    ['a bad context', { context: 'sales' }, 'invalid_shape', '/context', /for example "\/" or "\/sales\/eu"/],
    ['nodes that are no list', { nodes: 3 }, 'invalid_shape', '/nodes', /"nodes" is 3\. Write a list/],
    [
      'a node that is no object',
      { nodes: [3] },
      'invalid_shape',
      '/nodes/0',
      /"nodes\.0" is 3\. Write an object/
    ],
    [
      'a name of spaces',
      { name: ' \n ' },
      'invalid_shape',
      '/name',
      /Write at least 1 character that can be seen/
    ],
    ['no name', { name: '' }, 'invalid_shape', '/name', /"name" is ""\. Write at least 1 character\./]
  ]
  for (const [name, more, code, path, message] of rows) {
    it(`is wrong with ${name}`, () => {
      const fault = faultOf(more)
      assert.deepEqual([fault.code, fault.path], [code, path])
      assert.match(fault.message, message)
    })
  }

  it('is told by the node that it is wrong in, and by what to write there', () => {
    const told: [more: Record<string, unknown>, message: RegExp][] = [
      [
        { position: { x: '1', y: 0 } },
        /^Node "parser-1": "nodes\.0\.position\.x" is "1"\. Write a number\.$/
      ],
      [{ position: { x: Number.POSITIVE_INFINITY, y: 0 } }, /is Infinity\. Write a number\./],
      [{ fields: null }, /^Node "parser-1": .*is null\. Write an object\./],
      [{ retry: { attempts: 0 } }, /^Node "parser-1": .*is 0\. Write 1 or more\./],
      [{ retry: { attempts: 101 } }, /is 101\. Write 100 or less\./],
      [{ retry: { attempts: 1.5 } }, /is 1\.5\. Write a whole number\./],
      [{ title: 'x'.repeat(201) }, /Write at most 200 characters\./],
      [{ collapsed: 'no' }, /is "no"\. Write true or false\./],
      [{ colour: 'red' }, /^Node "parser-1": .*unknown member "colour"/]
    ]
    for (const [more, message] of told) {
      const fault = faultOf({ nodes: [{ ...parser, ...more }] })
      assert.equal(fault.node, 'parser-1')
      assert.match(fault.message, message)
    }
  })

  it('is judged to the last fault, however many there are', () => {
    const nodes = Array.from({ length: 50 }, () => ({ type: 'parser' }))
    assert.equal(faultsOf({ nodes }).length, 50)
  })
})

describe('nodes', () => {
  it('of an unknown type are refused, with the type that was meant', () => {
    const fault = faultOf({ nodes: [{ id: 'a', type: 'parsr' }] })
    assert.deepEqual([fault.code, fault.node, fault.path], ['unknown_type', 'a', '/nodes/0/type'])
    assert.match(fault.message, /^Node "a".*"parsr".*Known in .*webhook.*Did you mean "parser"\?$/)
  })

  it('do not share an id', () => {
    const fault = faultOf({ nodes: [parser, { ...parser }] })
    assert.deepEqual([fault.code, fault.path], ['duplicate_node_id', '/nodes/1/id'])
    assert.match(fault.message, /"parser-1"\. Give one of them another id/)
  })

  it('hold one Webhook, since nobody could say whose auth guards the endpoint', () => {
    const fault = faultOf({ nodes: [webhook, { id: 'w2', type: 'webhook' }] })
    assert.deepEqual([fault.code, fault.node], ['duplicate_trigger', 'w2'])
    assert.match(fault.message, /"w2" and "webhook-1" are both a Webhook.*remove one/)
  })

  it('hold one Chat Input that starts runs, and any number that a wire leads to', () => {
    const inputs = [
      { id: 'c1', type: 'chat-input' },
      { id: 'c2', type: 'chat-input' }
    ]
    assert.equal(faultOf({ nodes: inputs }).code, 'duplicate_trigger')
    assert.deepEqual(faultsOf({ nodes: inputs, edges: [{ from: 'c1.message', to: 'c2.text' }] }), [])
  })

  it('live in a context that exists; that is the one fault then', () => {
    const fault = faultOf({ context: '/nowhere', nodes: [webhook] })
    assert.deepEqual([fault.code, fault.path], ['unknown_context', '/context'])
    assert.match(fault.message, /"\/nowhere"\. Use "\/" or a context that GET \/api\/v1\/contexts lists/)
  })
})

describe('fields', () => {
  const rows: [name: string, type: string, fields: object, message: RegExp][] = [
    ['an unknown name', 'parser', { templte: 'x' }, /no field "templte".*Did you mean "template"\?/],
    ['a number as text', 'parser', { template: 5 }, /"template" of node "a" takes text, not number 5/],
    ['a list as text', 'every-kind', { text: [] }, /takes text, not a list/],
    ['an object as secret', 'every-kind', { secret: {} }, /takes text, not an object/],
    ['null as text', 'every-kind', { text: null }, /takes text, not null/],
    ['text as flag', 'every-kind', { flag: 'yes' }, /takes true or false, not text "yes"/],
    ['no choice', 'parser', { mode: 'Strngify' }, /takes one of "Parser", "Stringify", not text "Strngify"/],
    ['text as number', 'every-kind', { count: '5' }, /takes a number, not text "5"/],
    ['a broken number', 'every-kind', { count: 1.5 }, /takes a whole number, not 1\.5/],
    ['a number too small', 'every-kind', { count: 0 }, /takes 1 or more, not 0/],
    ['a number too large', 'every-kind', { count: 10 }, /takes 9 or less, not 10/],
    ['text as rows', 'every-kind', { keys: 'a' }, /takes a list of objects, not text "a"/],
    ['too many rows', 'every-kind', { keys: ['a', 'b', 'c'] }, /takes 2 at most, not 3/],
    ['a row that is a number', 'every-kind', { keys: ['a', 5] }, /key 2 is number 5/],
    [
      'an unknown column',
      'every-kind',
      { keys: [{ feld: 'a' }] },
      /key 1 has a member "feld".*field, direction.*"field"\?/
    ],
    ['a column that is no text', 'every-kind', { keys: [{ field: 5 }] }, /key 1 has number 5 as its "field"/],
    ['a column that is no choice', 'every-kind', { keys: [{ direction: 'left' }] }, /one of "up", "down"/]
  ]
  for (const [name, type, fields, message] of rows) {
    it(`refuse ${name}`, () => {
      const fault = faultOf({ nodes: [{ id: 'a', type, fields }] })
      const field = Object.keys(fields)[0]!
      assert.deepEqual([fault.node, fault.field, fault.path], ['a', field, `/nodes/0/fields/${field}`])
      assert.match(fault.message, message)
      assert.match(fault.message, /node "a"/i)
    })
  }

  it('take rows, also as texts and with columns left out', () => {
    const keys = ['a', { field: 'b', direction: 'down' }]
    assert.deepEqual(faultsOf({ nodes: [{ id: 'a', type: 'every-kind', fields: { keys } }] }), [])
  })

  it('take any JSON where they say so', () => {
    for (const json of [null, [], { a: 1 }, 'text', 5])
      assert.deepEqual(faultsOf({ nodes: [{ id: 'a', type: 'every-kind', fields: { json } }] }), [])
  })

  for (const type of ['parser', 'prompt']) {
    it(`refuse a template of a ${type} that does not parse, with its place`, () => {
      const fields = { template: 'Dear\nhello {name' }
      const fault = faultOf({ nodes: [{ id: 'a', type, fields }] })
      assert.deepEqual([fault.code, fault.line, fault.column], ['template_syntax', 2, 7])
      assert.match(fault.message, /^Field "template" of node "a": /)
    })
  }

  it('do not check a template that is not used', () => {
    const fields = { mode: 'Stringify', template: '{' }
    assert.deepEqual(faultsOf({ nodes: [{ id: 'a', type: 'parser', fields }] }), [])
  })

  it('refuse a value that is too deep to be shown', () => {
    let mode: unknown = 1
    for (let level = 0; level < 50_000; level++) mode = [mode]
    assert.match(faultOf({ nodes: [{ id: 'a', type: 'parser', fields: { mode } }] }).message, /not a list/)
  })
})

describe('edges', () => {
  const rows: [name: string, more: Record<string, unknown>, code: string, message: RegExp][] = [
    ['that are malformed', edge('webhook-1', 'parser-1.data'), 'invalid_edge', /Write it as node\.port/],
    ['without a port', edge('webhook-1.', 'parser-1.data'), 'invalid_edge', /"webhook-1\."/],
    ['from no node', edge('webhok-1.data', 'parser-1.data'), 'edge_to_nowhere', /Did you mean "webhook-1"\?/],
    ['to no node', edge('webhook-1.data', 'x.data'), 'edge_to_nowhere', /no node "x"/],
    [
      'from no output',
      edge('webhook-1.dta', 'parser-1.data'),
      'edge_to_nowhere',
      /"webhook-1" \(Webhook\) has no output "dta"\. Its outputs are data, request\. Did you mean "data"\?/
    ],
    ['to no input', edge('webhook-1.data', 'webhook-1.data'), 'edge_to_nowhere', /It has no inputs/],
    [
      'from data to text',
      edge('webhook-1.data', 'chat-output-1.text'),
      'port_type_mismatch',
      /"webhook-1\.data" gives data and "chat-output-1\.text" takes text.*Put a Parser between them/
    ],
    [
      'from text to data',
      edge('parser-1.parsed_text', 'p2.data', [parser, { id: 'p2', type: 'parser' }]),
      'port_type_mismatch',
      /gives text and "p2\.data" takes data.*Wire a Data output instead/
    ]
  ]
  for (const [name, more, code, message] of rows) {
    it(`${name} are refused`, () => {
      const faults = faultsOf(more).filter((fault) => fault.code === code)
      assert.equal(faults.length, 1)
      assert.match(faults[0]!.path, /^\/edges\/0/)
      assert.match(faults[0]!.message, message)
    })
  }

  it('may share an input, but not both ends', () => {
    const from = ['webhook-1.data', 'webhook-1.request', 'webhook-1.data']
    const edges = from.map((end) => ({ from: end, to: 'parser-1.data' }))
    assert.deepEqual(faultsOf({ nodes: [webhook, parser], edges: edges.slice(0, 2) }), [])
    const fault = faultOf({ nodes: [webhook, parser], edges })
    assert.deepEqual([fault.code, fault.node, fault.path], ['input_taken', 'parser-1', '/edges/2'])
    assert.match(fault.message, /"parser-1\.data" takes the edge from "webhook-1\.data" twice.*Remove one/)
  })

  it('lead from the output "error" of a node that leads its errors on, and of no other', () => {
    const document = (onError: object) =>
      edge('parser-1.error', 'chat-output-1.text', [webhook, { ...parser, ...onError }, chatOutput])
    assert.deepEqual(faultsOf(document({ on_error: 'output' })), [])
    for (const onError of [{}, { on_error: 'fail' }]) {
      const fault = faultOf(document(onError))
      assert.deepEqual([fault.code, fault.path], ['edge_to_nowhere', '/edges/0/from'])
      assert.match(fault.message, /has no output "error".*Write "on_error": "output" at the node/)
    }
  })

  it('form no cycle', () => {
    const chats = ['a', 'b', 'c'].map((id) => ({ id, type: 'chat-input' }))
    const edges = ['a b', 'b c', 'c a'].map((pair) => {
      const [from, to] = pair.split(' ')
      return { from: `${from}.message`, to: `${to}.text` }
    })
    const fault = faultOf({ nodes: chats, edges })
    assert.equal(fault.code, 'cycle')
    assert.match(
      fault.message,
      /^The nodes (a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c) form a cycle/
    )
  })

  it('do not lead from a node to itself', () => {
    const fault = faultOf(edge('a.message', 'a.text', [{ id: 'a', type: 'chat-input' }]))
    assert.match(fault.message, /^The nodes a -> a form a cycle\. .*remove one of these edges/)
  })
})

describe('what a node does', () => {
  const reached = { edges: [{ from: 'webhook-1.data', to: 'parser-1.data' }] }
  const broken = { fields: { template: '{' } }

  it('when it fails is one of two things', () => {
    const fault = faultOf({ nodes: [{ ...webhook, on_error: 'ignore' }] })
    assert.deepEqual(
      [fault.code, fault.path, fault.node],
      ['invalid_shape', '/nodes/0/on_error', 'webhook-1']
    )
    assert.match(fault.message, /Use one of "fail", "output"/)
  })

  it('is not asked of one that is disabled or not wired: these may be half done', () => {
    const nodes = (more: object) => [webhook, { ...parser, ...broken, ...more }]
    assert.equal(faultOf({ nodes: nodes({}), ...reached }).field, 'template')
    assert.deepEqual(faultsOf({ nodes: nodes({ disabled: true }), ...reached }), [])
    assert.deepEqual(faultsOf({ nodes: nodes({}) }), [])
    assert.equal(faultOf({ nodes: nodes({ disabled: 'yes' }), ...reached }).path, '/nodes/1/disabled')
  })

  it('is asked of all where no trigger is there, or none that is not disabled', () => {
    assert.equal(faultOf({ nodes: [{ ...parser, ...broken }] }).field, 'template')
    const nodes = [
      { ...webhook, disabled: true },
      { ...parser, ...broken }
    ]
    assert.equal(faultOf({ nodes }).field, 'template')
  })

  it('counts once for each trigger, unless it is disabled', () => {
    const other = { id: 'webhook-2', type: 'webhook' }
    assert.equal(faultOf({ nodes: [webhook, other] }).code, 'duplicate_trigger')
    assert.deepEqual(faultsOf({ nodes: [webhook, { ...other, disabled: true }] }), [])
  })
})

describe('warnings', () => {
  it('name what is not wired, unless it is disabled', () => {
    const idle = [parser, { ...chatOutput, disabled: true }]
    const { document } = validateFlow({ name: 'A', slug: 'a', nodes: [webhook, ...idle] }, catalogue)
    const [warning, ...others] = flowWarnings(document!, catalogue)
    assert.deepEqual(others, [])
    assert.deepEqual([warning!.code, warning!.path, warning!.node], ['not_wired', '/nodes/1', 'parser-1'])
  })

  it('name what stands in a region without having to do with its items', () => {
    const inside = (id: string, more: object = {}) => ({ ...parser, id, parent: 'each', ...more })
    const nodes = [
      webhook,
      inside('item'),
      inside('feeder'),
      inside('given'),
      inside('loose'),
      inside('alone')
    ]
    const edges = [
      { from: 'webhook-1.data', to: 'each.items' },
      { from: 'each.item', to: 'item.data' },
      { from: 'feeder.parsed_text', to: 'item.data' },
      { from: 'given.parsed_text', to: 'each.result' },
      { from: 'loose.parsed_text', to: 'alone.data' }
    ]
    const flow = (more: object[]) =>
      ({ context: '/', nodes: [...nodes, ...more], edges }) as unknown as FlowDocument
    const each = { id: 'each', type: 'for-each' }
    const codes = flowWarnings(flow([each]), catalogue).map(({ code, node }) => [code, node])
    assert.deepEqual(codes, [
      ['loose_in_region', 'loose'],
      ['loose_in_region', 'alone']
    ])
    assert.deepEqual(
      flowWarnings(flow([{ ...each, id: 'other' }]), catalogue).filter(
        ({ code }) => code === 'loose_in_region'
      ),
      []
    )
  })
})
