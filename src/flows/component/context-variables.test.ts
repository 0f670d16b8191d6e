import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ExactNumber, type JsonValue } from '../json/exact-json.ts'
import { fillVariables, readsVariables, VariableMissing, variableValue } from './context-variables.ts'

const VARIABLES: Record<string, JsonValue> = {
  region: 'eu',
  'base-url': 'https://acme.com',
  _retries: 3,
  on: true,
  nothing: null,
  tags: ['a', 'b'],
  nested: { a: 1 },
  id: new ExactNumber('12345678901234567890'),
  tricky: '{$region} $& $1 {{'
}

const fill = (text: string) => fillVariables(text, 'url', VARIABLES)

describe('filling variables into a field', () => {
  it('prints text as it is and anything else as JSON', () => {
    const rows: [text: string, filled: string][] = [
      ['{$region}', 'eu'],
      ['{$base-url}/{$region}/x', 'https://acme.com/eu/x'],
      ['{$_retries}', '3'],
      ['{$on} {$nothing}', 'true null'],
      ['{$tags}', '["a","b"]'],
      ['{$nested}', '{"a":1}'],
      ['{$id}', '12345678901234567890']
    ]
    for (const [text, filled] of rows) assert.equal(fill(text), filled)
  })

  it('reads nothing else, and what is filled in is not read again', () => {
    const same = ['', 'plain', '{region}', '$region', '{$}', '{$1}', '{$a b}', '{ $region }', '{$region']
    for (const text of same) assert.equal(fill(text), text)
    assert.equal(fill('{$tricky}'), '{$region} $& $1 {{')
    assert.equal(fill('{{$region}}'), '{eu}')
  })

  it('leaves any text without one as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!readsVariables(text)) assert.equal(fill(text), text)
      })
    )
  })

  it('fails where a variable is missing, and says which, where, and what there is', () => {
    assert.throws(
      () => fill('{$region} {$regoin}'),
      (error) => {
        assert.ok(error instanceof VariableMissing)
        assert.equal(error.code, 'variable_missing')
        assert.equal(error.retryable, false)
        assert.match(
          error.message,
          /Field "url" reads the variable \{\$regoin\}, which neither the flow's context/
        )
        assert.match(error.message, /Set there: region, base-url, /)
        return true
      }
    )
    assert.throws(() => fillVariables('{$a}', 'url', {}), /No variable is set there\.$/)
  })

  it('takes own variables only', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      assert.throws(() => fill(`{$${name}}`), VariableMissing, name)
    }
  })
})

describe('setting a variable', () => {
  it('takes a name that can be read, and a value that can be printed', () => {
    for (const name of ['region', '_a', 'base-url', 'A1', '__proto__'])
      assert.equal(variableValue(name, 'x'), 'x')
    for (const value of ['', 0, false, ['a'], { a: 1 }])
      assert.deepEqual(variableValue('region', value), value)
    for (const name of ['', 'a b', '1a', '$a', 'a}', 'é', undefined, 5, 5n, Symbol('x')]) {
      assert.throws(() => variableValue(name, 'x'), /A variable is called/, String(name))
    }
    assert.throws(() => variableValue('resume', 'x'), /address of the run/)
    for (const value of [undefined, null, () => {}, Symbol('x'), 5n, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => variableValue('region', value), /The variable "region" is/, String(value))
    }
  })

  it('refuses what cannot be written as JSON', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const broken = { toJSON: () => assert.fail('no') }
    for (const value of [cyclic, [cyclic], broken]) {
      assert.throws(
        () => variableValue('region', value),
        /^TypeError: The variable "region": the value cannot be written as JSON: .+\. Give it text, a number/
      )
    }
    assert.throws(() => variableValue('region', cyclic), /it contains itself/)
    assert.equal(
      JSON.stringify(variableValue('region', { id: 12345678901234567890n })),
      '{"id":12345678901234567890}'
    )
  })

  it('takes an object as it is now: what turns cyclic later is no part of it', () => {
    const value: Record<string, unknown> = { a: 1 }
    const taken = variableValue('region', value)
    value.self = value
    assert.deepEqual(taken, { a: 1 })
  })
})

describe('a field', () => {
  it('reads variables where its text may hold one', () => {
    assert.ok(readsVariables('a {$b}'))
    for (const value of ['plain', '{b}', 5, null, undefined, ['{$a}'], { a: '{$a}' }]) {
      assert.ok(!readsVariables(value))
    }
  })
})
