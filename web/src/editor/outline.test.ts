import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyFlow, flowOf, node, ORDERS } from './graph/flow.test-kit.ts'
import { outlineOf } from './outline.ts'
import { testCatalogue } from './wiring/page-catalogue.test-kit.ts'

const catalogue = testCatalogue()

describe('the list of a flow', () => {
  it('goes in the order in which it runs, whatever the order of the document', () => {
    const outline = outlineOf({ ...ORDERS, nodes: ORDERS.nodes.toReversed() }, catalogue)
    assert.deepEqual(
      outline.map(({ id, level }) => [id, level]),
      [
        ['webhook-1', 1],
        ['parser-1', 2],
        ['chat-output-1', 3]
      ]
    )
  })

  it('says of each node what feeds it and what it feeds', () => {
    const [webhook, parser, chat] = outlineOf(ORDERS, catalogue)
    assert.equal(webhook?.sentence, 'Webhook (webhook-1). Gives Data to Parser.')
    assert.equal(
      parser?.sentence,
      'Parser (parser-1). Takes Data from Webhook. Gives Parsed Text to Chat Output.'
    )
    assert.equal(chat?.sentence, 'Chat Output (chat-output-1). Takes Text from Parser. Feeds nothing.')
    assert.deepEqual(parser?.inputs, [
      {
        port: 'data',
        title: 'Data',
        type: 'data',
        from: [{ node: 'webhook-1', nodeTitle: 'Webhook', port: 'data' }]
      }
    ])
  })

  it('names nodes by their own titles, and inputs that nothing feeds', () => {
    const prompt = node('prompt-1', { title: 'Letter', fields: { template: '{a} {b} {c}' } })
    const outline = outlineOf(
      flowOf(
        ['webhook-1', prompt, 'sift-1'],
        ['webhook-1.data -> prompt-1.b', 'webhook-1.data -> sift-1.any']
      ),
      catalogue
    )
    assert.equal(outline[0]?.sentence, 'Webhook (webhook-1). Gives Data to Letter and Sift.')
    assert.equal(
      outline[1]?.sentence,
      'Letter, a Prompt (prompt-1). Takes b from Webhook. Nothing feeds a and c. Feeds nothing.'
    )
  })

  it('names all that leads to an input', () => {
    const flow = flowOf(
      ['webhook-1', 'sift-1', 'parser-1'],
      ['webhook-1.data -> parser-1.data', 'sift-1.data -> parser-1.data']
    )
    const parser = outlineOf(flow, catalogue).find(({ id }) => id === 'parser-1')
    assert.equal(parser?.sentence, 'Parser (parser-1). Takes Data from Webhook or Sift. Feeds nothing.')
  })

  it('names the nodes that one reads without a wire', () => {
    const reading = node('parser-1', { fields: { template: '{$nodes.webhook-1.data.id}' } })
    const flow = flowOf(['webhook-1', reading], ['webhook-1.data -> parser-1.data'])
    assert.match(outlineOf(flow, catalogue)[1]!.sentence, /Takes Data from Webhook\. Reads Webhook\./)
  })

  it('lists every node once, in any flow, broken ones too', () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const ids = outlineOf(flow, catalogue).map(({ id }) => id)
        assert.deepEqual(ids.toSorted(), flow.nodes.map(({ id }) => id).toSorted())
      })
    )
  })

  it('tells what stands in a region right after it, and that it does', () => {
    const inside = (id: string) => node(id, { type: 'parser', parent: 'each-1' })
    const wires = [
      'each-1.item -> x-1.data',
      'x-1.parsed_text -> each-1.result',
      'each-1.results -> b-1.data'
    ]
    const nodes = [inside('x-1'), node('b-1', { type: 'parser' }), node('each-1'), node('a-1')]
    const outline = outlineOf(flowOf(nodes, wires), catalogue)
    assert.deepEqual(
      outline.map(({ id, inside: region }) => [id, region]),
      [
        ['each-1', undefined],
        ['x-1', 'each'],
        ['a-1', undefined],
        ['b-1', undefined]
      ]
    )
    assert.match(outline[1]!.sentence, /^Parser \(x-1\), inside each\./)
  })
})
