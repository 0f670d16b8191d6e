import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { flowOf, node } from '../graph/flow.test-kit.ts'
import { testCatalogue } from './page-catalogue.test-kit.ts'
import { ShownNames } from './shown-names.ts'

const names = new ShownNames(
  flowOf([
    node('webhook-1'),
    node('parser-1'),
    node('parser-2'),
    node('parser-3', { title: 'Order "line"' })
  ]),
  testCatalogue()
)

describe('the names that are drawn', () => {
  it('stand in what the service says of fields and nodes', () => {
    const ofField = (id: string, message: string) => names.fault({ node: id, field: 'template', message })
    assert.equal(
      ofField('parser-3', 'Field "template" of node "parser-3": It is empty.'),
      'Order "line" · Template: It is empty.'
    )
    assert.equal(
      ofField('parser-1', 'Field "template" of node "parser-1" takes text, not a number.'),
      'Parser (parser-1) · Template takes text, not a number.'
    )
    assert.equal(
      names.fault({ message: 'Node "webhook-1" is in the way of node "x".' }),
      'Webhook is in the way of node "x".'
    )
    assert.equal(
      names.fault({ node: 'gone-1', field: 'url', message: 'Field "url" of node "gone-1": no.' }),
      'Field "url" of node "gone-1": no.'
    )
  })

  it('are those of the ends of a wire; what was removed has the one of the document', () => {
    assert.equal(names.wire('webhook-1.data -> parser-3.data'), 'Webhook · Data → Order "line" · Data')
    assert.equal(names.wire('gone-1.data → parser-2.data'), 'gone-1.data → Parser (parser-2) · Data')
  })
})
