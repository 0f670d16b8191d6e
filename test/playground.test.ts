import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { anythingFlow, chatFlow, ORDER, ordersFlow } from './support/documents.ts'
import { serviceOfFile, startService } from './support/service.ts'

interface MessageBody {
  readonly id: string
  readonly session: string
  readonly sender: string
  readonly text: string
  readonly run_id: string
  readonly created_at: string
}

const shared = serviceOfFile()

const WAIT = { headers: { prefer: 'wait=30' } }

describe('messages', () => {
  it('are what Chat Output printed, in the order in which it did', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    assert.deepEqual(await messages(service, flow.id), [])
    const first = await service.run(flow.slug, JSON.stringify(ORDER))
    const second = await service.run(flow.slug, '{"order_id":12345678901234567890,"customer":1.10}')
    await service.run(flow.slug, '{}')
    const found = await messages(service, flow.slug)
    assert.deepEqual(
      found.map(({ text, run_id }) => [text, run_id]),
      [
        ['Order 7 from Ann', first.id],
        ['Order 12345678901234567890 from 1.10', second.id]
      ]
    )
    const [message] = found as [MessageBody]
    assert.deepEqual(Object.keys(message).sort(), ['created_at', 'id', 'run_id', 'sender', 'session', 'text'])
    assert.match(message.created_at, /^\d{4}-.*Z$/)
    assert.equal(new Set(found.map(({ id }) => id)).size, 2)
    const newest = await messages(service, flow.id, '?limit=1')
    assert.deepEqual(newest, [found[1]])
  })

  it('stay over a restart', async (t) => {
    const service = await startService(t)
    await service.run('orders', JSON.stringify(ORDER))
    const before = await messages(service, 'orders')
    assert.equal(before.length, 1)
    await service.stop()
    const again = await startService(t, { home: service.home })
    assert.deepEqual(await messages(again, 'orders'), before)
  })

  it('go back to the first one, page by page, of one session too', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(chatFlow())
    const path = `/api/v1/flows/${flow.id}/chat`
    for (const [text, session] of Object.entries({ one: 'ann', two: 'bob', three: 'ann' })) {
      await service.post(path, { text, session }, WAIT)
    }
    const all = (await messages(service, flow.id)).map(({ text }) => text)
    assert.deepEqual(await pages(service, flow.id, 'limit=4'), [all.slice(2), all.slice(0, 2)])
    assert.deepEqual(await pages(service, flow.id, 'limit=6'), [all])
    assert.deepEqual(await pages(service, flow.id, 'limit=1&session=bob'), [['You said: two'], ['two']])
    for (const cursor of ['7', '1.x', '1.2.3', 'x']) {
      const answer = await service.get(`/api/v1/flows/${flow.id}/messages?cursor=${cursor}`)
      assert.match(problemOf(answer, 422, 'invalid_request').detail, /"cursor" is .* next_cursor/)
    }
  })

  it('of an absent flow are 404', async (t) => {
    const service = await shared(t)
    problemOf(await service.get('/api/v1/flows/absent/messages'), 404, 'flow_not_found')
  })
})

describe('a rating', () => {
  it('is told with the message, and is for who may talk to the flow', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    await service.run(flow.slug, JSON.stringify(ORDER))
    const [message] = (await messages(service, flow.id)) as [MessageBody]
    const rate = (id: string, rating: unknown, key = service.key) => {
      const path = `/api/v1/flows/${flow.id}/messages/${id}/rating`
      return service.request('PUT', path, { body: { run_id: message.run_id, rating }, key })
    }
    const { key } = await service.createKey({ rights: ['read'] })
    assert.equal((await rate(message.id, 'bad', key)).status, 403)
    assert.equal((await rate(message.id, 'best')).status, 422)
    assert.match((await rate('absent', 'bad')).text, /message_not_found/)
    assert.equal((await rate(message.id, 'bad')).status, 204)
    assert.deepEqual(await messages(service, flow.id), [{ ...message, rating: 'bad' }])
    await rate(message.id, null)
    assert.deepEqual(await messages(service, flow.id), [message])
  })
})

describe('a chat turn', () => {
  it('goes through Chat Input, answers like the webhook and prints both sides', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(chatFlow())
    const answer = await service.post(
      `/api/v1/flows/${flow.id}/chat`,
      { text: 'Hello', session: 'ann' },
      WAIT
    )
    assert.equal(answer.status, 202, answer.text)
    const { run_id } = answer.json<{ run_id: string }>()
    assert.deepEqual(answer.json(), {
      message: 'Task started in the background',
      status: 'succeeded',
      run_id
    })
    assert.equal(answer.headers.get('location'), `/api/v1/runs/${run_id}`)
    const found = await messages(service, flow.id, '?session=ann')
    assert.deepEqual(
      found.map(({ sender, text, session, run_id: run }) => [sender, text, session, run]),
      [
        ['User', 'Hello', 'ann', run_id],
        ['Machine', 'You said: Hello', 'ann', run_id]
      ]
    )
    const run = await service.readRun(run_id)
    assert.equal(run.trigger, 'chat')
    assert.equal(run.session, 'ann')
  })

  it('keeps sessions apart', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(chatFlow())
    const path = `/api/v1/flows/${flow.slug}/chat`
    await service.post(path, { text: 'one', session: 'a' }, WAIT)
    await service.post(path, { text: 'two', session: 'b' }, WAIT)
    await service.post(path, { text: '{three}' }, WAIT)
    const texts = async (query: string) => (await messages(service, flow.id, query)).map(({ text }) => text)
    assert.deepEqual(await texts('?session=a'), ['one', 'You said: one'])
    assert.deepEqual(await texts('?session=b'), ['two', 'You said: two'])
    assert.deepEqual(await texts('?session=default'), ['{three}', 'You said: {three}'])
    assert.deepEqual(await texts('?session=c'), [])
    assert.deepEqual(await texts('?session='), await texts(''), 'what is left blank is left out')
    assert.equal((await texts('')).length, 6)
  })

  it('needs a Chat Input, and a text', async (t) => {
    const service = await shared(t)
    const without = await service.createFlow(anythingFlow())
    const chat = await service.createFlow(chatFlow())
    problemOf(
      await service.post(`/api/v1/flows/${without.id}/chat`, { text: 'x' }),
      409,
      'flow_without_chat_input'
    )
    for (const body of [undefined, {}, { text: '' }, { text: 7 }, { text: 'x', more: 1 }, [], 'x']) {
      const answer = await service.post(`/api/v1/flows/${chat.id}/chat`, body)
      problemOf(answer, 422, 'invalid_request')
    }
    problemOf(await service.post('/api/v1/flows/absent/chat', { text: 'x' }), 404, 'flow_not_found')
    assert.deepEqual(await messages(service, chat.id), [])
  })

  it('starts only what hangs on Chat Input where the flow has a Webhook too', async (t) => {
    const service = await shared(t)
    const chat = chatFlow()
    const flow = await service.createFlow({
      ...chat,
      nodes: [
        ...chat.nodes,
        { id: 'webhook-1', type: 'webhook' },
        { id: 'p', type: 'parser', fields: { mode: 'Stringify' } }
      ],
      edges: [...chat.edges, { from: 'webhook-1.data', to: 'p.data' }]
    })
    const statuses = async (id: string) =>
      Object.fromEntries((await service.readRun(id)).steps.map(({ node, status }) => [node, status]))
    const turn = await service.post(`/api/v1/flows/${flow.id}/chat`, { text: 'x' }, WAIT)
    const byChat = await statuses(turn.json<{ run_id: string }>().run_id)
    assert.deepEqual(
      [byChat['chat-output-1'], byChat['webhook-1'], byChat.p],
      ['succeeded', 'skipped', 'skipped']
    )
    const byWebhook = await statuses((await service.run(flow.slug)).id)
    assert.deepEqual([byWebhook['chat-output-1'], byWebhook.p], ['skipped', 'succeeded'])
  })
})

describe('the latest output of a node', () => {
  it('is that of the newest run that gave it one', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const path = (node: string) => `/api/v1/flows/${flow.id}/nodes/${node}/output`
    problemOf(await service.get(path('parser-1')), 404, 'output_not_found')
    await service.run(flow.slug, JSON.stringify(ORDER))
    const second = await service.run(flow.slug, '{"order_id":12345678901234567890,"customer":1.10}')
    const failed = await service.run(flow.slug, '{"order_id":1.10}')
    assert.equal(failed.status, 'failed')
    const parser = await service.get(path('parser-1'))
    assert.equal(parser.status, 200, parser.text)
    const body = parser.json<{ run_id: string; created_at: string; outputs: unknown }>()
    assert.deepEqual(Object.keys(body), ['run_id', 'created_at', 'outputs'])
    assert.equal(body.run_id, second.id)
    assert.deepEqual(body.outputs, { parsed_text: 'Order 12345678901234567890 from 1.10' })
    assert.match(body.created_at, /^\d{4}-.*Z$/)
    const webhook = await service.get(path('webhook-1'))
    assert.equal(webhook.json().run_id, failed.id)
    assert.ok(webhook.text.includes('"data":{"order_id":1.10}'), webhook.text)
    const { detail } = problemOf(await service.get(path('parser-2')), 404, 'output_not_found')
    assert.match(detail, /has no node "parser-2"\. Did you mean "parser-1"\?/)
    problemOf(await service.get('/api/v1/flows/absent/nodes/a/output'), 404, 'flow_not_found')
  })

  it('is not that of another flow with a node of the same id', async (t) => {
    const service = await shared(t)
    const mine = await service.createFlow(ordersFlow({ name: 'Mine' }))
    const other = await service.createFlow(ordersFlow({ name: 'Other' }))
    await service.run(other.slug, JSON.stringify(ORDER))
    problemOf(await service.get(`/api/v1/flows/${mine.id}/nodes/parser-1/output`), 404, 'output_not_found')
  })
})

async function messages(service: ApiClient, flow: string, query = ''): Promise<MessageBody[]> {
  const answer = await service.get(`/api/v1/flows/${flow}/messages${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ messages: MessageBody[] }>().messages
}

/** The texts on each page, the newest page first. */
async function pages(service: ApiClient, flow: string, query: string): Promise<string[][]> {
  const found: string[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const answer = await service.get(`/api/v1/flows/${flow}/messages?${query}&cursor=${cursor}`)
    const page = answer.json<{ messages: MessageBody[]; next_cursor: string | null }>()
    found.push(page.messages.map(({ text }) => text))
    cursor = page.next_cursor
  }
  return found
}
