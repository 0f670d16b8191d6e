import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { n8nWorkflow } from '../src/import/n8n/n8n.test-kit.ts'
import { draftOf } from './support/imported.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

/** By the rule of a Schedule Trigger, when it comes here, and what is told of it where that is not the same. */
const TIMES: readonly [rule: object, cron: string, told?: RegExp][] = [
  [{ field: 'seconds', secondsInterval: 20 }, '*/20 * * * * *'],
  [{ field: 'seconds' }, '*/30 * * * * *'],
  [{ field: 'minutes' }, '*/5 * * * *'],
  [{ field: 'minutes', minutesInterval: 60 }, '0 * * * *'],
  [{ field: 'minutes', minutesInterval: 100 }, '0 */2 * * *', /every 100 minutes.*every 2 hours/],
  [{ field: 'hours', hoursInterval: 24, triggerAtMinute: 5 }, '5 0 * * *'],
  [{ field: 'weeks', weeksInterval: 2, triggerAtDay: [1], triggerAtHour: 9 }, '0 9 * * 1', /every 2 weeks/],
  [{ daysInterval: 7, triggerAtHour: 8 }, '0 8 */7 * *', /every 7 days/],
  [{ field: 'cronExpression', expression: '=15 */30 9 * * *' }, '15 */30 9 * * *']
]

/** By what says how pages are asked for, the fields of the API Request. */
const PAGES: readonly [set: object, fields: object][] = [
  [
    { parameters: { parameters: [{ name: 'page', value: '={{ $pageCount + 1 }}' }] } },
    { pagination: 'Page number', first_page: 1, page_parameter: 'page' }
  ],
  [
    { parameters: { parameters: [{ name: 'p', value: '={{ $pageCount }}' }] }, maxRequests: 5 },
    { pagination: 'Page number', first_page: 0, page_parameter: 'p', max_pages: 5 }
  ],
  [
    { parameters: { parameters: [{ name: 'after', value: '={{ $response.body.meta.cursor }}' }] } },
    { pagination: 'Cursor', next: '{body.meta.cursor?}', page_parameter: 'after' }
  ],
  [
    { paginationMode: 'responseContainsNextURL', nextURL: '={{ $response.body["links"]["next"] }}' },
    { pagination: 'Next link', next: '{body[links][next]?}' }
  ],
  [{ parameters: { parameters: [{ name: 'offset', value: '={{ $pageCount * 50 }}' }] } }, {}],
  [{ paginationMode: 'off' }, {}]
]

describe('settings of nodes of n8n', () => {
  for (const [rule, cron, told] of TIMES)
    it(`come at ${cron} for ${JSON.stringify(rule)}`, async (t) => {
      const parameters = { rule: { interval: [rule] } }
      const trigger = { name: 'Clock', type: 'scheduleTrigger', version: 1.2, parameters }
      const file = { ...n8nWorkflow('Clock', [trigger], []), settings: { timezone: 'UTC' } }
      const { node, report } = await draftOf(await shared(t), file)
      assert.equal(node('clock')!.fields.cron, cron)
      const { verdict, note } = report.nodes[0]!
      assert.equal(verdict, told === undefined ? 'exact' : 'adapted', note)
      if (told !== undefined) assert.match(note, told)
    })

  for (const [set, fields] of PAGES)
    it(`read pages by ${JSON.stringify(fields)}`, async (t) => {
      const options = { pagination: { pagination: set } }
      const parameters = { url: 'https://api.example.com/orders', options }
      const request = { name: 'Orders', type: 'httpRequest', version: 4.2, parameters }
      const { node } = await draftOf(await shared(t), n8nWorkflow('Pages', [request], []))
      const read = Object.entries(node('orders')!.fields).filter(([name]) =>
        /page|pagination|next/.test(name)
      )
      assert.deepEqual(
        Object.fromEntries(read),
        Object.keys(fields).length === 0 ? {} : { max_pages: 100, ...fields }
      )
    })

  it('choose a way of a Switch by texts whose case does not count', async (t) => {
    const conditions = {
      options: { caseSensitive: false },
      combinator: 'and',
      conditions: [
        {
          leftValue: '={{ $json.body.answer }}',
          rightValue: 'yes',
          operator: { type: 'string', operation: 'equals' }
        }
      ]
    }
    const parameters = { rules: { values: [{ conditions }] }, options: { ignoreCase: true } }
    const file = n8nWorkflow(
      'Case',
      [
        { name: 'Hook', type: 'webhook', version: 2, parameters: { path: 'c', httpMethod: 'POST' } },
        { name: 'Way', type: 'switch', version: 3.2, parameters },
        { name: 'Yes', type: 'noOp' }
      ],
      [
        ['Hook', 'Way'],
        ['Way', 'Yes']
      ]
    )
    const service = await shared(t)
    const { report, verdicts } = await draftOf(service, file)
    assert.equal(verdicts.way, 'exact')
    const body = { input: { answer: 'YES' } }
    const test = await service.request('POST', `/api/v1/flows/${report.id}/test`, { body })
    const { steps } = test.json<{ steps: { node: string; status: string }[] }>()
    assert.equal(steps.find(({ node }) => node === 'yes')?.status, 'succeeded')
  })

  it('read what stood in the path of a Webhook from the query', async (t) => {
    const json = '={{ { id: $json.params.id } }}'
    const file = n8nWorkflow(
      'Path',
      [
        {
          name: 'Hook',
          type: 'webhook',
          version: 2,
          parameters: { path: 'orders/:id/items', httpMethod: 'GET' }
        },
        { name: 'Set', type: 'set', version: 3.4, parameters: { mode: 'raw', jsonOutput: json } }
      ],
      [['Hook', 'Set']]
    )
    const service = await shared(t)
    const { report } = await draftOf(service, file)
    assert.match(report.nodes[0]!.note, /comes by the query: \?id=…/)
    await service.request('POST', `/api/v1/flows/${report.id}/publish`, { body: {} })
    const answer = await service.request('GET', `/api/v1/webhook/${report.id}?id=7`, {
      headers: { prefer: 'wait=10' }
    })
    const { run_id } = answer.json<{ run_id: string }>()
    const { steps } = (await service.get(`/api/v1/runs/${run_id}`)).json<{
      steps: { node: string; outputs: { result: unknown } }[]
    }>()
    assert.deepEqual(steps.find(({ node }) => node === 'set')?.outputs.result, { id: '7' })
  })
})
