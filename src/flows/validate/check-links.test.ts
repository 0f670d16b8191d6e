import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowNode } from '../document/flow-document.ts'
import { linkCheck } from './check-links.ts'

const place = { position: { x: 0, y: 0 }, fields: {} }
const NODES: FlowNode[] = [
  { ...place, id: 'call-1', type: 'wait-for-call' },
  { ...place, id: 'ask-1', type: 'approve' },
  { ...place, id: 'lines', type: 'for-each' },
  { ...place, id: 'call-2', type: 'wait-for-call', parent: 'lines' }
]

const check = linkCheck(NODES)
const found = (text: unknown, parent?: string) => {
  const node = { ...place, id: 'mail', type: 'parser', fields: { template: text }, ...(parent && { parent }) }
  return check(node, '/nodes/4')
}

describe('addresses of a run that a template asks for', () => {
  it('lead to a node of the same run that takes them', () => {
    assert.deepEqual(found('Go to {$resume.call-1} or {$approve.ask-1}, {name}, {$region}'), [])
    assert.deepEqual(found({ deep: ['{$resume[call-1]}'] }), [])
    assert.deepEqual(found('{$resume.call-2}', 'lines'), [])
    assert.deepEqual(found('{{$resume.nobody}}'), [])
  })

  it('are told where they lead nowhere, with the place', () => {
    const rows: [text: unknown, words: RegExp, parent?: string][] = [
      ['{$resume.call-9}', /not there\. Write the id of a Wait for call: call-1\. Did you mean "call-1"\?/],
      ['{$resume.ask-1}', /not a Wait for call/],
      ['{$approve.call-1}', /not an Approve\. Write the id of an Approve/],
      ['{$resume}', /names no node\. .*\{\$resume\.call-1\}/],
      ['{$resume.call-1.x}', /names no node/],
      [{ body: '{$resume.call-2}' }, /another run/],
      ['{$resume.call-1}', /another run/, 'lines'],
      ['{$approve.x}', /no Approve beside this node: add one/, 'lines']
    ]
    for (const [text, words, parent] of rows) {
      const [fault, ...others] = found(text, parent)
      assert.deepEqual(others, [])
      assert.match(fault!.message, words)
      assert.deepEqual([fault!.code, fault!.path], ['unknown_wait', '/nodes/4/fields/template'])
    }
    assert.deepEqual(
      found('a\nb {$resume.x}').map(({ line, column }) => [line, column]),
      [[2, 3]]
    )
  })
})
