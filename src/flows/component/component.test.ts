import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInComponents } from '../../components/built-in.ts'
import type { JsonValue } from '../json/exact-json.ts'
import { checkDefinition } from './check-definition.ts'
import { type AnyComponent, defaultOf, resolveFields } from './component.ts'
import { inputPortsOf } from './component-ports.ts'

const sound: AnyComponent = {
  type: 'greet',
  title: 'Greet',
  fields: {
    greeting: { kind: 'text', title: 'Greeting', default: 'Hello' },
    loud: { kind: 'boolean', title: 'Loud' }
  },
  inputs: { data: { title: 'Data', type: 'data' } },
  outputs: { text: { title: 'Text', type: 'text' } },
  run: () => ({})
}

describe('defaultOf', () => {
  it('is what the field says', () => {
    assert.equal(defaultOf({ kind: 'number', title: 'N', default: 5 }), 5)
    assert.equal(defaultOf({ kind: 'boolean', title: 'B', default: true }), true)
  })

  it('is else the empty value of its kind', () => {
    const kinds = ['text', 'template', 'secret', 'number', 'boolean', 'json'] as const
    assert.deepEqual(
      kinds.map((kind) => defaultOf({ kind, title: 'F' })),
      ['', '', '', 0, false, null]
    )
  })

  it('is else the first choice', () => {
    assert.equal(defaultOf({ kind: 'choice', title: 'C', choices: ['a', 'b'] }), 'a')
  })
})

describe('resolveFields', () => {
  it('takes what the document says over the defaults, and nothing that the component does not know', () => {
    assert.deepEqual(resolveFields(sound, { greeting: 'Hi', colour: 'red' }), { greeting: 'Hi', loud: false })
  })

  it('completes rows: a text is the first column, what is not said the first choice or empty', () => {
    const columns = {
      field: { title: 'Key' },
      order: { title: 'Order', choices: ['up', 'down'] },
      as: { title: 'As' }
    }
    const fields = { keys: { kind: 'rows', title: 'Keys', columns, default: [{ field: 'id' }] } } as const
    const resolved = (keys: JsonValue) => resolveFields({ ...sound, fields }, { keys }).keys
    assert.deepEqual(resolved(['a', { field: 'b', order: 'down' }]), [
      { field: 'a', order: 'up', as: '' },
      { field: 'b', order: 'down', as: '' }
    ])
    assert.deepEqual(resolveFields({ ...sound, fields }, {}).keys, [{ field: 'id', order: 'up', as: '' }])
  })

  it('does not take inherited members for fields', () => {
    const fields = { constructor: { kind: 'text', title: 'Odd', default: 'x' } } as const
    assert.deepEqual(Object.entries(resolveFields({ ...sound, fields }, {})), [['constructor', 'x']])
  })
})

describe('inputPortsOf', () => {
  it('adds the inputs that follow from the fields to the fixed ones', () => {
    const inputsFor: AnyComponent['inputsFor'] = ({ greeting }) => ({
      [greeting]: { title: 'X', type: 'any' } as const
    })
    assert.deepEqual(Object.keys(inputPortsOf({ ...sound, inputsFor }, { greeting: 'who' })), ['data', 'who'])
    assert.deepEqual(Object.keys(inputPortsOf(sound, {})), ['data'])
  })
})

describe('checkDefinition', () => {
  it('takes every built-in component', () => {
    for (const component of builtInComponents) checkDefinition(component)
  })

  const rows: [name: string, change: object, message: RegExp][] = [
    ['no type', { type: undefined }, /type is undefined\. Use lower-case letters/],
    ['a type with capitals', { type: 'Greet' }, /"Greet"/],
    ['a type with a dot', { type: 'a.b' }, /"a\.b"/],
    ['no title', { title: '' }, /"greet" has no title\. Give it one/],
    ['no run', { run: undefined }, /no run function\. Write run/],
    ['an unknown kind of field', { fields: { a: { kind: 'colour' } } }, /field "a".*Known kinds are text/],
    ['a field that is nothing', { fields: { a: null } }, /field "a"/],
    [
      'a default that is not JSON',
      {
        fields: { text: { kind: 'json', title: 'A', default: 5n } },
        outputs: { text: { title: 'A', type: 'text' } }
      },
      /"greet": "text" cannot be written as JSON/
    ],
    ['an unknown type of input', { inputs: { a: { title: 'A', type: 'number' } } }, /port "a".*Known types/],
    ['an unknown type of output', { outputs: { a: { title: 'A' } } }, /port "a"/],
    // A bad input is not hidden by a sound output of the same name.
    ['a bad input named like an output', { inputs: { text: { title: 'A' } } }, /port "text"/],
    ['attempts that are no number', { retry: { attempts: Number.NaN } }, /retry\.attempts.*number/],
    ['a wait that is not a number', { retry: { backoffMs: '5' } }, /retry\.backoffMs.*number/],
    ['a time limit that is not a number', { timeoutMs: Number.NaN }, /timeoutMs.*number/]
  ]
  for (const [name, change, message] of rows) {
    it(`refuses ${name}`, () => {
      assert.throws(() => checkDefinition({ ...sound, ...change } as AnyComponent), message)
    })
  }
})

describe('inputs from a template', () => {
  const fields = {
    text: { kind: 'template', title: 'Text' },
    count: { kind: 'number', title: 'Count' }
  } as const
  const component: AnyComponent = { ...sound, fields, inputsFromTemplate: 'text' }

  it('are one per variable, after the fixed ones', () => {
    const inputs = inputPortsOf(component, { text: '{a.b} {a} {c?} {$region}' })
    assert.deepEqual(Object.keys(inputs), ['data', 'a', 'c'])
    assert.deepEqual(inputs.a, { title: 'a', type: 'any' })
  })

  it('are absent while the template does not compile', () => {
    assert.deepEqual(Object.keys(inputPortsOf(component, { text: '{a} {' })), ['data'])
    assert.deepEqual(Object.keys(inputPortsOf(component, {})), ['data'])
  })

  it('come from a field that holds text', () => {
    for (const inputsFromTemplate of ['count', 'absent']) {
      assert.throws(
        () => checkDefinition({ ...component, inputsFromTemplate }),
        /Name a field of the kind template/
      )
    }
    checkDefinition(component)
  })
})

describe('a region', () => {
  const port = { title: 'Port', type: 'any' } as const
  const region = { inputs: { result: port }, outputs: { item: port } }

  it('has other ports inside than outside, and starts no runs', () => {
    checkDefinition({ ...sound, region })
    const refused = (more: Partial<AnyComponent>, words: RegExp) =>
      assert.throws(() => checkDefinition({ ...sound, region, ...more }), words)
    refused({ outputs: { result: port } }, /"result" is inside and outside its region/)
    refused({ trigger: 'webhook' }, /a trigger and a region/)
    refused(
      { region: { ...region, inputs: { result: { title: 'R', type: 'none' as 'any' } } } },
      /no known type/
    )
  })
})
