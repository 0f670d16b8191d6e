import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JsonValue, parseJson } from '../json/exact-json.ts'
import { compileTemplate } from './compile-template.ts'
import { compileTemplateTree, templateTreeFaults } from './template-tree.ts'

const data = parseJson('{"id":12345678901234567890,"name":"Ann","tags":["a","b"],"nothing":null}') as {
  [key: string]: JsonValue
}

describe('JSON whose texts are templates', () => {
  it('fills in its texts wherever they stand, and keeps the rest', () => {
    const tree = compileTemplateTree({
      a: 'Hi {name}',
      b: [1, true, null, { c: '{name}!' }],
      d: '{{{$region}}}'
    })
    assert.deepEqual(tree.render(data, { region: 'eu' }), {
      a: 'Hi Ann',
      b: [1, true, null, { c: 'Ann!' }],
      d: '{eu}'
    })
  })

  it('gives the value itself for a text that is one placeholder and nothing else', () => {
    const tree = compileTemplateTree({
      id: '{id}',
      tags: '{tags}',
      nothing: '{nothing}',
      text: ' {id}',
      two: '{id:d}'
    })
    assert.deepEqual(tree.render(data), {
      id: data.id,
      tags: ['a', 'b'],
      nothing: null,
      text: ' 12345678901234567890',
      two: '12345678901234567890'
    })
  })

  it('leaves out what may be absent and is', () => {
    const tree = compileTemplateTree({
      a: '{gone?}',
      b: '{gone?x}',
      c: ['{gone?}', '{name?}'],
      d: 'a{gone?}'
    })
    assert.deepEqual(tree.render(data), { b: 'x', c: ['Ann'], d: 'a' })
    assert.throws(() => compileTemplateTree({ a: '{gone}' }).render(data), { code: 'template_missing_key' })
  })

  it('has keys of any name', () => {
    const tree = compileTemplateTree(parseJson('{"__proto__":"{name}"}'))
    assert.deepEqual(tree.render(data), parseJson('{"__proto__":"Ann"}'))
  })

  it('names the place of each text that is not a template', () => {
    const faults = templateTreeFaults({ a: { b: ['x', '{'] }, c: '{}', d: '{ok}' })
    assert.deepEqual(
      faults.map(({ message }) => message.replace(/ (?:This|The) .*/, '')),
      ['At a.b[1]:', 'At c:']
    )
    assert.equal(templateTreeFaults('{')[0]!.message.startsWith('This {'), true)
  })
})

describe('text of a syntax of its own', () => {
  it('is given each printed value, with the value, to write it in that syntax', () => {
    const template = compileTemplate('{name}/{id}/{gone?x}/{name:>5}')
    const seen: unknown[] = []
    const text = template.renderEncoded((printed, value, place) => {
      seen.push([value, place])
      return `<${printed}>`
    }, data)
    assert.equal(text, '<Ann>/<12345678901234567890>/<x>/<  Ann>')
    assert.deepEqual(seen, [
      ['Ann', 0],
      [data.id, 1],
      [undefined, 2],
      ['Ann', 3]
    ])
    assert.deepEqual(template.literals, ['', '/', '/', '/', ''])
  })
})
