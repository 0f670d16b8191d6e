import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

/** Webhook → For each (Parser inside, which also reads the Webhook) → Return. */
const LINES = {
  name: 'Lines',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'lines', type: 'for-each', size: { width: 600, height: 240 }, collapsed: true },
    { id: 'line', type: 'merge', parent: 'lines' },
    { id: 'answer', type: 'return' }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'lines.items' },
    { from: 'lines.item', to: 'line.in_1' },
    { from: 'webhook-1.request', to: 'line.in_2' },
    { from: 'line.data', to: 'lines.result' },
    { from: 'lines.results', to: 'answer.data' }
  ]
}

type Change = { readonly nodes?: readonly object[]; readonly edges?: readonly (readonly [string, string])[] }

function changed({ nodes = [], edges = [] }: Change) {
  return {
    ...LINES,
    slug: 'changed',
    nodes: [...LINES.nodes, ...nodes],
    edges: [...LINES.edges, ...edges.map(([from, to]) => ({ from, to }))]
  }
}

const merge = (id: string) => ({ id, type: 'merge' })

const REFUSALS: readonly [code: string, path: string, words: RegExp, change: Change][] = [
  [
    'unknown_parent',
    '/nodes/4/parent',
    /no such node/,
    { nodes: [{ id: 'n', type: 'merge', parent: 'nobody' }] }
  ],
  [
    'not_a_region',
    '/nodes/4/parent',
    /a Return and holds no nodes/,
    { nodes: [{ id: 'n', type: 'merge', parent: 'answer' }] }
  ],
  [
    'not_a_region',
    '/nodes/4/parent',
    /a Merge and holds no nodes/,
    { nodes: [{ id: 'n', type: 'merge', parent: 'line' }] }
  ],
  [
    'nested_region',
    '/nodes/4/parent',
    /Run flow/,
    { nodes: [{ id: 'n', type: 'for-each', parent: 'lines' }] }
  ],
  [
    'nested_region',
    '/nodes/4/parent',
    /holds no other region/,
    { nodes: [{ id: 'n', type: 'for-each', parent: 'n' }] }
  ],
  [
    'trigger_in_region',
    '/nodes/4/parent',
    /starts runs/,
    { nodes: [{ id: 'n', type: 'chat-input', parent: 'lines' }] }
  ],
  [
    'return_in_region',
    '/nodes/4/parent',
    /connect the wire to "lines.result"/,
    { nodes: [{ id: 'n', type: 'return', parent: 'lines' }] }
  ],
  [
    'wire_leaves_region',
    '/edges/5',
    /Connect the wire to "lines.result", and go on from "lines.results"/,
    { nodes: [merge('after')], edges: [['line.data', 'after.in_1']] }
  ],
  [
    'wire_leaves_region',
    '/edges/5',
    /inside "lines"/,
    { nodes: [merge('after')], edges: [['lines.item', 'after.in_1']] }
  ],
  [
    'wire_leaves_region',
    '/edges/5',
    /inside "lines"/,
    {
      nodes: [
        { id: 'others', type: 'for-each' },
        { id: 'other', type: 'merge', parent: 'others' }
      ],
      edges: [['line.data', 'other.in_1']]
    }
  ],
  ['wire_leaves_region', '/edges/5', /inside "lines"/, { edges: [['lines.index', 'lines.items']] }],
  [
    'wire_to_result',
    '/edges/5',
    /Move the node into "lines"/,
    { edges: [['webhook-1.data', 'lines.result']] }
  ],
  ['wire_to_result', '/edges/5', /takes what is inside/, { edges: [['lines.results', 'lines.result']] }],
  ['wire_from_results', '/edges/5', /known when all is done/, { edges: [['lines.errors', 'line.in_2']] }],
  [
    'cycle',
    '/edges',
    /What leads to a node inside "lines" leads to it, too/,
    {
      nodes: [merge('after')],
      edges: [
        ['lines.results', 'after.in_1'],
        ['after.data', 'line.in_2']
      ]
    }
  ],
  ['edge_to_nowhere', '/edges/5/from', /item, index/, { edges: [['lines.items', 'line.in_2']] }]
]

describe('a flow with a For each', () => {
  it('is saved, published and read as it was sent', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(LINES)
    const read = (await service.get(`/api/v1/flows/${flow.id}`)).json<typeof LINES & { slug: string }>()
    const [, lines, line] = read.nodes
    assert.deepEqual(
      [lines!.size, lines!.collapsed, line!.parent],
      [{ width: 600, height: 240 }, true, 'lines']
    )
    const passed = changed({ edges: [['lines.item', 'lines.result']] })
    const body = { ...passed, slug: read.slug }
    const draft = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body })
    assert.deepEqual(draft.json<{ errors: unknown }>().errors, [])
    const published = await service.post(`/api/v1/flows/${flow.id}/publish`, {})
    assert.equal(published.status, 200, published.text)
  })

  it('is refused with what is wrong, where, and what to do', async (t) => {
    const service = await startService(t)
    for (const [code, path, words, change] of REFUSALS) {
      const answer = await service.post('/api/v1/flows', changed(change))
      const { errors } = problemOf(answer, 422, 'flow_invalid')
      assert.deepEqual(
        errors?.map((fault) => [fault.code, fault.path]),
        [[code, path]],
        answer.text
      )
      assert.match(errors![0]!.message, words)
    }
  })

  it('is described by the catalogue, with the ports of its inside', async (t) => {
    const service = await startService(t)
    const { components } = (await service.get('/api/v1/components')).json<{
      components: { type: string; region: { inputs: object; outputs: object } | null }[]
    }>()
    const regions = components.filter(({ region }) => region !== null)
    assert.deepEqual(
      regions.map(({ type, region }) => [type, Object.keys(region!.inputs), Object.keys(region!.outputs)]),
      [
        ['for-each', ['result'], ['item', 'index']],
        ['repeat', ['next'], ['data', 'index']]
      ]
    )
  })
})

type Returned = RunBody & { readonly output: unknown; readonly messages: readonly { text: string }[] }

/** What users of other loops suffer: items that mix, branches that are fed once, an end that comes with every item. */
describe('a For each', () => {
  it('gives each branch inside its own item, whichever ends first, and goes on once', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const { slug } = await service.createFlow({
      name: 'Fans out',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'each', type: 'for-each', fields: { concurrency: 3 } },
        { id: 'call', type: 'call', parent: 'each', fields: { url: outside.url() } },
        { id: 'text', type: 'parser', parent: 'each', fields: { mode: 'Stringify' } },
        { id: 'both', type: 'merge', parent: 'each', fields: { mode: 'List' } },
        { id: 'all', type: 'parser', fields: { mode: 'Stringify' } },
        { id: 'told', type: 'chat-output' },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        ['webhook-1.data', 'each.items'],
        ['each.item', 'call.data'],
        ['each.item', 'text.data'],
        ['call.data', 'both.in_1'],
        ['text.parsed_text', 'both.in_2'],
        ['both.data', 'each.result'],
        ['each.results', 'all.data'],
        ['all.parsed_text', 'told.text'],
        ['each.results', 'answer.data']
      ].map(([from, to]) => ({ from, to }))
    })
    const id = await service.start(slug, [1, 2, 3])
    const calls = [await outside.next(), await outside.next(), await outside.next()]
    for (const call of calls.toSorted((a, b) => Number(b.body) - Number(a.body)))
      call.answer({ said: call.body })
    const { status, output, messages } = (await service.waitForRun(id)) as Returned
    const expected = ['1', '2', '3'].map((said) => [{ said }, said])
    assert.deepEqual([status, output, messages.length], ['succeeded', expected, 1])
    assert.equal(outside.calls.length, 3)
  })

  it('repeats over lists in a list by way of a flow that it runs, and skips none', async (t) => {
    const service = await startService(t)
    const each = (slug: string, inside: object, [into, from]: [string, string]) => ({
      name: slug,
      slug,
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'each', type: 'for-each' },
        { id: 'inside', parent: 'each', ...inside },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'each.items' },
        { from: 'each.item', to: `inside.${into}` },
        { from: `inside.${from}`, to: 'each.result' },
        { from: 'each.results', to: 'answer.data' }
      ]
    })
    const text = { type: 'parser', fields: { mode: 'Stringify' } }
    await service.createFlow(each('inner', text, ['data', 'parsed_text']))
    const runs = { type: 'run-flow', fields: { flow: 'inner' } }
    await service.createFlow(each('outer', runs, ['data', 'data']))
    const answer = await service.post('/api/v1/run/outer', { input: [[1, 2], [], [3]] })
    assert.deepEqual(answer.json<Returned>().output, [['1', '2'], [], ['3']])
  })
})
