import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { n8nWorkflow } from '../src/import/n8n/n8n.test-kit.ts'
import type { ApiClient } from './support/api-client.ts'
import { draftOf } from './support/imported.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

type Node = Parameters<typeof n8nWorkflow>[1][number]

const hook: Node = {
  name: 'Hook',
  type: 'webhook',
  version: 2,
  parameters: { path: 'w', httpMethod: 'POST' }
}
const split: Node = { name: 'Split', type: 'splitOut', parameters: { fieldToSplitOut: 'body.list' } }
const all = (name: string): Node => ({
  name,
  type: 'aggregate',
  parameters: { aggregate: 'aggregateAllItemData' }
})
const isX = {
  options: { caseSensitive: true },
  combinator: 'and',
  conditions: [
    { leftValue: '={{ $json.k }}', rightValue: 'x', operator: { type: 'string', operation: 'equals' } }
  ]
}
const ifX: Node = { name: 'If', type: 'if', version: 2.2, parameters: { conditions: isX } }
const filter = (more: object = {}): Node => ({
  name: 'Filter',
  type: 'filter',
  version: 2.2,
  parameters: { conditions: isX },
  more: { ...more }
})

/** What the nodes gave that ran. */
async function given(
  service: ApiClient,
  nodes: readonly Node[],
  wires: Parameters<typeof n8nWorkflow>[2],
  list: readonly string[]
): Promise<Record<string, unknown>> {
  const { report } = await draftOf(service, n8nWorkflow('Ways', nodes, wires))
  const body = { input: { list: list.map((k) => ({ k })) } }
  const test = await service.request('POST', `/api/v1/flows/${report.id}/test`, { body })
  const { steps, error } = test.json<{
    steps: { node: string; status: string; outputs: Record<string, unknown> | null }[]
    error: { message: string } | null
  }>()
  assert.equal(error?.message, undefined)
  const ran = steps.filter(({ status }) => status === 'succeeded')
  return Object.fromEntries(ran.map(({ node, outputs }) => [node, outputs?.result ?? outputs?.data]))
}

const ofItems = (...keys: string[]) => ({ data: keys.map((k) => ({ k })) })

describe('items of n8n that part', () => {
  it('go on by the branch that they took, and by no other', async (t) => {
    const nodes = [hook, split, ifX, all('Yes'), all('No')]
    const wires: Parameters<typeof n8nWorkflow>[2] = [
      ['Hook', 'Split'],
      ['Split', 'If'],
      ['If', 'Yes', 0],
      ['If', 'No', 1]
    ]
    const service = await shared(t)
    const some = await given(service, nodes, wires, ['x', 'y', 'x'])
    assert.deepEqual([some.yes, some.no], [ofItems('x', 'x'), ofItems('y')])
    const none = await given(service, nodes, wires, ['y'])
    assert.deepEqual(['yes' in none, none.no], [false, ofItems('y')])
  })

  it('go on by each of several branches that all of them take', async (t) => {
    const mark = (name: string): Node => ({
      name,
      type: 'httpRequest',
      version: 4.2,
      parameters: { url: '=https://a.example/{{ $json.k }}' },
      more: { onError: 'continueRegularOutput' }
    })
    const { draft } = await draftOf(
      await shared(t),
      n8nWorkflow(
        'Both',
        [hook, split, ifX, mark('A'), mark('B'), all('AllA'), all('AllB')],
        [
          ['Hook', 'Split'],
          ['Split', 'If'],
          ['If', 'A', 0],
          ['If', 'B', 0],
          ['A', 'AllA'],
          ['B', 'AllB']
        ]
      )
    )
    const into = (id: string) => draft.edges.filter(({ to }) => to === `${id}.data`).map(({ from }) => from)
    const [a, b] = [into('alla'), into('allb')]
    assert.deepEqual([a.length, b.length], [1, 1])
    assert.notDeepEqual(a, b)
  })
})

describe('items of n8n in a loop that takes several at a time', () => {
  it('part at an If, each by itself', async (t) => {
    const loop: Node = { name: 'Loop', type: 'splitInBatches', version: 3, parameters: { batchSize: 2 } }
    const nodes = [hook, split, loop, ifX, all('Yes'), all('No'), all('Done')]
    const done = await given(
      await shared(t),
      nodes,
      [
        ['Hook', 'Split'],
        ['Split', 'Loop'],
        ['Loop', 'Done', 0],
        ['Loop', 'If', 1],
        ['If', 'Yes', 0],
        ['If', 'No', 1],
        ['Yes', 'Loop'],
        ['No', 'Loop']
      ],
      ['y', 'z', 'x']
    )
    assert.deepEqual(done.done, { data: [ofItems('y', 'z'), ofItems('x')] })
  })

  it('come back by both branches, each of which works on all that it got', async (t) => {
    const loop: Node = { name: 'Loop', type: 'splitInBatches', version: 3, parameters: { batchSize: 2 } }
    const { done } = await given(
      await shared(t),
      [hook, split, loop, ifX, all('Yes'), all('No'), all('Done')],
      [
        ['Hook', 'Split'],
        ['Split', 'Loop'],
        ['Loop', 'Done', 0],
        ['Loop', 'If', 1],
        ['If', 'Yes', 0],
        ['If', 'No', 1],
        ['Yes', 'Loop'],
        ['No', 'Loop']
      ],
      ['y', 'x', 'z']
    )
    assert.deepEqual(done, { data: [ofItems('x'), ofItems('y'), ofItems('z')] })
  })

  it('come back by both branches of an If, where a batch takes both', async (t) => {
    const loop: Node = { name: 'Loop', type: 'splitInBatches', version: 3, parameters: { batchSize: 2 } }
    const mark = (name: string): Node => ({
      name,
      type: 'set',
      version: 3.4,
      parameters: {
        assignments: { assignments: [{ name: 'k', type: 'string', value: `={{ $json.k + "${name}" }}` }] }
      }
    })
    const nodes = [hook, split, loop, ifX, mark('Yes'), mark('No'), all('Done')]
    const wires: Parameters<typeof n8nWorkflow>[2] = [
      ['Hook', 'Split'],
      ['Split', 'Loop'],
      ['Loop', 'Done', 0],
      ['Loop', 'If', 1],
      ['If', 'Yes', 0],
      ['If', 'No', 1],
      ['Yes', 'Loop'],
      ['No', 'Loop']
    ]
    const service = await shared(t)
    for (const [list, back] of [
      [
        ['x', 'y', 'z'],
        ['xYes', 'yNo', 'zNo']
      ],
      [
        ['y', 'x', 'x', 'x'],
        ['yNo', 'xYes', 'xYes', 'xYes']
      ],
      [
        ['y', 'z'],
        ['yNo', 'zNo']
      ]
    ] as const) {
      const { done } = await given(service, nodes, wires, list)
      assert.deepEqual(done, ofItems(...back), list.join())
    }
  })

  it('are left out where code for each gives null', async (t) => {
    const jsCode = 'if ($json.k === "y") return null\nreturn { json: { k: $json.k } }'
    const each: Node = {
      name: 'Each',
      type: 'code',
      version: 2,
      parameters: { mode: 'runOnceForEachItem', jsCode }
    }
    const { all: some } = await given(
      await shared(t),
      [hook, split, each, all('All')],
      [
        ['Hook', 'Split'],
        ['Split', 'Each'],
        ['Each', 'All']
      ],
      ['x', 'y', 'z']
    )
    assert.deepEqual(some, ofItems('x', 'z'))
  })
})

describe('a list of n8n without items', () => {
  const wires: Parameters<typeof n8nWorkflow>[2] = [
    ['Hook', 'Split'],
    ['Split', 'Filter'],
    ['Filter', 'All']
  ]

  it('ends what follows', async (t) => {
    const service = await shared(t)
    const none = await given(service, [hook, split, filter(), all('All')], wires, ['y'])
    assert.equal('all' in none, false)
    assert.equal('filter' in (await given(service, [hook, split, filter(), all('All')], wires, [])), false)
    const some = await given(service, [hook, split, filter(), all('All')], wires, ['x', 'y'])
    assert.deepEqual(some.all, ofItems('x'))
  })

  it('goes on as one empty item where the node says that it always gives one', async (t) => {
    const nodes = [hook, split, filter({ alwaysOutputData: true }), all('All')]
    const none = await given(await shared(t), nodes, wires, ['y'])
    assert.deepEqual(none.all, { data: [{}] })
  })

  it('is one of the lists that a Merge waits for', async (t) => {
    const merge: Node = {
      name: 'Merge',
      type: 'merge',
      version: 3,
      parameters: {
        mode: 'combine',
        fieldsToMatchString: 'k',
        joinMode: 'keepNonMatches',
        outputDataFrom: 'input1'
      }
    }
    const left = await given(
      await shared(t),
      [hook, split, filter(), merge, all('All')],
      [
        ['Hook', 'Split'],
        ['Split', 'Filter'],
        ['Split', 'Merge'],
        ['Filter', 'Merge', 0, 'main', 1],
        ['Merge', 'All']
      ],
      ['y', 'z']
    )
    assert.deepEqual(left.all, ofItems('y', 'z'))
  })
})

describe('a workflow of n8n that another of its file runs', () => {
  it('is found by its id, and is run for each item where that is said', async (t) => {
    const service = await shared(t)
    const shout = {
      assignments: { assignments: [{ name: 'said', value: '={{ $json.k }}!', type: 'string' }] }
    }
    const called = {
      ...n8nWorkflow(
        'Called',
        [
          { name: 'Start', type: 'executeWorkflowTrigger', version: 1.1 },
          { name: 'Say', type: 'set', version: 3.4, parameters: shout }
        ],
        [['Start', 'Say']]
      ),
      id: 'AbC123'
    }
    const parameters = { workflowId: { __rl: true, mode: 'id', value: 'AbC123' }, mode: 'each' }
    const calling = n8nWorkflow(
      'Calling',
      [hook, split, { name: 'Run', type: 'executeWorkflow', version: 1.2, parameters }],
      [
        ['Hook', 'Split'],
        ['Split', 'Run']
      ]
    )
    const answer = await service.request('POST', '/api/v1/import', { body: [calling, { ...called }] })
    const { flows } = answer.json<{
      flows: { id: string; slug: string; nodes: { node: string; note: string }[] }[]
    }>()
    const draft = await service.get(`/api/v1/flows/${flows[0]!.id}/draft`)
    const run = draft
      .json<{ nodes: { id: string; parent?: string; fields: { flow: string } }[] }>()
      .nodes.find(({ id }) => id === 'run')!
    assert.equal(run.fields.flow, flows[1]!.slug)
    assert.equal(run.parent, 'each-item-for-run')
    assert.doesNotMatch(flows[0]!.nodes.find(({ node }) => node === 'run')!.note, /import that too/)
  })
})
