import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { type Clock, systemClock } from '../src/clock.ts'
import { isSigned as isSignedBy } from '../src/http/webhook/signatures/scheme.test-kit.ts'
import type { FlowBody, RunBody } from './support/api-client.ts'
import { cleanUp, type Lifetime, lifetimeOfFile } from './support/clean-up.ts'
import {
  type MisbehavingServer,
  type SeenRequest,
  startMisbehavingServer
} from './support/misbehaving-server.ts'
import { type Service, startService } from './support/service.ts'

const SECRET = `whsec_${Buffer.from('a key of twenty-four byte').toString('base64')}`
const OLD_SECRET = `whsec_${Buffer.from('another key, as long as it').toString('base64')}`

type Waiting = RunBody & { readonly waiting: readonly { node: string; kind: string; until: string }[] }

interface Receiver {
  readonly server: MisbehavingServer
  /** What it answers next, by turns; 200 when there is none left. */
  readonly answers: { status: number; headers?: Record<string, string> }[]
  /** What it answers where no turn is left. */
  otherwise: number
}

async function startReceiver(life: Lifetime): Promise<Receiver> {
  const receiver: Omit<Receiver, 'server'> = { answers: [], otherwise: 200 }
  const server = await startMisbehavingServer({
    answers: {
      '/hook': (response) => {
        const { status, headers = {} } = receiver.answers.shift() ?? { status: receiver.otherwise }
        response.writeHead(status, headers).end(`said ${status}`)
      }
    }
  })
  cleanUp(life, () => server.stop())
  return Object.assign(receiver, { server })
}

/** A clock that stands until it is put forward: no attempt comes by itself. */
function stillClock() {
  let now = Date.now()
  const clock: Clock = { ...systemClock(), now: () => now }
  const advance = (ms: number) => {
    now += ms
  }
  return { clock, advance }
}

/** Webhook → Send webhook → Return. */
async function makeFlow(service: Service, connection: string, node: object = {}): Promise<FlowBody> {
  return service.createFlow({
    name: 'Forward',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'send-1', type: 'send-webhook', fields: { connection }, ...node },
      { id: 'return-1', type: 'return' }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'send-1.data' },
      { from: 'send-1.result', to: 'return-1.data' }
    ]
  })
}

const lines: string[] = []
const env = { MILLRACE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
const life = lifetimeOfFile()
let started: ReturnType<typeof start> | undefined

async function start(test: Lifetime) {
  const { clock, advance } = stillClock()
  const sink = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line))
      done()
    }
  })
  const log = pino({ level: 'info' }, sink)
  return { clock, advance, service: await startService(test, { clock, log, env }) }
}

/** One for all: each test has a receiver and a connection of its own. */
function shared(): ReturnType<typeof start> {
  started ??= start(life)
  return started
}

async function receive(test: Lifetime, service: Service, name: string, signing_secret = SECRET) {
  const receiver = await startReceiver(test)
  const made = await service.post('/api/v1/connections', {
    name,
    kind: 'webhook',
    settings: { url: receiver.server.url('/hook') },
    secrets: { signing_secret }
  })
  assert.equal(made.status, 201, made.text)
  return receiver
}

/** When its run waits. */
async function startWaiting(service: Service, flow: FlowBody): Promise<Waiting> {
  const events = await service.events(flow.id)
  const id = await service.start(flow.slug, '{"order":7}')
  await events.until(({ event, data }) => event === 'run.waiting' && data.run_id === id)
  events.close()
  return (await service.readRun(id)) as Waiting
}

function isSigned(request: SeenRequest, secret: string, now: number): boolean {
  return isSignedBy(
    { signature_scheme: 'Standard Webhooks' },
    {
      headers: request.headers,
      body: Buffer.from(request.body),
      secret,
      now: now / 1000
    }
  )
}

const stepOf = (run: RunBody) => run.steps.find(({ node }) => node === 'send-1')!

describe('Send webhook', () => {
  it('delivers the data, signed with every secret there is', async (t) => {
    const { service, clock } = await shared()
    const receiver = await receive(t, service, 'two-secrets', `${SECRET} ${OLD_SECRET}`)
    const flow = await makeFlow(service, 'two-secrets')
    const run = (await service.post(`/api/v1/run/${flow.id}`, { input: { order: 7 } })).json<RunBody>()
    assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
    const [request] = receiver.server.requests
    assert.equal(request!.body, '{"order":7}')
    assert.equal(request!.headers['content-type'], 'application/json')
    assert.equal(request!.headers['idempotency-key'], `${run.id}/send-1`)
    for (const secret of [SECRET, OLD_SECRET]) assert.ok(isSigned(request!, secret, clock.now()))
    assert.ok(!isSigned(request!, `whsec_${Buffer.from('wrong').toString('base64')}`, clock.now()))
    assert.deepEqual(stepOf(run).outputs?.result, {
      webhook_id: `msg_${run.id}_send-1`,
      status: 200,
      url: receiver.server.url('/hook'),
      attempts: 1,
      body: 'said 200'
    })
  })

  it('waits in the store for its next attempt, over a restart, and goes on when it is delivered', async (t) => {
    const { service, clock, advance } = await start(t)
    const receiver = await receive(t, service, 'customer')
    receiver.answers.push({ status: 500 }, { status: 503, headers: { 'retry-after': '3600' } })
    const flow = await makeFlow(service, 'customer', {
      fields: { connection: 'customer', body: { order: '{order}' } }
    })
    const first = await startWaiting(service, flow)
    assert.equal(first.status, 'waiting')
    const [wait] = first.waiting
    assert.partialDeepStrictEqual(wait, { node: 'send-1', kind: 'retry' })
    const inMs = Date.parse(wait!.until) - clock.now()
    assert.ok(inMs > 0 && inMs <= 5_000, String(inMs))
    await service.stop()
    advance(5_000)
    const again = await startService(t, { clock, env, home: service.home })
    const events = await again.events(flow.id, { lastEventId: '0.0' })
    await events.until(({ event }) => event === 'run.waiting' && receiver.server.requests.length === 2)
    events.close()
    const second = (await again.readRun(first.id)) as Waiting
    // What the receiver asks for is longer than what the schedule says.
    const asked = Date.parse(second.waiting[0]!.until) - clock.now()
    assert.ok(asked > 3_500_000 && asked <= 3_600_000, String(asked))
    const woken = await again.post(`/api/v1/runs/${first.id}/wake`, { node: 'send-1' })
    assert.equal(woken.status, 200, woken.text)
    const run = await again.waitForRun(first.id)
    assert.equal(run.status, 'succeeded')
    assert.partialDeepStrictEqual(stepOf(run), {
      attempts: 3,
      outputs: { result: { status: 200, attempts: 3 } }
    })
    const { requests } = receiver.server
    const told = (header: string) => new Set(requests.map(({ headers }) => headers[header]))
    assert.equal(requests.length, 3)
    assert.equal(told('webhook-id').size, 1)
    assert.equal(told('idempotency-key').size, 1)
    assert.ok(isSigned(requests[2]!, SECRET, clock.now()), 'the time that is signed is that of the attempt')
    assert.ok(
      Number(requests[1]!.headers['webhook-timestamp']) - Number(requests[0]!.headers['webhook-timestamp']) >=
        4
    )
    const { attempts } = run as RunBody & { attempts: { error: { code: string } | null }[] }
    assert.deepEqual(
      attempts.map(({ error }) => error?.code ?? null),
      ['upstream_failed', 'upstream_failed', null]
    )
  })

  it('ends at once where the receiver is gone, and goes by the attempts that the node says', async (t) => {
    const { service } = await shared()
    const receiver = await receive(t, service, 'gone')
    const flow = await makeFlow(service, 'gone')
    receiver.answers.push({ status: 410 })
    const gone = (await service.post(`/api/v1/run/${flow.id}`, { input: {} })).json<RunBody>()
    assert.equal(gone.error?.code, 'destination_gone')
    receiver.answers.push({ status: 302, headers: { location: '/elsewhere' } })
    const once = await makeFlow(service, 'gone', { retry: { attempts: 1 } })
    const moved = (await service.post(`/api/v1/run/${once.id}`, { input: {} })).json<RunBody>()
    assert.match(moved.error!.message, /answered 302 and said: said 302\nRedirects are not followed/)
    assert.equal(receiver.server.requests.length, 2)
  })

  it('does not call a receiver that is down a thousand times, and tells of it once', async (t) => {
    const { service, advance } = await shared()
    const receiver = await receive(t, service, 'dead')
    const flow = await makeFlow(service, 'dead')
    receiver.otherwise = 500
    const events = await service.events(flow.id)
    const ids = await Promise.all(Array.from({ length: 40 }, () => service.start(flow.slug, '{"order":7}')))
    const waiting = new Set<unknown>()
    await events.until(({ event, data }) => event === 'run.waiting' && waiting.add(data.run_id).size === 40)
    events.close()
    assert.equal(receiver.server.requests.length, 5)
    const told = (words: RegExp) => lines.filter((line) => words.test(line)).length
    assert.equal(told(/is down: 5 deliveries in a row failed/), 1)
    assert.match((await service.get('/metrics')).text, /^millrace_destinations_down 1$/m)
    const runs = await Promise.all(ids.map((id) => service.readRun(id)))
    const held = runs.filter((run) => stepOf(run).error?.code === 'destination_down')
    assert.equal(held.length, 35)
    assert.match(
      stepOf(held[0]!).error!.message,
      /^Nothing was sent: the connection "dead" has not answered since/
    )

    receiver.otherwise = 200
    const tried = await service.post(`/api/v1/flows/${flow.id}/nodes/send-1/run`, { inputs: { data: {} } })
    assert.equal(tried.json<{ status: string }>().status, 'succeeded', 'who tries the node sends')
    advance(5_000)
    for (const { id } of held.slice(0, 2)) {
      await service.post(`/api/v1/runs/${id}/wake`, { node: 'send-1' })
      assert.equal((await service.waitForRun(id)).status, 'succeeded')
    }
    assert.equal(told(/answers again/), 1)
    assert.match((await service.get('/metrics')).text, /^millrace_destinations_down 0$/m)
  })

  it('refuses a secret that others would read otherwise, and an address that is none', async (t) => {
    const { service } = await shared()
    const receiver = await receive(t, service, 'unreadable', 'not base64: %%%')
    const codeOf = async (node: object) => {
      const { id } = await makeFlow(service, 'unreadable', node)
      return (await service.post(`/api/v1/run/${id}`, { input: { to: 'ftp://a' } })).json<RunBody>().error
        ?.code
    }
    assert.equal(await codeOf({}), 'signing_secret_invalid')
    assert.equal(await codeOf({ fields: { url: '{to}' } }), 'url_invalid')
    assert.equal(await codeOf({ fields: { url: receiver.server.url('/hook') } }), 'egress_refused')
    assert.equal(receiver.server.requests.length, 0)
  })
})
