import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import OpenAI, { APIError } from 'openai'
import type { ApiClient } from './support/api-client.ts'
import { spokenChatFlow } from './support/chats.ts'
import { anythingFlow, chatFlow } from './support/documents.ts'
import { startModelStage } from './support/model-provider/model-stage.ts'
import { type Outside, startOutside } from './support/outside.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile({ plugins: ['speak.ts'] })

/** The package that people use, as they would. */
function clientOf(service: ApiClient, apiKey = service.key): OpenAI {
  return new OpenAI({ baseURL: `${service.address}/v1`, apiKey })
}

const user = (content: string) => ({ role: 'user', content }) as const

async function spokenFlow(t: TestContext, speak = {}) {
  const service = await shared(t)
  const outside = await startOutside(t)
  const flow = await service.createFlow(spokenChatFlow(outside.url(), { speak }))
  return { service, outside, flow, client: clientOf(service) }
}

async function say(outside: Outside, text: string): Promise<void> {
  ;(await outside.next()).answer({ text })
}

async function end(outside: Outside): Promise<void> {
  ;(await outside.next()).answer({ isLast: true })
}

async function refusal(asked: Promise<unknown>): Promise<APIError> {
  const error = await asked.then(
    () => assert.fail('it was answered'),
    (thrown) => thrown
  )
  assert.ok(error instanceof APIError, String(error))
  return error
}

describe('a client of OpenAI', () => {
  it('talks to a flow, whose session is the user', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(chatFlow())
    const answer = await clientOf(service).chat.completions.create({
      model: flow.slug,
      messages: [user('Hello')],
      user: 'ann'
    })
    const [choice] = answer.choices
    assert.deepEqual(
      [answer.object, answer.model, choice?.message.role, choice?.message.content, choice?.finish_reason],
      ['chat.completion', flow.slug, 'assistant', 'You said: Hello', 'stop']
    )
    assert.deepEqual(answer.usage, {
      prompt_tokens: 0,
      completion_tokens: 0,
      total_tokens: 0,
      prompt_tokens_details: { cached_tokens: 0 }
    })
    const run = await service.readRun(answer.id.replace('chatcmpl-', ''))
    assert.deepEqual([run.session, run.trigger, run.input], ['ann', 'chat', { text: 'Hello' }])
  })

  it('gets the text as it comes, and leaves when it likes', async (t) => {
    const { service, outside, flow, client } = await spokenFlow(t)
    const ask = () =>
      client.chat.completions.create({
        model: flow.slug,
        messages: [user('Hello')],
        stream: true,
        stream_options: { include_usage: true }
      })
    const asked = ask()
    await say(outside, 'Good ')
    const pieces: string[] = []
    let usage: unknown
    for await (const chunk of await asked) {
      assert.equal(chunk.object, 'chat.completion.chunk')
      const [choice] = chunk.choices
      if (choice === undefined) usage = chunk.usage
      if (!choice?.delta.content) continue
      pieces.push(choice.delta.content)
      if (pieces.length > 1) continue
      await say(outside, 'morning')
      await end(outside)
    }
    assert.deepEqual(pieces, ['Good ', 'morning'])
    assert.equal((usage as { total_tokens: number }).total_tokens, 0)
    const events = await service.events(flow.id)
    const leaving = ask()
    await say(outside, 'Later')
    for await (const chunk of await leaving) if (chunk.choices[0]?.delta.content) break
    await end(outside)
    const ended = (await events.until(({ event }) => event === 'run.ended')).at(-1)!
    assert.equal(ended.data.status, 'succeeded', 'the run goes on')
  })

  it('is told by an error where a text that began is void, and no run is started again', async (t) => {
    const { outside, flow, client } = await spokenFlow(t)
    const messages = [user('Hello')]
    const asked = client.chat.completions.create({ model: flow.slug, messages, stream: true })
    await say(outside, 'Half')
    const stream = await asked
    const read = (async () => {
      for await (const chunk of stream) {
        if (chunk.choices[0]?.delta.content === 'Half') (await outside.next()).answer({}, 500)
      }
    })()
    const broken = await refusal(read)
    assert.deepEqual([broken.code, broken.type], ['run_failed', 'server_error'])
    assert.match(broken.message, /answered 500/)
    const whole = refusal(client.chat.completions.create({ model: flow.slug, messages }))
    ;(await outside.next()).answer({}, 500)
    const failed = await whole
    assert.deepEqual([failed.status, failed.code], [500, 'run_failed'])
    assert.equal(outside.calls.length, 3)
  })

  it('goes on where a further attempt says the same, and ends where it says otherwise', async (t) => {
    const { outside, flow, client } = await spokenFlow(t, { retry: { attempts: 2, backoff_ms: 1 } })
    const ask = async (again: string) => {
      const asked = client.chat.completions.create({
        model: flow.slug,
        messages: [user('Hello')],
        stream: true
      })
      await say(outside, 'The')
      let text = ''
      for await (const { choices } of await asked) {
        const piece = choices[0]?.delta.content ?? ''
        text += piece
        if (piece !== 'The') continue
        ;(await outside.next()).answer({}, 500)
        await say(outside, again)
        await end(outside)
      }
      return text
    }
    assert.equal(await ask('The whole'), 'The whole')
    assert.match((await refusal(ask('Another'))).message, /did not answer as it had begun/)
  })

  it('brings what was said before, which models read as their history', async (t) => {
    const { service, provider, flowOf, lastCall } = await startModelStage(t)
    const flow = await service.createFlow(
      flowOf({ connection: 'openai-compatible', history: 5, system: 'Be kind.' })
    )
    const client = clientOf(service)
    const messages = [
      { role: 'system', content: 'Talk like a pirate.' } as const,
      user('I am Ann.'),
      { role: 'assistant', content: 'Hello Ann.' } as const,
      user('Who am I?')
    ]
    provider.answer({ pieces: ['Ann', '.'], usage: { input: 12, output: 4, cached: 3 } })
    const answer = await client.chat.completions.create({ model: flow.slug, messages })
    assert.equal(answer.choices[0]?.message.content, 'Ann.')
    assert.deepEqual(answer.usage, {
      prompt_tokens: 12,
      completion_tokens: 4,
      total_tokens: 16,
      prompt_tokens_details: { cached_tokens: 3 }
    })
    const { messages: sent } = lastCall().body as { messages: { role: string; content: unknown }[] }
    assert.deepEqual(
      sent.map(({ role, content }) => [role, content]),
      [
        ['system', 'Be kind.'],
        ['user', 'I am Ann.'],
        ['assistant', 'Hello Ann.'],
        ['user', 'Who am I?']
      ]
    )
    provider.answer({ pieces: ['No idea.'] })
    await client.chat.completions.create({ model: flow.slug, messages: [user('Who am I?')] })
    const { messages: others } = lastCall().body as { messages: unknown[] }
    assert.equal(others.length, 2, 'nobody hears what others said')
  })

  it('sends as many files at once as a chat takes', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(chatFlow())
    const part = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const messages = [{ role: 'user', content: Array(21).fill(part) }]
    const answer = await service.post('/v1/chat/completions', { model: slug, messages })
    assert.equal(answer.status, 422)
    assert.match(answer.text, /21 files\. Send at most 20/)
  })

  it('sends pictures and files, which Chat Input gives the flow', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(chatFlow())
    const data = `data:image/png;base64,${Buffer.from('picture').toString('base64')}`
    const answer = await clientOf(service).chat.completions.create({
      model: flow.slug,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: data } },
            {
              type: 'file',
              file: { filename: 'a.pdf', file_data: data.replace('image/png', 'application/pdf') }
            }
          ]
        }
      ]
    })
    const run = await service.readRun(answer.id.replace('chatcmpl-', ''))
    const { files } = run.input as { files: { file: string; filename: string; content_type: string }[] }
    assert.deepEqual(
      files.map(({ filename, content_type }) => [filename, content_type]),
      [
        ['image', 'image/png'],
        ['a.pdf', 'application/pdf']
      ]
    )
    assert.equal((await service.get(`/api/v1/files/${files[0]!.file}`)).text, 'picture')
  })

  it('lists flows with a Chat Input as models, those that its key may trigger', async (t) => {
    const service = await shared(t)
    const [one, two] = [await service.createFlow(chatFlow()), await service.createFlow(chatFlow())]
    const none = await service.createFlow(anythingFlow())
    const listed = async (key?: string) =>
      (await clientOf(service, key).models.list()).data.map(({ id }) => id)
    const all = await listed()
    assert.ok(all.includes(one.slug) && all.includes(two.slug) && !all.includes(none.slug))
    const { key } = await service.createKey({ rights: ['trigger'], flow: one.id })
    assert.deepEqual(await listed(key), [one.slug])
    const model = await clientOf(service).models.retrieve(two.slug)
    assert.deepEqual([model.id, model.object], [two.slug, 'model'])
    const refused = await refusal(clientOf(service, key).models.retrieve(two.slug))
    assert.deepEqual([refused.status, refused.code], [404, 'model_not_found'])
  })

  it('is refused in the words that it knows', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(chatFlow())
    const none = await service.createFlow(anythingFlow())
    const ask = (more: object, client = clientOf(service)) =>
      refusal(client.chat.completions.create({ model: flow.slug, messages: [user('Hi')], ...more } as never))
    const rows: [more: object, status: number, code: string, param: string | null][] = [
      [{ model: 'absent' }, 404, 'model_not_found', 'model'],
      [{ model: none.slug }, 409, 'model_not_found', 'model'],
      [{ messages: [] }, 422, 'invalid_request', 'messages'],
      [{ messages: [{ role: 'system', content: 'x' }] }, 422, 'invalid_request', 'messages'],
      [{ messages: [user('')] }, 422, 'invalid_request', 'messages.0.content'],
      [{ n: 2 }, 422, 'invalid_request', 'n'],
      [
        { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
        422,
        'invalid_request',
        'messages.0.content.0.type'
      ],
      [
        {
          messages: [
            { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }] }
          ]
        },
        422,
        'invalid_request',
        'messages.0.content.0.image_url.url'
      ]
    ]
    for (const [more, status, code, param] of rows) {
      const error = await ask(more)
      assert.deepEqual([error.status, error.code, error.param], [status, code, param], error.message)
    }
    const wrong = await ask({}, clientOf(service, 'wrong'))
    assert.deepEqual([wrong.status, wrong.code, wrong.type], [401, 'invalid_api_key', 'authentication_error'])
    const { key } = await service.createKey({ rights: ['read'] })
    const lacking = await ask({}, clientOf(service, key))
    assert.deepEqual([lacking.status, lacking.code, lacking.type], [403, 'forbidden', 'permission_error'])
  })

  it('learns that a run waits and has said nothing', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow({
      name: 'Waits',
      nodes: [
        { id: 'chat-input-1', type: 'chat-input' },
        { id: 'approve-1', type: 'approve', fields: { question: 'Really?' } }
      ],
      edges: [{ from: 'chat-input-1.message', to: 'approve-1.data' }]
    })
    const error = await refusal(
      clientOf(service).chat.completions.create({ model: flow.slug, messages: [user('Hi')] })
    )
    assert.deepEqual([error.status, error.code], [504, 'run_not_over'])
  })
})
