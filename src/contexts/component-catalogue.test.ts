import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AnyComponent } from '../flows/component/component.ts'
import { builtInTree, registerIn } from './catalogue.test-kit.ts'
import { componentCatalogue } from './component-catalogue.ts'

const greet: AnyComponent = { type: 'greet', title: 'Greet', run: () => ({}) }

describe('the catalogue', () => {
  const tree = builtInTree()
  registerIn(tree, '/sales', greet, 'sales')
  const catalogue = componentCatalogue(tree)

  it('finds what the context sees', () => {
    assert.equal(catalogue.find('/sales', 'greet'), greet)
    assert.equal(catalogue.find('/sales', 'parser')?.type, 'parser')
    assert.equal(catalogue.find('/', 'greet'), undefined)
    assert.equal(catalogue.find('/nowhere', 'parser'), undefined)
  })

  it('knows contexts', () => {
    assert.deepEqual(['/', '/sales', '/nowhere', ''].map(catalogue.hasContext), [true, true, false, false])
  })

  it('explains a type that is hidden: who registered it where, and what to do', () => {
    assert.equal(
      catalogue.explainMissing('/', 'greet'),
      'The component "greet" is hidden from /: it lives in /sales, below /, and a context never sees what its ' +
        'descendants register. It is registered by sales in /sales. ' +
        'Wrap sales with share() so that it registers into /, register it in /, or move the flow into /sales.'
    )
  })

  it('explains a type that is nowhere: what there is, and what may be meant', () => {
    const text = catalogue.explainMissing('/', 'parsr')
    assert.match(text, /Known in \/: webhook, form, parser, .*\. Did you mean "parser"\?$/)
    assert.doesNotMatch(text, /greet/)
  })
})
