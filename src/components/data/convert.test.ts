import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { type AnyComponent, type JsonValue, writeJson } from '../../plugin-api.ts'
import { failureOf, runStep, runStepInTurns } from '../step.test-kit.ts'
import { convert } from './convert.ts'
import { hash } from './hash.ts'
import { randomId } from './random-id.ts'

type Given = Record<string, JsonValue>

const ran = (component: AnyComponent, fields: Given, data?: JsonValue) =>
  runStep(component, { fields, inputs: { data } }).outputs.data as JsonValue

function failed(component: AnyComponent, fields: Given, data: JsonValue): string {
  const { code, message } = failureOf(component, { fields, inputs: { data } })
  return `${code}: ${message}`
}

describe('Convert', () => {
  it('reads and writes JSON with every digit', () => {
    const text = '{"id":9007199254740993,"n":1.10}'
    assert.equal(writeJson(ran(convert, {}, text)), text)
    assert.equal(ran(convert, { mode: 'Data to JSON', indent: 2 }, [1]), '[\n  1\n]')
    assert.match(failed(convert, {}, '{"a":'), /^invalid_json: This is not JSON: /)
    assert.match(failed(convert, {}, 7), /^not_a_text: It is the number 7/)
  })

  it('reads and writes CSV', () => {
    assert.deepEqual(ran(convert, { mode: 'CSV to rows' }, 'a;b\n1;x'), [{ a: 1, b: 'x' }])
    assert.deepEqual(
      ran(convert, { mode: 'CSV to rows', header: false, delimiter: 'tab', typed: false }, '1\t2'),
      [['1', '2']]
    )
    // As a webhook gives a body that is not JSON.
    assert.deepEqual(ran(convert, { mode: 'CSV to rows' }, { payload: 'a\n1' }), [{ a: 1 }])
    assert.equal(
      ran(convert, { mode: 'Rows to CSV', delimiter: ';' }, { rows: [{ a: 1, b: 'x;y' }] }),
      'a;b\n1;"x;y"\n'
    )
    // A line that is empty would be no row.
    for (const rows of [[{ a: 'x' }, { a: null }, { a: 1 }], [{ column_1: null }]])
      assert.deepEqual(
        ran(convert, { mode: 'CSV to rows' }, ran(convert, { mode: 'Rows to CSV' }, rows)),
        rows
      )
    assert.match(failed(convert, { mode: 'CSV to rows' }, 'a,b\n1'), /^invalid_csv: .*Line 2/)
    const rows = Array.from({ length: 100 }, () => ({ a: 'x'.repeat(100) }))
    const options = { fields: { mode: 'Rows to CSV' }, inputs: { data: rows }, outputLimit: 5_000 }
    assert.equal(failureOf(convert, options).code, 'output_too_large')
  })

  it('lets others have their turn', async () => {
    const data = `a\n${'1\n'.repeat(2_000)}`
    const { turns } = await runStepInTurns(convert, { fields: { mode: 'CSV to rows' }, inputs: { data } })
    assert.ok(turns > 3)
  })

  it('converts values, of a list each', () => {
    assert.deepEqual(ran(convert, { mode: 'To text' }, { a: 1 }), '{"a":1}')
    assert.equal(
      writeJson(ran(convert, { mode: 'To number' }, [' 12.50', '1e3', '+007', true, '.5'])),
      '[12.50,1e3,7,1,0.5]'
    )
    assert.deepEqual(ran(convert, { mode: 'To date', timezone: 'Europe/Berlin' }, ['2026-11-17', 0]), [
      '2026-11-17T00:00:00.000+01:00',
      '1970-01-01T01:00:00.000+01:00'
    ])
    assert.match(
      failed(convert, { mode: 'To number' }, ['1', '1,5']),
      /^not_a_number: Item 1: It is the text "1,5"/
    )
    assert.match(failed(convert, { mode: 'To date' }, 'soon'), /^invalid_date/)
    assert.deepEqual(ran(convert, { mode: 'To number', failures: 'null' }, ['1', 'x']), [1, null])
  })

  it('converts one member where it stands', () => {
    const rows = [{ by: { age: '7' } }, { by: { age: '8' } }]
    assert.deepEqual(ran(convert, { mode: 'To number', field: 'by.age' }, rows), [
      { by: { age: 7 } },
      { by: { age: 8 } }
    ])
    assert.deepEqual(ran(convert, { field: 'a[1]' }, { a: ['x', '[1]'] }), { a: ['x', [1]] })
    assert.match(
      failed(convert, { mode: 'To number', field: 'age' }, rows),
      /^missing_key: Item 0 has no "age"/
    )
  })

  it('packs text into Base64 and back', () => {
    assert.equal(ran(convert, { mode: 'Text to Base64' }, 'é😀'), 'w6nwn5iA')
    for (const packed of ['w6nwn5iA', 'w6nw\nn5iA '])
      assert.equal(ran(convert, { mode: 'Base64 to text' }, packed), 'é😀')
    assert.equal(ran(convert, { mode: 'Base64 to text' }, 'Pz8_'), '???')
    const address = 'data:text/plain;charset=utf-8;base64,w6nwn5iA'
    assert.equal(ran(convert, { mode: 'Base64 to text' }, address), 'é😀')
    assert.match(failed(convert, { mode: 'Base64 to text' }, 'a*b'), /^invalid_base64: This is not Base64/)
    assert.match(failed(convert, { mode: 'Base64 to text' }, '/9j/'), /^invalid_base64: The bytes/)
  })
})

describe('Hash', () => {
  it('is that of a text, or of the data', () => {
    const sha = (text: string) => createHash('sha256').update(text).digest('hex')
    assert.equal(ran(hash, { text: '{a}-{b}' }, { a: 1, b: 'é' }), sha('1-é'))
    assert.equal(ran(hash, {}, 'x'), sha('x'))
    assert.equal(ran(hash, {}, { a: 1 }), sha('{"a":1}'))
    assert.deepEqual(ran(hash, { text: '{id}', as: 'hash' }, [{ id: 1 }]), [{ id: 1, hash: sha('1') }])
  })

  it('takes a key, other algorithms and encodings', () => {
    const fields = { algorithm: 'sha512', encoding: 'base64url', key: 'k' }
    assert.equal(ran(hash, fields, 'x'), createHmac('sha512', 'k').update('x').digest('base64url'))
    assert.equal(ran(hash, { algorithm: 'md5' }, ''), 'd41d8cd98f00b204e9800998ecf8427e')
    assert.match(failed(hash, { text: '{absent}' }, {}), /^template_missing_key/)
  })
})

describe('Random id', () => {
  it('is of the kind that is asked for', () => {
    assert.match(
      String(ran(randomId, {})),
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    )
    assert.match(String(ran(randomId, { kind: 'UUID v7' })), /^00000000-0000-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
    assert.match(String(ran(randomId, { kind: 'Short id' })), /^[\w-]{21}$/)
    assert.match(String(ran(randomId, { kind: 'Digits', length: 6 })), /^\d{6}$/)
  })

  it('is the same when the step is repeated, and another one each time otherwise', () => {
    assert.equal(ran(randomId, {}), ran(randomId, {}))
    const ids = ran(randomId, { count: 1000 }) as string[]
    assert.equal(new Set(ids).size, 1000)
    const rows = ran(randomId, { as: 'id', kind: 'Short id' }, [{ a: 1 }, { a: 2 }]) as { id: string }[]
    assert.notEqual(rows[0]!.id, rows[1]!.id)
    assert.match(failed(randomId, { as: 'id' }, 'text'), /^not_an_object/)
    assert.match(failed(randomId, { as: 'id', count: 10_000 }, new Array(1000).fill({})), /^output_too_large/)
  })
})
