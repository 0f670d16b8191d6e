import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toEnd } from '../read-to-end.test-kit.ts'
import { membersIn, membersOf } from '../values.ts'
import { flowiseFlow } from './flowise.test-kit.ts'

const SEQUENTIAL = 'sequentialNode'
const nodesOf = (flow: { document: object } | undefined) => membersIn(membersOf(flow?.document).nodes)
const edgesOf = (flow: { document: object } | undefined) =>
  membersIn(membersOf(flow?.document).edges).map(({ from, to }) => `${from} -> ${to}`)

test('a condition of version 1 leads on by the names of its outputs', () => {
  const file = flowiseFlow(
    [
      { id: 'start', name: 'seqStart' },
      { id: 'writer', name: 'seqAgent', inputs: { systemMessagePrompt: 'Write' } },
      {
        id: 'ask',
        name: 'seqCondition',
        inputs: {
          conditionUI: JSON.stringify([
            { variable: '$flow.output.content', operation: 'Contains', value: 'draft', output: 'To Grade' },
            { variable: '$flow.state.messages.length', operation: 'Less Than', value: '6', output: 'Again' }
          ])
        }
      },
      { id: 'teacher', name: 'seqLLMNode', inputs: { systemMessagePrompt: 'Grade' } },
      { id: 'second', name: 'seqLLMNode', inputs: { systemMessagePrompt: 'Write again' } },
      { id: 'end', name: 'seqEnd' }
    ],
    [
      ['start', 'writer', SEQUENTIAL],
      ['writer', 'ask', SEQUENTIAL],
      ['ask', 'end', SEQUENTIAL, 'end-Condition'],
      ['ask', 'teacher', SEQUENTIAL, 'tograde-Condition'],
      ['ask', 'second', SEQUENTIAL, 'again-Condition']
    ]
  )
  const [flow] = toEnd(file).flows
  const led = edgesOf(flow).filter((edge) => edge.startsWith('ask'))
  assert.deepEqual(led.sort(), [
    'ask-else1.false -> end.text',
    'ask-else1.true -> second.data',
    'ask.false -> ask-else1.data',
    'ask.true -> teacher.data'
  ])
  assert.equal(flow?.wires.lost, 0)
  const fields = new Map(nodesOf(flow).map(({ id, fields }) => [id, membersOf(fields)]))
  assert.equal(fields.get('ask')?.left, '{$nodes.writer.text?}')
  assert.equal(fields.get('teacher')?.prompt, '{$nodes.writer.text?}\n\n{$nodes.start.message?}')
  const condition = flow?.nodes.find(({ was }) => was === 'seqCondition')
  assert.equal(condition?.verdict, 'adapted')
  assert.match(condition?.note ?? '', /"messages\.length" of the state, which is not kept here/)
})

test('who has memory sees the question, what was said in the run, and then its own message', () => {
  const llm = (id: string, inputs: object) => ({
    id,
    name: 'llmAgentflow',
    inputs: { llmModel: 'chatOpenAI', ...inputs }
  })
  const file = flowiseFlow(
    [
      { id: 'start', name: 'startAgentflow', inputs: { startInputType: 'chatInput' } },
      llm('supervisor', {
        llmMessages: [{ role: 'system', content: '<p>You lead.</p>' }],
        llmEnableMemory: true,
        llmUserMessage: '<p>Who is next?</p>'
      }),
      llm('writer', { llmEnableMemory: true, llmUserMessage: 'Sum up' }),
      llm('judge', {
        llmMessages: [{ role: 'user', content: 'Judge {{ writer }}' }],
        llmUserMessage: 'hidden'
      })
    ],
    [
      ['start', 'supervisor'],
      ['supervisor', 'writer'],
      ['writer', 'judge']
    ]
  )
  const [flow] = toEnd(file).flows
  const prompts = new Map(nodesOf(flow).map(({ id, fields }) => [id, membersOf(fields).prompt]))
  const question = '{$nodes.start.message?}'
  assert.equal(prompts.get('supervisor'), `${question}\n\nWho is next?`)
  assert.equal(prompts.get('writer'), `${question}\n\n{$nodes.supervisor.text?}\n\nSum up`)
  assert.equal(prompts.get('judge'), 'Judge {$nodes.writer.text?}', 'its own message is for memory alone')
  const supervisor = flow?.nodes.find(({ title }) => title === 'supervisor')
  assert.deepEqual([supervisor?.verdict, supervisor?.note.includes('one prompt')], ['adapted', true])
})

test('workers become tools of who leads them, with their own tools in their flows', () => {
  const file = flowiseFlow(
    [
      { id: 'model', name: 'chatOpenAI', category: 'Chat Models', inputs: { modelName: 'large' } },
      {
        id: 'boss',
        name: 'supervisor',
        category: 'Multi Agents',
        inputs: { supervisorPrompt: 'Lead {team_members}.' }
      },
      {
        id: 'helper',
        name: 'worker',
        category: 'Multi Agents',
        inputs: {
          workerName: 'Helper',
          workerPrompt: 'You work at {company}. So far: {talk}',
          promptValues: '{"company":"Acme","talk":"{{code.data.instance}}"}'
        }
      },
      { id: 'search', name: 'retrieverTool', category: 'Tools', inputs: { name: 'search_docs' } },
      { id: 'store', name: 'pinecone', category: 'Vector Stores', inputs: { pineconeIndex: 'Docs' } }
    ],
    [
      ['model', 'boss', 'model'],
      ['boss', 'helper', 'supervisor'],
      ['search', 'helper', 'tools'],
      ['store', 'search', 'retriever']
    ]
  )
  const [flow, worker] = toEnd(file).flows
  assert.ok(edgesOf(flow).includes('helper.tools -> boss.tools'), edgesOf(flow).join())
  const boss = nodesOf(flow).find(({ id }) => id === 'boss')
  assert.equal(membersOf(boss?.fields).system, 'Lead Helper.')
  const agent = nodesOf(worker).find(({ type }) => type === 'agent')
  assert.equal(membersOf(agent?.fields).system, 'You work at Acme. So far: {{talk}}')
  const search = nodesOf(worker).find(({ type }) => type === 'knowledge-search')
  assert.equal(membersOf(search?.fields).collection, 'docs')
  assert.ok(edgesOf(worker).includes(`${search?.id}.tools -> ${agent?.id}.tools`))
})

test('a request that is a tool asks for what its schema names', () => {
  const tool = (name: string, config: object) => ({
    agentSelectedTool: name,
    agentSelectedToolConfig: config
  })
  const agentTools = [
    tool('requestsGet', {
      requestsGetUrl: '<p>https://shop.example.com/orders</p>',
      requestsGetDescription: 'Finds an order',
      requestsGetHeaders: [{ key: 'Accept', value: 'text/plain' }],
      requestsGetQueryParamsSchema:
        '{"id":{"type":"string","in":"path"},"limit":{"type":"number","in":"query"}}'
    }),
    tool('requestsPost', {
      requestsPostUrl: 'https://shop.example.com/orders',
      requestPostBody: '{"source":"chat"}',
      requestsPostBodySchema: '{"name":{"type":"string","required":true}}'
    })
  ]
  const file = flowiseFlow(
    [
      { id: 'start', name: 'startAgentflow' },
      { id: 'agent', name: 'agentAgentflow', inputs: { agentModel: 'chatOpenAI', agentTools } }
    ],
    [['start', 'agent']]
  )
  const [, get, post] = toEnd(file).flows
  const request = (flow: typeof get) => nodesOf(flow).find(({ id }) => id === 'request')?.fields
  const asks = (flow: typeof get) =>
    membersOf(nodesOf(flow).find(({ id }) => id === 'webhook')?.fields).schema
  assert.deepEqual(request(get), {
    method: 'GET',
    url: 'https://shop.example.com/orders/{id}',
    query: { limit: '{limit?}' },
    headers: { Accept: 'text/plain' }
  })
  assert.equal(membersOf(get?.document).description, 'Finds an order')
  assert.deepEqual(asks(get), {
    type: 'object',
    properties: { id: { type: 'string' }, limit: { type: 'number' } },
    required: ['id', 'limit']
  })
  assert.deepEqual(request(post), {
    method: 'POST',
    url: 'https://shop.example.com/orders',
    body: { source: 'chat', name: '{name}' }
  })
})

test('state that is set of itself is read from the nodes that set it, however often', () => {
  const llm = (id: string, value: string) => ({
    id,
    name: 'llmAgentflow',
    inputs: {
      llmMessages: [{ role: 'user', content: `At {{ $flow.state.count }}` }],
      llmUpdateState: [{ key: 'count', value }]
    }
  })
  const drawn = (values: readonly string[]) => {
    const nodes = values.map((value, at) => llm(`n${at}`, value))
    const start = {
      id: 'start',
      name: 'startAgentflow',
      inputs: { startInputType: 'chatInput', startState: [{ key: 'count', value: '0' }] }
    }
    const ids = ['start', ...nodes.map(({ id }) => id)]
    const [flow] = toEnd(
      flowiseFlow(
        [start, ...nodes],
        ids.slice(1).map((id, at) => [ids[at]!, id] as const)
      )
    ).flows
    return new Map(nodesOf(flow).map(({ id, fields }) => [id, membersOf(fields)]))
  }
  const once = drawn(['{{ $flow.state.count }} and {{ output.more }}', '{{ $flow.state.count }}!', ''])
  assert.equal(once.get('n0')?.prompt, 'At 0')
  assert.equal(once.get('n1')?.prompt, 'At 0 and {$nodes.n0.data.more?}')
  assert.equal(once.get('n2')?.prompt, 'At 0 and {$nodes.n0.data.more?}!')
  const twice = '{{ $flow.state.count }}{{ $flow.state.count }}'
  const often = drawn(Array.from({ length: 60 }, () => twice))
  assert.ok(`${often.get('n59')?.prompt}`.length < 10_000)
})

test('a node is only exact where all its settings were looked at', () => {
  const file = (config: object, question: object) =>
    flowiseFlow(
      [
        { id: 'start', name: 'startAgentflow', inputs: { startInputType: 'chatInput' } },
        {
          id: 'model',
          name: 'llmAgentflow',
          inputs: {
            llmModel: 'chatOpenAI',
            llmModelConfig: { llmModel: 'chatOpenAI', modelName: 'gpt-5', streaming: true, ...config },
            llmReturnResponseAs: 'userMessage'
          }
        },
        { id: 'ask', name: 'humanInputAgentflow', inputs: { humanInputDescription: 'Go on?', ...question } }
      ],
      [
        ['start', 'model'],
        ['model', 'ask']
      ]
    )
  const told = (config: object, question: object = {}) =>
    toEnd(file(config, question)).flows[0]!.nodes.map(({ verdict, note }) => `${verdict} ${note}`.trim())
  assert.deepEqual(told({}).slice(0, 2), ['exact', 'exact'])
  const [, model, ask] = told(
    { basepath: 'https://own.example', topP: '' },
    { humanInputEnableFeedback: true }
  )
  assert.match(model!, /^adapted .*nothing was made of "llmModelConfig\.basepath"\.$/)
  assert.match(ask!, /nothing was made of "humanInputEnableFeedback"\.$/)
})

test('a condition about numbers says what stood for what is none', () => {
  const ask = (type: string) => ({
    id: type,
    name: 'conditionAgentflow',
    inputs: { conditions: [{ type, value1: '{{ question }}', operation: 'larger', value2: '5' }] }
  })
  const [flow] = toEnd(flowiseFlow([ask('number'), ask('string')], [])).flows
  const note = (title: string) => flow!.nodes.find((each) => each.title === title)!.note
  assert.deepEqual([note('number'), note('string')], ['What is no number counted as 0 there.', ''])
})

test('a model that is asked in a way of its own is told', () => {
  const nodes = [
    { id: 'chain', name: 'llmChain', category: 'Chains', inputs: { model: '{{ model.data.instance }}' } },
    { id: 'model', name: 'replicate', category: 'LLMs', inputs: { model: 'a/image' } }
  ]
  const [flow] = toEnd(flowiseFlow(nodes, [['model', 'chain', 'model']])).flows
  const { verdict, note } = flow!.nodes.find(({ was }) => was === 'replicate')!
  assert.equal(verdict, 'adapted')
  assert.match(note, /replicate is asked in a way of its own/)
})
