import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { node as flowNode, flowOf, ORDERS } from '../graph/flow.test-kit.ts'
import { previewParser } from '../template/preview.ts'
import { builtInCatalogue, testCatalogue } from '../wiring/page-catalogue.test-kit.ts'
import { FIRST_BODY } from './call-snippets.ts'
import { sampleBody } from './sample-body.ts'

describe('the body of the example', () => {
  const catalogue = testCatalogue()
  const bodyFor = (template: string) =>
    sampleBody(
      flowOf(
        ['webhook-1', flowNode('parser-1', { fields: { template } })],
        ['webhook-1.data -> parser-1.data']
      ),
      catalogue,
      'webhook-1'
    )

  it('has what the templates behind the Webhook ask for', () => {
    assert.equal(sampleBody(ORDERS, catalogue, 'webhook-1'), '{"order_id":"order_id","customer":"customer"}')
    assert.equal(
      bodyFor('{total:.2f} {items[1].sku} {user.name} {user} {$region}'),
      '{"total":1,"items":[{"sku":"sku"},{"sku":"sku"}],"user":{"name":"name"}}'
    )
    assert.equal(sampleBody(flowOf(['webhook-1']), catalogue, 'webhook-1'), FIRST_BODY)
    assert.equal(bodyFor('no variables'), FIRST_BODY)
  })

  it('has what the headers and the body of an answer ask for', () => {
    const fields = { body: { order: '{order.id}', tags: ['{tag}'] }, headers: { 'X-Shop': '{shop}' } }
    const flow = flowOf(
      ['webhook-1', flowNode('respond-1', { type: 'respond', fields })],
      ['webhook-1.data -> respond-1.data']
    )
    const body = '{"order":{"id":"id"},"tag":"tag","shop":"shop"}'
    assert.equal(sampleBody(flow, builtInCatalogue(), 'webhook-1'), body)
  })

  it('has what a Prompt reads of the payload', () => {
    const prompt = flowNode('prompt-1', { fields: { template: '{order.id} {other.x} {order}' } })
    const flow = flowOf(['webhook-1', prompt], ['webhook-1.data -> prompt-1.order'])
    assert.equal(sampleBody(flow, catalogue, 'webhook-1'), '{"id":"id"}')
  })

  it('fills any template', () => {
    const placeholder = fc.constantFrom(
      '{a}',
      '{a.b}',
      '{a[2].b}',
      '{c[0][1]}',
      '{d:.2f}',
      '{e:,}',
      '{__proto__.x}',
      '{a.b.c}',
      '{f:>5}',
      '{c.x}',
      '{g[9].h}'
    )
    fc.assert(
      fc.property(fc.array(placeholder, { maxLength: 4 }), (placeholders) => {
        const template = `- ${placeholders.join(' ')}`
        const { problem } = previewParser({ template }, JSON.parse(bodyFor(template)))
        assert.equal(problem, undefined, JSON.stringify([template, bodyFor(template), problem]))
      })
    )
  })
})
