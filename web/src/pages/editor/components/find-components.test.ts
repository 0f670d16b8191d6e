import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { flowOf } from '../../../editor/graph/flow.test-kit.ts'
import { builtInCatalogue } from '../../../editor/wiring/page-catalogue.test-kit.ts'
import { findComponents, foundBy, type Searched } from './find-components.ts'
import { ICONS } from './known-icons.ts'
import { allOffers, searchedOf } from './offers.ts'

const COMPONENTS: readonly Searched[] = [
  {
    title: 'Webhook',
    type: 'webhook',
    category: 'Inputs',
    description: 'Starts the flow by a request.',
    keywords: ['http in']
  },
  {
    title: 'Parser',
    type: 'parser',
    category: 'Processing',
    description: 'Turns data into text.',
    keywords: ['template']
  },
  {
    title: 'Chat Input',
    type: 'chat-input',
    category: 'Inputs',
    description: 'A turn of a person.',
    keywords: []
  },
  {
    title: 'Chat Output',
    type: 'chat-output',
    category: 'Outputs',
    description: 'Prints text.',
    keywords: ['log']
  },
  {
    title: 'Approve',
    type: 'approve',
    category: 'People',
    description: 'Asks.',
    keywords: ['human in the loop']
  },
  {
    title: 'For each',
    type: 'for-each',
    category: 'Logic',
    description: 'One by one.',
    keywords: ['loop', 'iterate']
  }
]

/** What people type who know another product, and what they mean. */
const ELSEWHERE: readonly (readonly [search: string, type: string])[] = [
  ['http', 'api-request'],
  ['http request', 'api-request'],
  ['fetch', 'api-request'],
  ['if', 'if-else'],
  ['branch', 'if-else'],
  ['case', 'switch'],
  ['router', 'if-else'],
  ['join', 'join'],
  ['combine', 'merge'],
  ['edit fields', 'select'],
  ['rename keys', 'select'],
  ['where', 'filter'],
  ['order by', 'sort'],
  ['top', 'limit'],
  ['dedupe', 'remove-duplicates'],
  ['group by', 'aggregate'],
  ['explode', 'split-out'],
  ['chunk', 'split-text'],
  ['base64', 'convert'],
  ['csv', 'convert'],
  ['rss', 'watch'],
  ['scraping', 'html'],
  ['pdf', 'extract-text'],
  ['split in batches', 'batch'],
  ['timezone', 'date'],
  ['crypto', 'hash'],
  ['uuid', 'random-id'],
  ['throw', 'stop'],
  ['respond to webhook', 'respond'],
  ['loop', 'for-each'],
  ['cron', 'schedule'],
  ['poll', 'watch'],
  ['rss feed trigger', 'watch'],
  ['subflow', 'run-flow'],
  ['function', 'code'],
  ['javascript', 'code'],
  ['jsonata', 'transform'],
  ['jq', 'transform'],
  ['error trigger', 'run-failed'],
  ['form trigger', 'form'],
  ['survey', 'form'],
  ['sleep', 'delay'],
  ['wait', 'wait-for-call'],
  ['human in the loop', 'approve'],
  ['wait for webhook', 'wait-for-call'],
  ['gpt', 'language-model'],
  ['rag', 'knowledge-write'],
  ['semantic search', 'knowledge-search'],
  ['rag', 'knowledge-write'],
  ['semantic search', 'knowledge-search'],
  ['llm', 'language-model'],
  ['ai agent', 'agent'],
  ['function calling', 'agent'],
  ['postgres', 'sql'],
  ['template', 'parser'],
  ['debug', 'chat-output'],
  ['hook', 'webhook'],
  ['sticky', 'note']
]

function find(search: string): string[] {
  return findComponents(COMPONENTS, search, (facts) => facts).map(({ title }) => title)
}

describe('finding components', () => {
  it('shows all in their order where nothing is searched for', () => {
    assert.deepEqual(find(' '), ['Webhook', 'Parser', 'Chat Input', 'Chat Output', 'Approve', 'For each'])
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

  it('finds by what things are called elsewhere, the very word first', () => {
    assert.deepEqual(find('loop'), ['For each', 'Approve'])
    assert.deepEqual(find('human in the loop'), ['Approve'])
    assert.deepEqual(find('http'), ['Webhook'])
  })

  it('says what it was found by, where its name does not', () => {
    const [webhook, parser] = COMPONENTS
    assert.equal(foundBy(webhook!, 'http'), 'http in')
    assert.equal(foundBy(webhook!, 'web'), undefined)
    assert.equal(foundBy(parser!, 'processing'), undefined)
    assert.equal(foundBy(parser!, ''), undefined)
  })

  it('wants every word', () => {
    assert.deepEqual(find('chat inp'), ['Chat Input'])
    assert.deepEqual(find('chat parser'), [])
  })
})

describe('the built-in components', () => {
  const catalogue = builtInCatalogue()
  const offers = allOffers(flowOf([]), catalogue)
  for (const [search, type] of ELSEWHERE) {
    it(`are found by "${search}": ${type}`, () => {
      const [first] = findComponents(offers, search, searchedOf)
      assert.equal(first && searchedOf(first).type, type)
    })
  }

  it('each have a picture, a sentence, an example and words', () => {
    for (const { type, icon, description, example, keywords } of catalogue.components) {
      assert.ok(icon !== null && Object.hasOwn(ICONS, icon), `${type} has no picture that the page knows`)
      assert.ok(description !== '' && example !== null && keywords.length > 0, `${type} says too little`)
    }
  })
})
