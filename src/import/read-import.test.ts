import assert from 'node:assert/strict'
import { it } from 'node:test'
import { flowiseFlow } from './flowise/flowise.test-kit.ts'
import { langflowFlow } from './langflow/langflow.test-kit.ts'
import { n8nWorkflow } from './n8n/n8n.test-kit.ts'
import { redTab } from './node-red/node-red.test-kit.ts'
import { toEnd } from './read-to-end.test-kit.ts'

it('takes so many wires of one file and no more, of Node-RED with what its links stand for', () => {
  const ends = Array.from({ length: 260 }, (_, at) => `in-${at}`)
  const outs = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `out-${at}`, type: 'link out', links: ends }))
  assert.throws(() => toEnd(redTab('Links', outs(200))), /52000 wires, and 50000 are the most/)
  assert.throws(
    () =>
      toEnd(redTab('Wires', [{ id: 'in', type: 'http in', to: Array.from({ length: 200 }, () => ends) }])),
    /52000 wires/
  )
  assert.equal(toEnd(redTab('Fewer', outs(2))).flows.length, 1)
})

it('keeps what has more braces than are read as a placeholder with its wires and settings, and reads all else', () => {
  const long = '{a} '.repeat(4_001)
  const files = {
    Prompt: langflowFlow(
      'Dense',
      [
        { id: 'Prompt-1', type: 'Prompt', fields: { template: long } },
        { id: 'ChatOutput-1', type: 'ChatOutput' }
      ],
      [['Prompt-1', 'prompt', 'ChatOutput-1', 'input_value']]
    ),
    'n8n-nodes-base.httpRequest': n8nWorkflow(
      'Dense',
      [
        { name: 'Start', type: 'webhook', version: 2, parameters: { path: 'dense' } },
        { name: 'Call', type: 'httpRequest', version: 4.2, parameters: { url: `=${long}` } }
      ],
      [['Start', 'Call']]
    ),
    'http request': redTab('Dense', [
      { id: 'in', type: 'inject', to: [['call']] },
      { id: 'call', type: 'http request', method: 'GET', url: long }
    ]),
    directReplyAgentflow: flowiseFlow(
      [
        { id: 'start', name: 'startAgentflow' },
        { id: 'reply', name: 'directReplyAgentflow', inputs: { directReplyMessage: long } }
      ],
      [['start', 'reply']]
    )
  }
  for (const [was, file] of Object.entries(files)) {
    const [flow] = toEnd(file).flows
    const dense = flow!.nodes.find((node) => node.was === was)
    assert.equal(dense?.verdict, 'placeholder', was)
    assert.match(dense.note, /more than 6,000 braces/)
    assert.deepEqual(flow!.wires, { kept: 1, lost: 0 }, was)
    assert.ok(JSON.stringify(flow!.document).includes(long), was)
    assert.ok(
      flow!.nodes.some(({ verdict }) => verdict !== 'placeholder'),
      was
    )
  }
})

it('tells at a node what stands beside it that was none there: ways back, and tools without a counterpart', () => {
  const files = {
    Ask: n8nWorkflow(
      'Circle',
      [
        { name: 'Start', type: 'webhook', version: 2, parameters: { path: 'circle' } },
        { name: 'Wait', type: 'wait', version: 1.1, parameters: { amount: 1 } },
        { name: 'Ask', type: 'noOp' }
      ],
      [
        ['Start', 'Wait'],
        ['Wait', 'Ask'],
        ['Ask', 'Wait']
      ]
    ),
    ask: redTab('Circle', [
      { id: 'in', type: 'inject', to: [['wait']] },
      {
        id: 'wait',
        name: 'wait',
        type: 'delay',
        pauseType: 'delay',
        timeout: '1',
        timeoutUnits: 's',
        to: [['ask']]
      },
      { id: 'ask', name: 'ask', type: 'change', rules: [], to: [['wait']] }
    ])
  }
  for (const [title, file] of Object.entries(files)) {
    const [flow] = toEnd(file).flows
    const told = flow!.nodes.find((node) => node.title === title)
    assert.equal(told?.verdict, 'adapted', title)
    assert.match(told.note, /Beside it stands "Back to wait": A flow has no circles\. Put what is repeated/i)
  }
  const agent = { agentTools: [{ agentSelectedTool: 'browserless', agentSelectedToolConfig: {} }] }
  const [chat] = toEnd(
    flowiseFlow(
      [
        { id: 'start', name: 'startAgentflow' },
        { id: 'agent', name: 'agentAgentflow', inputs: agent }
      ],
      [['start', 'agent']]
    )
  ).flows
  assert.match(chat!.nodes.find(({ title }) => title === 'agent')!.note, /Beside it stands "browserless": \S/)
})

it('reads every expression of a text, however many it has', () => {
  const url = `=https://example.com/?${Array.from({ length: 1_000 }, (_, at) => `a=${at}{{ $json.a }}`).join('&')}`
  const file = n8nWorkflow(
    'Long',
    [
      { name: 'Start', type: 'webhook', version: 2, parameters: { path: 'long' } },
      { name: 'Call', type: 'httpRequest', version: 4.2, parameters: { url } }
    ],
    [['Start', 'Call']]
  )
  const document = JSON.stringify(toEnd(file).flows[0]!.document)
  assert.equal(document.split('{a:raw?}').length, 1_001)
  assert.doesNotMatch(document, /\{\{/)
})
