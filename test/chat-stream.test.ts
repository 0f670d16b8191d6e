import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { askChat, eventsIn, spokenChatFlow } from './support/chats.ts'
import { anythingFlow, chatFlow } from './support/documents.ts'
import { type Outside, startOutside } from './support/outside.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile({ plugins: ['speak.ts'] })

async function say(outside: Outside, text: string, restart = false): Promise<void> {
  ;(await outside.next()).answer({ text, restart })
}

async function end(outside: Outside): Promise<void> {
  ;(await outside.next()).answer({ isLast: true })
}

/** The events with what they tell, in short. */
function told(text: string): string[] {
  return eventsIn(text).map(({ event, data }) => `${event} ${data.text ?? data.status ?? ''}`.trim())
}

describe('a chat that is streamed', () => {
  it('tells the text as it comes, then whole, then the end', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { id } = await service.createFlow(spokenChatFlow(outside.url()))
    const asked = askChat(service, id, { text: 'Hello', session: 'ann' })
    await say(outside, 'Good ')
    const answer = await asked
    assert.deepEqual(
      [answer.status, answer.headers['content-type'], answer.headers['x-accel-buffering']],
      [200, 'text/event-stream; charset=utf-8', 'no']
    )
    await answer.until('Good ')
    await say(outside, 'morning')
    await end(outside)
    const text = await answer.whole()
    assert.deepEqual(told(text), ['delta Good', 'delta morning', 'message Good morning', 'end succeeded'])
    const { run_id, ...rest } = eventsIn(text).at(-1)!.data
    assert.deepEqual(rest, { status: 'succeeded', error: null })
    assert.equal(answer.headers.location, `/api/v1/runs/${run_id}`)
    const run = await service.readRun(String(run_id))
    assert.deepEqual([run.trigger, run.session, run.input], ['chat', 'ann', 'Hello'])
  })

  it('has text in one piece where no step tells any, and none that is said elsewhere', async (t) => {
    const service = await shared(t)
    const chat = chatFlow()
    const flow = await service.createFlow({
      ...chat,
      nodes: [
        { id: 'chat-input-1', type: 'chat-input', fields: { session: 'room' } },
        ...chat.nodes.slice(1),
        { id: 'aside', type: 'chat-output', fields: { session: 'others' } },
        { id: 'here', type: 'chat-output', fields: { session: 'room' } }
      ],
      edges: [
        ...chat.edges,
        { from: 'chat-input-1.message', to: 'aside.text' },
        { from: 'chat-input-1.message', to: 'here.text' }
      ]
    })
    const text = await (await askChat(service, flow.slug, { text: 'Hi' })).whole()
    assert.deepEqual(told(text).sort(), [
      'delta Hi',
      'delta You said: Hi',
      'end succeeded',
      'message Hi',
      'message You said: Hi'
    ])
  })

  it('says what went wrong at its end, and takes back what it told of a text that never came', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { id } = await service.createFlow(spokenChatFlow(outside.url()))
    const asked = askChat(service, id, { text: 'Hello' })
    await say(outside, 'Half')
    const answer = await asked
    ;(await outside.next()).answer({}, 500)
    const text = await answer.whole()
    assert.deepEqual(told(text), ['delta Half', 'restart', 'end failed'])
    const { error } = eventsIn(text).at(-1)!.data as { error: { node: string; message: string } }
    assert.equal(error.node, 'speak-1')
    assert.match(error.message, /answered 500/)
  })

  it('begins anew with a further attempt', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const retry = { retry: { attempts: 2, backoff_ms: 1 } }
    const { id } = await service.createFlow(spokenChatFlow(outside.url(), { speak: retry }))
    const asked = askChat(service, id, { text: 'Hello' })
    await say(outside, 'Bad')
    const answer = await asked
    ;(await outside.next()).answer({}, 500)
    await say(outside, 'Good')
    await end(outside)
    assert.deepEqual(told(await answer.whole()), [
      'delta Bad',
      'restart',
      'delta Good',
      'message Good',
      'end succeeded'
    ])
  })

  it('ends where the run waits for a person', async (t) => {
    const service = await shared(t)
    const chat = chatFlow()
    const flow = await service.createFlow({
      ...chat,
      nodes: [...chat.nodes, { id: 'approve-1', type: 'approve', fields: { question: 'Really?' } }],
      edges: [...chat.edges, { from: 'chat-output-1.message', to: 'approve-1.data' }]
    })
    const text = await (await askChat(service, flow.slug, { text: 'Hi' })).whole()
    assert.deepEqual(told(text), ['delta You said: Hi', 'message You said: Hi', 'end waiting'])
  })

  it('leaves the run alone when its caller goes away', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { id } = await service.createFlow(spokenChatFlow(outside.url()))
    const events = await service.events(id)
    const asked = askChat(service, id, { text: 'Hello' })
    await say(outside, 'Good ')
    const answer = await asked
    await answer.until('Good ')
    answer.leave()
    await end(outside)
    const ended = (await events.until(({ event }) => event === 'run.ended')).at(-1)!
    assert.equal(ended.data.status, 'succeeded')
  })

  it('goes through the draft where that is asked for', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const flow = await service.createFlow(anythingFlow())
    const draft = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, {
      body: { ...spokenChatFlow(outside.url()), slug: flow.slug }
    })
    assert.equal(draft.status, 200, draft.text)
    const asked = askChat(service, flow.id, { text: 'Hello', draft: true })
    await say(outside, 'A draft')
    await end(outside)
    const text = await (await asked).whole()
    assert.deepEqual(told(text), ['delta A draft', 'message A draft', 'end succeeded'])
  })

  it('is refused in plain words before it begins', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const headers = { accept: 'text/event-stream' }
    const chat = (slug: string) => service.post(`/api/v1/flows/${slug}/chat`, { text: 'x' }, { headers })
    problemOf(await chat(flow.slug), 409, 'flow_without_chat_input')
    problemOf(await chat('absent'), 404, 'flow_not_found')
  })

  it('takes files that the caller may read, and gives them to the flow', async (t) => {
    const service = await shared(t)
    const chat = chatFlow()
    const flow = await service.createFlow({
      ...chat,
      nodes: [...chat.nodes, { id: 'parser-1', type: 'parser', fields: { template: '{filename}' } }],
      edges: [...chat.edges, { from: 'chat-input-1.files', to: 'parser-1.data' }]
    })
    const sent = await service.request('POST', '/api/v1/files?filename=a.txt', {
      body: Buffer.from('hello'),
      headers: { 'content-type': 'text/plain' }
    })
    const file = sent.json<{ file: string }>()
    const text = await (await askChat(service, flow.slug, { text: 'Hi', files: [file] })).whole()
    const run = await service.readRun(String(eventsIn(text).at(-1)!.data.run_id))
    assert.deepEqual(run.input, { text: 'Hi', files: [file] })
    assert.equal(run.steps.find(({ node }) => node === 'parser-1')?.outputs?.parsed_text, 'a.txt')
    assert.equal((await service.get(`/api/v1/files/${file.file}`)).text, 'hello')
  })
})
