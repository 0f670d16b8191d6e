import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileTemplateTree } from '../../../../src/flows/template/template-tree.ts'
import { escapeText, escapeTree } from './escape-text.ts'
import { readTextOrJson } from './text-or-json.ts'

describe('text or JSON, as it is typed', () => {
  it('is JSON where it is an object or a list, else a template', () => {
    assert.deepEqual(readTextOrJson(' {"a": "{b}"} '), { value: { a: '{b}' } })
    assert.deepEqual(readTextOrJson('[1]'), { value: [1] })
    assert.deepEqual(readTextOrJson('Order {id}'), { value: 'Order {id}' })
    assert.deepEqual(readTextOrJson('{name} ordered'), { value: '{name} ordered' })
    assert.deepEqual(readTextOrJson('7'), { value: '7' })
    assert.deepEqual(readTextOrJson(' '), { value: null })
  })

  it('is told while it is neither', () => {
    assert.match(
      String(Object.values(readTextOrJson('{"a": '))[0]),
      /^This is neither JSON yet nor a template/
    )
  })
})

describe('a template that prints a text', () => {
  it('prints that very text', () => {
    const value = { a: ['{x}', '{{', 7, null], '{k}': '}' }
    assert.deepEqual(compileTemplateTree(escapeTree(value)).render({}), value)
    assert.equal(escapeText('{a}'), '{{a}}')
  })
})
