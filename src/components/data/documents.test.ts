import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { systemClock } from '../../clock.ts'
import { DocumentReader } from '../../documents/document-reader.ts'
import { madePdf } from '../../documents/made-documents.test-kit.ts'
import { StepError } from '../../engine/step-error.ts'
import type { AnyComponent, DocumentResult, FileValue, JsonValue, ReadDocuments } from '../../plugin-api.ts'
import { runStep, runStepInTurns, type StepOptions } from '../step.test-kit.ts'
import { testFiles } from '../step-files.test-kit.ts'
import { batch } from './batch.ts'
import { convert } from './convert.ts'
import { extractText } from './extract-text.ts'
import { html } from './html.ts'

const reader = new DocumentReader({ clock: systemClock() })
after(() => reader.close())

const readDocuments: ReadDocuments = async (task, documents) => {
  const job = { task, documents, mostCharacters: 1_000_000 }
  const answer = await reader.read(job, new AbortController().signal, { context: '/', flow: 'f' })
  assert.ok(answer.kind === 'results', JSON.stringify(answer))
  return JSON.parse(answer.text) as DocumentResult[]
}

async function start(t: TestContext) {
  const files = await testFiles(t)
  const run = async (
    component: AnyComponent,
    fields: StepOptions['fields'],
    inputs: Record<string, unknown>
  ) => (await runStepInTurns(component, { fields: fields ?? {}, inputs, files, readDocuments })).outputs
  const failure = async (
    component: AnyComponent,
    fields: StepOptions['fields'],
    inputs: Record<string, unknown>
  ) => {
    try {
      await run(component, fields, inputs)
    } catch (error) {
      assert.ok(error instanceof StepError, String(error))
      assert.equal(error.retryable, false)
      return `${error.code}: ${error.message}`
    }
    return assert.fail('the step did not fail')
  }
  const converted = async (mode: string, data: unknown, more: StepOptions['fields'] = {}) =>
    (await run(convert, { mode, ...more }, { data })).data
  return { files, run, failure, converted }
}

describe('Convert of what is read elsewhere', () => {
  it('reads texts and files, of a list each, and where a field names them', async (t) => {
    const { files, converted, failure } = await start(t)
    assert.deepEqual(await converted('XML to data', '<a>1</a>'), { a: '1' })
    const latin = await files.add(
      Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>ä</a>', 'latin1')
    )
    assert.deepEqual(await converted('XML to data', { payload: latin }), { a: 'ä' })
    assert.equal(await converted('HTML to text', '<p>a<p>b'), 'a\n\nb')
    assert.equal(await converted('HTML to Markdown', '<b>a</b>'), '**a**')
    assert.equal(await converted('Markdown to HTML', '*a*'), '<p><em>a</em></p>\n')
    assert.deepEqual(await converted('HTML to text', ['<p>a', '<i>b</i>']), ['a', 'b'])
    const rows = [{ id: 1, body: '<p>a' }]
    assert.deepEqual(await converted('HTML to text', rows, { field: 'body' }), [{ id: 1, body: 'a' }])
    assert.deepEqual(await converted('XML to data', ['<a/>', '<a', 7], { failures: 'null' }), [
      { a: '' },
      null,
      null
    ])
    const fields = { mode: 'XML to data' }
    assert.match(
      await failure(convert, fields, { data: ['<a/>', '<a'] }),
      /^document_broken: Item 1: This is not XML/
    )
    assert.match(await failure(convert, fields, { data: 7 }), /^not_a_text: /)
    assert.match(await failure(convert, { ...fields, field: 'x' }, { data: { y: 1 } }), /x/)
  })
})

describe('Convert of XML, forms and addresses', () => {
  const ran = (mode: string, data: JsonValue, more = {}) =>
    runStep(convert, { fields: { mode, ...more }, inputs: { data } }).outputs.data

  it('writes XML as it reads it', async (t) => {
    const { converted, failure } = await start(t)
    const data = { o: { '@id': '1', l: ['a', 'b <&"'], n: { '#text': 't', i: '' }, e: null } }
    const xml = ran('Data to XML', data)
    assert.equal(
      xml,
      '<?xml version="1.0" encoding="UTF-8"?><o id="1"><l>a</l><l>b &lt;&amp;"</l><n>t<i/></n><e/></o>'
    )
    assert.deepEqual(await converted('XML to data', xml), { o: { ...data.o, e: '' } })
    const lines = { o: { '@note': 'a\n"b"\tc\r', text: 'd\r\ne' } }
    assert.deepEqual(await converted('XML to data', ran('Data to XML', lines)), lines)
    const spaces = {
      o: { a: '\n\n', b: ' ', c: '\r\n', d: '\u00a0', e: { '@n': '1', '#text': '\t' }, f: '' }
    }
    assert.deepEqual(await converted('XML to data', ran('Data to XML', spaces)), spaces)
    assert.deepEqual(await converted('XML to data', ran('Data to XML', spaces, { indent: 2 })), spaces)
    assert.deepEqual(await converted('XML to data', '<o><a>\n</a><b> <c/> </b><d><![CDATA[ ]]></d></o>'), {
      o: { a: '', b: { c: '' }, d: ' ' }
    })
    const head = '<?xml version="1.0" encoding="UTF-8"?>'
    assert.equal(ran('Data to XML', { a: '\v\f' }), `${head}<a>\uFFFD\uFFFD</a>`)
    assert.equal(
      ran('Data to XML', [1, [2]]),
      `${head}<data><item>1</item><item><item>2</item></item></data>`
    )
    assert.equal(ran('Data to XML', { a: 1, b: true }), `${head}<data><a>1</a><b>true</b></data>`)
    assert.equal(ran('Data to XML', { a: { b: 1 } }, { indent: 2 }), `${head}\n<a>\n  <b>1</b>\n</a>\n`)
    assert.equal(ran('Data to XML', { a: 'x\u0001' }), `${head}<a>x\uFFFD</a>`)
    assert.match(
      await failure(convert, { mode: 'Data to XML' }, { data: { 'a b': 1 } }),
      /^invalid_xml_name: "a b"/
    )
  })

  it('reads and writes forms and what stands in addresses', async (t) => {
    const { failure } = await start(t)
    assert.deepEqual(ran('Form to data', 'a=1&b=x+y%26&a=2&c&=d&'), {
      a: ['1', '2'],
      b: 'x y&',
      c: '',
      '': 'd'
    })
    assert.deepEqual(ran('Form to data', 'off=50%&a+b=%zz%41&c=%E4&d=?%'), {
      off: '50%',
      'a b': '%zzA',
      c: '\uFFFD',
      d: '?%'
    })
    assert.equal(
      ran('Data to form', { a: [1, 'x y'], b: null, 'c&': { d: 1 } }),
      'a=1&a=x%20y&b=&c%26=%7B%22d%22%3A1%7D'
    )
    assert.equal(ran('URL encode', 'ä b/c?'), '%C3%A4%20b%2Fc%3F')
    assert.deepEqual(ran('URL encode', [1, true, 'x y']), ['1', 'true', 'x%20y'])
    assert.equal(ran('URL decode', '%C3%A4%20b+c'), 'ä b+c')
    assert.match(await failure(convert, { mode: 'URL decode' }, { data: '%zz' }), /^invalid_url_encoding: /)
    assert.match(await failure(convert, { mode: 'Data to form' }, { data: 'a' }), /^not_an_object: /)
    const long = `ä€😀%${'x'.repeat(7)}`.repeat(9_000)
    assert.equal(ran('URL decode', ran('URL encode', long) as string), long)
    assert.deepEqual(ran('Form to data', ran('Data to form', { [long]: long }) as string), { [long]: long })
    const many = Array.from({ length: 16_385 }, (_, at) => `k${at}`).join('&')
    assert.match(await failure(convert, { mode: 'Form to data' }, { data: many }), /^too_many_fields: /)
    // Bytes that are no text become the sign for what is unknown, each its own, wherever such a text is cut.
    assert.deepEqual(ran('Form to data', `a=${'%80'.repeat(40_000)}++`), {
      a: `${'\uFFFD'.repeat(40_000)}  `
    })
  })

  it('writes what is megabytes long as what is short', async (t) => {
    const { converted } = await start(t)
    const long = `"ä😀,\r\n<\u0001`.repeat(9_000)
    const list = Array.from({ length: 9_000 }, () => ({ a: '"' }))
    const rows = [{ a: long, b: list, c: null, d: 'x' }]
    const cells = { a: long, b: JSON.stringify(list), c: null, d: 'x' }
    assert.deepEqual(ran('CSV to rows', ran('Rows to CSV', rows) as string), [cells])
    const xml = { data: { '@a': long, '#text': long } }
    const read = long.replaceAll('\u0001', '\uFFFD')
    assert.deepEqual(await converted('XML to data', ran('Data to XML', xml)), {
      data: { '@a': read, '#text': read }
    })
  })
})

describe('HTML', () => {
  it('takes values out of a text or a file', async (t) => {
    const { files, run, failure } = await start(t)
    const page = '<li><a href="/1">one</a><li>two'
    const fields = { each: 'li', values: { text: '', link: 'a@href' } }
    const found = [
      { text: 'one', link: '/1' },
      { text: 'two', link: null }
    ]
    assert.deepEqual((await run(html, fields, { data: page })).data, found)
    assert.deepEqual((await run(html, fields, { data: await files.add(page) })).data, found)
    assert.match(await failure(html, fields, { data: 7 }), /^not_a_text: /)
  })

  it('is refused with selectors that are none', () => {
    const faults = (fields: Record<string, JsonValue>) =>
      html.check!({ each: '', values: {}, ...fields } as never).map(
        ({ field, message }) => `${field}: ${message}`
      )
    assert.deepEqual(faults({ values: { a: 'h1', b: 'a[href*="@"]@href', c: '@href' } }), [])
    assert.deepEqual(faults({ each: 'li' }), [])
    for (const [fields, fault] of [
      [{}, /^values: It is empty/],
      [{ values: 'h1' }, /^values: It has to be an object/],
      [{ values: { a: 7 } }, /^values: "a": It is not a text/],
      [{ values: { a: ' ' } }, /^values: "a": It is empty/],
      [{ each: 'a[', values: {} }, /^each: This is no CSS selector/],
      [{ each: ':is('.repeat(1_000) }, /^each: It has more than 1000 characters/]
    ] as const)
      assert.match(faults(fields)[0] ?? '', fault)
  })
})

describe('Extract text', () => {
  it('reads a file, wherever it stands', async (t) => {
    const { files, run, failure } = await start(t)
    const pdf = await files.add(madePdf([['Hello']]), { filename: 'a.pdf', contentType: 'application/pdf' })
    const read = { text: 'Hello', data: { type: 'pdf', pages: ['Hello'] } }
    assert.deepEqual(await run(extractText, {}, { file: pdf }), read)
    assert.deepEqual(await run(extractText, {}, { file: { payload: pdf } }), read)
    assert.deepEqual(await run(extractText, { field: 'cv' }, { file: { name: 'Ann', cv: pdf } }), read)
    const base64 = Buffer.from(madePdf([['Hello']])).toString('base64')
    assert.deepEqual(await run(extractText, {}, { file: { base64 } }), read)
    assert.match(await failure(extractText, {}, { file: 7 }), /^not_a_text: /)
    assert.match(await failure(extractText, { field: 'cv' }, { file: { name: 'Ann' } }), /cv/)
  })

  it('makes files of what is attached to a mail', async (t) => {
    const { files, run } = await start(t)
    const mail = `From: a@b.example\r\nContent-Type: text/csv; name=a.csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\nx\n1\n`
    const file = await files.add(mail, { filename: 'a.eml', contentType: 'message/rfc822' })
    const { data } = await run(extractText, {}, { file })
    const [attached] = (data as { attachments: FileValue[] }).attachments
    assert.deepEqual([attached!.filename, attached!.content_type], ['a.csv', 'text/csv'])
    assert.deepEqual((await run(convert, { mode: 'CSV to rows' }, { data: attached })).data, [{ x: 1 }])
  })
})

describe('Batch', () => {
  it('cuts a list into lists', () => {
    const ran = (fields: Record<string, JsonValue>, data: JsonValue) =>
      runStep(batch, { fields, inputs: { data } }).outputs.data
    assert.deepEqual(ran({ size: 2 }, [1, 2, 3]), [[1, 2], [3]])
    assert.deepEqual(ran({ size: 2, field: 'order.lines' }, { order: { lines: [1, 2] } }), [[1, 2]])
    assert.deepEqual(ran({}, []), [])
    assert.throws(() => ran({}, 'x'), { code: 'not_a_list' })
  })
})
