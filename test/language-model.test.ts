import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import type { ModelFailureKind, ModelReply } from './support/model-provider/model-provider.ts'
import { KINDS, startModelStage, type Usage } from './support/model-provider/model-stage.ts'

const DAY_MS = 86_400_000

const TODAY = Math.floor(Date.now() / DAY_MS)

/** By how a stream broke: the provider said so, the line went dead, or it just ended. */
const BROKEN = {
  error: /^model_(?:broken_off|overloaded)$/,
  cut: /^upstream_cut_off$/,
  end: /^model_broken_off$/
}

/** Webhook → Parser → Chat Input → Language Model → Chat Output, all in the session that a template names. */
function messengerFlow(session: string) {
  return {
    name: 'Messenger',
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: {} },
      { id: 'parser-1', type: 'parser', fields: { template: '{text}' } },
      { id: 'chat-input-1', type: 'chat-input', fields: { session } },
      {
        id: 'model-1',
        type: 'language-model',
        fields: { connection: 'anthropic', model: 'large', history: 5, session }
      },
      { id: 'chat-output-1', type: 'chat-output', fields: { session } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-input-1.text' },
      { from: 'chat-input-1.message', to: 'model-1.text' },
      { from: 'model-1.text', to: 'chat-output-1.text' }
    ]
  }
}

test('Language Model in a flow', async (t) => {
  const { service, provider, second, flowOf, ask, lastCall } = await startModelStage(t)

  for (const kind of KINDS) {
    await t.test(`asks ${kind}, tells the text as it comes, and counts tokens`, async () => {
      const pieces = ['Good', ' morning', ', Ann', '.']
      provider.answer({ pieces, usage: { input: 12, output: 4, cached: 3 } })
      const flow = await service.createFlow(flowOf({ connection: kind, system: 'Be kind.' }))
      const events = await service.events(flow.id)
      await service.post(`/api/v1/flows/${flow.id}/chat`, { text: 'Hello', session: 's' })
      const told = await events.until(({ event }) => event === 'run.ended')
      const deltas = told.filter(({ event }) => event === 'message.delta')
      assert.equal(deltas.map(({ data }) => data.text).join(''), pieces.join(''))
      const message = told.findLast(({ event }) => event === 'message')
      assert.equal(message?.data.text, pieces.join(''))
      const run = await service.readRun(String(told.at(-1)!.data.run_id))
      assert.deepEqual((run.steps[1]!.outputs as { usage: Usage }).usage, {
        connection: kind,
        model: 'large',
        calls: 1,
        input_tokens: 12,
        cached_tokens: 3,
        output_tokens: 4,
        total_tokens: 16,
        cost: null,
        finish: 'stop'
      })
      assert.deepEqual((run as { usage?: unknown }).usage, {
        input_tokens: 12,
        cached_tokens: 3,
        output_tokens: 4,
        total_tokens: 16
      })
      assert.equal(lastCall().headers['idempotency-key'], `${run.id}/model-1`)
      assert.match(JSON.stringify(lastCall().body), /Be kind\..*Hello|Hello.*Be kind\./)
      events.close()
    })

    await t.test(`takes no answer of ${kind} for whole that broke off`, async () => {
      for (const how of ['error', 'cut', 'end'] as const) {
        const reply: ModelReply = { pieces: ['Half', ' a', ' text'], breaks: { after: 2, how } }
        const { run, step } = await ask({ connection: kind }, { replies: [reply] })
        assert.equal(run.status, 'failed', how)
        assert.equal(step.outputs, null)
        assert.match(run.error!.code, BROKEN[how], how)
        assert.match(run.error!.message, /Give the node more attempts \(retry\)/)
      }
      const retried = await ask(
        { connection: kind },
        {
          node: { retry: { attempts: 2, backoff_ms: 1 } },
          replies: [{ pieces: ['Half', '?'], breaks: { after: 1, how: 'error' } }, { pieces: ['Whole'] }]
        }
      )
      assert.deepEqual([retried.step.attempts, retried.outputs.text], [2, 'Whole'])
    })

    await t.test(`says what ${kind} refused, and what to do`, async () => {
      const told: Record<ModelFailureKind, [code: string, advice: string]> = {
        bad_key: ['model_key_refused', 'Put a valid key into the connection.'],
        unknown_model: ['model_unknown', 'Choose a model that the connection offers'],
        context_too_long: ['model_context_too_long', 'Send a shorter prompt'],
        rate_limited: ['model_rate_limited', 'Give the node more attempts (retry)'],
        out_of_credit: ['model_out_of_credit', 'Check plan and billing'],
        overloaded: ['model_overloaded', 'Give the node more attempts (retry)'],
        server_error: ['model_failed', 'Give the node more attempts (retry)']
      }
      const flow = await service.createFlow(flowOf({ connection: kind }))
      for (const [failure, [code, advice]] of Object.entries(told)) {
        provider.answer({ error: { kind: failure as ModelFailureKind } })
        const run = (await service.post(`/api/v1/run/${flow.slug}`, { input: 'Hi' })).json<RunBody>()
        assert.equal(run.error?.code, code, run.error?.message)
        assert.match(run.error!.message, new RegExp(`: The model "large" of the connection "${kind}" says: `))
        assert.ok(run.error!.message.includes(advice), run.error!.message)
      }
      provider.answer({ pieces: ['No'], finish: 'refused' })
      const run = (await service.post(`/api/v1/run/${flow.slug}`, { input: 'Hi' })).json<RunBody>()
      assert.equal(run.error?.code, 'model_refused')
    })

    await t.test(`gets data by a schema from ${kind}, and asks once more where it does not fit`, async () => {
      const schema = {
        type: 'object',
        properties: { total: { type: 'number' } },
        required: ['total'],
        additionalProperties: false
      }
      const good = await ask({ connection: kind, schema }, { replies: [{ pieces: ['{"tot', 'al": 7.5}'] }] })
      assert.deepEqual(good.outputs.data, { total: 7.5 }, JSON.stringify(good.run.error))
      assert.match(JSON.stringify(lastCall().body), /"total"/, 'the provider is told the schema')
      const mended = await ask(
        { connection: kind, schema },
        { replies: [{ pieces: ['{"total": "7"}'] }, { pieces: ['```json\n{"total": 7}\n```'] }] }
      )
      assert.deepEqual([mended.outputs.data, mended.outputs.usage.calls], [{ total: 7 }, 2])
      assert.match(JSON.stringify(lastCall().body), /does not fit the JSON Schema/)
      const calls = provider.calls.length
      const bad = await ask(
        { connection: kind, schema },
        { replies: [{ pieces: ['none'] }, { pieces: ['{"other": 1}'] }] }
      )
      assert.equal(bad.run.error?.code, 'model_answer_invalid')
      assert.match(bad.run.error!.message, /"total"/)
      assert.equal(provider.calls.length, calls + 2)
    })
  }

  await t.test('is counted in the metrics', async () => {
    const { text } = await service.get('/metrics')
    const count = (direction: string) =>
      Number(
        new RegExp(
          `^millrace_model_tokens_total\\{model="large",direction="${direction}"\\} (\\d+)$`,
          'm'
        ).exec(text)?.[1]
      )
    assert.ok(count('input') >= 4 * 12, text)
    assert.ok(count('output') >= 4 * 4, text)
  })

  await t.test('counts in a run what its items used', async () => {
    const usage = { input: 12, output: 4, cached: 3 }
    provider.answer({ pieces: ['Hi'], usage }, { pieces: ['Hi'], usage }, { pieces: ['Hi'], usage })
    const asked = {
      type: 'language-model',
      fields: { connection: 'openai', model: 'large', prompt: '{name}' }
    }
    const flow = await service.createFlow({
      name: 'Each',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'each', type: 'for-each', fields: { list: 'people' } },
        { ...asked, id: 'inside', parent: 'each' },
        { ...asked, id: 'after' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'each.items' },
        { from: 'each.item', to: 'inside.data' },
        { from: 'inside.text', to: 'each.result' },
        { from: 'webhook-1.data', to: 'after.data' }
      ]
    })
    const input = { name: 'all', people: [{ name: 'Ann' }, { name: 'Jo' }] }
    const run = (await service.post(`/api/v1/run/${flow.slug}`, { input })).json<{
      status: string
      usage: object
    }>()
    const total = { input_tokens: 36, cached_tokens: 9, output_tokens: 12, total_tokens: 48 }
    assert.deepEqual([run.status, run.usage], ['succeeded', total])
  })

  await t.test('is counted by flow and day', async () => {
    const usage = { input: 12, output: 4, cached: 3 }
    const { flow } = await ask({}, { replies: [{ pieces: ['Hi'], usage }] })
    provider.answer({ pieces: ['Hi'], usage }, { pieces: ['Hi'], usage: { input: 1, output: 1 } })
    await service.post(`/api/v1/run/${flow.id}`, { input: 'Hi' })
    const other = await ask({ model: 'small' })
    const usedBy = async (id: string, buckets: number) => {
      // Whole days, of which the middle one is today.
      const [since, until] = [-1, 2].map((days) => new Date((TODAY + days) * DAY_MS).toISOString())
      const query = `flow_id=${id}&since=${since}&until=${until}&buckets=${buckets}`
      const answer = await service.get(`/api/v1/runs/stats?${query}`)
      return answer.json<{ buckets: { usage: Usage | null }[] }>().buckets.map((bucket) => bucket.usage)
    }
    const large = { input_tokens: 24, cached_tokens: 6, output_tokens: 8, total_tokens: 32 }
    const all = { ...large, models: [{ model: 'large', ...large }] }
    assert.deepEqual(await usedBy(flow.id, 1), [all])
    const [before, ...since] = await usedBy(flow.id, 3)
    assert.equal(before, null)
    // Midnight may be between the two.
    assert.equal(
      since.reduce((sum, used) => sum + Number(used?.total_tokens ?? 0), 0),
      large.total_tokens
    )
    assert.partialDeepStrictEqual(await usedBy(other.flow.id, 1), [{ models: [{ model: 'small' }] }])
  })

  await t.test('waits as long as the provider asks for', async () => {
    const limited = { error: { kind: 'rate_limited', headers: { 'retry-after-ms': '40' } } } as const
    const { step, outputs } = await ask(
      {},
      { node: { retry: { attempts: 2, backoff_ms: 1 } }, replies: [limited, { pieces: ['Done'] }] }
    )
    assert.deepEqual([step.attempts, outputs.text], [2, 'Done'])
    const asked = await ask({ connection: 'google' }, { replies: [{ error: { kind: 'rate_limited' } }] })
    assert.equal(asked.run.error?.code, 'model_rate_limited')
  })

  await t.test('falls back to the second connection, and tells the text anew', async () => {
    second.answer({ pieces: ['From the ', 'second'] })
    provider.answer({ pieces: ['From', ' the first'], breaks: { after: 1, how: 'error' } })
    const fields = { fallback_connection: 'second', fallback_model: 'small' }
    const flow = await service.createFlow(flowOf(fields))
    const events = await service.events(flow.id)
    const id = await service.post(`/api/v1/flows/${flow.id}/chat`, { text: 'Hi' })
    assert.equal(id.status, 202, id.text)
    const told = await events.until(({ event }) => event === 'run.ended')
    const deltas = told.filter(({ event }) => event === 'message.delta')
    const anew = deltas.findLastIndex(({ data }) => data.at === 0)
    assert.equal(
      deltas
        .slice(anew)
        .map(({ data }) => data.text)
        .join(''),
      'From the second'
    )
    assert.equal(second.calls.at(-1)!.model, 'small')
    const both = await ask(
      { ...fields, fallback_model: 'none' },
      { replies: [{ error: { kind: 'overloaded' } }] }
    )
    assert.equal(both.run.error?.code, 'model_unknown')
    assert.match(both.run.error!.message, /connection "second".*Before that: .*connection "openai"/)
    events.close()
  })

  await t.test('remembers the turns of its session, and no others', async () => {
    const flow = await service.createFlow(flowOf({ connection: 'anthropic', history: 1 }))
    const say = async (text: string, session: string, answer: string) => {
      provider.answer({ pieces: [answer] })
      const events = await service.events(flow.id)
      await service.post(`/api/v1/flows/${flow.id}/chat`, { text, session })
      await events.until(({ event }) => event === 'run.ended')
      events.close()
      return (lastCall().body.messages as { role: string; content: { text: string }[] }[]).map(
        ({ role, content }) => `${role}: ${content.map(({ text: said }) => said).join('')}`
      )
    }
    assert.deepEqual(await say('One', 'a', 'First'), ['user: One'])
    assert.deepEqual(await say('Other', 'b', 'Else'), ['user: Other'])
    assert.deepEqual(await say('Two', 'a', 'Second'), ['user: One', 'assistant: First', 'user: Two'])
    assert.deepEqual(await say('Three', 'a', 'Third'), ['user: Two', 'assistant: Second', 'user: Three'])
  })

  await t.test('sums up what came before the turns it is sent, once, and keeps that', async () => {
    const flow = await service.createFlow(flowOf({ connection: 'anthropic', history: 2, summarize: true }))
    const calls: string[] = []
    const say = async (text: string, ...answers: readonly string[]) => {
      for (const answer of answers) provider.answer({ pieces: [answer] })
      const before = provider.calls.length
      const { run_id } = (await service.post(`/api/v1/flows/${flow.id}/chat`, { text, session: 's' })).json<{
        run_id: string
      }>()
      const run = await service.waitForRun(run_id)
      calls.splice(0, calls.length, ...provider.calls.slice(before).map(({ body }) => JSON.stringify(body)))
      return run as RunBody & { usage: { total_tokens: number } }
    }
    for (const [at, name] of ['One', 'Two'].entries()) await say(name, `First ${at}`)
    await say('Three', 'First 2')
    assert.equal(calls.length, 1)
    await say('Four', 'They said One.', 'First 3')
    assert.equal(calls.length, 2, 'one call to sum up, and one to answer')
    assert.match(calls[0]!, /Sum up a conversation.*One/)
    assert.match(calls[1]!, /They said One\..*Two.*Three.*Four/)
    assert.doesNotMatch(calls[1]!, /First 0/)
    const { sessions } = (await service.get(`/api/v1/flows/${flow.id}/sessions`)).json<{
      sessions: { summary: string }[]
    }>()
    assert.deepEqual(
      sessions.map(({ summary }) => summary),
      ['They said One.']
    )
  })

  await t.test('keeps apart who speaks by webhook, where its session says who that is', async () => {
    const flow = await service.createFlow(messengerFlow('chat {chat.id}'))
    const say = async (id: number, text: string, answer: string) => {
      provider.answer({ pieces: [answer] })
      const run = await service.run(flow.slug, JSON.stringify({ chat: { id }, text }))
      assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
      return JSON.stringify(lastCall().body.messages)
    }
    await say(1, 'One', 'First')
    const other = await say(2, 'Other', 'Else')
    assert.doesNotMatch(other, /One|First/)
    assert.match(await say(1, 'Two', 'Second'), /One.*First.*Two/)
    const path = `/api/v1/flows/${flow.id}/messages?session=${encodeURIComponent('chat 2')}`
    const { messages } = (await service.get(path)).json<{ messages: { text: string }[] }>()
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['Other', 'Else']
    )
  })

  await t.test('sends temperature, limit and templates as they are set, and nothing else', async () => {
    await ask({ prompt: '{text}, please', temperature: 0, max_tokens: 50, connection: 'google' })
    assert.match(JSON.stringify(lastCall().body), /Hi, please/)
    assert.partialDeepStrictEqual(lastCall().body, {
      generationConfig: { temperature: 0, maxOutputTokens: 50 }
    })
    await ask({ connection: 'openai-compatible' })
    assert.equal('temperature' in lastCall().body, false)
    assert.equal('max_tokens' in lastCall().body, false)
  })

  await t.test('gives pictures to models that take them', async () => {
    const pixel =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    for (const connection of KINDS) {
      const { run } = await ask({ connection, images: pixel })
      assert.equal(run.status, 'succeeded', run.error?.message)
      assert.match(JSON.stringify(lastCall().body), /iVBORw0KGgo/, connection)
    }
    const { run } = await ask({ images: 'not an address' })
    assert.equal(run.error?.code, 'model_image_invalid')
  })

  await t.test('ends the call when the run is cancelled', async () => {
    const begun = Promise.withResolvers<void>()
    const never = new Promise<void>(() => {})
    provider.answer({
      pieces: ['On', ' and', ' on'],
      before: (piece) => {
        if (piece === 2) begun.resolve()
        return piece === 2 ? never : undefined
      }
    })
    const flow = await service.createFlow(flowOf({}))
    const started = await service.post(`/api/v1/flows/${flow.id}/chat`, { text: 'Hi' })
    await begun.promise
    const { run_id } = started.json<{ run_id: string }>()
    assert.equal((await service.post(`/api/v1/runs/${run_id}/cancel`)).status, 200)
    await lastCall().gone
    assert.equal((await service.readRun(run_id)).status, 'cancelled')
  })
})
