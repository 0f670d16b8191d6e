import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { n8nWorkflow } from '../src/import/n8n/n8n.test-kit.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

const BODY = {
  o: { a: 1, b: '' },
  s: '{"a":3}',
  n: '5',
  f: 1.2345,
  list: [1, 2, 2],
  people: [{ name: 'Ann' }, { name: 'Bob' }],
  empty: '',
  url: 'https://www.example.com/shop?a=1',
  mail: 'write to ann@example.com',
  day: '2025-01-31T15:06:07Z',
  md: '**bold** [l](http://x)',
  text: 'hello wörld'
}

/** What stands between the braces, of `$json.body`, and what n8n gives for it. */
const CASES: readonly [expression: string, gives: unknown][] = [
  ['b.o.toJsonString()', '{"a":1,"b":""}'],
  ['b.s.parseJson().a', 3],
  ['b.n.toNumber() + 1', 6],
  ['b.n.toInt() + b.f.floor()', 6],
  ['b.f.round(2)', 1.23],
  ['b.list.first() + b.list.last()', 3],
  ['b.list.sum() / b.list.average()', 3],
  ['b.list.max() - b.list.min()', 1],
  ['b.list.unique().length', 2],
  ['b.people.pluck("name").join("-")', 'Ann-Bob'],
  ['b.list.chunk(2).length', 2],
  [
    '[b.empty.isEmpty(), b.missing.isEmpty(), b.list.isEmpty(), b.o.missing.isNotEmpty()]',
    [true, true, false, false]
  ],
  ['!b.people[0].name.isEmpty() && $("Hook").item.json.body.text.isNotEmpty()', true],
  ['$ifEmpty(b.empty, "none")', 'none'],
  ['$if(b.n === "5", "five", "other")', 'five'],
  ['$max(1, 3, 2) - $min(1, 3, 2)', 2],
  ['b.url.extractDomain() + b.url.extractUrlPath()', 'www.example.com/shop'],
  ['b.mail.extractEmail()', 'ann@example.com'],
  ['b.mail.extractEmail().extractDomain()', 'example.com'],
  ['b.text.toTitleCase()', 'Hello Wörld'],
  ['b.text.toSnakeCase()', 'hello_wörld'],
  ['b.text.toSentenceCase()', 'Hello wörld'],
  ['b.text.urlEncode()', 'hello%20w%C3%B6rld'],
  ['b.text.base64Encode()', Buffer.from('hello wörld').toString('base64')],
  ['b.text.base64Encode().base64Decode()', 'hello wörld'],
  ['b.md.removeMarkdown()', 'bold l'],
  ['"<b>x</b>".removeTags()', 'x'],
  ['b.o.keys().concat(b.o.compact().values())', ['a', 'b', 1]],
  ['b.o.removeField("b")', { a: 1 }],
  ['[b.o.hasField("a"), b.url.isUrl(), b.n.isNumeric(), "no".toBoolean()]', [true, true, true, false]],
  ['b.day.toDateTime().toFormat("dd LLL yyyy")', '31 Jan 2025'],
  ['b.day.toDateTime().format("cccc d LLLL yy, hh:mm a")', 'Friday 31 January 25, 03:06 PM'],
  ['b.day.toDateTime().toFormat("DD \'at\' t")', 'Jan 31, 2025 at 3:06 PM'],
  ['b.day.toDateTime().plus({ months: 1 }).toISODate()', '2025-02-28'],
  ['b.day.toDateTime().minus(7, "days").toISODate()', '2025-01-24'],
  ['b.day.toDateTime().endOf("month").toISO()', '2025-01-31T23:59:59.999Z'],
  ['b.day.toDateTime().startOf("week").toISODate()', '2025-01-27'],
  ['b.day.toDateTime().set({ hour: 9, minute: 0 }).toFormat("H:mm")', '9:00'],
  ['b.day.toDateTime().diff(DateTime.fromISO("2024-12-31"), ["months", "days"]).toObject().months', 1],
  ['b.day.toDateTime().diff(DateTime.fromISO("2025-01-30T15:06:07Z"), "days").days', 1],
  ['DateTime.fromFormat("05/02/2025 3:04 pm", "dd/MM/yyyy h:mm a").toISO()', '2025-02-05T15:04:00.000Z'],
  [
    '[b.day.toDateTime().weekdayLong, b.day.toDateTime().weekNumber, b.day.toDateTime().quarter]',
    ['Friday', 5, 1]
  ],
  ['b.day.toDateTime().hasSame(DateTime.fromISO("2025-01-02"), "month")', true],
  ['b.day.toDateTime().toLocaleString()', '1/31/2025'],
  ['$now.minus({ days: 3 }).toRelative()', '3 days ago'],
  ['new Date(b.day).plus(1, "hours").toISO()', '2025-01-31T16:06:07.000Z'],
  ['Math.max(...b.list) + Object.keys(b.o).length', 4]
]

interface TestBody {
  readonly steps: readonly { node: string; outputs: { result: Readonly<Record<string, unknown>> } | null }[]
  readonly error: { message: string } | null
}

const ofBody = (expression: string) => expression.replace(/\bb\.(?=\w)/g, '$json.body.')

function workflow(jsonOutput: string) {
  return n8nWorkflow(
    'Expressions',
    [
      { name: 'Hook', type: 'webhook', version: 2, parameters: { path: 'e', httpMethod: 'POST' } },
      { name: 'Set', type: 'set', version: 3.4, parameters: { mode: 'raw', jsonOutput } }
    ],
    [['Hook', 'Set']]
  )
}

describe('imported expressions of n8n', () => {
  it('give what n8n gives', async (t) => {
    const service = await shared(t)
    const values = CASES.map(([expression], at) => `v${at}: ${ofBody(expression)}`)
    const file = workflow(`={{ ({ ${values.join(', ')} }) }}`)
    const answer = await service.request('POST', '/api/v1/import', { body: file })
    const [flow] = answer.json<{ flows: { id: string }[] }>().flows
    const test = await service.request('POST', `/api/v1/flows/${flow!.id}/test`, { body: { input: BODY } })
    const { steps, error } = test.json<TestBody>()
    assert.equal(error?.message, undefined)
    const given = steps.find(({ node }) => node === 'set')?.outputs?.result ?? {}
    for (const [at, [expression, gives]] of CASES.entries())
      assert.deepEqual(given[`v${at}`], gives, expression)
  })

  it('are told to be looked at where nothing here does what they do', async (t) => {
    const service = await shared(t)
    const file = workflow(
      '={{ ({ v: $json.body.text.hash("md5"), w: $now.setZone("Europe/Berlin").toISO() }) }}'
    )
    const answer = await service.request('POST', '/api/v1/import?dry_run=true', { body: file })
    const [flow] = answer.json<{ flows: { nodes: { node: string; note: string }[] }[] }>().flows
    assert.match(flow!.nodes.find(({ node }) => node === 'set')!.note, /hash, setZone of n8n/)
  })
})
