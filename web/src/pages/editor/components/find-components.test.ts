import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findComponents, type Searched } from './find-components.ts'

const COMPONENTS: readonly Searched[] = [
  { title: 'Webhook', type: 'webhook', category: 'Inputs', description: 'Starts the flow by a request.' },
  { title: 'Parser', type: 'parser', category: 'Processing', description: 'Turns data into text.' },
  { title: 'Chat Input', type: 'chat-input', category: 'Inputs', description: 'A turn of a person.' },
  { title: 'Chat Output', type: 'chat-output', category: 'Outputs', description: 'Prints text.' }
]

function find(search: string): string[] {
  return findComponents(COMPONENTS, search, (facts) => facts).map(({ title }) => title)
}

describe('finding components', () => {
  it('shows all in their order where nothing is searched for', () => {
    assert.deepEqual(find(' '), ['Webhook', 'Parser', 'Chat Input', 'Chat Output'])
  })

  it('puts names before words of the description', () => {
    assert.deepEqual(find('t'), ['Chat Input', 'Chat Output', 'Webhook', 'Parser'])
    assert.deepEqual(find('pars'), ['Parser'])
  })

  it('finds by words, initials, category and description', () => {
    assert.deepEqual(find('out'), ['Chat Output'])
    assert.deepEqual(find('co'), ['Chat Output'])
    assert.deepEqual(find('processing'), ['Parser'])
    assert.deepEqual(find('request'), ['Webhook'])
  })

  it('wants every word', () => {
    assert.deepEqual(find('chat inp'), ['Chat Input'])
    assert.deepEqual(find('chat parser'), [])
  })
})
