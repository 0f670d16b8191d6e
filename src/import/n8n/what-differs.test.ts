import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toEnd } from '../read-to-end.test-kit.ts'
import { drawn, given, result } from './drawn-node.test-kit.ts'
import { n8nWorkflow } from './n8n.test-kit.ts'

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
