import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInComponents } from '../../components/built-in.ts'
import type { FlowNode } from '../document/flow-document.ts'
import { toolFaults } from './tool-faults.ts'

function faultsOf(type: string, tool: FlowNode['tool']) {
  const node: FlowNode = { id: 'n', type, position: { x: 0, y: 0 }, fields: {}, ...(tool && { tool }) }
  const component = builtInComponents.find((each) => each.type === type)!
  return toolFaults(node, component, '/nodes/0').map(
    ({ code, path, message }) => `${code} ${path} ${message}`
  )
}

describe('what is wrong with a node as a tool', () => {
  it('is nothing where its fields and arguments can be left to an agent', () => {
    const schema = { type: 'object', properties: { id: { type: 'string' } } }
    assert.deepEqual(faultsOf('api-request', { fields: ['url', 'body'], arguments: schema }), [])
    assert.deepEqual(faultsOf('webhook', undefined), [])
  })

  it('is told with its place and a remedy', () => {
    const rows: [type: string, tool: FlowNode['tool'], words: RegExp][] = [
      ['webhook', {}, /invalid_tool \/nodes\/0\/tool .*starts runs/],
      ['for-each', {}, /holds other nodes/],
      ['run-flow', {}, /offers tools by its output "tools" anyway/],
      ['return', {}, /gives nothing back/],
      ['api-request', { fields: ['uri'] }, /tool\/fields\/0 .*no field "uri".*"url"/],
      ['api-request', { fields: ['connection'] }, /no model may choose/],
      ['api-request', { fields: ['headers'] }, /one of the controls/],
      ['sql', { arguments: { type: 'string' } }, /tool\/arguments .*JSON Schema of an object/],
      ['sql', { arguments: { properties: [] } }, /"properties"/]
    ]
    for (const [type, tool, words] of rows) {
      const [fault, ...others] = faultsOf(type, tool)
      assert.match(fault!, words)
      assert.deepEqual(others, [])
    }
  })
})
