import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JsonValue, parseJson, writeJson } from '../../../../../src/flows/json/exact-json.ts'
import { areSound, limitFault, limitsOf, limitTexts } from './limits.ts'
import { sizeFault, sizeOf, sizeText } from './sizes.ts'
import { faultsIn, rowsOf, type VariableRow, variablesOf } from './variable-rows.ts'

const row = (name: string, value: string, kind: VariableRow['kind'] = 'text', id = name): VariableRow => {
  return { id, name, value, kind }
}

describe('variables that are edited', () => {
  it('come out as they went in, with every digit', () => {
    const text = '{"a":"text","n":12345678901234567890,"yes":true,"deep":{"list":[1,null,"x"]},"empty":""}'
    const variables = parseJson(text) as Record<string, JsonValue>
    assert.equal(writeJson(variablesOf(rowsOf(variables))), text)
    assert.equal(faultsIn(rowsOf(variables)).size, 0)
  })

  it('are text unless somebody says otherwise', () => {
    assert.deepEqual(variablesOf([row('n', '7'), row('m', '7', 'json')]), { n: '7', m: 7 })
  })

  it('need a name that templates can read, and one of their own', () => {
    const faults = faultsIn([
      row('', 'x', 'text', '1'),
      row('a b', 'x'),
      row('1a', 'x'),
      row('resume', 'x'),
      row('ok', ''),
      row('ok', 'y', 'text', '2')
    ])
    assert.deepEqual([...faults.keys()], ['1', 'a b', '1a', 'resume', 'ok', '2'])
    assert.match(faults.get('2')!.name!, /already used/)
  })

  it('have no names that code sets there', () => {
    const faults = faultsIn([row('team', 'x'), row('free', 'x')], new Set(['team']))
    assert.deepEqual([...faults.keys()], ['team'])
    assert.match(faults.get('team')!.name!, /in code/)
  })

  it('are JSON where they say so', () => {
    assert.match(faultsIn([row('a', '{', 'json')]).get('a')!.value!, /not JSON/)
    assert.match(faultsIn([row('a', '', 'json')]).get('a')!.value!, /not JSON/)
  })

  it('pass over a row that nobody has begun', () => {
    const rows = [row('', '', 'text', 'new'), row('a', 'x')]
    assert.equal(faultsIn(rows).size, 0)
    assert.deepEqual(variablesOf(rows), { a: 'x' })
  })
})

describe('limits that are edited', () => {
  it('come out as they went in, and none stays none', () => {
    const output = { step_output_bytes: 16 * 1024 ** 2, run_output_bytes: 1_000 }
    for (const limits of [
      {},
      { rate_limit: 0 },
      { concurrency: 3 },
      { rate_limit: 60, concurrency: 1 },
      output
    ])
      assert.deepEqual(limitsOf(limitTexts(limits)), limits)
  })

  it('are whole numbers', () => {
    for (const text of ['', '0', '60', ' 7 ']) assert.equal(limitFault(text), undefined, text)
    for (const text of ['-1', '1.5', 'many', '1e3', '9999999999']) assert.ok(limitFault(text), text)
  })

  it('are sizes where they bound outputs', () => {
    const sizes = { '16 MB': 16 * 1024 ** 2, '512kb': 512 * 1024, '1.5 mb': 1.5 * 1024 ** 2, '1000': 1_000 }
    for (const [text, bytes] of Object.entries(sizes)) assert.equal(sizeOf(text), bytes, text)
    assert.deepEqual([16 * 1024 ** 2, 512 * 1024, 1_000].map(sizeText), ['16 MB', '512 kB', '1000'])
    for (const text of ['0', '-1', '2 gb', '257 MB', 'much']) assert.ok(sizeFault(text), text)
    assert.equal(sizeFault(' '), undefined)
  })

  it('are saved when all of them are sound', () => {
    const texts = limitTexts({ rate_limit: 60, step_output_bytes: 1_000 })
    assert.equal(areSound(texts), true)
    assert.equal(areSound({ ...texts, rate_limit: 'many' }), false)
    assert.equal(areSound({ ...texts, run_output_bytes: 'much' }), false)
  })
})
