import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { summaryOf } from './summary-of.ts'

const whole = (text: string) => summaryOf(text, false)
const FILE = `{"file":"file_${'x'.repeat(22)}","filename":"cv.pdf","content_type":"application/pdf","size":1}`
const LONG = 'x'.repeat(200)

describe('the summary of an input', () => {
  const cases: readonly [what: string, text: string, summary: string][] = [
    ['an object by its first members', '{"order_id":7,"customer":"Ann"}', 'order_id: 7 · customer: Ann'],
    ['numbers with every digit', '{"id":12345678901234567890.10}', 'id: 12345678901234567890.10'],
    ['members beside lists and objects', '{"items":[{"a":1}],"by":{"id":3},"total":9}', 'total: 9'],
    ['the members of what an object holds', '{"order":{"id":7,"ok":true}}', 'order.id: 7 · order.ok: true'],
    ['no members that hold nothing', '{"a":null,"b":"","c":0}', 'c: 0'],
    ['no members with secrets', '{"api_key":"sk-1","login":{"password":"x"},"n":1}', 'n: 1'],
    ['no long value that nobody reads', `{"image":"${LONG}","name":"cat"}`, 'name: cat'],
    ['a file by its name', `{"cv":${FILE},"by":"Ann"}`, 'cv: cv.pdf · by: Ann'],
    ['what is not whole a file as any object', '{"cv":{"file":"a","size":1}}', 'cv.file: a · cv.size: 1'],
    ['an object of lists as it is written', '{ "ids": [1,\n 2] }', '{ "ids": [1, 2] }'],
    ['a list as it is written', '[1,2,{"a":3}]', '[1,2,{"a":3}]'],
    ['a chat turn by its text', '"Where is\\nmy \\"order\\"?"', 'Where is my "order"?'],
    ['a number', '42', '42'],
    ['text that is not JSON', '  <order>\r\n\t<id>7</id>', '<order> <id>7</id>'],
    ['what only begins like JSON', '{hello}', '{hello}'],
    ['JSON with something behind it', '{"a":1} and more', '{"a":1} and more'],
    ['text after a mark of its order of bytes', '\ufeff{"a":1}', 'a: 1'],
    ['no turned direction, no control characters', '"a\u202eb\\u0007c"', 'a b c'],
    ['escaped halves of a character', '"a\\ud83d"', 'a\ufffd'],
    ['a member called __proto__', '{"__proto__":"p","constructor":1}', '__proto__: p · constructor: 1']
  ]
  for (const [what, text, summary] of cases) {
    it(`tells ${what}`, () => assert.equal(whole(text), summary))
  }

  it('is empty where the input says nothing', () => {
    for (const text of ['', ' \n', 'null', '{}', '{ }', '[]', '""', '{"password":"x"}'])
      assert.equal(whole(text), '', text)
  })

  it('says of what is not text only that', () => {
    assert.equal(
      whole(Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0]).toString()),
      'Binary data'
    )
    assert.equal(whole('caf\ufffd, and otherwise plain text'), 'caf\ufffd, and otherwise plain text')
  })

  it('has at most 120 characters, and never half of one', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`name${at}`, at])))
    for (const text of [many, LONG, JSON.stringify(LONG), JSON.stringify({ text: LONG }), '😀'.repeat(200)]) {
      const summary = whole(text)
      assert.equal([...summary].length, 120, summary)
      assert.match(summary, /…$/)
      assert.ok(summary.isWellFormed())
    }
    assert.match(whole(JSON.stringify({ [LONG]: 1, b: 2 })), /^x{39}…: 1 · b: 2$/)
  })

  it('clips a long text beside others', () => {
    const text = 'I would like to know where my order of last Tuesday is, please.'
    assert.equal(
      whole(JSON.stringify({ text, lang: 'en' })),
      `text: ${text.slice(0, 59).trimEnd()}… · lang: en`
    )
  })
})

describe('the summary of the beginning of an input', () => {
  const cut = (text: string) => summaryOf(text, true)

  it('has the members that are whole, and a text as far as it is there', () => {
    assert.equal(cut('{"id":7,"total":12'), 'id: 7')
    assert.equal(cut('{"id":7,"text":"Hello wor'), 'id: 7 · text: Hello wor')
    assert.equal(cut('{"id":7,"cust'), 'id: 7')
    assert.equal(cut('{"event":{"id":7,"lines":[{"a":1},{"b'), 'event.id: 7')
    assert.equal(cut('"Hello wor'), 'Hello wor')
    assert.equal(cut('[{"a":1},{"b'), '[{"a":1},{"b')
    assert.equal(cut('plain text'), 'plain text')
  })

  it('ends before an escape that was cut', () => {
    for (const end of ['', '\\', '\\u', '\\u0', '\\u00', '\\u00e', '\\ud83d', '\\ud83d\\', '\\ud83d\\ude0']) {
      assert.equal(cut(`"abc${end}`), 'abc', end)
    }
    assert.equal(cut('"abc\\\\u00'), 'abc\\u00')
  })

  it('tells what is nested without an end', () => {
    assert.equal(cut('['.repeat(1024)), `${'['.repeat(119)}…`)
    assert.match(cut('{"a":'.repeat(200)), /^\{"a":\{"a":.*…$/)
  })
})
