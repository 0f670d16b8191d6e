import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'
import { toEnd } from '../read-to-end.test-kit.ts'
import { n8nWorkflow } from './n8n.test-kit.ts'

type Fields = Record<string, unknown>
type Drawn = readonly { id: string; type: string; fields: Fields }[]

/** What a node becomes that gets what a Code node of n8n gives. */
function drawn(type: string, version: number, parameters: object, before = 'return [{}, {}]') {
  const file = n8nWorkflow(
    'Data',
    [
      { name: 'Start', type: 'manualTrigger' },
      { name: 'Given', type: 'code', version: 2, parameters: { jsCode: before } },
      { name: 'Node', type, version, parameters: { ...parameters } }
    ],
    [
      ['Start', 'Given'],
      ['Given', 'Node']
    ]
  )
  const [flow] = toEnd(file).flows
  return {
    nodes: flow!.document.nodes as Drawn,
    report: flow!.nodes.find(({ title }) => title === 'Node')!
  }
}

function given(code: unknown, data: unknown): unknown {
  const result = runInNewContext(`((data, nodes, run) => {\n${String(code)}\n})`)(data, {}, {})
  return result === undefined ? undefined : JSON.parse(JSON.stringify(result))
}

/** What the code gives of items that a node becomes. */
function result(type: string, version: number, parameters: object, data: unknown, id = 'node'): unknown {
  const { nodes } = drawn(type, version, parameters)
  const { fields } = nodes.find((each) => each.id === id)!
  return given(fields.code, data)
}

/** Whether a condition holds, by what the node beside an If computes. */
function holds(comparison: object, options: object, x?: unknown): boolean {
  const condition = { leftValue: '={{ $json.x }}', rightValue: '', ...comparison }
  const { nodes } = drawn(
    'if',
    2.2,
    { conditions: { options, combinator: 'and', conditions: [condition] } },
    'return { a: 1 }'
  )
  const values = nodes.find((each) => each.id === 'node-values')
  assert.ok(values !== undefined, 'it is no code')
  return (given(values.fields.code, { x }) as { v1: boolean }).v1
}

describe('a condition of n8n', () => {
  const strict = { version: 2, typeValidation: 'strict', caseSensitive: true }
  const loose = { ...strict, typeValidation: 'loose' }
  const number = (operation: string, rightValue: unknown) => ({
    operator: { type: 'number', operation },
    rightValue
  })
  const boolean = (operation: string) => ({
    operator: { type: 'boolean', operation, singleValue: true }
  })

  it('holds for no number that is missing, and takes null for 0', () => {
    const of = (operation: string, x?: unknown) => holds(number(operation, 5), strict, x)
    assert.deepEqual(
      ['gt', 'lt', 'gte', 'lte'].map((operation) => of(operation)),
      [false, false, false, false]
    )
    assert.deepEqual([of('lt', null), of('gt', null), of('gt', 6), of('lt', 6)], [true, false, true, false])
  })

  it('is false of what is missing, and makes booleans of numbers and words where types are converted', () => {
    assert.equal(holds(boolean('false'), strict), true)
    const words = [1, 'TRUE', 'yes', 0, '0', 'false', '']
    assert.deepEqual(
      words.map((word) => holds(boolean('true'), loose, word)),
      [true, true, true, false, false, false, false]
    )
    const first = { ...loose, version: 1 }
    assert.equal(holds(boolean('true'), first, 'false'), true)
  })

  it('compares texts as texts, lists as JSON, and patterns as they are written', () => {
    const text = (operation: string, rightValue: string) => ({
      operator: { type: 'string', operation },
      rightValue
    })
    assert.equal(holds(text('equals', '5'), strict, '05'), false)
    assert.equal(holds(text('contains', 'ab'), loose, ['xabx']), true)
    const blind = { ...strict, caseSensitive: false }
    assert.equal(holds(text('equals', 'ABC'), blind, 'abc'), true)
    assert.equal(holds(text('regex', '^A'), blind, 'Abc'), false)
  })

  it('compares no time that is missing', () => {
    const time = { operator: { type: 'dateTime', operation: 'notEquals' }, rightValue: '2026-01-02' }
    assert.equal(holds(time, strict), false)
    assert.equal(holds(time, strict, '2026-01-02T00:00:00.000Z'), false)
  })

  it('without types compares by identity, and takes what is missing for 0', () => {
    const of = (operation: string, value2: unknown) => {
      const { nodes } = drawn(
        'if',
        1,
        { conditions: { number: [{ value1: '={{ $json.x }}', operation, value2 }] } },
        'return { a: 1 }'
      )
      return nodes.find((each) => each.id === 'node-values')!.fields.code
    }
    const read = (code: unknown, data: object) => (given(code, data) as { v1: boolean }).v1
    assert.deepEqual(
      [read(of('smaller', 5), {}), read(of('equal', 5), { x: '5' }), read(of('larger', 5), { x: 6 })],
      [true, false, true]
    )
  })

  it('asks a plain text of an If-Else, and says what differs of an empty one', () => {
    const asked = (operation: string, rightValue: string) =>
      drawn(
        'if',
        2.2,
        {
          conditions: {
            options: strict,
            conditions: [{ leftValue: '={{ $json.x }}', rightValue, operator: { type: 'string', operation } }]
          }
        },
        'return { a: 1 }'
      )
    const { nodes, report } = asked('equals', 'open')
    assert.deepEqual(nodes.find(({ id }) => id === 'node')!.fields, {
      left: '{x?}',
      operator: 'equals',
      right: 'open'
    })
    assert.equal(report.verdict, 'exact')
    assert.match(asked('empty', '').report.note, /blanks alone/)
  })

  it('of a Filter of several items holds where any does', () => {
    const conditions = {
      string: [
        { value1: '={{ $json.x }}', value2: 'a' },
        { value1: '={{ $json.x }}', value2: 'b' }
      ]
    }
    const kept = result('filter', 1, { combineConditions: 'OR', conditions }, [
      { x: 'a' },
      { x: 'b' },
      { x: 'c' }
    ])
    assert.deepEqual(kept, [{ x: 'a' }, { x: 'b' }])
  })
})

describe('items of n8n', () => {
  it('are split by the whole name of a field, and keep the others that are asked for', () => {
    const data = { tag: 't', body: { lines: [1, 2] }, other: 'o' }
    const split = (more: object) => result('splitOut', 1, { fieldToSplitOut: 'body.lines', ...more }, data)
    assert.deepEqual(split({}), [{ 'body.lines': 1 }, { 'body.lines': 2 }])
    assert.deepEqual(split({ include: 'allOtherFields', options: { destinationFieldName: 'line' } }), [
      { tag: 't', body: {}, other: 'o', line: 1 },
      { tag: 't', body: {}, other: 'o', line: 2 }
    ])
    assert.deepEqual(split({ include: 'selectedOtherFields', fieldsToInclude: ['tag'] }), [
      { 'body.lines': 1, tag: 't' },
      { 'body.lines': 2, tag: 't' }
    ])
    const both = { a: { x: 1, y: 2 }, b: ['p'] }
    assert.deepEqual(result('splitOut', 1, { fieldToSplitOut: 'a, b' }, both), [{ a: 1, b: 'p' }, { a: 2 }])
  })

  it('are aggregated without those that have none of the fields', () => {
    const data = [{ a: 1, 'b.c': 2 }, { d: 3 }, { a: null }]
    const whole = (more: object) =>
      result('aggregate', 1, { aggregate: 'aggregateAllItemData', ...more }, data)
    assert.deepEqual(whole({ include: 'specifiedFields', fieldsToInclude: ['a'] }), {
      data: [{ a: 1 }, { a: null }]
    })
    assert.deepEqual(whole({ include: 'allFieldsExcept', fieldsToExclude: 'a', destinationFieldName: 'o' }), {
      o: [{ 'b.c': 2 }, { d: 3 }]
    })
    const fields = { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'b.c' }] } }
    assert.deepEqual(result('aggregate', 1, fields, data), { c: [2] })
    assert.deepEqual(result('itemLists', 1, { operation: 'aggregateItems', ...fields }, data), { c: [2] })
  })

  it('are summarized by what is there, under the names of n8n', () => {
    const data = [
      { shop: 'a', 'to tal': 1 },
      { shop: 'a', 'to tal': '' },
      { shop: 'b', 'to tal': 3 },
      { shop: 'b', 'to tal': 'x' }
    ]
    const values = ['sum', 'count', 'countUnique', 'max', 'concatenate'].map((aggregation) => ({
      aggregation,
      field: 'to tal'
    }))
    const parameters = { fieldsToSummarize: { values: values.slice(0, 3) }, fieldsToSplitBy: 'shop' }
    const [a, b] = [
      { sum_to_tal: 1, count_to_tal: 1, unique_count_to_tal: 1 },
      { sum_to_tal: 3, count_to_tal: 2, unique_count_to_tal: 2 }
    ]
    assert.deepEqual(result('summarize', 1.1, parameters, data), [
      { ...a, shop: 'a' },
      { ...b, shop: 'b' }
    ])
    const single = { ...parameters, options: { outputFormat: 'singleItem' } }
    assert.deepEqual(result('summarize', 1.1, single, data), { a, b })
    const text = { fieldsToSummarize: { values: values.slice(3) } }
    assert.deepEqual(result('summarize', 1.1, text, data.slice(0, 3)), {
      max_to_tal: 3,
      concatenated_to_tal: '1,3'
    })
  })

  it('are the same where all but some of their fields are, and keep what was compared', () => {
    const data = [
      { id: 1, at: 'x' },
      { at: 'y', id: 1 },
      { id: 2, at: 'x' }
    ]
    const except = { compare: 'allFieldsExcept', fieldsToExclude: 'at' }
    assert.deepEqual(result('removeDuplicates', 1, except, data), [data[0], data[2]])
    const chosen = {
      compare: 'selectedFields',
      fieldsToCompare: { fields: [{ fieldName: 'id' }] },
      options: { removeOtherFields: true }
    }
    assert.deepEqual(result('removeDuplicates', 1, chosen, data), [{ id: 1 }, { id: 2 }])
  })

  it('of two lists are compared member by member', () => {
    const keys = { mergeByFields: { values: [{ field1: 'id', field2: 'id' }] } }
    const data = [
      [{ id: 1, a: 1, at: 'x' }, { id: 2 }, { id: 3, a: 3 }],
      [
        { id: 1, a: 2, at: 'y' },
        { id: 3, a: 3 }
      ]
    ]
    const compared = (version: number, more: object = {}) =>
      result(
        'compareDatasets',
        version,
        { ...keys, ...more },
        { in_1: data[0], in_2: data[1] },
        'node-compared'
      )
    assert.deepEqual(compared(2.3, { options: { skipFields: 'at' } }), {
      onlyA: [{ id: 2 }],
      same: [{ id: 3, a: 3 }],
      different: [
        {
          keys: { id: 1 },
          same: { id: 1 },
          different: { a: { inputA: 1, inputB: 2 } },
          skipped: { at: { inputA: 'x', inputB: 'y' } }
        }
      ],
      onlyB: []
    })
    assert.deepEqual((compared(2) as { different: unknown }).different, [data[1]![0]])
    assert.deepEqual((compared(2.3, { resolve: 'mix', exceptWhenMix: 'at' }) as Fields).different, [
      { id: 1, a: 1, at: 'y' }
    ])
  })
})

describe('a field that n8n sets', () => {
  const set = (type: string, value: unknown, options = {}) => {
    const assignments = { assignments: [{ name: 'x', type, value }] }
    return result('set', 3.4, { assignments, options }, [{ v: value }])
  }

  it('has the type that is said, or fails, or stays as it is where that is said', () => {
    assert.deepEqual(
      [set('boolean', 'TRUE'), set('number', '7'), set('array', "['a']"), set('object', '{"a":1}')],
      [[{ x: true }], [{ x: 7 }], [{ x: ['a'] }], [{ x: { a: 1 } }]]
    )
    assert.throws(() => set('number', 'seven'), /"seven" is not a number/)
    assert.deepEqual(set('number', 'seven', { ignoreConversionErrors: true }), [{ x: 'seven' }])
    assert.deepEqual(set('array', 'none', { ignoreConversionErrors: true }), [{ x: 'none' }])
  })
})

describe('code of n8n', () => {
  it('copies values, and is told where it uses what is not there', () => {
    const told = (jsCode: string) => drawn('code', 2, { jsCode }).report.note
    assert.equal(told('return $input.all().map((item) => ({ json: item.json.crypto }))'), '')
    assert.match(told('await new Promise((done) => setTimeout(done, 5)); return []'), /It uses setTimeout/)
    const { nodes } = drawn('code', 2, { jsCode: 'return structuredClone($input.all())' })
    assert.match(
      String(nodes.find(({ id }) => id === 'node')!.fields.code),
      /const structuredClone = \(value\) =>/
    )
  })

  it('is told of each name of n8n that nothing here stands for', () => {
    const told = (jsCode: string) => drawn('code', 2, { jsCode }).report.note
    const NAMED: readonly [code: string, name: string][] = [
      ['return [{ json: { a: $env.KEY } }]', '$env'],
      ['return $items()[0].json.a + $runIndex', '$items, $runIndex'],
      ['const name = "Other"; return $(name).all()', '$'],
      [
        'return [{ json: { a: `\u0024{$input.params.a} \u0024{`\u0024{$prevNode.name}`}` } }]',
        '$input.params, $prevNode'
      ],
      ['return [{ json: { url: $execution.resumeUrl } }]', '$execution.resumeUrl'],
      ['const { helpers } = this; return await this.helpers.httpRequest({})', 'this.helpers'],
      ['return $input.all().map((item) => ({ json: {}, binary: item.binary }))', 'binary data']
    ]
    for (const [code, name] of NAMED)
      assert.equal(told(code), `It uses ${name} of n8n, which is not there: change that by hand.`)
    const own =
      'const [$a, { b: $b }] = [1, {}], $c = 2; const f = ($d, [$e]) => $d + $e; return f($a, [$b + $c])'
    assert.equal(told(own), '')
    assert.match(told(`return $('Given').all()\n${'// long\n'.repeat(2_000)}`), /too long to be read here/)
    assert.equal(told(`return $input.all()\n${'// long\n'.repeat(2_000)}`), '')
  })

  it('reads other nodes in texts in backticks', () => {
    const { report, nodes } = drawn('code', 2, {
      jsCode: 'return [{ json: { a: `<\u0024{$("Given").first().json.a}>` } }]'
    })
    assert.equal(report.note, '')
    assert.match(String(nodes.find(({ id }) => id === 'node')!.fields.code), /`<\$\{\$from\(nodes\[/)
  })

  it('is told by which clock dates go', () => {
    const { report } = drawn('set', 3.4, {
      assignments: {
        assignments: [{ name: 'x', type: 'string', value: '={{ $now.plus(1, "day").toISODate() }}' }]
      }
    })
    assert.match(report.note, /Dates are computed and written in UTC, and not by the clock of n8n\./)
    assert.equal(report.verdict, 'adapted')
  })
})

it('says of texts and dates of n8n what differs', () => {
  const told = (type: string, version: number, parameters: object) =>
    drawn(type, version, parameters).report.note
  const extractionValues = { values: [{ key: 'a', cssSelector: 'p', returnValue: 'html' }] }
  assert.match(
    told('html', 1.2, { operation: 'extractHtmlContent', extractionValues }),
    /the HTML of an element/
  )
  assert.match(told('xml', 1, { mode: 'jsonToxml' }), /without line breaks/)
  assert.match(told('markdown', 1, { mode: 'markdownToHtml', markdown: '# a' }), /no ids/)
  assert.match(told('dateTime', 2, { operation: 'formatDate', date: '={{ $json.d }}' }), /ISO 8601/)
  const between = { operation: 'getTimeBetweenDates', startDate: '2026-01-01', endDate: '2026-01-03' }
  assert.match(told('dateTime', 2, { ...between, units: ['day', 'hour'] }), /only in days/)
  assert.doesNotMatch(told('dateTime', 2, { ...between, units: ['day'] }), /only in/)
})

it('takes the part of a date of n8n, and rounds it up', () => {
  const part = (name: string, date: unknown) =>
    result('dateTime', 2, { operation: 'extractDate', date: '={{ $json.d }}', part: name }, { d: date })
  assert.deepEqual(part('week', '2026-11-19'), { datePart: 47 })
  assert.deepEqual(part('year', 1_700_000_000), { datePart: 2023 })
  assert.deepEqual(part('month', '2023/04/11'), { datePart: 4 })
  const rounded = { operation: 'roundDate', date: '={{ $json.d }}', mode: 'roundUp', to: 'month' }
  assert.deepEqual(result('dateTime', 2, rounded, { d: '2026-12-05T10:00:00Z' }), {
    roundedDate: '2027-01-01T00:00:00.000Z'
  })
})

it('says that a node of n8n is exact only where all its settings were looked at, however deep they lie', () => {
  const told = (parameters: object) => {
    const { verdict, note } = drawn(
      'httpRequest',
      4.2,
      { url: 'https://a.example', ...parameters },
      'return {}'
    ).report
    return `${verdict} ${note}`
  }
  const batching = { batch: { batchSize: 5 } }
  assert.match(told({ options: { batching } }), /^adapted .*nothing was made of "batching\.batch"/)
  assert.match(told({ provideSslCertificates: true }), /"provideSslCertificates"/)
})

it('says of a node of n8n that it took the first item alone, and of a workflow what counts for all its runs', () => {
  const file = n8nWorkflow(
    'Once',
    [
      { name: 'Clock', type: 'scheduleTrigger', parameters: { rule: { interval: [{ field: 'minutes' }] } } },
      { name: 'Given', type: 'code', version: 2, parameters: { jsCode: 'return [{}, {}]' } },
      { name: 'Node', type: 'noOp', more: { executeOnce: true } }
    ],
    [
      ['Clock', 'Given'],
      ['Given', 'Node']
    ]
  )
  const { nodes } = toEnd({ ...file, settings: { errorWorkflow: 'x', executionTimeout: 60 } }).flows[0]!
  const [clock, , once] = nodes
  assert.match(clock!.note, /Failures started another workflow.* Runs were stopped after 60 seconds\./)
  assert.deepEqual(once!.verdict, 'adapted')
})

it('says of files and rows of n8n what differs, and leaves empty cells out of its rows', () => {
  const told = (type: string, version: number, parameters: object) =>
    drawn(type, version, parameters).report.note
  assert.match(told('extractFromFile', 1, { operation: 'pdf' }), /numpages, info, metadata/)
  assert.match(told('extractFromFile', 1, { operation: 'xlsx' }), /Dates come as dates/)
  assert.match(told('markdown', 1, { mode: 'htmlToMarkdown', html: '={{ $json.h }}' }), /Marks of lists/)
  assert.match(told('emailSend', 2.1, { html: 'a' }), /"sent with n8n" is left out/)
  assert.match(told('respondToWebhook', 1, { respondWith: 'binary' }), /answers with the file/)
  assert.match(told('linear', 1, { operation: 'update', updateFields: { cycleId: 'c' } }), /"cycleId"/)
  const pdf = drawn('readPDF', 1, {}).nodes
  assert.equal(
    pdf.some(({ fields }) => fields.mode === 'CSV to rows'),
    false
  )
  const whole = drawn('moveBinaryData', 1, {}).nodes.find(({ id }) => id === 'node')!
  assert.deepEqual(whole.fields, { mode: 'JSON to data' })
  const csv = drawn('extractFromFile', 1, { operation: 'csv' }).nodes
  assert.deepEqual(csv.find(({ id }) => id === 'node-rows')?.fields, {
    mode: 'CSV to rows',
    typed: false,
    delimiter: ','
  })
  const filled = csv.find(({ id }) => id === 'node-filled')!.fields.code
  assert.deepEqual(given(filled, [{ a: '1', b: '' }]), [{ a: '1' }])
  const columns = (matchingColumns: readonly string[]) => ({
    columns: { mappingMode: 'defineBelow', value: { pin: '={{ $json.a }}' }, matchingColumns }
  })
  const row = { resource: 'record', base: 'b', table: 't' }
  assert.match(
    told('airtable', 2.1, { ...row, operation: 'update', ...columns(['pin']) }),
    /n8n looked for those whose "pin" is the same/
  )
  assert.match(told('airtable', 2.1, { ...row, operation: 'upsert', ...columns(['id']) }), /n8n made one/)
  assert.doesNotMatch(told('airtable', 2.1, { ...row, operation: 'upsert', ...columns(['pin']) }), /n8n/)
})
