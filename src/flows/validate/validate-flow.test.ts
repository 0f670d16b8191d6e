import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EXAMPLE_FLOW } from '../document/example-flow.ts'
import { catalogue, faultOf, faultsOf, parser, webhook } from './document-faults.test-kit.ts'
import { validateFlow } from './validate-flow.ts'

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
      'a node that is not an object',
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
