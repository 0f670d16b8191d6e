import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { n8nWorkflow } from '../src/import/n8n/n8n.test-kit.ts'
import { type Outside, startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

type Node = Parameters<typeof n8nWorkflow>[1][number]
type Wires = Parameters<typeof n8nWorkflow>[2]

/** A workflow of n8n, what starts it, what it is answered outside, and the calls that n8n makes then. */
interface Case {
  readonly does: string
  readonly nodes: readonly Node[]
  readonly wires: Wires
  readonly input: unknown
  readonly calls: readonly string[]
  readonly answers?: Readonly<Record<string, { body?: unknown; status?: number }>>
}

const hook: Node = { name: 'Webhook', type: 'webhook', version: 2, parameters: { httpMethod: 'POST' } }
const node = (name: string, type: string, parameters: object, version = 1, more: object = {}): Node => ({
  name,
  type,
  version,
  parameters: { ...parameters },
  more: { ...more }
})
const split = (field: string) => node('Split', 'splitOut', { fieldToSplitOut: field })
const get = (name: string, path: string, more: object = {}) =>
  node(name, 'httpRequest', { url: `=OUTSIDE${path}` }, 4.2, more)
const post = (name: string, path: string, jsonBody: string) =>
  node(
    name,
    'httpRequest',
    { method: 'POST', url: `=OUTSIDE${path}`, sendBody: true, specifyBody: 'json', jsonBody },
    4.2
  )
const set = (name: string, values: Record<string, unknown>, more: object = {}) => {
  const assignments = Object.entries(values).map(([key, value]) => ({ name: key, value, type: 'string' }))
  return node(name, 'set', { assignments: { assignments }, ...more }, 3.4)
}
const asked = (leftValue: string, operation: string, rightValue: unknown, type = 'string') => ({
  conditions: { combinator: 'and', conditions: [{ leftValue, rightValue, operator: { type, operation } }] }
})

const CASES: readonly Case[] = [
  {
    does: 'runs a request once for each item, and reads the item of another node that belongs to it',
    nodes: [
      hook,
      split('body.items'),
      set('Edit', { label: '={{ $json.id }}-{{ $("Webhook").item.json.body.shop }}' }),
      post(
        'Http',
        "/item/{{ $('Split').item.json.id }}",
        '={ "label": "{{ $json.label }}", "qty": {{ $("Split").item.json.qty }} }'
      ),
      node('All', 'aggregate', { aggregate: 'aggregateAllItemData' }),
      post(
        'End',
        '/end',
        '={{ { n: $json.data.length, first: $("Split").first().json.id, all: $("Edit").all().map(i => i.json.label).join(",") } }}'
      )
    ],
    wires: [
      ['Webhook', 'Split'],
      ['Split', 'Edit'],
      ['Edit', 'Http'],
      ['Http', 'All'],
      ['All', 'End']
    ],
    input: {
      shop: 's',
      items: [
        { id: 1, qty: 5 },
        { id: 2, qty: 6 }
      ]
    },
    calls: [
      '/end {"n":2,"first":1,"all":"1-s,2-s"}',
      '/item/1 {"label":"1-s","qty":5}',
      '/item/2 {"label":"2-s","qty":6}'
    ]
  },
  {
    does: 'takes the members of a list that is answered as items',
    nodes: [
      hook,
      get('Get', '/orders'),
      node('If', 'if', asked('={{ $json.total }}', 'gt', 10, 'number'), 2),
      post('Big', '/big', '={ "id": {{ $json.id }} }'),
      post('Small', '/small', '={ "id": {{ $json.id }} }')
    ],
    wires: [
      ['Webhook', 'Get'],
      ['Get', 'If'],
      ['If', 'Big', 0],
      ['If', 'Small', 1]
    ],
    input: {},
    answers: {
      '/orders': {
        body: [
          { id: 1, total: 20 },
          { id: 2, total: 5 }
        ]
      }
    },
    calls: ['/big {"id":1}', '/orders', '/small {"id":2}']
  },
  {
    does: 'goes through a loop, and out of it with what came of each',
    nodes: [
      hook,
      split('body.ids'),
      node('Loop', 'splitInBatches', {}, 3),
      get('Get', "/u/{{ $json['body.ids'] }}"),
      set('Edit', { name: '={{ $json.name }}' }),
      node('All', 'code', { jsCode: 'return [{ json: { names: $input.all().map(i => i.json.name) } }];' }, 2),
      post('Done', '/done', '={{ { names: $json.names } }}')
    ],
    wires: [
      ['Webhook', 'Split'],
      ['Split', 'Loop'],
      ['Loop', 'Get', 1],
      ['Get', 'Edit'],
      ['Edit', 'Loop'],
      ['Loop', 'All', 0],
      ['All', 'Done']
    ],
    input: { ids: [7, 8] },
    answers: { '/u/7': { body: { name: 'n7' } }, '/u/8': { body: { name: 'n8' } } },
    calls: ['/done {"names":["n7","n8"]}', '/u/7', '/u/8']
  },
  {
    does: 'sends each item of code the way that a Switch says',
    nodes: [
      hook,
      node(
        'Code',
        'code',
        {
          jsCode:
            'const out = [];\nfor (const t of $json.body.tasks) out.push({ json: { kind: t.kind, v: t.v * 2 } });\nreturn out;'
        },
        2
      ),
      node(
        'Switch',
        'switch',
        {
          rules: {
            values: [asked('={{ $json.kind }}', 'equals', 'a'), asked('={{ $json.kind }}', 'equals', 'b')]
          },
          options: { fallbackOutput: 'extra' }
        },
        3.2
      ),
      post('A', '/a', '={ "v": {{ $json.v }} }'),
      post('B', '/b', '={ "v": {{ $json.v }} }'),
      post('X', '/x', '={ "v": {{ $json.v }} }')
    ],
    wires: [
      ['Webhook', 'Code'],
      ['Code', 'Switch'],
      ['Switch', 'A', 0],
      ['Switch', 'B', 1],
      ['Switch', 'X', 2]
    ],
    input: {
      tasks: [
        { kind: 'b', v: 1 },
        { kind: 'a', v: 2 },
        { kind: 'z', v: 3 }
      ]
    },
    calls: ['/a {"v":4}', '/b {"v":2}', '/x {"v":6}']
  },
  {
    does: 'goes on behind a failure with what n8n tells of it',
    nodes: [
      hook,
      get('Flaky', '/flaky', {
        retryOnFail: true,
        maxTries: 2,
        waitBetweenTries: 0,
        onError: 'continueRegularOutput'
      }),
      post('End', '/end', '={ "seen": "{{ $json.error ? "failed" : "fine" }}" }'),
      get('Gone', '/gone', { onError: 'continueErrorOutput' }),
      get('Fine', '/fine'),
      post('Err', '/err', '={ "who": "{{ $(\'Webhook\').item.json.body.who }}" }')
    ],
    wires: [
      ['Webhook', 'Flaky'],
      ['Flaky', 'End'],
      ['Webhook', 'Gone'],
      ['Gone', 'Fine', 0],
      ['Gone', 'Err', 1]
    ],
    input: { who: 'me' },
    answers: { '/flaky': { status: 500 }, '/gone': { status: 404 } },
    calls: ['/end {"seen":"failed"}', '/err {"who":"me"}', '/flaky', '/flaky', '/gone']
  },
  {
    does: 'understands the oldest versions of nodes',
    nodes: [
      hook,
      node('Set', 'set', {
        values: {
          string: [{ name: 'x', value: '={{$node["Webhook"].json["body"]["x"]}}' }],
          number: [{ name: 'k', value: 4 }]
        },
        keepOnlySet: true
      }),
      node('IF', 'if', {
        conditions: {
          string: [{ value1: '={{$json["x"]}}', operation: 'contains', value2: 'he' }],
          number: [{ value1: '={{$json["k"]}}', operation: 'largerEqual', value2: 4 }]
        }
      }),
      node('H', 'httpRequest', {
        requestMethod: 'POST',
        url: '=OUTSIDE/v1',
        jsonParameters: true,
        bodyParametersJson: '={"x": "{{$json["x"]}}", "k": {{$json["k"]}}}'
      }),
      node(
        'H2',
        'httpRequest',
        {
          url: '=OUTSIDE/v2',
          queryParametersUi: { parameter: [{ name: 'x', value: '={{$node["Set"].json["x"]}}' }] }
        },
        2
      ),
      node('FI', 'functionItem', { functionCode: 'item.total = item.a + 1;\nreturn item;' }),
      post('P', '/p', '={ "t": {{ $json.total }} }')
    ],
    wires: [
      ['Webhook', 'Set'],
      ['Set', 'IF'],
      ['IF', 'H', 0],
      ['H', 'H2'],
      ['H2', 'FI'],
      ['FI', 'P']
    ],
    input: { x: 'hello' },
    answers: { '/v2?x=hello': { body: { a: 1 } } },
    calls: ['/p {"t":2}', '/v1 {"x":"hello","k":4}', '/v2?x=hello']
  },
  {
    does: 'computes what stands in addresses, and encodes it once',
    nodes: [
      hook,
      node('Off', 'set', { assignments: {} }, 3.4, { disabled: true }),
      get('Key', '/k/{{ encodeURIComponent($json.body.key) }}/{{ $json.body.path }}'),
      node(
        'Query',
        'httpRequest',
        {
          url: '=OUTSIDE/q',
          sendQuery: true,
          queryParameters: {
            parameters: [
              { name: 'name', value: "={{ $('Webhook').item.json.body.name || 'anon' }}" },
              { name: 'tier', value: "={{ $('Webhook').item.json.body.n > 5 ? 'big' : 'small' }}" },
              {
                name: 'day',
                value:
                  "={{ DateTime.fromISO($('Webhook').first().json.body.at).plus({ days: 1 }).toFormat('yyyy-MM-dd') }}"
              },
              { name: 'from', value: '={{ $workflow.name }}' }
            ]
          }
        },
        4.2
      )
    ],
    wires: [
      ['Webhook', 'Off'],
      ['Off', 'Key'],
      ['Key', 'Query']
    ],
    input: { key: 'a b/c', path: 'd/e', n: 6, at: '2026-01-31T10:00:00Z' },
    calls: ['/k/a%20b%2Fc/d/e', '/q?name=anon&tier=big&day=2026-02-01&from=Calls']
  },
  {
    does: 'asks with what another node gave, which may be several parts of a path',
    nodes: [
      hook,
      set('Edit', { path: '={{ $json.body.folder }}/b c' }),
      set('Mid', { other: '1' }),
      get('Get', "/files/{{ $('Edit').item.json.path.replace(' ', '-') }}/{{ $('Edit').item.json.path }}")
    ],
    wires: [
      ['Webhook', 'Edit'],
      ['Edit', 'Mid'],
      ['Mid', 'Get']
    ],
    input: { folder: 'a' },
    calls: ['/files/a/b-c/a/b%20c']
  },
  {
    does: 'puts together what two requests were answered, side by side',
    nodes: [
      hook,
      get('A', '/a'),
      get('B', '/b'),
      node('Both', 'merge', { mode: 'combine', combineBy: 'combineByPosition', options: {} }, 3),
      post('Tell', '/both', '={{ { name: $json.name, city: $json.city } }}')
    ],
    wires: [
      ['Webhook', 'A'],
      ['Webhook', 'B'],
      ['A', 'Both'],
      ['B', 'Both', 0, 'main', 1],
      ['Both', 'Tell']
    ],
    input: {},
    answers: { '/a': { body: { name: 'Ann' } }, '/b': { body: { city: 'Rome' } } },
    calls: ['/a', '/b', '/both {"name":"Ann","city":"Rome"}']
  },
  {
    does: 'filters, sorts and limits items, and asks for each that is left',
    nodes: [
      hook,
      split('body.items'),
      node('Filter', 'filter', asked('={{ $json.qty }}', 'gt', 1, 'number'), 2),
      node('Sort', 'sort', { sortFieldsUi: { sortField: [{ fieldName: 'qty', order: 'descending' }] } }),
      node('Limit', 'limit', { maxItems: 2 }),
      get('Stock', '/stock/{{ $json.id }}')
    ],
    wires: [
      ['Webhook', 'Split'],
      ['Split', 'Filter'],
      ['Filter', 'Sort'],
      ['Sort', 'Limit'],
      ['Limit', 'Stock']
    ],
    input: {
      items: [
        { id: 1, qty: 5 },
        { id: 2, qty: 1 },
        { id: 3, qty: 9 },
        { id: 4, qty: 3 }
      ]
    },
    calls: ['/stock/1', '/stock/3']
  }
]

async function callsOf(service: Awaited<ReturnType<typeof startService>>, outside: Outside, each: Case) {
  const { nodes, wires, input, answers = {} } = each
  const from = outside.calls.length
  outside.answerAll(({ path }) => answers[path] ?? { body: { ok: true } })
  const written = JSON.stringify(n8nWorkflow('Calls', nodes, wires)).replaceAll(
    'OUTSIDE',
    outside.url('').replace(/\/$/, '')
  )
  const imported = await service.request('POST', '/api/v1/import', { body: Buffer.from(written) })
  assert.equal(imported.status, 201, imported.text)
  const { id } = imported.json<{ flows: { id: string }[] }>().flows[0]!
  const published = await service.request('POST', `/api/v1/flows/${id}/publish`, { body: {} })
  assert.equal(published.status, 200, published.text)
  const run = await service.request('POST', `/api/v1/run/${id}`, { body: { input } })
  const calls = outside.calls.slice(from).map(({ path, body }) => {
    return body === '' ? path : `${path} ${JSON.stringify(JSON.parse(body))}`
  })
  return { calls: calls.sort(), run: run.text }
}

describe('a workflow of n8n that was imported makes the calls that it made there', () => {
  it('in every shape', async (t) => {
    const service = await startService(t, { env: { MILLRACE_EGRESS_ALLOW: '127.0.0.1' } })
    const outside = await startOutside(t)
    for (const each of CASES) {
      const { calls, run } = await callsOf(service, outside, each)
      assert.deepEqual(calls, each.calls, `${each.does}: ${run}`)
    }
  })
})
