import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatOutput, edge, faultOf, faultsOf, parser, webhook } from './document-faults.test-kit.ts'

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
