import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAnswer } from './support/answer-reader.ts'
import { answerAfterCallFlow, answerFlow, streamedFlow } from './support/answering-flows.ts'
import { problemOf, type RunBody } from './support/api-client.ts'
import { askChat, eventsIn, spokenChatFlow } from './support/chats.ts'
import { broughtIn, clusterOn, createAtBoth } from './support/cluster.ts'
import { anythingFlow, callFlow, ORDER, ordersFlow, speakFlow } from './support/documents.ts'
import type { SentEvent } from './support/event-reader.ts'
import { eventually } from './support/eventually.ts'
import { runMillrace } from './support/millrace-command.ts'
import { type Call, startOutside } from './support/outside.ts'
import { sharedPostgres } from './support/postgres.ts'

const postgres = sharedPostgres()

test('two web processes and two workers do what one process does', async (t) => {
  const url = await postgres.database()
  const cluster = clusterOn(t, url, ['call.ts', 'speak.ts'])
  const [one, two, worker] = await Promise.all([
    cluster.start('web'),
    cluster.start('web'),
    cluster.start('worker'),
    cluster.start('worker')
  ])
  const [a, b] = [one.client, two.client]
  const outside = await startOutside(t)
  const createKeyAtBoth = () =>
    broughtIn(
      () => a.createKey({ rights: ['read'] }),
      async ({ key }) => (await b.get('/api/v1/flows', { key })).status,
      200
    )

  await t.test('a run that one accepts is executed by a worker and read at the other', async () => {
    const flow = await createAtBoth([a, b], ordersFlow())
    const id = await a.start(flow.slug, JSON.stringify(ORDER))
    const run = await b.waitForRun(id)
    assert.equal(run.status, 'succeeded')
    assert.deepEqual(run.steps[1]!.outputs, { parsed_text: 'Order 7 from Ann' })
    const executed = await worker.client.get('/metrics')
    assert.equal(executed.status, 200)
    assert.match((await a.get('/metrics')).text, /^millrace_runs_total\{status="succeeded"\} 0$/m)
  })

  await t.test('a context is made once, and does not go under a flow that moves in elsewhere', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, i) => [a, b][i % 2]!.post('/api/v1/contexts', { name: 'once' }))
    )
    assert.deepEqual(made.map(({ status }) => status).sort(), [201, ...Array(5).fill(409)])
    for (let round = 0; round < 6; round++) {
      const { id } = (await a.post('/api/v1/contexts', { name: `c${round}` })).json<{ id: string }>()
      const [flow, gone] = await Promise.all([
        b.post('/api/v1/flows', { ...anythingFlow(), slug: `in-c${round}`, context: `/c${round}` }),
        a.request('DELETE', `/api/v1/contexts/${id}`)
      ])
      assert.ok((flow.status === 201) !== (gone.status === 204), `${flow.text} ${gone.text}`)
    }
  })

  await t.test(
    'an answer is told while a worker makes it, and is whole for a duplicate elsewhere',
    async () => {
      const flow = await createAtBoth([a, b], streamedFlow(outside.url()))
      const headers = { 'idempotency-key': 'told' }
      const asked = readAnswer(`${a.address}/api/v1/webhook/${flow.slug}`, { headers })
      ;(await outside.next()).answer({ text: 'Good ' })
      const answer = await asked
      assert.equal(await answer.until('Good '), 'Good ')
      ;(await outside.next()).answer({ text: 'morning' })
      ;(await outside.next()).answer({ isLast: true })
      assert.equal(await answer.whole(), 'Good morning')
      const again = await b.webhook(flow.slug, '{}', { headers })
      assert.deepEqual([again.status, again.text], [200, 'Good morning'])
    }
  )

  await t.test('a chat is told while a worker works on it, and whoever leaves does not end it', async () => {
    const flow = await createAtBoth([a, b], spokenChatFlow(outside.url()))
    const chat = (client: typeof a) => askChat(client, flow.slug, { text: 'Hi', session: 's' })
    const asked = chat(a)
    ;(await outside.next()).answer({ text: 'Good ' })
    const answer = await asked
    await answer.until('Good ')
    ;(await outside.next()).answer({ text: 'morning' })
    ;(await outside.next()).answer({ isLast: true })
    assert.deepEqual(
      eventsIn(await answer.whole())
        .map(({ event }) => event)
        .at(-1),
      'end'
    )
    assert.match(await answer.whole(), /event: message\ndata: {"text":"Good morning"}\n\nevent: end/)
    const left = chat(b)
    ;(await outside.next()).answer({ text: 'Later' })
    const leaving = await left
    await leaving.until('Later')
    leaving.leave()
    const events = await a.events(flow.id)
    ;(await outside.next()).answer({ isLast: true })
    await events.until(({ event }) => event === 'run.ended')
  })

  await t.test(
    'who waits for an answer gets it, whichever worker made it, and so does a duplicate elsewhere',
    async () => {
      const flow = await createAtBoth([a, b], answerAfterCallFlow(outside.url(), { status: '201' }))
      const send = (client: typeof a) =>
        client.webhook(flow.slug, '{}', { headers: { 'idempotency-key': 'answer' } })
      const first = send(a)
      const call = await outside.next()
      const second = send(b)
      call.answer({ made: 7 })
      const answers = await Promise.all([first, second])
      answers.push(await send(b))
      assert.deepEqual(
        answers.map(({ status, text, headers }) => [status, text, headers.get('idempotent-replayed')]),
        [
          [201, '{"made":7}', null],
          [201, '{"made":7}', 'true'],
          [201, '{"made":7}', 'true']
        ]
      )
      const plain = await createAtBoth([a, b], answerFlow({ body: 'Order {order_id}' }))
      for (let n = 0; n < 20; n++) {
        const answer = await [a, b][n % 2]!.webhook(plain.slug, JSON.stringify({ order_id: n }))
        assert.deepEqual([answer.status, answer.text], [200, `Order ${n}`])
      }
    }
  )

  await t.test('who waits for the end is told of it, wherever the run was executed', async () => {
    const flow = await createAtBoth([a, b], anythingFlow())
    const answer = await b.webhook(flow.slug, '[1.10]', { headers: { prefer: 'wait=30' } })
    assert.equal(answer.json().status, 'succeeded', answer.text)
    const ran = await a.post(`/api/v1/run/${flow.slug}`, { input: { n: 1 } })
    assert.equal(ran.status, 200, ran.text)
    assert.equal(ran.json<RunBody>().status, 'succeeded')
  })

  await t.test('events reach a listener at either, and go on at the other without a gap', async () => {
    const flow = await createAtBoth([a, b], ordersFlow({ name: 'Heard' }))
    const [atA, atB, all] = [await a.events(flow.id), await b.events(flow.id), await b.allEvents()]
    const ids: string[] = []
    for (const client of [a, b, a, b]) ids.push(await client.start(flow.slug, JSON.stringify(ORDER)))
    const isLast = endsAll(ids)
    const [heardA, heardB] = [await atA.until(isLast()), await atB.until(isLast())]
    assert.deepEqual(heardA, heardB)
    assert.deepEqual(ownEvents(await all.until(isLast()), ids), ownEvents(heardA, ids))
    for (const [index, { id }] of heardA.entries()) {
      if (index % 5 !== 2 || index === heardA.length - 1) continue
      const resumed = await (index % 2 === 0 ? a : b).events(flow.id, { lastEventId: id })
      assert.deepEqual(await resumed.until(isLast(heardA.slice(0, index + 1))), heardA.slice(index + 1))
      resumed.close()
    }
    for (const reader of [atA, atB, all]) reader.close()
  })

  await t.test('text that a worker puts out reaches who listens, before the step has ended', async () => {
    const flow = await createAtBoth([a, b], speakFlow(outside.url()))
    const events = await b.events(flow.id)
    let isHeard = false
    const heard = events
      .until(({ event }) => event === 'message.delta')
      .finally(() => {
        isHeard = true
      })
    const id = await a.start(flow.slug)
    // The worker learns within moments that somebody listens.
    while (!isHeard) (await outside.next()).answer({ text: 'on and ' })
    const { data } = (await heard).at(-1)!
    assert.deepEqual([data.run_id, data.node], [id, 'speak-1'])
    assert.match(String(data.text), /^(on and )+$/)
    ;(await outside.next()).answer({ isLast: true })
    assert.equal((await b.waitForRun(id)).status, 'succeeded')
    events.close()
  })

  await t.test('a flow that one saves is live at the other', async () => {
    const flow = await createAtBoth([a, b], anythingFlow())
    const saved = await b.saveFlow(flow, { name: 'Saved at the other' })
    assert.equal(saved.version, 2)
    const again = await broughtIn(
      () => a.saveFlow(saved, { name: 'And back' }),
      async () => (await b.run(flow.slug)).flow_version,
      3
    )
    assert.equal(again.version, 3, 'who has not heard of a version looks before it refuses it')
    problemOf(await b.request('PUT', `/api/v1/flows/${flow.id}`, { body: saved }), 409, 'flow_conflict')
    await broughtIn(
      () => a.request('DELETE', `/api/v1/flows/${flow.id}`),
      async () => (await b.get(`/api/v1/flows/${flow.id}`)).status,
      404
    )
  })

  await t.test('a key that one makes is good at the other, until it is revoked', async () => {
    const { id, key } = await createKeyAtBoth()
    const { status } = await broughtIn(
      () => b.request('DELETE', `/api/v1/keys/${id}`),
      async () => (await a.get('/api/v1/flows', { key })).status,
      401
    )
    assert.equal(status, 204)
  })

  await t.test('a key that is revoked at one ends the streams that it opened at the other', async () => {
    const { id, key } = await createKeyAtBoth()
    const flow = await createAtBoth([a, b], anythingFlow())
    const [ofFlow, ofAll] = [await b.events(flow.id, { key }), await b.allEvents({ key })]
    assert.equal((await a.request('DELETE', `/api/v1/keys/${id}`)).status, 204)
    await Promise.all([ofFlow.rest(), ofAll.rest()])
  })

  await t.test(
    'a link that the first start printed signs in at either, once; so does a fresh one',
    async () => {
      const greeting = [one, two].map(({ process }) => process.stdout).join('')
      const printed = /(\/sign-in\?token=\S+)/.exec(greeting)?.[1] ?? assert.fail(greeting)
      const { port } = new URL(b.address)
      const fresh = await runMillrace(t, ['sign-in'], { env: { DATABASE_URL: url, PORT: port } })
      assert.equal(fresh.code, 0, fresh.stderr)
      const offered = /http:\/\/127\.0\.0\.1:(\d+)(\/sign-in\?token=\S+)/.exec(fresh.stdout)
      assert.equal(offered?.[1], port)
      for (const path of [printed, offered![2]!]) {
        const answer = await b.get(path, { key: null })
        assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/'])
        const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
        assert.equal((await a.get('/api/v1/session', { key: null, headers: { cookie } })).status, 200)
        assert.equal((await a.get(path, { key: null })).headers.get('location'), '/sign-in?reason=used')
        const headers = { cookie, 'sec-fetch-site': 'same-origin' }
        const { status } = await broughtIn(
          () => b.request('DELETE', '/api/v1/session', { key: null, headers }),
          async () => (await a.get('/api/v1/session', { key: null, headers })).status,
          401
        )
        assert.equal(status, 204, 'who signs out at one is signed out at the other')
      }
    }
  )

  await t.test('a context that one makes, with a flow in it, is there at the other', async () => {
    const made = await a.post('/api/v1/contexts', { parent: '/', name: 'sales', variables: { region: 'eu' } })
    assert.equal(made.status, 201, made.text)
    const flow = await createAtBoth([a, b], {
      ...ordersFlow({ name: 'Regional', context: '/sales' }),
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'parser-1', type: 'parser', fields: { template: 'From {$region}' } },
        { id: 'chat-output-1', type: 'chat-output' }
      ]
    })
    const run = await b.run(flow.slug, '{}')
    assert.deepEqual(run.steps[1]!.outputs, { parsed_text: 'From eu' })
  })

  await t.test('cancel, asked for at one, reaches the worker and aborts the step', async () => {
    const flow = await createAtBoth([a, b], callFlow(outside.url('/cancelled')))
    const id = await a.start(flow.slug)
    const call = await outside.next()
    const answer = await b.post(`/api/v1/runs/${id}/cancel`)
    assert.equal(answer.status, 200, answer.text)
    const run = answer.json<RunBody>()
    assert.equal(run.status, 'cancelled')
    assert.deepEqual(
      run.steps.map(({ status }) => status),
      ['succeeded', 'cancelled', 'not reached']
    )
    await call.gone
    problemOf(await a.post(`/api/v1/runs/${id}/cancel`), 409, 'run_already_ended')
    assert.equal((await a.post(`/api/v1/runs/${id}/retry`)).status, 202)
    ;(await outside.next()).answer({ again: true })
    assert.equal((await b.waitForRun(id)).status, 'succeeded')
  })

  await t.test('a limit of runs at the same time holds for both workers together', async () => {
    const flow = await createAtBoth(
      [a, b],
      callFlow(outside.url('/limited'), { webhook: { concurrency: 2 } })
    )
    const held: Call[] = []
    const before = outside.calls.length
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? a : b).start(flow.slug)))
    let open = 0
    for (let answered = 0; answered < 8; answered++) {
      while (open < Math.min(2, 8 - answered)) {
        held.push(await outside.next())
        open++
      }
      // Calls that nobody has taken are counted too: a third one would be among them.
      assert.ok(outside.calls.length - before - answered <= 2, 'more than two runs go on')
      held.shift()!.answer()
      open--
    }
    for (const id of ids) assert.equal((await b.waitForRun(id)).status, 'succeeded')
  })
  await t.test('a limit of requests per minute holds for both web processes together', async () => {
    const flow = await createAtBoth([a, b], anythingFlow({ rate_limit: 6 }))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? a : b).webhook(flow.slug))
    )
    const accepted = answers.filter(({ status }) => status === 202)
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(accepted.length + refused.length, 20)
    assert.ok(accepted.length >= 6 && accepted.length <= 8, `${accepted.length} of 6 per minute were taken`)
    const problem = problemOf(refused[0]!, 429, 'rate_limited')
    assert.match(problem.detail, /6 requests per minute/)
    assert.ok(Number(refused[0]!.headers.get('retry-after')) > 0)
    assert.match(refused[0]!.headers.get('ratelimit') ?? '', /^"flow";r=0;t=\d+$/)
  })

  await t.test('a step that waits for its next attempt is taken up when its time has come', async () => {
    let calls = 0
    const flow = await createAtBoth(
      [a, b],
      callFlow(outside.url('/again'), { call: { retry: { attempts: 3, backoff_ms: 10 } } })
    )
    const id = await b.start(flow.slug)
    for (; calls < 3; calls++) (await outside.next()).answer({}, calls < 2 ? 503 : 200)
    const run = await a.waitForRun(id)
    assert.equal(run.status, 'succeeded')
    assert.equal(run.steps[1]!.attempts, 3)
  })

  await t.test('a call and an answer reach runs that wait, wherever they come in', async () => {
    const node = (id: string, type: string, fields = {}) => ({ id, type, position: { x: 0, y: 0 }, fields })
    const chain = (slug: string, ...[from, to]: ReturnType<typeof node>[]) => ({
      name: slug,
      slug,
      nodes: [node('webhook-1', 'webhook'), from, to],
      edges: [
        { from: 'webhook-1.data', to: `${from!.id}.data` },
        { from: `${from!.id}.data`, to: `${to!.id}.data` }
      ]
    })
    await createAtBoth([a, b], chain('called', node('call', 'wait-for-call'), node('give', 'return')))
    const below = node('below', 'run-flow', { flow: 'called' })
    const ask = node('ask', 'approve', { question: 'Is it {n}?' })
    const id = await a.start((await createAtBoth([a, b], chain('asking', below, ask))).slug, '{}')
    const child = await eventually(
      async () => (await b.get(`/api/v1/runs?parent=${id}`)).json<{ runs: RunBody[] }>().runs[0],
      (run) => run?.status === 'waiting'
    )
    const waiting = (await b.get(`/api/v1/runs/${child!.id}`)).json<{ waiting: { resume_url: string }[] }>()
    const path = new URL(waiting.waiting[0]!.resume_url).pathname
    assert.equal((await b.post(path, { n: 7 }, { key: null })).status, 202)
    problemOf(await a.post(path, { n: 8 }, { key: null }), 410, 'wait_over')
    const asked = async () =>
      (await a.get('/api/v1/approvals?status=open')).json<{ approvals: { id: string; question: string }[] }>()
    const [approval] = (await eventually(asked, (found) => found.approvals.length > 0)).approvals
    assert.equal(approval!.question, 'Is it 7?')
    const answers = await Promise.all(
      [a, b, a, b].map((each) => each.post(`/api/v1/approvals/${approval!.id}`, { choice: 'approve' }))
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    assert.equal((await b.waitForRun(id)).status, 'succeeded')
  })

  await t.test('a worker answers for its health and sends everything else to a web process', async () => {
    assert.equal((await worker.client.get('/livez', { key: null })).status, 200)
    assert.equal((await worker.client.get('/readyz', { key: null })).status, 200)
    for (const path of ['/', '/api/v1/flows', '/api/v1/openapi.json']) {
      const problem = problemOf(await worker.client.get(path), 404, 'route_not_found')
      assert.match(problem.detail, /MILLRACE_ROLE=web/)
    }
    problemOf(await worker.client.webhook('orders'), 404, 'route_not_found')
  })

  await t.test('the example flow and the first key are made once', async () => {
    const { flows } = (await a.get('/api/v1/flows')).json<{ flows: { slug: string }[] }>()
    assert.equal(flows.filter(({ slug }) => slug.startsWith('orders') && slug !== 'orders-again').length, 1)
    const printed = [one, two].filter(({ process }) => process.stdout.includes('Start the example flow'))
    assert.equal(printed.length, 1)
  })
})

/** Makes tests for the event after which every one of these runs has ended; `seen` were heard before. */
function endsAll(ids: readonly string[]) {
  return (seen: readonly SentEvent[] = []) => {
    const open = new Set(ids)
    const note = ({ event, data }: SentEvent) => {
      if (event === 'run.ended') open.delete(data.run_id as string)
      return open.size === 0
    }
    for (const event of seen) note(event)
    return note
  }
}

function ownEvents(events: readonly SentEvent[], ids: readonly string[]): SentEvent[] {
  return events.filter(({ data }) => ids.includes(data.run_id as string))
}
