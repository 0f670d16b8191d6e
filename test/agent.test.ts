import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { askChat, eventsIn } from './support/chats.ts'
import { childrenOf } from './support/child-flows.ts'
import { cleanUp } from './support/clean-up.ts'
import { eventually } from './support/eventually.ts'
import { startMisbehavingServer } from './support/misbehaving-server.ts'
import { KINDS, startModelStage } from './support/model-provider/model-stage.ts'

interface Approval {
  readonly id: string
  readonly run_id: string
  readonly question: string
}

interface AgentOutputs {
  readonly text: string
  readonly data?: unknown
  readonly steps: readonly {
    readonly text?: string
    readonly calls: readonly {
      readonly tool: string
      readonly status: string
      readonly result?: unknown
      readonly error?: { readonly code: string; readonly message: string }
      readonly run_id?: string
    }[]
  }[]
  readonly usage: Record<string, unknown>
}

interface Conversation {
  readonly turns: readonly {
    readonly index: number
    readonly text: string
    readonly duration_ms: number
    readonly usage: Readonly<Record<string, unknown>>
    readonly calls: readonly {
      readonly index: number
      readonly name: string
      readonly arguments: unknown
      readonly status: string
      readonly result?: unknown
      readonly error?: { readonly code: string }
      readonly run_id?: string
    }[]
  }[]
  readonly next: number | null
}

/** Webhook → Agent → Return, with tools that are wired to it. */
function agentFlow(
  fields: object,
  tools: readonly { readonly id: string; readonly [member: string]: unknown }[]
) {
  return {
    name: 'Agent',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      {
        id: 'agent-1',
        type: 'agent',
        fields: { connection: 'openai-compatible', model: 'large', prompt: '{question}', ...fields },
        retry: { attempts: 1 }
      },
      { id: 'return-1', type: 'return' },
      ...tools
    ],
    edges: [
      { from: 'webhook-1.data', to: 'agent-1.data' },
      { from: 'agent-1.text', to: 'return-1.data' },
      ...tools.map(({ id }) => ({ from: `${id}.tools`, to: 'agent-1.tools' }))
    ]
  }
}

const LENGTH = {
  id: 'length',
  type: 'transform',
  fields: { expression: '$length(word)' },
  tool: {
    name: 'length',
    description: 'Counts the letters of a word.',
    arguments: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }
  }
}

const call = (id: string, name: string, given: unknown) => ({ id, name, arguments: given })

test('An agent', async (t) => {
  const { service, provider } = await startModelStage(t)

  async function ask(flow: ReturnType<typeof agentFlow>) {
    const made = await service.createFlow(flow)
    const answer = await service.post(`/api/v1/run/${made.slug}`, { input: { question: 'How long?' } })
    assert.equal(answer.status, 200, answer.text)
    const run = answer.json<RunBody & { output: unknown; usage: unknown }>()
    const step = run.steps.find(({ node }) => node === 'agent-1')!
    return { run, step, outputs: step.outputs as unknown as AgentOutputs, flow: made }
  }

  async function conversationOf(run: string) {
    const answer = await service.request('GET', `/api/v1/runs/${run}/nodes/agent-1/conversation`)
    assert.equal(answer.status, 200, answer.text)
    return answer.json<Conversation>()
  }

  await t.test('is not asked in a branch that is not taken, although it has its tools', async () => {
    const before = provider.calls.length
    const flow = agentFlow({}, [
      LENGTH,
      { id: 'if-1', type: 'if-else', fields: { mode: 'Expression', expression: 'data.question == "None"' } }
    ])
    const edges = flow.edges.filter(({ from, to }) => to !== 'agent-1.data' && from !== 'if-1.tools')
    const { run } = await ask({
      ...flow,
      edges: [
        { from: 'webhook-1.data', to: 'if-1.data' },
        { from: 'if-1.true', to: 'agent-1.data' },
        ...edges
      ]
    })
    const agent = run.steps.find(({ node }) => node === 'agent-1')
    assert.deepEqual([run.status, agent?.status], ['succeeded', 'skipped'])
    assert.equal(provider.calls.length, before)
  })

  for (const kind of KINDS) {
    await t.test(`calls tools and goes on with what they give, as ${kind} spells it`, async () => {
      const before = provider.calls.length
      provider.answer(
        {
          pieces: ['Let me count.'],
          calls: [call('c1', 'length', { word: 'tree' }), call('c2', 'length', { word: 'forest' })],
          usage: { input: 10, output: 5 }
        },
        { pieces: ['Four', ' and six.'], usage: { input: 20, output: 4, cached: 3 } }
      )
      const { run, outputs } = await ask(agentFlow({ connection: kind, system: 'Be exact.' }, [LENGTH]))
      assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
      assert.equal(outputs.text, 'Four and six.')
      assert.equal(run.output, 'Four and six.')
      const [first, second] = outputs.steps
      assert.equal(first!.text, 'Let me count.')
      assert.deepEqual(
        first!.calls.map(({ tool, status, result }) => [tool, status, result]),
        [
          ['length', 'succeeded', 4],
          ['length', 'succeeded', 6]
        ]
      )
      assert.deepEqual(second!.calls, [])
      assert.equal(outputs.usage.total_tokens, 39)
      assert.deepEqual(run.usage, { input_tokens: 30, cached_tokens: 3, output_tokens: 9, total_tokens: 39 })
      const [asked, again] = provider.calls.slice(before)
      assert.match(JSON.stringify(asked!.body), /Counts the letters of a word/)
      assert.match(JSON.stringify(again!.body), /Let me count\..*tree.*forest/)
      assert.equal(asked!.headers['idempotency-key'], `${run.id}/agent-1/0`)
      assert.equal(again!.headers['idempotency-key'], `${run.id}/agent-1/3`)
    })
  }

  await t.test('writes an answer together with what pure tools gave for it', async () => {
    const counted = { ...LENGTH, type: 'parser', fields: { template: '{word}' } }
    const calls = Array.from({ length: 6 }, (_, at) => call(`c${at}`, 'length', { word: 'tree' }))
    provider.answer(...calls.map((each) => ({ calls: [each] })), { pieces: ['Four.'] })
    const commits = async () =>
      Number(
        /^millrace_commit_seconds_count (\d+)/m.exec((await service.request('GET', '/metrics')).text)![1]
      )
    const flow = agentFlow({}, [counted])
    const made = await service.createFlow(flow)
    const before = await commits()
    await service.post(`/api/v1/run/${made.slug}`, { input: { question: 'How long?' } })
    // Accepted, begun, seven answers, the end, and twice at the most what models cost.
    const written = (await commits()) - before
    assert.ok(written <= 12, `${written} commits`)
  })

  await t.test('keeps each question and each call as a run below its own', async () => {
    provider.answer({ calls: [call('c1', 'length', { word: 'tree' })] }, { pieces: ['Four.'] })
    const { run, outputs } = await ask(agentFlow({}, [LENGTH]))
    const children = await childrenOf(service, run.id)
    assert.equal(children.length, 3)
    const { run_id } = outputs.steps[0]!.calls[0]!
    const called = await service.readRun(run_id!)
    assert.deepEqual(
      called.steps.map(({ node, type, status, outputs }) => [node, type, status, outputs]),
      [['length', 'transform', 'succeeded', { data: 4 }]]
    )
  })

  await t.test(
    'tells the model of arguments that do not fit, of tools that are not there, and of failures',
    async () => {
      const before = provider.calls.length
      provider.answer(
        {
          calls: [
            call('c1', 'length', { wort: 'tree' }),
            call('c2', 'size', {}),
            call('c3', 'length', 'tree'),
            call('c4', 'break', {})
          ]
        },
        { pieces: ['I give up.'] }
      )
      const broken = {
        id: 'break',
        type: 'code',
        fields: { code: 'throw new Error("out of ink")' },
        tool: {}
      }
      const { run, outputs } = await ask(agentFlow({}, [LENGTH, { ...broken, tool: { arguments: {} } }]))
      assert.equal(run.status, 'succeeded')
      const said = outputs.steps[0]!.calls.map(({ error }) => error!.message)
      assert.match(said[0]!, /wort|word/)
      assert.match(said[1]!, /no tool "size".*length, break/)
      assert.match(said[2]!, /not a JSON object/)
      assert.match(said[3]!, /out of ink/)
      const told = JSON.stringify(provider.calls.slice(before)[1]!.body)
      for (const words of ['no tool', 'not a JSON object', 'out of ink'])
        assert.ok(told.includes(words), words)
    }
  )

  await t.test('ends with a clear error where the model goes on calling', async () => {
    const again = { calls: [call('c', 'length', { word: 'tree' })] }
    provider.answer(again, again)
    const { run } = await ask(agentFlow({ max_steps: 2 }, [LENGTH]))
    assert.deepEqual([run.status, run.error!.code], ['failed', 'agent_max_steps'])
    assert.equal((await childrenOf(service, run.id)).length, 4)
    const { turns } = await conversationOf(run.id)
    assert.deepEqual(
      turns.map(({ index, calls }) => [index, calls[0]!.name, calls[0]!.arguments, calls[0]!.result]),
      [0, 2].map((index) => [index, 'length', { word: 'tree' }, 4])
    )
  })

  await t.test('goes on where somebody retries it, for as many questions again', async () => {
    const again = { calls: [call('c', 'length', { word: 'tree' })] }
    const before = provider.calls.length
    provider.answer(again, again)
    const { run } = await ask(agentFlow({ max_steps: 2 }, [LENGTH]))
    assert.equal(run.error!.code, 'agent_max_steps')
    provider.answer(again, again)
    await service.post(`/api/v1/runs/${run.id}/retry`, {})
    assert.equal((await service.waitForRun(run.id)).error!.code, 'agent_max_steps')
    assert.equal(provider.calls.length - before, 4, 'what is known is not asked again, and no more than two')
    provider.answer({ pieces: ['Four.'] })
    await service.post(`/api/v1/runs/${run.id}/retry`, {})
    assert.equal((await service.waitForRun(run.id)).status, 'succeeded')
    assert.equal(provider.calls.length - before, 5)
    const told = JSON.stringify(provider.calls.at(-1)!.body)
    assert.equal(told.match(/"tool_call_id"/g)?.length, 4, 'it is told of all that was called')
  })

  await t.test('runs a flow that is wired to it, with the schema of its Webhook', async () => {
    const before = provider.calls.length
    const inner = await service.createFlow({
      name: 'Ship order',
      slug: 'ship-order',
      description: 'Ships an order by its number.',
      nodes: [
        {
          id: 'w',
          type: 'webhook',
          fields: {
            schema: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] }
          }
        },
        { id: 'p', type: 'parser', fields: { template: 'parcel-{order}' } },
        { id: 'r', type: 'return' }
      ],
      edges: [
        { from: 'w.data', to: 'p.data' },
        { from: 'p.parsed_text', to: 'r.data' }
      ]
    })
    provider.answer({ calls: [call('c1', 'ship-order', { order: 7 })] }, { pieces: ['Shipped.'] })
    const tool = { id: 'flow-1', type: 'run-flow', fields: { flow: inner.slug } }
    const { run, outputs } = await ask(agentFlow({}, [tool]))
    assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
    assert.deepEqual(
      outputs.steps[0]!.calls.map(({ status, result }) => [status, result]),
      [['succeeded', 'parcel-7']]
    )
    assert.match(JSON.stringify(provider.calls[before]!.body), /Ships an order by its number/)
  })

  await t.test('answers by a schema, and mends what does not fit', async () => {
    const schema = { type: 'object', properties: { letters: { type: 'integer' } }, required: ['letters'] }
    provider.answer({ pieces: ['four'] }, { pieces: ['{"letters":4}'] })
    const { outputs } = await ask(agentFlow({ schema }, [LENGTH]))
    assert.deepEqual(outputs.data, { letters: 4 })
  })

  await t.test('asks a person before a tool acts, about the very arguments', async () => {
    const before = provider.calls.length
    const refund = { ...LENGTH, id: 'refund', tool: { ...LENGTH.tool, name: 'refund', ask_first: true } }
    provider.answer(
      {
        calls: ['five', 'fifty', 'all'].map((word) => call(word, 'refund', { word }))
      },
      { calls: [call('c3', 'length', { word: 'done' })] },
      { pieces: ['Refunded once.'] }
    )
    const { slug } = await service.createFlow(agentFlow({}, [refund, LENGTH]))
    const id = await service.start(slug, { question: 'Refund?' })
    const list = async () => {
      const answer = await service.request('GET', '/api/v1/approvals?status=open')
      return answer.json<{ approvals: readonly Approval[] }>().approvals
    }
    const open = await eventually(list, ({ length }) => length === 3)
    await eventually(async () => (await service.readRun(id)).status, 'waiting')
    const questionOf = (word: string) => open.find(({ question }) => question.includes(`"${word}"`))!
    assert.match(
      questionOf('five').question,
      /"agent-1" wants to call refund with:\n\{\n {2}"word": "five"\n\}/
    )
    await service.post(`/api/v1/approvals/${questionOf('five').id}`, { choice: 'Approve' })
    await service.post(`/api/v1/approvals/${questionOf('fifty').id}`, {
      choice: 'Reject',
      comment: 'Too much.'
    })
    const ended = await service.post(`/api/v1/runs/${questionOf('all').run_id}/wake`, { node: 'agent-1' })
    assert.equal(ended.status, 200, ended.text)
    const run = await service.waitForRun(id)
    assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
    const { steps, text } = run.steps.find(({ node }) => node === 'agent-1')!
      .outputs as unknown as AgentOutputs
    assert.equal(text, 'Refunded once.')
    const [first, second, third] = steps[0]!.calls
    assert.deepEqual([first!.status, first!.result], ['succeeded', 4])
    assert.deepEqual([second!.status, second!.error!.code], ['failed', 'tool_rejected'])
    assert.match(second!.error!.message, /Too much\./)
    assert.equal(third!.error!.code, 'tool_rejected')
    assert.match(third!.error!.message, /ended before anybody answered/)
    assert.equal(provider.calls.length - before, 3, 'each question was asked once')
  })

  await t.test('calls side by side what the model calls side by side', async (t) => {
    const both = Promise.withResolvers<void>()
    let open = 0
    const shop = await startMisbehavingServer({
      answers: {
        '/slow': (response) => {
          if (++open === 2) both.resolve()
          void both.promise.then(() =>
            response.setHeader('content-type', 'application/json').end('{"ok":true}')
          )
        }
      }
    })
    cleanUp(t, () => shop.stop())
    await service.post('/api/v1/connections', {
      name: 'shop',
      kind: 'http',
      settings: { base_url: shop.origin }
    })
    const fields = { connection: 'shop', url: '/slow?id={id}' }
    const tool = { id: 'slow', type: 'api-request', fields, tool: {} }
    provider.answer(
      { calls: [call('c1', 'slow', { id: '1' }), call('c2', 'slow', { id: '2' })] },
      { pieces: ['Both.'] }
    )
    const { outputs } = await ask(agentFlow({}, [tool]))
    assert.deepEqual(
      outputs.steps[0]!.calls.map(({ result }) => result),
      [{ ok: true }, { ok: true }]
    )
    assert.equal(new Set(shop.requests.map(({ headers }) => headers['idempotency-key'])).size, 2)
  })

  await t.test('tells a chat of its tools while it works', async () => {
    const flow = agentFlow({ prompt: '' }, [LENGTH])
    const chat = {
      ...flow,
      nodes: flow.nodes.map((node) => ({
        ...node,
        type:
          ({ webhook: 'chat-input', return: 'chat-output' } as Record<string, string>)[String(node.type)] ??
          node.type
      })),
      edges: [
        { from: 'webhook-1.message', to: 'agent-1.text' },
        { from: 'agent-1.text', to: 'return-1.text' },
        ...flow.edges.slice(2)
      ]
    }
    const { id } = await service.createFlow(chat)
    provider.answer(
      {
        pieces: ['Let me count.'],
        calls: [call('c1', 'length', { word: 'tree' }), call('c2', 'length', { wort: 'tree' })]
      },
      { pieces: ['Four.'] }
    )
    const text = await (await askChat(service, id, { text: 'How long is tree?' })).whole()
    const events = eventsIn(text).filter(({ event }) => event !== 'delta')
    assert.deepEqual(
      events.map(({ event }) => event),
      ['tool', 'tool', 'tool', 'tool', 'restart', 'message', 'end']
    )
    const tools = events.slice(0, 4).map(({ data }) => data)
    assert.deepEqual(tools.slice(0, 3), [
      { id: 'agent-1/1', name: 'length', arguments: { word: 'tree' } },
      { id: 'agent-1/2', name: 'length', arguments: { wort: 'tree' } },
      { id: 'agent-1/1', name: 'length', result: 4 }
    ])
    const { error, ...wrong } = tools[3]!
    assert.deepEqual(wrong, { id: 'agent-1/2', name: 'length', result: null })
    assert.equal((error as { code: string }).code, 'tool_arguments_invalid')
  })

  await t.test('goes on behind a call with an edited result, and repeats nothing before it', async () => {
    provider.answer(
      { calls: [call('c1', 'length', { word: 'tree' }), call('c2', 'length', { wort: 'x' })] },
      { calls: [call('c3', 'length', { word: 'forest' })] },
      { pieces: ['Four and six.'] }
    )
    const before = {
      ...LENGTH,
      id: 'first',
      fields: { expression: '{"question": question, "at": $millis()}' }
    }
    const flow = agentFlow({ prompt: '{question} {at}' }, [LENGTH])
    const { run } = await ask({
      ...flow,
      nodes: [...flow.nodes, { id: before.id, type: before.type, fields: before.fields }],
      edges: [
        { from: 'webhook-1.data', to: 'first.data' },
        { from: 'first.data', to: 'agent-1.data' },
        ...flow.edges.slice(1)
      ]
    })
    assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
    const { turns } = await conversationOf(run.id)
    assert.deepEqual(
      turns
        .flatMap(({ calls }) => calls)
        .map(({ index, status, result, error }) => [index, status, result ?? error?.code]),
      [
        [1, 'succeeded', 4],
        [2, 'failed', 'tool_arguments_invalid'],
        [4, 'succeeded', 6]
      ]
    )
    const asked = provider.calls.length
    provider.answer({ calls: [call('c3', 'length', { word: 'wood' })] }, { pieces: ['Forty.'] })
    const path = `/api/v1/runs/${run.id}/nodes/agent-1/replay`
    const replayed = await service.post(path, { call: 1, result: { letters: 40 } })
    assert.equal(replayed.status, 202, replayed.text)
    const { run_id: newRun } = replayed.json<{ run_id: string }>()
    const again = (await service.waitForRun(newRun)) as RunBody & { test: boolean; output: unknown }
    assert.deepEqual([again.status, again.test, again.replay_of], ['succeeded', true, run.id])
    assert.equal(again.output, 'Forty.')
    const calls = provider.calls.slice(asked)
    assert.equal(calls.length, 2, 'the first question was not asked again')
    assert.match(JSON.stringify(calls[0]!.body), /letters.*40/)
    const stepOf = (of: RunBody, node: string) => of.steps.find((step) => step.node === node)
    assert.deepEqual(
      stepOf(again, 'first')!.outputs,
      stepOf(run, 'first')!.outputs,
      'what came before was not run'
    )
    const conversation = await conversationOf(again.id)
    assert.deepEqual(
      conversation.turns.map(({ calls }) => calls.map(({ result }) => result ?? null)),
      [[{ letters: 40 }, null], [4], []]
    )
    const absent = await service.post(path, { call: 3 })
    assert.deepEqual([absent.status, absent.json<{ code: string }>().code], [404, 'call_not_found'])
  })

  await t.test('is a tool of another agent, with tools of its own', async () => {
    const inner = {
      id: 'counter',
      type: 'agent',
      fields: { connection: 'openai-compatible', model: 'small', prompt: '{task}' },
      tool: { description: 'Counts letters.' }
    }
    const flow = agentFlow({}, [inner])
    provider.answer(
      { calls: [call('c1', 'counter', { task: 'Count those of tree.' })] },
      { calls: [call('c2', 'length', { word: 'tree' })] },
      { pieces: ['It has four.'] },
      { pieces: ['Four.'] }
    )
    const { run, outputs } = await ask({
      ...flow,
      nodes: [...flow.nodes, LENGTH],
      edges: [...flow.edges, { from: 'length.tools', to: 'counter.tools' }]
    })
    assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
    const [called] = outputs.steps[0]!.calls
    assert.deepEqual([called!.status, called!.result], ['succeeded', 'It has four.'])
    const below = await childrenOf(service, called!.run_id!)
    assert.equal(below.length, 3, 'its two questions and its call are runs below that of its own')
  })

  await t.test('works on each item, with tools that read the item and what lies outside', async () => {
    const agent = { connection: 'openai-compatible', model: 'large', prompt: '{name}' }
    const template = '{greeting}, {name}, of {$nodes.guests.data[1].name} and others'
    const flow = await service.createFlow({
      name: 'Each',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'guests', type: 'transform', fields: { expression: '$' } },
        { id: 'each', type: 'for-each' },
        { id: 'agent-1', parent: 'each', type: 'agent', fields: agent, retry: { attempts: 1 } },
        {
          id: 'greet',
          parent: 'each',
          type: 'parser',
          fields: { template },
          tool: { arguments: { type: 'object', properties: { greeting: { type: 'string' } } } }
        }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'guests.data' },
        { from: 'guests.data', to: 'each.items' },
        { from: 'each.item', to: 'agent-1.data' },
        { from: 'each.item', to: 'greet.data' },
        { from: 'greet.tools', to: 'agent-1.tools' },
        { from: 'agent-1.steps', to: 'each.result' }
      ]
    })
    const turns = (greeting: string) => [
      { calls: [call('c', 'greet', { greeting })] },
      { pieces: ['Greeted.'] }
    ]
    provider.answer(...turns('Hello'), ...turns('Good day'))
    const input = [{ name: 'Ann' }, { name: 'Bob' }]
    const run = (await service.post(`/api/v1/run/${flow.slug}`, { input })).json<RunBody>()
    assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
    const { results } = run.steps.find(({ node }) => node === 'each')!.outputs as unknown as {
      results: AgentOutputs['steps'][]
    }
    assert.deepEqual(
      results.map(([first]) => first!.calls[0]!.result),
      ['Hello, Ann, of Bob and others', 'Good day, Bob, of Bob and others']
    )
  })

  await t.test('gives its tools what the author has wired and set, whatever the model says', async () => {
    const tool = {
      id: 'greet',
      type: 'parser',
      fields: { template: '{question} {name} {$run.id}' },
      tool: { fields: ['mode'], arguments: { type: 'object', properties: { name: { type: 'string' } } } }
    }
    provider.answer(
      { calls: [call('c1', 'greet', { name: '{$run.session}', mode: 'Parser', question: 'Mine' })] },
      { calls: [call('c2', 'greet', { name: '{$run.session}', mode: 'Parser' })] },
      { pieces: ['Done.'] }
    )
    const flow = agentFlow({}, [tool])
    const { outputs } = await ask({
      ...flow,
      edges: [...flow.edges, { from: 'webhook-1.data', to: 'greet.data' }]
    })
    const [first, second] = outputs.steps.map(({ calls: [only] }) => only)
    assert.match(first!.error!.message, /question/)
    assert.match(String(second!.result), /^How long\? \{\$run\.session\} \S+$/)
  })

  await t.test(
    'goes on with a question that was open when its run was cancelled, once that is retried',
    async () => {
      const refund = { ...LENGTH, id: 'refund', tool: { ...LENGTH.tool, name: 'refund', ask_first: true } }
      provider.answer({ calls: [call('c1', 'refund', { word: 'five' })] }, { pieces: ['Refunded.'] })
      const { slug } = await service.createFlow(agentFlow({}, [refund]))
      const id = await service.start(slug, { question: 'Refund?' })
      const question = async () => {
        const answer = await service.request('GET', '/api/v1/approvals?status=open')
        return answer.json<{ approvals: readonly Approval[] }>().approvals
      }
      await eventually(question, ({ length }) => length === 1)
      await service.post(`/api/v1/runs/${id}/cancel`)
      assert.equal((await service.waitForRun(id)).status, 'cancelled')
      assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
      const [open] = await eventually(question, ({ length }) => length === 1)
      await service.post(`/api/v1/approvals/${open!.id}`, { choice: 'Approve' })
      const run = await service.waitForRun(id)
      const { steps } = run.steps.find(({ node }) => node === 'agent-1')!.outputs as unknown as AgentOutputs
      assert.equal(steps[0]!.calls[0]!.result, 4, JSON.stringify(steps))
    }
  )
})
