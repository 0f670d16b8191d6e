import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { atOnce } from '../flows/in-turns.ts'
import { flowLoopFault } from './flow-loop.ts'

function running(slug: string, called: readonly string[]): { slug: string; document: FlowDocument } {
  const position = { x: 0, y: 0 }
  const nodes = called.map((flow, at) => ({ id: `n${at}`, type: 'run-flow', position, fields: { flow } }))
  return { slug, document: { name: slug, slug, context: '/', nodes, edges: [] } }
}

describe('flows that run others', () => {
  it('are looked through once, however many nodes lead to them', () => {
    const many = running('many', Array<string>(5_000).fill('absent'))
    const { document } = running('own', Array<string>(5_000).fill('many'))
    let asked = 0
    const find = (slug: string) => {
      asked++
      return slug === 'many' ? many : undefined
    }
    assert.equal(atOnce(flowLoopFault(document, { find })), undefined)
    assert.ok(asked <= 10_000, String(asked))
  })

  it('may run themselves, by one node', () => {
    const flows = [running('a', ['b']), running('b', ['own', 'absent'])]
    const find = (slug: string) => flows.find((flow) => flow.slug === slug)
    for (const called of [['own'], ['a'], ['b', 'absent']])
      assert.equal(atOnce(flowLoopFault(running('own', called).document, { find })), undefined)
  })

  it('are refused where each round starts several of the next, wherever that is', () => {
    const flows = [running('a', ['b']), running('b', ['absent']), running('c', ['b', 'own', 'own'])]
    const { document } = running('own', ['a', 'b', 'c'])
    const find = (slug: string) => flows.find((flow) => flow.slug === slug)
    const fault = atOnce(flowLoopFault(document, { find }))
    assert.deepEqual([fault?.code, fault?.path], ['flow_loop', '/nodes/2/fields/flow'])
    assert.match(fault!.message, /by way of c,/)
    const twice = atOnce(flowLoopFault(running('own', ['absent', 'own', 'own']).document, { find }))
    assert.deepEqual([twice?.code, twice?.path], ['flow_loop', '/nodes/1/fields/flow'])
    assert.match(twice!.message, /would run itself,/)
  })

  it('are refused where one runs itself for each item of a list', () => {
    const { document } = running('own', ['own'])
    const nodes = document.nodes.map((node) => ({ ...node, parent: 'each' }))
    const fault = atOnce(flowLoopFault({ ...document, nodes }, { find: () => undefined }))
    assert.equal(fault?.code, 'flow_loop')
  })
})
