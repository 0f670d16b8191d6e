import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { closestName, didYouMean } from './closest-name.ts'

const known = ['webhook', 'parser', 'prompt', 'chat-input', 'chat-output']

describe('closestName', () => {
  const rows: [meant: string, name: string | undefined][] = [
    ['parsr', 'parser'],
    ['Parser', 'parser'],
    ['WEBHOOK', 'webhook'],
    ['webhok', 'webhook'],
    ['chat-inputs', 'chat-input'],
    ['chatoutput', 'chat-output'],
    ['promt', 'prompt'],
    ['http-request', undefined],
    ['x', undefined],
    ['', undefined]
  ]
  for (const [meant, name] of rows) {
    it(`finds ${name} for "${meant}"`, () => assert.equal(closestName(meant, known), name))
  }

  it('finds the nearest of several', () => {
    assert.equal(closestName('node-12', ['node-2', 'node-123', 'node-11', 'node-12x']), 'node-2')
    assert.equal(closestName('template', ['templates', 'template']), 'template')
  })

  it('finds nothing where nothing is known', () => assert.equal(closestName('a', []), undefined))
})

describe('didYouMean', () => {
  it('is ready to be appended', () => {
    assert.equal(didYouMean('parsr', known), ' Did you mean "parser"?')
    assert.equal(didYouMean('zebra', known), '')
  })
})
