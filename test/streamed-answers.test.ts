import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAnswer } from './support/answer-reader.ts'
import { streamedFlow } from './support/answering-flows.ts'
import type { ApiClient } from './support/api-client.ts'
import { problemOf } from './support/api-client.ts'
import { startModelStage } from './support/model-provider/model-stage.ts'
import { type Outside, startOutside } from './support/outside.ts'
import { serviceOfFile, startService } from './support/service.ts'

const shared = serviceOfFile({ plugins: ['speak.ts'] })

const EVENTS = { accept: 'text/event-stream' }

const addressOf = (service: ApiClient, slug: string) => `${service.address}/api/v1/webhook/${slug}`

async function say(outside: Outside, text: string, restart = false): Promise<void> {
  ;(await outside.next()).answer({ text, restart })
}

async function end(outside: Outside): Promise<void> {
  ;(await outside.next()).answer({ isLast: true })
}

describe('an answer that is streamed', () => {
  it('is sent piece by piece, and to a duplicate whole', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(streamedFlow(outside.url()))
    const headers = { 'idempotency-key': 'one' }
    const asked = readAnswer(addressOf(service, slug), { headers })
    await say(outside, 'Good ')
    const answer = await asked
    assert.equal(await answer.until('Good '), 'Good ')
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/plain; charset=utf-8'])
    assert.match(answer.headers.location!, /^\/api\/v1\/runs\//)
    assert.equal(answer.headers['content-security-policy'], 'sandbox')
    const early = service.webhook(slug, '{}', { headers })
    await say(outside, 'morning \ud83c')
    assert.equal(await answer.until('morning'), 'Good morning ')
    await say(outside, '\udf3b, Ann')
    await end(outside)
    assert.equal(await answer.whole(), 'Good morning \u{1f33b}, Ann')
    for (const same of [await early, await service.webhook(slug, '{}', { headers })]) {
      assert.deepEqual([same.status, same.text], [200, 'Good morning \u{1f33b}, Ann'])
      assert.equal(same.headers.get('content-type'), 'text/plain; charset=utf-8')
      assert.equal(same.headers.get('idempotent-replayed'), 'true')
    }
    assert.equal(outside.calls.length, 4)
  })

  it('is sent as events to who asks for them, to a duplicate too', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(
      streamedFlow(outside.url(), { status: '201', headers: { 'X-A': 'b' } })
    )
    const headers = { ...EVENTS, 'idempotency-key': 'events' }
    const asked = readAnswer(addressOf(service, slug), { headers })
    await say(outside, 'Good\n')
    const answer = await asked
    await answer.until('\n\n')
    await end(outside)
    assert.deepEqual(
      [answer.status, answer.headers['content-type'], answer.headers['x-a']],
      [201, 'text/event-stream; charset=utf-8', 'b']
    )
    const id = answer.headers.location!.split('/').at(-1)
    const last = `event: message\ndata: {"text":"Good\\n"}\n\nevent: end\ndata: {"run_id":"${id}"}\n\n`
    assert.equal(await answer.whole(), `event: delta\ndata: {"text":"Good\\n"}\n\n${last}`)
    const again = await service.webhook(slug, '{}', { headers })
    assert.deepEqual([again.status, again.text], [201, `event: delta\ndata: {"text":"Good\\n"}\n\n${last}`])
  })

  it('is cut off where the run fails in the middle; events say so', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(streamedFlow(outside.url()))
    for (const headers of [{}, EVENTS]) {
      const asked = readAnswer(addressOf(service, slug), { headers })
      await say(outside, 'Half')
      const answer = await asked
      await answer.until('Half')
      ;(await outside.next()).answer({}, 500)
      if (headers === EVENTS)
        assert.match(await answer.whole(), /event: error\ndata: {"code":"run_failed",.*}\n\n$/)
      else await assert.rejects(answer.whole(), /aborted/)
    }
  })

  it('is a plain refusal where the run fails before its first word', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(streamedFlow(outside.url()))
    for (const headers of [{}, EVENTS]) {
      const asked = service.webhook(slug, '{}', { headers })
      ;(await outside.next()).answer({}, 500)
      problemOf(await asked, 500, 'run_failed')
    }
  })

  it('goes on where a further attempt says the same, and ends where it says otherwise', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const retry = { retry: { attempts: 2, backoff_ms: 1 } }
    const { slug } = await service.createFlow(streamedFlow(outside.url(), {}, { speak: retry }))
    const begin = async (headers = {}) => {
      const asked = readAnswer(addressOf(service, slug), { headers })
      await say(outside, 'The whole')
      const answer = await asked
      await answer.until('The whole')
      ;(await outside.next()).answer({}, 500)
      return answer
    }
    const same = await begin()
    await say(outside, 'The ')
    await say(outside, 'whole text')
    await end(outside)
    assert.equal(await same.whole(), 'The whole text')
    const other = await begin()
    await say(outside, 'Another')
    await assert.rejects(other.whole(), /aborted/)
    await end(outside)
    const events = await begin(EVENTS)
    await say(outside, 'Another')
    await end(outside)
    const told = (await events.whole()).split('\n').filter((line) => /^event|text/.test(line))
    assert.deepEqual(told, [
      'event: delta',
      'data: {"text":"The whole"}',
      'event: restart',
      'event: delta',
      'data: {"text":"Another"}',
      'event: message',
      'data: {"text":"Another"}',
      'event: end'
    ])
  })

  it('is not ended by the time that a caller may wait, once it has begun', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(
      streamedFlow(outside.url(), {}, { webhook: { respond_within: '1s' } })
    )
    const late = await service.webhook(slug)
    assert.equal(late.status, 202)
    await say(outside, 'too late')
    await end(outside)
    const asked = readAnswer(addressOf(service, slug))
    await say(outside, 'in ')
    const answer = await asked
    // As long as another caller waits in vain.
    const other = service.webhook(slug)
    const [mine, its] = [await outside.next(), await outside.next()]
    assert.equal((await other).status, 202)
    mine.answer({ text: 'time' })
    await answer.until('in time')
    its.answer({ isLast: true })
    await end(outside)
    assert.equal(await answer.whole(), 'in time')
  })

  it('is sent whole where its head, or its body, depends on what is streamed', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    for (const [fields, expected] of [
      [{ content_type: 'application/json' }, '"all"'],
      [{ body: { said: 'yes' } }, '{"said":"yes"}'],
      [{ body: 'Said.', headers: { 'X-A': 'b' } }, 'Said.']
    ] as const) {
      const { slug } = await service.createFlow(streamedFlow(outside.url(), fields))
      const asked = service.webhook(slug)
      await say(outside, 'all')
      await end(outside)
      const answer = await asked
      assert.deepEqual([answer.status, answer.text], [200, expected])
      assert.notEqual(answer.headers.get('content-length'), null)
    }
  })

  it('whose caller goes away goes on, and the next one gets it', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(streamedFlow(outside.url()))
    const headers = { 'idempotency-key': 'left' }
    const asked = readAnswer(addressOf(service, slug), { headers })
    await say(outside, 'All ')
    const answer = await asked
    await answer.until('All ')
    answer.leave()
    await say(outside, 'of it')
    await end(outside)
    assert.equal((await service.webhook(slug, '{}', { headers })).text, 'All of it')
  })

  it('is cut off when the service stops', async (t) => {
    const service = await startService(t, { plugins: ['speak.ts'] })
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(streamedFlow(outside.url()))
    const asked = readAnswer(addressOf(service, slug))
    await say(outside, 'Half')
    const answer = await asked
    await answer.until('Half')
    const call = await outside.next()
    const stopped = service.stop()
    await assert.rejects(answer.whole(), /aborted/)
    call.answer({ isLast: true })
    await stopped
  })
})

it('Language Model → Respond answers with the text as the model gives it', async (t) => {
  const { service, provider } = await startModelStage(t)
  const { slug } = await service.createFlow({
    name: 'Model answers',
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: { auth: 'None', respond: 'When the flow answers' } },
      {
        id: 'model-1',
        type: 'language-model',
        fields: { connection: 'openai', model: 'large', prompt: 'Hi' }
      },
      { id: 'respond-1', type: 'respond' }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'model-1.data' },
      { from: 'model-1.text', to: 'respond-1.data' }
    ]
  })
  const pieces = ['Good', ' morning', ', Ann', '.']
  provider.answer({ pieces }, { pieces })
  const answer = await readAnswer(addressOf(service, slug))
  assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.equal(answer.headers['transfer-encoding'], 'chunked')
  assert.equal(await answer.whole(), pieces.join(''))
  const events = await (await readAnswer(addressOf(service, slug), { headers: EVENTS })).whole()
  const deltas = [...events.matchAll(/event: delta\ndata: (.*)\n/g)].map(([, data]) => JSON.parse(data!).text)
  assert.equal(deltas.join(''), pieces.join(''))
})
