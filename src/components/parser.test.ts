import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type JsonValue, parseJson, writeJson } from '../flows/json/exact-json.ts'
import { readPayload } from '../flows/json/read-payload.ts'
import { parser } from './parser.ts'
import { failureOf, runStep, runStepInTurns } from './step.test-kit.ts'

type Fields = { mode?: string; template?: string; separator?: string }

function parse(data: unknown, fields: Fields = {}): unknown {
  return runStep(parser, { fields, inputs: { data } }).outputs.parsed_text
}

function stringify(data: unknown): unknown {
  return parse(data, { mode: 'Stringify' })
}

describe('the Parser', () => {
  it('has its fields, input and output', () => {
    assert.deepEqual(Object.keys(parser.fields!), ['mode', 'template', 'separator'])
    assert.deepEqual(parser.fields!.mode.choices, ['Parser', 'Stringify'])
    assert.deepEqual(parser.inputs, { data: { title: 'Data', type: 'data' } })
    assert.deepEqual(parser.outputs, { parsed_text: { title: 'Parsed Text', type: 'text' } })
    assert.equal(parser.effects, 'pure')
  })
})

describe('mode Parser', () => {
  it('fills the template with values of an object', () => {
    const template = 'Order {order_id} from {customer.name}: {items[0].sku} {total:.2f}'
    const data = parseJson('{"order_id":7,"customer":{"name":"Ann"},"items":[{"sku":"A-1"}],"total":12.5}')
    assert.equal(parse(data, { template }), 'Order 7 from Ann: A-1 12.50')
  })

  it('has a default template', () => {
    assert.equal(parse({ text: 'hi' }), 'Text: hi')
  })

  it('reads the webhook’s text under payload', () => {
    assert.equal(parse(readPayload('not json'), { template: '{payload}' }), 'not json')
  })

  it('keeps every digit of a number', () => {
    const data = parseJson('{"id":12345678901234567890,"price":1.10}')
    assert.equal(parse(data, { template: '{id} {price}' }), '12345678901234567890 1.10')
  })

  it('templates a list of objects item by item, joined with the separator', () => {
    const data = [{ a: 1 }, { a: 2 }, { a: 3 }]
    assert.equal(parse(data, { template: '<{a}>' }), '<1>\n<2>\n<3>')
    assert.equal(parse(data, { template: '{a}', separator: ', ' }), '1, 2, 3')
    assert.equal(parse(data, { template: '{a}', separator: '' }), '123')
    assert.equal(parse([], { template: '{a}' }), '')
  })

  it('never reads output as a template again', () => {
    assert.equal(parse({ a: '{b}', b: 'secret' }, { template: '{a}' }), '{b}')
  })

  it('fails on a key that is missing: the message names it, its place and the keys that exist', () => {
    const error = failureOf(parser, { fields: { template: 'Hi {nme}' }, inputs: { data: { name: 'Ann' } } })
    assert.equal(error.code, 'template_missing_key')
    assert.match(error.message, /nme.*column 4.*name/s)
  })

  it('names the item of a list that fails', () => {
    const data = [{ a: 1 }, { b: 2 }]
    const error = failureOf(parser, { fields: { template: '{a}' }, inputs: { data } })
    assert.match(error.message, /^In item 1: /)
  })

  it('allows absence where the template does', () => {
    assert.equal(parse({}, { template: '[{a?}|{b?none}]' }), '[|none]')
  })

  const faulty: [name: string, data: unknown, code: string, message: RegExp][] = [
    ['no data', undefined, 'no_data', /no data/],
    ['null', null, 'no_data', /no data/],
    ['a number', 5, 'faulty_data', /a number, not an object/],
    ['a number of many digits', parseJson('12345678901234567890'), 'faulty_data', /a number, not an object/],
    ['a text', 'hi', 'faulty_data', /a string, not an object/],
    ['true', true, 'faulty_data', /a boolean, not an object/],
    ['a list of scalars', [1, 2], 'faulty_data', /item 0 is not an object/],
    ['a list with a hole', [{ text: 'a' }, null], 'faulty_data', /item 1 is not an object/],
    ['a list of lists', [[{ text: 'a' }]], 'faulty_data', /item 0 is not an object/]
  ]
  for (const [name, data, code, message] of faulty) {
    it(`fails on ${name} and suggests Stringify`, () => {
      const error = failureOf(parser, { inputs: { data } })
      assert.equal(error.code, code)
      assert.match(error.message, message)
      assert.match(error.message, /Stringify/)
    })
  }

  it('reads own keys only', () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      const error = failureOf(parser, { fields: { template: `{${key}}` }, inputs: { data: { a: 1 } } })
      assert.equal(error.code, 'template_missing_key')
    }
    assert.equal(parse(parseJson('{"__proto__":"own"}'), { template: '{__proto__}' }), 'own')
  })

  it('fails as soon as the items are more than it may put out, and says how much all would be', () => {
    let printed = 0
    const item = {
      get a() {
        printed++
        return 'x'.repeat(1_000)
      }
    }
    const data = Array.from({ length: 2_000 }, () => item)
    const fields = { template: '{a}' }
    const error = failureOf(parser, { fields, inputs: { data }, outputLimit: 100_000 })
    assert.equal(error.code, 'output_too_large')
    assert.match(
      error.message,
      /about 1\.9 MB, and a step may put out 98 kB\. Send fewer items at once.*step_output_bytes/
    )
    assert.equal(printed, 100)
  })

  it('fails as soon as one object is too much, whatever it is made of', () => {
    const inputs = { data: { text: 'x'.repeat(60_000), list: Array(20_000).fill('abc') } }
    for (const template of ['{text}{text}', '{list}', `{text}${'y'.repeat(60_000)}`, '{list:s}']) {
      const error = failureOf(parser, { fields: { template }, inputs, outputLimit: 100_000 })
      assert.equal(error.code, 'output_too_large', template)
      assert.match(error.message, /more than 98 kB.*Send less data, or shorten the template/)
    }
  })

  it('lets others have their turn in the middle of a long text', async () => {
    const many: [name: string, template: string, data: unknown][] = [
      ['items', '{a}\n', Array.from({ length: 5_000 }, (_, a) => ({ a }))],
      ['variables', '{a}{b?}'.repeat(5_000), { a: 1 }],
      ['variables that print nothing', '{b?}'.repeat(5_000), { a: 1 }],
      ['values of a list', '{a}', { a: Array.from({ length: 50_000 }, (_, n) => n) }],
      ['copies of a text', '{a}'.repeat(100), { a: 'x'.repeat(1_000) }]
    ]
    for (const [name, template, data] of many) {
      const options = { fields: { template }, inputs: { data } }
      const { outputs, turns } = await runStepInTurns(parser, options)
      assert.ok(turns > 3, `${name}: ${turns}`)
      assert.deepEqual(outputs, runStep(parser, options).outputs, name)
    }
  })

  it('refuses a template that does not parse when the flow is saved', () => {
    const [fault] = parser.check!({ mode: 'Parser', template: 'a {b', separator: '' })
    assert.deepEqual(
      [fault!.field, fault!.code, fault!.line, fault!.column],
      ['template', 'template_syntax', 1, 3]
    )
    assert.deepEqual(parser.check!({ mode: 'Stringify', template: 'a {b', separator: '' }), [])
  })
})

describe('mode Stringify', () => {
  const rows: [name: string, data: unknown, text: string][] = [
    ['text as it is', 'hi "there"\n', 'hi "there"\n'],
    ['empty text', '', ''],
    ['an object indented by two spaces', { a: 1, b: ['x'] }, '{\n  "a": 1,\n  "b": [\n    "x"\n  ]\n}'],
    ['a list', [1, null], '[\n  1,\n  null\n]'],
    ['a number', 5, '5'],
    ['a boolean', false, 'false'],
    ['null', null, 'null'],
    ['no data', undefined, ''],
    ['an empty object', {}, '{}']
  ]
  for (const [name, data, text] of rows) {
    it(`prints ${name}`, () => assert.equal(stringify(data), text))
  }

  it('indents what is large, and prints what is mostly indentation without it', () => {
    const wide = parseJson(`[${'{"a":[1,2]},'.repeat(50_000)}{}]`)
    assert.equal(stringify(wide), JSON.stringify(wide, null, 2))
    const deep = `${'['.repeat(980)}${'1,'.repeat(250_000)}1${']'.repeat(980)}`
    assert.equal(stringify(parseJson(deep)), deep)
  })

  it('lets others have their turn in the middle of what is large', async () => {
    const data = { list: Array.from({ length: 20_000 }, (_, n) => ({ n, deep: [n] })) }
    const options = { fields: { mode: 'Stringify' }, inputs: { data } }
    const { outputs, turns } = await runStepInTurns(parser, options)
    assert.ok(turns > 3, String(turns))
    assert.equal(outputs.parsed_text, writeJson(data, 2))
  })

  it('leaves the indentation out where it would not fit, and fails on what does not fit even so', () => {
    const data = Array.from({ length: 10_000 }, () => [1])
    const options = { fields: { mode: 'Stringify' }, inputs: { data } }
    const outputLimit = 60_000
    assert.equal(runStep(parser, { ...options, outputLimit }).outputs.parsed_text, writeJson(data))
    assert.equal(failureOf(parser, { ...options, outputLimit: 30_000 }).code, 'output_too_large')
  })

  it('keeps every digit of a number', () => {
    assert.equal(stringify(parseJson('12345678901234567890')), '12345678901234567890')
    assert.equal(stringify(parseJson('{"price":1.10}')), '{\n  "price": 1.10\n}')
  })

  it('never fails, whatever a sender sends', () => {
    const body = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom('['.repeat(5000), '[1e400]', '{"__proto__":1}')
    )
    fc.assert(
      fc.property(body, (body) => {
        const data: JsonValue = readPayload(body)
        const text = stringify(data)
        assert.equal(text, typeof data === 'string' ? data : writeJson(data, 2))
      })
    )
  })
})
