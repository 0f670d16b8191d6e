import assert from 'node:assert/strict'
import { it } from 'node:test'
import { codeReferences } from './code-references.ts'

const readsNodes = (source: string) =>
  codeReferences(source, 'javascript').some(({ name }) => name === 'nodes')

it('code that hands nodes on, asks whether it is there or names a key like it reads the nodes of the run', () => {
  for (const source of [
    'return Object.keys(nodes)',
    'console.log(nodes)\nreturn nodes.a.data',
    'return JSON.stringify(nodes, null, 2)',
    'return [nodes, { nodes }, f(1, nodes)]',
    'if (nodes) { return 1 }',
    'for (const node of Object.values(nodes)) { sum += node.n }',
    'for (const id in nodes) { sum += 1 }',
    'const result = {}; result.nodes = Object.keys(nodes).length; return result',
    'return ids.map((id) => read(nodes, id))',
    'const { data: first } = nodes.a',
    'const [one] = Object.values(nodes)',
    'if (nodes == null) return 1'
  ])
    assert.ok(readsNodes(source), source)
})

it('code that has nodes of its own does not', () => {
  for (const source of [
    'const nodes = [1]; return nodes.length',
    'const { a, nodes } = data; return nodes[0]',
    'const { list: nodes } = data; return nodes[0]',
    'const [nodes = []] = data; return nodes[0]',
    'for (const nodes of data) sum += nodes.length',
    'return data.map(nodes => nodes.length)',
    'return data.map((nodes, at) => nodes.length + at)',
    'return data.map(({ nodes }) => nodes.length)',
    'return data.map((nodes: unknown[]): number => nodes.length)',
    'function count(a, nodes) { return nodes.length }',
    'const counter = { count(nodes) { return nodes.length } }',
    'return data.nodes.length'
  ])
    assert.ok(!readsNodes(source), source)
})
