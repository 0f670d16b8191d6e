import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { type ContextBody, changeContext, flowIn, makeContext, startWith } from './support/contexts.ts'
import { callFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

const parser = (template: string) => ({ type: 'parser', fields: { template } })

describe('variables', () => {
  it('are read in the templates of Parser and Prompt, nearest context first', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        for (const [name, value] of Object.entries({ region: 'all', currency: 'EUR', rate: 1.5 })) context.variable(name, value)
      }`
    })
    await makeContext(service, '/sales/eu', {
      variables: { region: 'eu', address: { city: 'Rome', tags: ['a', 'b'] } }
    })
    await makeContext(service, '/sales/eu/west', { variables: { currency: 'GBP' } })
    const rows: [context: string, text: string][] = [
      ['/sales', 'all EUR 1.50'],
      ['/sales/eu', 'eu EUR 1.50'],
      ['/sales/eu/west', 'eu GBP 1.50']
    ]
    for (const [context, text] of rows) {
      const template = '{$region} {$currency} {$rate:.2f}'
      const { slug } = await service.createFlow(flowIn(context, parser(template)))
      assert.deepEqual((await service.run(slug)).steps[1]!.outputs, { parsed_text: text }, context)
    }
    const reach = await service.createFlow({
      ...flowIn('/sales/eu', parser('{$address.city} {$address.tags[1]} {$none?nothing} {city}')),
      slug: 'reach'
    })
    const run = await service.run(reach.slug, '{"city":"Paris"}')
    assert.deepEqual(run.steps[1]!.outputs, { parsed_text: 'Rome b nothing Paris' })
    const prompt = await service.createFlow({
      name: 'Prompt',
      context: '/sales/eu',
      nodes: [{ id: 'p', type: 'prompt', fields: { template: 'In {$region}' } }]
    })
    const answer = await service.post(`/api/v1/run/${prompt.slug}`, {})
    assert.deepEqual(answer.json<{ steps: { outputs: unknown }[] }>().steps[0]!.outputs, { prompt: 'In eu' })
  })

  it('of the root are set by the API and by files, beside those of plugins', async (t) => {
    const plugins = {
      'all.ts': `export default async function all (context) { context.variable('team', 'code') }
        all[Symbol.for('skip-override')] = true`
    }
    const service = await startWith(t, plugins)
    const set = (body: object) => service.request('PATCH', '/api/v1/contexts/%2F', { body })
    const root = await set({ variables: { region: 'eu' } })
    assert.equal(root.status, 200, root.text)
    const told = root.json<ContextBody>()
    assert.deepEqual([told.kind, told.variables], ['code', { region: 'eu' }])
    assert.ok(told.registers.some(({ name, owner }) => name === 'team' && owner === 'all'))
    problemOf(await set({ variables: { team: 'mine' } }), 422, 'invalid_request')
    problemOf(await set({ variables: { run: 1 } }), 422, 'invalid_request')
    problemOf(await set({ limits: { rate_limit: 5 } }), 422, 'invalid_request')
    await makeContext(service, '/eu')
    const { key } = await service.createKey({ rights: ['admin', 'read'], context: '/eu' })
    const bound = { body: { variables: {} }, key }
    problemOf(await service.request('PATCH', '/api/v1/contexts/%2F', bound), 403, 'forbidden')
    const pushOf = async (change: object) => {
      const pulled = (await service.get('/api/v1/pull')).json<{ contexts: { path: string }[] }>()
      const [context] = pulled.contexts
      assert.equal(context!.path, '/')
      return service.post('/api/v1/push', { flows: [], contexts: [{ ...context, ...change }] })
    }
    const refused = await pushOf({ variables: { team: 'mine' } })
    assert.match(refused.text, /set in code/)
    const pushed = await pushOf({ variables: { region: 'us' } })
    assert.equal(pushed.status, 200, pushed.text)
    const flow = await service.createFlow(flowIn('/', parser('{$region} {$team?none}')))
    assert.deepEqual((await service.run(flow.slug)).steps[1]!.outputs, { parsed_text: 'us code' })
    await service.stop()
    const again = await startService(t, { home: service.home })
    const run = await again.run(flow.slug)
    assert.deepEqual(
      run.steps[1]!.outputs,
      { parsed_text: 'us none' },
      'the plugin has gone, the row has not'
    )
  })

  it('keep every digit of a number, also over a restart', async (t) => {
    const service = await startService(t)
    const sent = '{"account":12345678901234567890,"rate":1.50}'
    const body = `{"name":"eu","variables":${sent},"limits":{"rate_limit":600.0}}`
    const headers = { 'content-type': 'application/json' }
    const made = await service.request('POST', '/api/v1/contexts', { body: Buffer.from(body), headers })
    assert.equal(made.status, 201, made.text)
    assert.ok(made.text.includes(`"variables":${sent}`), made.text)
    assert.ok(made.text.includes('"limits":{"rate_limit":600}'), made.text)
    const flow = await service.createFlow(
      flowIn('/eu', { type: 'parser', fields: { template: '{$account} {$rate}' } })
    )
    await service.stop()
    const again = await startService(t, { home: service.home })
    const run = await again.run(flow.slug, '{}')
    assert.deepEqual(run.steps[1]!.outputs, { parsed_text: '12345678901234567890 1.50' })
  })

  it('are read in text fields, and what is filled in is not read again', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/eu', { variables: { room: '{$other} {text}', n: 7 } })
    const chat = await service.createFlow({
      name: 'Say',
      context: '/eu',
      nodes: [
        { id: 'w', type: 'webhook' },
        { id: 'p', type: 'parser', fields: { template: 'hello' } },
        { id: 'o', type: 'chat-output', fields: { session: 'room {$room} {$n}' } }
      ],
      edges: [
        { from: 'w.data', to: 'p.data' },
        { from: 'p.parsed_text', to: 'o.text' }
      ]
    })
    assert.equal((await service.run(chat.slug)).status, 'succeeded')
    const { messages } = (await service.get(`/api/v1/flows/${chat.id}/messages`)).json<{
      messages: { session: string; text: string }[]
    }>()
    assert.deepEqual([messages[0]!.session, messages[0]!.text], ['room {$other} {text} 7', 'hello'])
  })

  it('that are missing fail the step, with the name and what is set', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/eu', { variables: { region: 'eu' } })
    const template = await service.createFlow(flowIn('/eu', parser('{$regoin}')))
    const inTemplate = await service.run(template.slug)
    assert.deepEqual([inTemplate.status, inTemplate.error!.node], ['failed', 'n'])
    assert.match(
      inTemplate.error!.message,
      /\{\$regoin\}.*the context variables are "?\$region"?.*Did you mean "\$region"/
    )
    const field = await service.createFlow({
      ...flowIn('/eu', { type: 'parser', fields: { separator: '{$nowhere}', template: 'x' } }),
      slug: 'field'
    })
    const inField = await service.run(field.slug)
    assert.deepEqual(
      [inField.status, inField.error!.node, inField.error!.code],
      ['failed', 'n', 'variable_missing']
    )
    assert.match(
      inField.error!.message,
      /Field "separator" reads the variable \{\$nowhere\}.*Set there: region\./
    )
  })

  it('are not read by names that every object has', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/eu')
    for (const [index, name] of ['constructor', '__proto__', 'toString'].entries()) {
      const flow = { ...flowIn('/eu', parser(`{$${name}}`)), slug: `odd-${index}` }
      assert.equal((await service.run((await service.createFlow(flow)).slug)).status, 'failed', name)
    }
  })

  it('that change are seen by the next run', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/eu', { variables: { region: 'one' } })
    await makeContext(service, '/eu/west')
    const { slug } = await service.createFlow(flowIn('/eu/west', parser('{$region}')))
    const text = async () => (await service.run(slug)).steps[1]!.outputs?.parsed_text
    assert.equal(await text(), 'one')
    await changeContext(service, '/eu', { variables: { region: 'two' } })
    assert.equal(await text(), 'two')
    await changeContext(service, '/eu/west', { variables: { region: 'three' } })
    assert.equal(await text(), 'three')
    await changeContext(service, '/eu/west', { variables: {} })
    assert.equal(await text(), 'two')
  })
})

describe('what a context sets for the webhooks inside', () => {
  it('is kept where several set parts of it at the same moment, while it is renamed', async (t) => {
    const service = await startService(t)
    const { id } = await makeContext(service, '/eu')
    const change = (body: object) => service.request('PATCH', `/api/v1/contexts/${id}`, { body })
    const answers = await Promise.all([
      change({ default_auth: 'None' }),
      change({ name: 'europe' }),
      change({ limits: { concurrency: 2 } }),
      change({ variables: { region: 'eu' } })
    ])
    for (const { status, text } of answers) assert.equal(status, 200, text)
    const after = (await service.get(`/api/v1/contexts/${id}`)).json<Record<string, unknown>>()
    assert.deepEqual(
      [after.path, after.default_auth, after.limits, after.variables],
      ['/europe', 'None', { concurrency: 2 }, { region: 'eu' }]
    )
  })

  it('is the authentication, unless the Webhook says otherwise, at once and down to the nearest', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/eu', { default_auth: 'None' })
    await makeContext(service, '/eu/west')
    await makeContext(service, '/eu/strict', { default_auth: 'API key' })
    const silent = await service.createFlow(flowIn('/eu/west'))
    const strict = await service.createFlow(flowIn('/eu/strict'))
    const saying = await service.createFlow({
      ...flowIn('/eu', undefined, { auth: 'API key' }),
      slug: 'saying'
    })
    const status = async (slug: string) => (await service.webhook(slug, '{}', { key: null })).status
    const statuses = async () => [
      await status(silent.slug),
      await status(strict.slug),
      await status(saying.slug)
    ]
    assert.deepEqual(await statuses(), [202, 401, 401])
    assert.equal(
      (await service.webhook('orders', '{}', { key: null })).status,
      401,
      'beside, nothing changes'
    )
    await changeContext(service, '/eu', { default_auth: 'Signature' })
    assert.equal((await service.webhook(silent.slug)).status, 401, 'a key is no signature')
    await changeContext(service, '/eu', { default_auth: null })
    assert.deepEqual(await statuses(), [401, 401, 401])
    await changeContext(service, '/eu/west', { default_auth: 'None' })
    assert.deepEqual(await statuses(), [202, 401, 401])
    const moved = await service.saveFlow(silent, { context: '/' })
    assert.equal(await status(moved.slug), 401, 'a flow that leaves leaves it behind')
  })

  it('is also a secret to sign with, read as a variable', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/eu', { default_auth: 'Signature', variables: { secret: 'one'.repeat(6) } })
    const fields = { signature_scheme: 'GitHub', signing_secret: '{$secret}' }
    const { slug } = await service.createFlow(flowIn('/eu', undefined, fields))
    const signedWith = async (secret: string) => {
      const key = secret.startsWith('{') ? secret : secret.repeat(6)
      const signature = `sha256=${createHmac('sha256', key).update('{}').digest('hex')}`
      const headers = { 'x-hub-signature-256': signature }
      return (await service.webhook(slug, '{}', { key: null, headers })).status
    }
    assert.deepEqual(
      [await signedWith('one'), await signedWith('two'), await signedWith('{$secret}')],
      [202, 401, 401]
    )
    await changeContext(service, '/eu', { variables: { secret: 'two'.repeat(6) } })
    assert.deepEqual([await signedWith('one'), await signedWith('two')], [401, 202])
    await changeContext(service, '/eu', { variables: {} })
    assert.deepEqual(
      [await signedWith('two'), await signedWith('{$secret}'), await signedWith('')],
      [401, 401, 401]
    )
  })

  it('is the rate limit of each flow, at once', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/eu', { limits: { rate_limit: 1 } })
    const first = await service.createFlow(flowIn('/eu'))
    const second = await service.createFlow({ ...flowIn('/eu'), slug: 'second' })
    const free = await service.createFlow({ ...flowIn('/eu', undefined, { rate_limit: 0 }), slug: 'free' })
    for (const { slug } of [first, second]) {
      assert.equal((await service.webhook(slug)).status, 202)
      problemOf(await service.webhook(slug), 429, 'rate_limited')
    }
    for (let n = 0; n < 3; n++) assert.equal((await service.webhook(free.slug)).status, 202)
    await changeContext(service, '/eu', { default_auth: 'None' })
    problemOf(await service.webhook(first.slug), 429, 'rate_limited')
    await changeContext(service, '/eu', { limits: {} })
    assert.equal((await service.webhook(first.slug)).status, 202)
  })

  it('is how many runs of each flow go on at the same time', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    await makeContext(service, '/eu', { limits: { concurrency: 1 } })
    const { slug } = await service.createFlow({ ...callFlow(outside.url()), context: '/eu' })
    const ids = [await service.start(slug), await service.start(slug)]
    const first = await outside.next()
    assert.equal((await service.readRun(ids[1]!)).status, 'queued')
    first.answer()
    ;(await outside.next()).answer()
    for (const id of ids) assert.equal((await service.waitForRun(id)).status, 'succeeded')
  })
})
