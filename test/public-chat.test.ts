import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { madePdf } from '../src/documents/made-documents.test-kit.ts'
import { readAnswer } from './support/answer-reader.ts'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { eventsIn, spokenChatFlow } from './support/chats.ts'
import { makeContext, startWith } from './support/contexts.ts'
import { chatFlow } from './support/documents.ts'
import { createHost } from './support/host.ts'
import { MODEL_KEY, startModelProvider } from './support/model-provider/model-provider.ts'
import type { ModelReply } from './support/model-provider/reply.ts'
import { startOutside } from './support/outside.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile({ plugins: ['speak.ts'] })

const TOKEN = 'a'.repeat(32)

/** Says back what it hears, to anybody. */
const publicChat = (input: object = {}, more: object = {}) => {
  const chat = chatFlow()
  const fields = { public: true, ...input }
  return { ...chat, nodes: [{ ...chat.nodes[0]!, fields }, ...chat.nodes.slice(1)], ...more }
}

const open = (service: ApiClient, path: string) => service.get(`/chat/${path}`, { key: null })

function say(service: ApiClient, slug: string, body: unknown = { text: 'Hi', session: TOKEN }, headers = {}) {
  return service.post(`/chat/${slug}`, body, { key: null, headers })
}

/** A model that searches for what it is asked, and says what it finds. */
function searchOnce({ messages }: Record<string, unknown>): ModelReply {
  const last = (messages as { role: string; content: string }[]).at(-1)!
  if (last.role === 'tool') return { pieces: [last.content] }
  return { calls: [{ id: 'c1', name: 'search_manual', arguments: { query: last.content } }] }
}

describe('a public chat', () => {
  it('is a page for anyone that runs its own script and loads nothing of others', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(
      publicChat({ welcome: 'Hello <b>you</b>' }, { name: 'Ask & "tell"' })
    )
    const page = await open(service, slug)
    assert.equal(page.status, 200, page.text)
    assert.match(page.text, /<h1>Ask &#38; &#34;tell&#34;<\/h1>/)
    assert.match(page.text, /Hello &#60;b&#62;you/)
    const policy = page.headers.get('content-security-policy')!
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'"
    ])
      assert.ok(policy.includes(directive), policy)
    assert.equal(page.headers.get('set-cookie'), null)
    const [, script] = /<script src="([^"]+)"/.exec(page.text)!
    const sent = await service.get(script!, { key: null })
    assert.deepEqual([sent.status, sent.headers.get('content-type')], [200, 'text/javascript; charset=utf-8'])
    assert.doesNotMatch(sent.text, /innerHTML|insertAdjacentHTML|document\.write/)
  })

  it('is only where the published version says so, and answers absent flows alike', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(chatFlow())
    const draft = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, {
      body: { ...publicChat(), slug: flow.slug }
    })
    assert.equal(draft.status, 200, draft.text)
    const closed = await open(service, flow.slug)
    const absent = await open(service, 'absent')
    assert.deepEqual([closed.status, closed.text], [404, absent.text])
    for (const path of [`${flow.slug}/widget.js`, 'absent/widget.js'])
      assert.equal((await open(service, path)).status, 404)
    problemOf(await say(service, flow.slug), 404, 'flow_not_found')
    await service.post(`/api/v1/flows/${flow.id}/publish`, {})
    assert.equal((await open(service, flow.slug)).status, 200)
    await service.post(`/api/v1/flows/${flow.id}/pause`, { mode: 'refuse' })
    assert.equal((await open(service, flow.slug)).status, 503)
    problemOf(await say(service, flow.slug), 503, 'flow_paused')
  })

  it('tells what the flow says as it comes, in a session that nobody guesses', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const flow = await service.createFlow(spokenChatFlow(outside.url(), { input: { public: true } }))
    const asked = readAnswer(`${service.address}/chat/${flow.slug}`, {
      headers: { 'content-type': 'application/json', origin: service.address },
      body: JSON.stringify({ text: 'Hi', session: TOKEN })
    })
    ;(await outside.next()).answer({ text: 'Good ' })
    const answer = await asked
    await answer.until('Good ')
    ;(await outside.next()).answer({ text: 'day' })
    ;(await outside.next()).answer({ isLast: true })
    const events = eventsIn(await answer.whole())
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.text ?? data.status]),
      [
        ['delta', 'Good '],
        ['delta', 'day'],
        ['message', 'Good day'],
        ['end', 'succeeded']
      ]
    )
    const run = await service.readRun(String(events.at(-1)!.data.run_id))
    assert.match(run.session, /^visitor-[\w-]{22}$/)
    assert.ok(!run.session.includes(TOKEN))
  })

  it('answers from a PDF, by an agent that searches it, and shows no visitor what it calls', async (t) => {
    const service = await shared(t)
    const provider = await startModelProvider(t, { reply: ({ body }) => searchOnce(body) })
    await service.post('/api/v1/connections', {
      name: 'models',
      kind: 'openai-compatible',
      settings: { base_url: provider.baseUrl('openai-compatible') },
      secrets: { api_key: MODEL_KEY }
    })
    const { id } = (await service.post('/api/v1/collections', { name: 'manual' })).json<{ id: string }>()
    const pdf = madePdf([['The pump P7 gives forty litres a minute.'], ['Its filter is changed in May.']])
    const headers = { 'content-type': 'application/pdf' }
    const path = `/api/v1/collections/${id}/documents?filename=pump.pdf&chunk=60&overlap=0`
    const read = await service.post(path, Buffer.from(pdf), { headers })
    assert.equal(read.status, 200, read.text)
    const fields = { connection: 'models', model: 'large', history: 10 }
    const flow = await service.createFlow({
      name: 'Pumps',
      nodes: [
        { id: 'chat-input-1', type: 'chat-input', fields: { public: true } },
        { id: 'search', type: 'knowledge-search', fields: { collection: 'manual', limit: 1 } },
        { id: 'agent-1', type: 'agent', fields },
        { id: 'chat-output-1', type: 'chat-output' }
      ],
      edges: [
        { from: 'chat-input-1.message', to: 'agent-1.text' },
        { from: 'search.tools', to: 'agent-1.tools' },
        { from: 'agent-1.text', to: 'chat-output-1.text' }
      ]
    })
    const asked = async (text: string, session: string) => {
      const { text: told } = await say(service, flow.slug, { text, session })
      assert.doesNotMatch(told, /event: tool|search_manual/)
      return eventsIn(told).find(({ event }) => event === 'message')!.data.text
    }
    assert.match(String(await asked('How much does P7 give?', TOKEN)), /forty litres/)
    assert.match(String(await asked('When is the filter changed?', TOKEN)), /in May/)
    assert.match(JSON.stringify(provider.calls.at(-1)!.body), /How much does P7 give/)
    await asked('And the filter?', 'b'.repeat(32))
    assert.doesNotMatch(JSON.stringify(provider.calls.at(-1)!.body), /How much/)
  })

  it('keeps what went wrong to itself', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const flow = await service.createFlow(spokenChatFlow(outside.url(), { input: { public: true } }))
    const asked = say(service, flow.slug)
    ;(await outside.next()).answer({}, 500)
    const { data } = eventsIn((await asked).text).at(-1)!
    assert.deepEqual(
      [data.status, data.error],
      ['failed', { code: 'run_failed', message: 'The flow failed to answer.' }]
    )
  })

  it('refuses what its page would not send', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(publicChat())
    for (const body of [
      null,
      [],
      'x',
      {},
      { text: 'Hi' },
      { text: '  ', session: TOKEN },
      { text: 7, session: TOKEN },
      { text: 'x'.repeat(8_001), session: TOKEN },
      { text: 'Hi', session: 'short' },
      { text: 'Hi', session: `${TOKEN}\n` }
    ])
      problemOf(await say(service, slug, body), 422, 'payload_invalid')
    problemOf(await say(service, slug, { text: 'x'.repeat(100_000), session: TOKEN }), 413, 'body_too_large')
    const foreign = await say(service, slug, undefined, { origin: 'https://evil.example' })
    problemOf(foreign, 403, 'cross_site_request')
  })

  it('takes so much of one address, and so much of all', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(publicChat({ rate_limit: 8 }))
    assert.deepEqual([(await say(service, slug)).status, (await say(service, slug)).status], [200, 200])
    const limited = await say(service, slug)
    problemOf(limited, 429, 'rate_limited')
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
  })

  it('stands in frames of the sites that the flow names, by a small script', async (t) => {
    const service = await shared(t)
    const origins = ['https://shop.example.com', 'http://localhost:8080']
    const { slug } = await service.createFlow(publicChat({ origins }))
    const policy = (await open(service, slug)).headers.get('content-security-policy')!
    assert.ok(policy.endsWith(`frame-ancestors 'self' ${origins.join(' ')}`), policy)
    const widget = await open(service, `${slug}/widget.js`)
    assert.deepEqual(
      [widget.status, widget.headers.get('cross-origin-resource-policy')],
      [200, 'cross-origin']
    )
    assert.ok(widget.text.length <= 20_000)
    const anywhere = await service.createFlow(publicChat({ origins: ['*'] }))
    const open_ = (await open(service, anywhere.slug)).headers.get('content-security-policy')!
    assert.ok(open_.endsWith('frame-ancestors *'), open_)
    const refused = await service.post('/api/v1/flows', publicChat({ origins: ['shop.example.com'] }))
    assert.equal(refused.status, 422)
    assert.match(refused.text, /is no origin/)
  })

  it('is served inside the context of its flow, with the guards there', async (t) => {
    const service = await startWith(t, {
      'sales.mjs': `export default async function sales (context) {
        context.addHook('preHandler', async (request, reply) => {
          if (request.headers['x-pass'] !== 'yes') return reply.code(401).send('who are you?')
        })
      }`
    })
    await makeContext(service, '/sales/eu')
    const pass = { 'x-pass': 'yes' }
    for (const context of ['/sales', '/sales/eu']) {
      const { slug } = await service.createFlow(publicChat({}, { context }))
      assert.equal((await open(service, slug)).status, 401)
      assert.equal((await say(service, slug)).status, 401)
      const page = await service.get(`/chat/${slug}`, { headers: pass, key: null })
      assert.equal(page.status, 200)
      assert.match(
        (await say(service, slug, undefined, pass)).text,
        /event: message\ndata: {"text":"You said: Hi"}/
      )
    }
  })

  it('is served below the prefix of an application', async (t) => {
    const client = await (await createHost(t)).listen()
    const { slug } = await client.createFlow(publicChat())
    const page = await open(client, slug)
    assert.equal(page.status, 200)
    assert.match(page.text, /<script src="\/flows\/chat\/-\/chat\.js\?/)
    assert.equal((await say(client, slug)).status, 200)
  })
})
