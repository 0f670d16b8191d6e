import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { AUTHORITY, EXPIRED, OTHER_HOST, SELF_SIGNED, whileTrusting } from './support/certificates.ts'
import { makeContext } from './support/contexts.ts'
import { startMisbehavingServer } from './support/misbehaving-server.ts'
import { MODEL_KEY } from './support/model-provider/model-provider.ts'
import { KINDS, startModelStage } from './support/model-provider/model-stage.ts'

test('what a Language Model may reach', async (t) => {
  const { service, provider, connect, flowOf, ask } = await startModelStage(t)

  await t.test('is told by the guard, the connection and the key what is wrong', async () => {
    const refused = await ask({ connection: 'wrong-key' })
    assert.equal(refused.run.error?.code, 'model_key_refused')
    assert.doesNotMatch(JSON.stringify(refused.run), /sk-wrong/)
    assert.equal((await ask({ connection: 'nobody' })).run.error?.code, 'connection_not_found')
    await connect('away', 'openai-compatible', 'http://127.0.0.1:9/v1')
    assert.equal((await ask({ connection: 'away' })).run.error?.code, 'upstream_unreachable')
  })

  await t.test('trusts no bad certificate, and says what is wrong with it', async () => {
    for (const [name, certificate, code] of [
      ['expired', EXPIRED, 'certificate_expired'],
      ['other-host', OTHER_HOST, 'certificate_invalid'],
      ['self-signed', SELF_SIGNED, 'certificate_invalid']
    ] as const) {
      const server = await startMisbehavingServer({ certificate })
      await connect(name, 'openai-compatible', `${server.origin}/v1`)
      const { run } = await whileTrusting(AUTHORITY, () => ask({ connection: name }))
      assert.equal(run.error?.code, code)
      assert.match(run.error!.message, /The certificate of 127\.0\.0\.1:\d+ /)
      assert.equal(server.requests.length, 0)
      await server.stop()
    }
  })

  await t.test('may be one of those that the provider lists, for whoever saves flows', async () => {
    const { key } = await service.createKey({ rights: ['write'] })
    const list = (connection: string, context = '/') =>
      service.request('GET', `/api/v1/connections/models?connection=${connection}&context=${context}`, {
        key
      })
    for (const kind of KINDS) {
      const answer = await list(kind)
      assert.deepEqual(answer.json(), { models: [{ name: 'large' }, { name: 'small' }] }, kind)
    }
    const all = await list('google', '/&all=true')
    assert.deepEqual(all.json(), {
      models: [
        { name: 'large', can: ['text'] },
        { name: 'small', can: ['text'] },
        { name: 'embeds', can: ['embeddings'] }
      ]
    })
    assert.match(
      problemOf(await list('wrong-key'), 502, 'models_unreadable').detail,
      /401\. Check the API key/
    )
    problemOf(await list('nobody'), 404, 'connection_not_found')
    await service.post('/api/v1/connections', {
      name: 'shop',
      kind: 'http',
      settings: { base_url: 'https://shop.example' }
    })
    assert.match(problemOf(await list('shop'), 502, 'models_unreadable').detail, /of the kind http/)
    const reader = await service.createKey({ rights: ['read', 'trigger'] })
    const path = '/api/v1/connections/models?connection=openai'
    problemOf(await service.request('GET', path, { key: reader.key }), 403, 'forbidden')
  })

  await t.test('is asked and listed only where steps may go', async () => {
    await makeContext(service, '/sales', {})
    const admin = await service.createKey({ rights: ['admin', 'write'], context: '/sales' })
    const body = {
      name: 'inside',
      kind: 'openai-compatible',
      context: '/sales',
      settings: { base_url: provider.baseUrl('openai-compatible') },
      secrets: { api_key: MODEL_KEY }
    }
    const made = await service.request('POST', '/api/v1/connections', { key: admin.key, body })
    assert.equal(made.status, 201, made.text)
    const path = '/api/v1/connections/models?connection=inside&context=/sales'
    const listed = await service.request('GET', path, { key: admin.key })
    assert.match(problemOf(listed, 502, 'models_unreadable').detail, /Steps may not reach 127\.0\.0\.1/)
    const flow = await service.createFlow({ ...flowOf({ connection: 'inside' }), context: '/sales' })
    const run = (await service.post(`/api/v1/run/${flow.slug}`, { input: 'Hi' })).json<RunBody>()
    assert.equal(run.error?.code, 'egress_refused')
    assert.match(run.error!.message, /MILLRACE_EGRESS_ALLOW/)
  })

  await t.test('keeps the key out of what a model repeats, also in pieces', async () => {
    const flow = await service.createFlow(flowOf({}))
    provider.answer({ pieces: ['The key is ', MODEL_KEY.slice(0, 9), MODEL_KEY.slice(9), '.'] })
    const events = await service.events(flow.id)
    await service.post(`/api/v1/flows/${flow.id}/chat`, { text: 'Hi' })
    const told = await events.until(({ event }) => event === 'run.ended')
    const text = told
      .filter(({ event }) => event === 'message.delta')
      .map(({ data }) => data.text)
      .join('')
    assert.equal(text, 'The key is •••.')
    assert.ok(!JSON.stringify(told).includes(MODEL_KEY.slice(0, 12)))
  })

  await t.test('is refused when it is saved with faults', async () => {
    const save = (fields: object) => service.post('/api/v1/flows', flowOf(fields))
    for (const fields of [{ model: '' }, { schema: { type: 'nonsense' } }, { schema: 5 }, { prompt: '{' }]) {
      assert.equal((await save(fields)).status, 422, JSON.stringify(fields))
    }
  })
})
