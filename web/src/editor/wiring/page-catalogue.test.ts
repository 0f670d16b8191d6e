import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInComponents } from '../../../../src/components/built-in.ts'
import { startService } from '../../../../test/support/service.ts'
import { flowOf, node } from '../graph/flow.test-kit.ts'
import { factsOf, testCatalogue } from './page-catalogue.test-kit.ts'
import { type ComponentFacts, openQuestions, questionKey } from './page-catalogue.ts'

describe('the catalogue of the page', () => {
  it('is made of what the service answers', async (t) => {
    const service = await startService(t)
    const answer = await service.get('/api/v1/components?context=/')
    const { components } = answer.json<{ components: ComponentFacts[] }>()
    for (const component of builtInComponents) {
      const expected = JSON.parse(JSON.stringify(factsOf(component)))
      const told = components.find(({ type }) => type === component.type)
      const known = Object.fromEntries(Object.entries(told ?? {}).filter(([name]) => name in expected))
      assert.deepEqual(known, expected)
    }
  })

  it('derives inputs from a template, for any component that says so', () => {
    const inputs = (template: string) => {
      const known = testCatalogue().typed(node('prompt-1', { fields: { template } })).inputs
      return known === undefined ? undefined : Object.keys(known)
    }
    assert.deepEqual(inputs('{a} and {b.c}'), ['a', 'b'])
    assert.deepEqual(inputs(''), [])
    assert.equal(inputs('{a'), undefined, 'not known while the template is broken')
  })

  it('asks the service where only code knows the inputs, once for the same fields', () => {
    const flow = flowOf([
      node('gather-1'),
      node('gather-2', { fields: { parts: 2 } }),
      node('gather-3', { fields: { parts: 3 } })
    ])
    const questions = openQuestions(flow, testCatalogue())
    assert.deepEqual(questions, [
      { type: 'gather', fields: { parts: 2 } },
      { type: 'gather', fields: { parts: 3 } }
    ])
    const answered = testCatalogue(
      new Map(
        questions.map((question) => [
          questionKey(question),
          { part: { title: 'Part', type: 'data' } as const }
        ])
      )
    )
    assert.deepEqual(openQuestions(flow, answered), [])
    assert.deepEqual(Object.keys(answered.typed(flow.nodes[0]!).inputs ?? {}), ['head', 'part'])
    assert.equal(testCatalogue().typed(flow.nodes[0]!).inputs, undefined)
  })

  it('explains a type that it does not know', () => {
    assert.match(testCatalogue().explainMissing('/sales', 'parsr'), /"\/sales".*Did you mean "parser"\?/)
  })

  it('gives a node its own title, or that of its component', () => {
    const catalogue = testCatalogue()
    assert.deepEqual(
      [node('parser-1', { title: 'Say' }), node('parser-1'), node('lost-1')].map((part) =>
        catalogue.titleOf(part)
      ),
      ['Say', 'Parser', 'lost']
    )
  })
})
