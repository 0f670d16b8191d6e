import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flowiseFlow } from '../src/import/flowise/flowise.test-kit.ts'
import type { RunBody } from './support/api-client.ts'
import { startModelStage } from './support/model-provider/model-stage.ts'

interface FlowReport {
  readonly id: string
  readonly slug: string
  readonly nodes: readonly { title: string; was: string; became: string; verdict: string }[]
  readonly wires: { kept: number; lost: number }
  readonly connections: readonly string[]
}

const model = (more: object = {}) => ({ modelName: 'large', temperature: 0.5, ...more })

test('A flow of Flowise', async (t) => {
  const { service, provider } = await startModelStage(t)

  async function published(file: unknown): Promise<readonly FlowReport[]> {
    const answer = await service.request('POST', '/api/v1/import', { body: file as object })
    assert.equal(answer.status, 201, answer.text)
    const { format, flows } = answer.json<{ format: string; flows: FlowReport[] }>()
    assert.equal(format, 'flowise')
    for (const { id, wires } of [...flows].reverse()) {
      assert.equal(wires.lost, 0)
      const live = await service.request('POST', `/api/v1/flows/${id}/publish`, { body: {} })
      assert.equal(live.status, 200, live.text)
    }
    return flows
  }

  /** What it says to a text. */
  async function said(flow: string, input: unknown): Promise<unknown> {
    const run = (await service.post(`/api/v1/run/${flow}`, { input })).json<RunBody>()
    assert.equal(run.error, null, JSON.stringify(run.error))
    return run.steps.find(({ type, status }) => type === 'chat-output' && status === 'succeeded')?.outputs
      ?.message
  }

  await t.test('lets an agent use its tool, and leads on by what it says', async () => {
    const file = flowiseFlow(
      [
        {
          id: 'start',
          name: 'startAgentflow',
          inputs: { startInputType: 'chatInput', startState: [{ key: 'sum', value: '' }] }
        },
        {
          id: 'agent',
          name: 'agentAgentflow',
          inputs: {
            agentModel: 'chatOpenAI',
            agentModelConfig: model(),
            agentMessages: [
              { role: 'system', content: '<p>You <strong>calculate</strong> for {{ question }}</p>' }
            ],
            agentTools: [{ agentSelectedTool: 'calculator', agentSelectedToolConfig: {} }],
            agentUpdateState: [{ key: 'sum', value: '<p>{{ output }}</p>' }]
          }
        },
        {
          id: 'large',
          name: 'conditionAgentflow',
          inputs: {
            conditions: [
              {
                type: 'string',
                value1: '<p>{{ $flow.state.sum }}</p>',
                operation: 'contains',
                value2: '<p>42</p>'
              }
            ]
          }
        },
        {
          id: 'yes',
          name: 'directReplyAgentflow',
          inputs: { directReplyMessage: '<p>It is {{ agent }}</p>' }
        },
        { id: 'no', name: 'directReplyAgentflow', inputs: { directReplyMessage: '<p>Who knows {a}?</p>' } },
        { id: 'note', name: 'stickyNoteAgentflow', inputs: { note: 'Look' } }
      ],
      [
        ['start', 'agent'],
        ['agent', 'large'],
        ['large', 'yes', 0],
        ['large', 'no', 1]
      ]
    )
    const [flow] = await published(file)
    assert.deepEqual(flow!.wires, { kept: 4, lost: 0 })
    provider.answer(
      { calls: [{ id: 'c1', name: 'calculator', arguments: { expression: '6 * 7' } }] },
      { pieces: ['42, of course'] },
      { pieces: ['41'] }
    )
    const before = provider.calls.length
    assert.equal(await said(flow!.id, 'six times seven'), 'It is 42, of course')
    const [asked, told] = provider.calls.slice(before)
    assert.match(JSON.stringify(asked!.body), /You calculate for six times seven/)
    assert.match(JSON.stringify(told!.body), /42/)
    assert.equal(await said(flow!.id, 'x'), 'Who knows {a}?')
  })

  await t.test('asks one model after the other, each with the prompt that was lent to it', async () => {
    const chat = { category: 'Chat Models', name: 'chatOpenAI', inputs: model() }
    const file = flowiseFlow(
      [
        { id: 'm1', ...chat },
        { id: 'm2', ...chat },
        {
          id: 'p1',
          name: 'promptTemplate',
          category: 'Prompts',
          inputs: { template: 'A name for {product}', promptValues: '{"product":"{{question}}"}' }
        },
        {
          id: 'c1',
          name: 'llmChain',
          category: 'Chains',
          inputs: { model: '{{m1.data.instance}}', prompt: '{{p1.data.instance}}' }
        },
        {
          id: 'p2',
          name: 'chatPromptTemplate',
          category: 'Prompts',
          inputs: {
            systemMessagePrompt: 'Be {{kind}}',
            humanMessagePrompt: 'A slogan for {name}',
            promptValues: '{"name":"{{c1.data.instance}}"}'
          }
        },
        {
          id: 'c2',
          name: 'llmChain',
          category: 'Chains',
          inputs: { model: '{{m2.data.instance}}', prompt: '{{p2.data.instance}}' }
        }
      ],
      [
        ['m1', 'c1', 'model'],
        ['p1', 'c1', 'prompt'],
        ['c1', 'p2', 'promptValues'],
        ['p2', 'c2', 'prompt'],
        ['m2', 'c2', 'model']
      ]
    )
    const [flow] = await published(file)
    assert.deepEqual(flow!.wires, { kept: 5, lost: 0 })
    assert.equal(flow!.nodes.length, 6)
    provider.answer({ pieces: ['Sock-o'] }, { pieces: ['Warm feet!'] })
    const before = provider.calls.length
    assert.equal(await said(flow!.id, 'socks'), 'Warm feet!')
    const [first, second] = provider.calls.slice(before).map(({ body }) => JSON.stringify(body))
    assert.match(first!, /A name for socks/)
    assert.match(second!, /Be \{kind\}.*A slogan for Sock-o/)
  })

  await t.test('runs what stands in an iteration for each', async () => {
    const file = flowiseFlow(
      [
        { id: 'start', name: 'startAgentflow', inputs: { startInputType: 'chatInput' } },
        {
          id: 'each',
          name: 'iterationAgentflow',
          inputs: { iterationInput: '<p>[{"item": "abc"}, {"item": "def"}]</p>' }
        },
        {
          id: 'shout',
          name: 'customFunctionAgentflow',
          parent: 'each',
          inputs: {
            customFunctionInputVariables: [
              { variableName: 'word', variableValue: '<p>{{ $iteration.item }}</p>' }
            ],
            customFunctionJavascriptFunction: 'return $word.toUpperCase()'
          }
        },
        {
          id: 'all',
          name: 'customFunctionAgentflow',
          inputs: {
            customFunctionInputVariables: [{ variableName: 'all', variableValue: '{{ each }}' }],
            customFunctionJavascriptFunction: 'return $input + ": " + $all'
          }
        }
      ],
      [
        ['start', 'each'],
        ['each', 'all']
      ]
    )
    const [flow] = await published(file)
    assert.equal(await said(flow!.id, 'go'), 'go: ABC\nDEF')
  })

  await t.test('comes in as its database keeps it', async () => {
    const { nodes, edges } = flowiseFlow([{ id: 'start', name: 'startAgentflow' }], [])
    const row = { name: 'Kept', flowData: JSON.stringify({ nodes, edges }), type: 'AGENTFLOW' }
    const flows = await published({ AgentFlowV2: [row], ChatFlow: [{ ...row, name: 'Other' }] })
    assert.deepEqual(flows.map(({ slug }) => slug).sort(), ['kept', 'other'])
  })
})
