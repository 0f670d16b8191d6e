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

  it('are refused where a way leads back, behind one that leads nowhere', () => {
    const flows = [running('a', ['b']), running('b', ['absent']), running('c', ['b', 'own'])]
    const { document } = running('own', ['a', 'b', 'c'])
    const find = (slug: string) => flows.find((flow) => flow.slug === slug)
    const fault = atOnce(flowLoopFault(document, { find }))
    assert.deepEqual([fault?.code, fault?.path], ['flow_loop', '/nodes/2/fields/flow'])
    assert.match(fault!.message, /by way of c,/)
  })
})
