import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nodesNamed, nodesReadIn, renameReferences } from './rename-references.ts'

const ids = new Map([
  ['parser-1', 'parser-2'],
  ['old', 'new-1']
])

it('renames the nodes that templates, conditions and code name', () => {
  const rows: [text: string, renamed: string][] = [
    ['{$nodes.parser-1.parsed_text} {parser-1}', '{$nodes.parser-2.parsed_text} {parser-1}'],
    ['{ $nodes[parser-1].a?none}', '{ $nodes[parser-2].a?none}'],
    ['{$nodes.parser-10.a}', '{$nodes.parser-10.a}'],
    ['{$nodes.old.a}', '{$nodes.new-1.a}'],
    [
      '<a href="{$resume.old}">{ $approve[parser-1]}</a>',
      '<a href="{$resume.new-1}">{ $approve[parser-2]}</a>'
    ],
    ['$resume.old {resume.old} {x.$resume.old}', '$resume.old {resume.old} {x.$resume.old}'],
    ['nodes["parser-1"].a == data.nodes.old', 'nodes["parser-2"].a == data.nodes.old'],
    ['nodes[?"parser-1"].?a && nodes.?old.?a', 'nodes[?"parser-2"].?a && nodes[?"new-1"].?a'],
    ['return nodes.old.a', 'return nodes["new-1"].a'],
    ['$nodes.old.a & $nodes."parser-1".a', '$nodes."new-1".a & $nodes."parser-2".a']
  ]
  for (const [text, renamed] of rows) assert.deepEqual(renameReferences({ text }, ids), { text: renamed })
})

it('reaches texts inside, and leaves what names none as it is', () => {
  const body = { a: ['{$nodes.old.x}', 7], b: null }
  assert.deepEqual(renameReferences({ body }, ids), { body: { a: ['{$nodes.new-1.x}', 7], b: null } })
  const fields = { template: '{nodes}', list: ['a'] }
  assert.equal(renameReferences(fields, ids), fields)
  assert.deepEqual([...nodesNamed({ a: '{$nodes.x.y}', b: ['nodes["z"]'] })], ['x', 'z'])
})

it('tells apart what is read and where somebody is to answer', () => {
  const fields = { a: '{$nodes.x.y} {$approve.z}', b: 'nodes.w.data' }
  assert.deepEqual([...nodesNamed(fields)], ['x', 'z', 'w'])
  assert.deepEqual([...nodesReadIn(fields)], ['x', 'w'])
})
