import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toEnd } from '../read-to-end.test-kit.ts'
import { langflowFlow } from './langflow.test-kit.ts'

type Args = Parameters<typeof langflowFlow>

function imported(components: Args[1], wires: Args[2]) {
  const { flows } = toEnd(langflowFlow('Flow', components, wires))
  const [flow] = flows
  type Node = { id: string; type: string; title?: string; fields: Record<string, unknown> }
  const nodes = flow!.document.nodes as Node[]
  return {
    flow: flow!,
    tools: flows.slice(1),
    fields: (type: string) => nodes.find((node) => node.type === type)?.fields,
    became: (was: string) => flow!.nodes.find((node) => node.was === was)!,
    edges: (flow!.document.edges as { from: string; to: string }[]).map(({ from, to }) => `${from} ${to}`)
  }
}

const OLLAMA = {
  id: 'Ollama-1',
  type: 'OllamaModel',
  fields: { model_name: 'llama3.1', temperature: 0.3, input_value: '' }
}
const CHAT = { id: 'ChatInput-1', type: 'ChatInput' }

describe('a model of its own node', () => {
  it('asks for the node that it is wired to, by its provider, name and temperature', () => {
    const { fields, flow, became } = imported(
      [
        CHAT,
        OLLAMA,
        {
          id: 'Structured-1',
          type: 'StructuredOutput',
          fields: { output_schema: [{ name: 'total', type: 'float' }] }
        }
      ],
      [
        ['ChatInput-1', 'message', 'Structured-1', 'input_value'],
        ['Ollama-1', 'model_output', 'Structured-1', 'llm']
      ]
    )
    const { connection, model, temperature } = fields('language-model')!
    assert.deepEqual(
      { connection, model, temperature },
      { connection: 'ollama', model: 'llama3.1', temperature: 0.3 }
    )
    assert.deepEqual(flow.connections, [{ name: 'ollama', kind: 'openai-compatible' }])
    assert.deepEqual(flow.wires, { kept: 2, lost: 0 })
    assert.equal(became('OllamaModel').became, 'language-model')
  })

  it('is lent beside the text that it gives, and no text goes where it is lent', () => {
    const { fields, edges, flow } = imported(
      [CHAT, OLLAMA, { id: 'Agent-1', type: 'ToolCallingAgent', fields: { user_prompt: 'Short: {input}' } }],
      [
        ['ChatInput-1', 'message', 'Ollama-1', 'input_value'],
        ['Ollama-1', 'text_output', 'Agent-1', 'input_value'],
        ['Ollama-1', 'model_output', 'Agent-1', 'llm']
      ]
    )
    assert.equal(fields('agent')!.model, 'llama3.1')
    assert.equal(fields('agent')!.prompt, 'Short: {text}')
    assert.deepEqual(edges, [
      'chat-input-1.message language-model-1.text',
      'language-model-1.text agent-1.text'
    ])
    assert.deepEqual(flow.wires, { kept: 3, lost: 0 })
  })
})

describe('an agent of Langflow', () => {
  it('that has a tool for the date is told the date', () => {
    const { fields, became } = imported(
      [
        {
          id: 'Agent-1',
          type: 'Agent',
          fields: {
            agent_llm: 'OpenAI',
            model_name: 'gpt-4o',
            system_prompt: 'Be kind.',
            add_current_date_tool: true
          }
        }
      ],
      []
    )
    assert.match(String(fields('agent')!.system), /^Be kind\.\n\n.*\{\$now:/)
    assert.equal(became('Agent').verdict, 'adapted')
  })
})

describe('a crew', () => {
  const task = (id: string, role: string) => ({
    id,
    type: 'SequentialTaskAgentComponent',
    fields: {
      role,
      goal: 'Find it',
      backstory: 'You are old.',
      task_description: `As ${role}`,
      expected_output: 'A line'
    }
  })

  it('that works on one task after the other hands on what each gave', () => {
    const { flow, fields, edges } = imported(
      [
        OLLAMA,
        task('First-1', 'Researcher'),
        task('Second-1', 'Editor'),
        { id: 'Crew-1', type: 'SequentialCrewComponent' },
        { id: 'ChatOutput-1', type: 'ChatOutput' }
      ],
      [
        ['Ollama-1', 'model_output', 'First-1', 'llm'],
        ['Ollama-1', 'model_output', 'Second-1', 'llm'],
        ['First-1', 'task_output', 'Second-1', 'previous_task'],
        ['Second-1', 'task_output', 'Crew-1', 'tasks'],
        ['Crew-1', 'output', 'ChatOutput-1', 'input_value']
      ]
    )
    assert.deepEqual(
      flow.nodes.map(({ verdict }) => verdict),
      ['adapted', 'adapted', 'adapted', 'adapted', 'exact']
    )
    assert.equal(fields('agent')!.system, 'You are Researcher.\nYou are old.\nYour personal goal is: Find it')
    const second = (flow.document.nodes as { id: string; fields: { prompt: string } }[])[1]!
    assert.match(second.fields.prompt, /^As Editor\n\n.*A line[\s\S]*\{\$nodes\.agent-1\.text\?\}$/)
    assert.deepEqual(edges, [
      'agent-1.text agent-1-2.data',
      'agent-1-2.text transform-1.data',
      'transform-1.data chat-output-1.text'
    ])
    assert.deepEqual(flow.wires, { kept: 5, lost: 0 })
  })

  it('with a manager gives it the others as tools, with their tools in them', () => {
    const agent = (id: string, role: string) => ({
      id,
      type: 'CrewAIAgentComponent',
      fields: { role, goal: 'Answer', backstory: 'Old.' }
    })
    const { flow, tools, fields, became, edges } = imported(
      [
        CHAT,
        OLLAMA,
        agent('Manager-1', 'Manager'),
        agent('Worker-1', 'Researcher'),
        { id: 'Search-1', type: 'SearchAPI' },
        { id: 'Task-1', type: 'HierarchicalTaskComponent', fields: { expected_output: 'A line' } },
        { id: 'Crew-1', type: 'HierarchicalCrewComponent' }
      ],
      [
        ['ChatInput-1', 'message', 'Task-1', 'task_description'],
        ['Task-1', 'task_output', 'Crew-1', 'tasks'],
        ['Ollama-1', 'model_output', 'Manager-1', 'llm'],
        ['Ollama-1', 'model_output', 'Worker-1', 'llm'],
        ['Search-1', 'api_build_tool', 'Worker-1', 'tools'],
        ['Manager-1', 'output', 'Crew-1', 'manager_agent'],
        ['Worker-1', 'output', 'Crew-1', 'agents']
      ]
    )
    assert.deepEqual(flow.wires, { kept: 7, lost: 0 })
    assert.match(String(fields('agent')!.system), /^You are Manager\./)
    assert.equal(fields('agent')!.model, 'llama3.1')
    assert.equal(became('OllamaModel').became, 'agent')
    assert.deepEqual(edges, [
      'chat-input-1.message prompt-1.task_description',
      'prompt-1.prompt agent-1.text',
      'run-flow-1.tools agent-1.tools'
    ])
    const [search, worker] = tools
    assert.deepEqual(fields('run-flow'), { flow: worker!.slug })
    const inside = worker!.document.nodes as { type: string; fields: Record<string, unknown> }[]
    assert.equal(inside.find(({ type }) => type === 'run-flow')!.fields.flow, search!.slug)
    assert.match(String(inside.find(({ type }) => type === 'agent')!.fields.prompt), /^\{task\}/)
  })
})

describe('a request of Langflow', () => {
  const request = (fields: Record<string, unknown>, wires: Args[2] = []) =>
    imported([CHAT, { id: 'Data-1', type: 'APIRequest', fields }], wires)

  it('sends an empty object where nothing is to be sent, and values that are JSON as values', () => {
    const url = 'https://shop.example/orders'
    assert.deepEqual(request({ method: 'POST', url_input: url }).fields('api-request')!.body, {})
    const body = [
      { key: 'count', value: '5' },
      { key: 'text', value: '{x}' },
      { key: 'tags', value: '["{a}"]' }
    ]
    assert.deepEqual(request({ method: 'PUT', url_input: url, body }).fields('api-request')!.body, {
      count: 5,
      text: '{{x}}',
      tags: ['{{a}}']
    })
    assert.equal(request({ method: 'GET', url_input: url }).fields('api-request')!.body, undefined)
  })

  it('tells wires from each other, and says what it does not send', () => {
    const { fields, became } = request({ method: 'POST' }, [
      ['ChatInput-1', 'message', 'Data-1', 'url_input'],
      ['ChatInput-1', 'message', 'Data-1', 'body'],
      ['ChatInput-1', 'message', 'Data-1', 'headers']
    ])
    const { url, body } = fields('api-request')!
    assert.deepEqual([url, body], ['{$nodes.chat-input-1.message?}', '{$nodes.chat-input-1.message?}'])
    assert.equal(became('APIRequest').verdict, 'adapted')
    assert.match(became('APIRequest').note, /headers came by a wire/)
  })
})

describe('what no step does', () => {
  it('stands for nothing, and is not handed on as if it had been done', () => {
    const { became } = imported(
      [{ id: 'Ops-1', type: 'DataFrameOperations', fields: { operation: 'Rename Column' } }],
      []
    )
    assert.equal(became('DataFrameOperations').verdict, 'placeholder')
  })

  it('is told where a comparison has a name that is not known', () => {
    const { became } = imported(
      [{ id: 'If-1', type: 'ConditionalRouter', fields: { operator: 'sounds like' } }],
      []
    )
    assert.match(became('ConditionalRouter').note, /sounds like/)
  })

  it('is nothing of a feed: its items are read, and no web is searched', () => {
    const { tools, flow } = imported(
      [
        { id: 'Rss-1', type: 'RSSReaderComponent' },
        { id: 'Agent-1', type: 'Agent', fields: { agent_llm: 'OpenAI' } }
      ],
      [['Rss-1', 'component_as_tool', 'Agent-1', 'tools']]
    )
    assert.doesNotMatch(JSON.stringify(tools[0]!.document), /serpapi/i)
    assert.deepEqual(flow.wires, { kept: 1, lost: 0 })
  })

  it('is a statement that a model writes', () => {
    const { became, flow, tools } = imported(
      [
        { id: 'Sql-1', type: 'SQLComponent', fields: { query: '' } },
        { id: 'Agent-1', type: 'Agent', fields: { agent_llm: 'OpenAI' } }
      ],
      [['Sql-1', 'component_as_tool', 'Agent-1', 'tools']]
    )
    assert.equal(became('SQLComponent').verdict, 'placeholder')
    assert.match(became('SQLComponent').note, /statement/)
    assert.deepEqual([flow.wires, tools], [{ kept: 1, lost: 0 }, []])
  })
})

it('keeps what stands in a Chat Input as it is, braces and all', () => {
  const file = langflowFlow(
    'Braces',
    [{ id: 'ChatInput-1', type: 'ChatInput', fields: { input_value: 'class A: x = {.a} {b}' } }],
    []
  )
  const [node] = toEnd(file).flows[0]!.document.nodes as { fields: unknown }[]
  assert.deepEqual(node!.fields, { text: 'class A: x = {{.a}} {{b}}' })
})

describe('a component', () => {
  it('is only exact where all its fields were looked at, or hold what is usual', () => {
    const said = (type: string, fields: object) =>
      imported([{ id: 'A-1', type, fields: { ...fields } }], []).became(type)
    const usual = {
      sender: 'Machine',
      sender_name: 'AI',
      data_template: '{text}',
      should_store_message: true
    }
    assert.equal(said('ChatOutput', usual).verdict, 'exact')
    const changed = said('ChatOutput', { ...usual, data_template: '{name}', sender_name: 'Ada' })
    assert.equal(changed.verdict, 'adapted')
    assert.equal(changed.note, 'Of its settings nothing was made of "sender_name", "data_template".')
    assert.match(
      said('Agent', { model_name: 'gpt-5', add_calculator_tool: true }).note,
      /"add_calculator_tool"/
    )
  })
})
