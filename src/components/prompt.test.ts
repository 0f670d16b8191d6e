import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inputPortsOf } from '../flows/component/component-ports.ts'
import { parseJson } from '../flows/json/exact-json.ts'
import { prompt } from './prompt.ts'
import { failureOf, runStep } from './step.test-kit.ts'

function portsOf(template: string): string[] {
  return Object.keys(inputPortsOf(prompt, { template }))
}

function render(template: string, inputs: Record<string, unknown>): unknown {
  return runStep(prompt, { fields: { template }, inputs }).outputs.prompt
}

describe('the inputs of a Prompt', () => {
  it('are one per variable, each once, in order', () => {
    assert.deepEqual(portsOf('{b} {a} {b} {user.name} {user[age]} {list[0]}'), ['b', 'a', 'user', 'list'])
  })

  it('take any type', () => {
    assert.deepEqual(inputPortsOf(prompt, { template: '{a}' }), { a: { title: 'a', type: 'any' } })
  })

  it('are absent without variables, or while the template does not parse', () => {
    assert.deepEqual(portsOf('plain {{braces}}'), [])
    assert.deepEqual(portsOf('{a} {b'), [])
  })
})

describe('a Prompt', () => {
  it('fills in what its wires carry', () => {
    const inputs = { who: 'Ann', order: parseJson('{"id":12345678901234567890}') }
    assert.equal(
      render('Dear {who}, {order.id}: {order}', inputs),
      'Dear Ann, 12345678901234567890: {"id":12345678901234567890}'
    )
  })

  it('takes an input without a wire, or whose wire carries nothing, for absent', () => {
    assert.equal(render('a{x?}b{y?none}', {}), 'abnone')
    assert.equal(render('a{x?}b{y?none}', { x: undefined, y: undefined }), 'abnone')
  })

  it('prints null as nothing: it is a value', () => {
    assert.equal(render('[{x?none}]', { x: null }), '[]')
  })

  it('fails where an input is missing, and says to wire it', () => {
    for (const inputs of [{}, { x: undefined }]) {
      const error = failureOf(prompt, { fields: { template: 'Hi {x}' }, inputs })
      assert.equal(error.code, 'template_missing_key')
      assert.match(error.message, /x.*Wire something to the input of that name/s)
    }
  })

  it('takes a variable of any name', () => {
    const inputs = Object.fromEntries([['__proto__', 'own']])
    assert.deepEqual(portsOf('{__proto__}'), ['__proto__'])
    assert.equal(render('{__proto__}', inputs), 'own')
  })

  it('is refused when the flow is saved while its template does not parse', () => {
    const [fault] = prompt.check!({ template: 'Hi\n{' })
    assert.deepEqual([fault!.field, fault!.line, fault!.column], ['template', 2, 1])
  })
})
