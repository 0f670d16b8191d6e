import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faultOf, faultsOf } from './document-faults.test-kit.ts'

describe('fields', () => {
  const rows: [name: string, type: string, fields: object, message: RegExp][] = [
    ['an unknown name', 'parser', { templte: 'x' }, /no field "templte".*Did you mean "template"\?/],
    ['a number as text', 'parser', { template: 5 }, /"template" of node "a" takes text, not number 5/],
    ['a list as text', 'every-kind', { text: [] }, /takes text, not a list/],
    ['an object as secret', 'every-kind', { secret: {} }, /takes text, not an object/],
    ['null as text', 'every-kind', { text: null }, /takes text, not null/],
    ['text as flag', 'every-kind', { flag: 'yes' }, /takes true or false, not text "yes"/],
    ['no choice', 'parser', { mode: 'Strngify' }, /takes one of "Parser", "Stringify", not text "Strngify"/],
    ['text as number', 'every-kind', { count: '5' }, /takes a number, not text "5"/],
    ['a broken number', 'every-kind', { count: 1.5 }, /takes a whole number, not 1\.5/],
    ['a number too small', 'every-kind', { count: 0 }, /takes 1 or more, not 0/],
    ['a number too large', 'every-kind', { count: 10 }, /takes 9 or less, not 10/],
    ['text as rows', 'every-kind', { keys: 'a' }, /takes a list of objects, not text "a"/],
    ['too many rows', 'every-kind', { keys: ['a', 'b', 'c'] }, /takes 2 at most, not 3/],
    ['a row that is a number', 'every-kind', { keys: ['a', 5] }, /key 2 is number 5/],
    [
      'an unknown column',
      'every-kind',
      { keys: [{ feld: 'a' }] },
      /key 1 has a member "feld".*field, direction.*"field"\?/
    ],
    [
      'a column that is not text',
      'every-kind',
      { keys: [{ field: 5 }] },
      /key 1 has number 5 as its "field"/
    ],
    ['a column that is not a choice', 'every-kind', { keys: [{ direction: 'left' }] }, /one of "up", "down"/]
  ]
  for (const [name, type, fields, message] of rows) {
    it(`refuse ${name}`, () => {
      const fault = faultOf({ nodes: [{ id: 'a', type, fields }] })
      const field = Object.keys(fields)[0]!
      assert.deepEqual([fault.node, fault.field, fault.path], ['a', field, `/nodes/0/fields/${field}`])
      assert.match(fault.message, message)
      assert.match(fault.message, /node "a"/i)
    })
  }

  it('take rows, also as texts and with columns left out', () => {
    const keys = ['a', { field: 'b', direction: 'down' }]
    assert.deepEqual(faultsOf({ nodes: [{ id: 'a', type: 'every-kind', fields: { keys } }] }), [])
  })

  it('take any JSON where they say so', () => {
    for (const json of [null, [], { a: 1 }, 'text', 5])
      assert.deepEqual(faultsOf({ nodes: [{ id: 'a', type: 'every-kind', fields: { json } }] }), [])
  })

  for (const type of ['parser', 'prompt']) {
    it(`refuse a template of a ${type} that does not parse, with its place`, () => {
      const fields = { template: 'Dear\nhello {name' }
      const fault = faultOf({ nodes: [{ id: 'a', type, fields }] })
      assert.deepEqual([fault.code, fault.line, fault.column], ['template_syntax', 2, 7])
      assert.match(fault.message, /^Field "template" of node "a": /)
    })
  }

  it('do not check a template that is not used', () => {
    const fields = { mode: 'Stringify', template: '{' }
    assert.deepEqual(faultsOf({ nodes: [{ id: 'a', type: 'parser', fields }] }), [])
  })

  it('refuse a value that is too deep to be shown', () => {
    let mode: unknown = 1
    for (let level = 0; level < 50_000; level++) mode = [mode]
    assert.match(faultOf({ nodes: [{ id: 'a', type: 'parser', fields: { mode } }] }).message, /not a list/)
  })
})
