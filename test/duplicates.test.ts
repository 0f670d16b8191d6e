import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { type Answer, type ApiClient, problemOf } from './support/api-client.ts'
import { anythingFlow, callFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { serviceOfFile, shiftedClock, startService } from './support/service.ts'

const shared = serviceOfFile()

const DAY_MS = 86_400_000

type Headers = Readonly<Record<string, string>>

const send = (service: ApiClient, slug: string, headers: Headers, body = '{}') =>
  service.webhook(slug, body, { headers })

function startedBy(answer: Answer): string {
  assert.equal(answer.status, 202, answer.text)
  assert.equal(answer.headers.get('idempotent-replayed'), null, 'it is told to be a duplicate')
  return answer.json<{ run_id: string }>().run_id
}

function assertDuplicate(answer: Answer, runId: string): void {
  assert.equal(answer.status, 202, answer.text)
  assert.equal(answer.headers.get('idempotent-replayed'), 'true', answer.text)
  assert.equal(answer.headers.get('location'), `/api/v1/runs/${runId}`)
  assert.deepEqual(Object.keys(answer.json()), ['message', 'status', 'run_id'])
  assert.equal(answer.json<{ run_id: string }>().run_id, runId)
}

async function runIds(service: ApiClient, flowId: string): Promise<string[]> {
  const answer = await service.get(`/api/v1/runs?flow_id=${flowId}&limit=500`)
  return answer.json<{ runs: { id: string }[] }>().runs.map(({ id }) => id)
}

describe('a delivery that comes again', () => {
  const NAMES: Record<string, (name: string) => Headers> = {
    'Idempotency-Key': (name) => ({ 'idempotency-key': name }),
    'webhook-id': (name) => ({ 'webhook-id': name }),
    'x-github-delivery': (name) => ({ 'x-github-delivery': name }),
    'x-shopify-webhook-id': (name) => ({ 'x-shopify-webhook-id': name }),
    'ce-id and ce-source': (name) => ({ 'ce-id': name, 'ce-source': '/shop' })
  }

  it('starts nothing, by whichever header its sender names it', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const other = await service.createFlow(anythingFlow())
    const started: string[] = []
    for (const headersOf of Object.values(NAMES)) {
      const first = startedBy(await send(service, flow.slug, headersOf('7')))
      assertDuplicate(await send(service, flow.slug, headersOf('7')), first)
      assertDuplicate(await send(service, flow.id, headersOf('7')), first)
      started.push(first, startedBy(await send(service, flow.slug, headersOf('8'))))
      startedBy(await send(service, other.slug, headersOf('7')))
    }
    const halves = [{ 'ce-id': '7' }, { 'ce-source': '/shop' }, { 'ce-id': '7', 'ce-source': '/other' }]
    for (const half of halves) started.push(startedBy(await send(service, flow.slug, half)))
    for (let n = 0; n < 2; n++) started.push(startedBy(await send(service, flow.slug, { 'webhook-id': '' })))
    assert.deepEqual(await runIds(service, flow.id), started.reverse())
  })

  it('is known by any of its names', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    const first = startedBy(await send(service, slug, { 'idempotency-key': 'a', 'webhook-id': 'b' }))
    assertDuplicate(await send(service, slug, { 'webhook-id': 'b' }), first)
    assertDuplicate(await send(service, slug, { 'idempotency-key': 'a', 'webhook-id': 'c' }), first)
    startedBy(await send(service, slug, { 'webhook-id': 'c' }))
  })

  it('is one of many that arrive together', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const headers = { 'idempotency-key': 'once' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(service, flow.slug, headers)))
    const [runId, ...others] = await runIds(service, flow.id)
    assert.deepEqual(others, [])
    const told = answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)
    assert.equal(told.length, 1)
    for (const answer of answers) assert.equal(answer.json<{ run_id: string }>().run_id, runId)
  })

  it('is known over a restart, and for a day', async (t) => {
    const { clock, advance } = shiftedClock()
    const before = await startService(t, { clock })
    const { slug } = await before.createFlow(anythingFlow())
    const headers = { 'x-github-delivery': 'guid' }
    const first = startedBy(await send(before, slug, headers))
    await before.stop()
    const service = await startService(t, { clock, home: before.home })
    advance(DAY_MS - 60_000)
    assertDuplicate(await send(service, slug, headers), first)
    advance(60_000)
    const second = startedBy(await send(service, slug, headers))
    assert.notEqual(second, first)
    assertDuplicate(await send(service, slug, headers), second)
  })

  it('waits for the first run where its caller prefers to', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(callFlow(outside.url()))
    const headers = { 'idempotency-key': 'a' }
    const first = startedBy(await send(service, slug, headers))
    const call = await outside.next()
    const waiting = send(service, slug, { ...headers, prefer: 'wait=30' })
    const short = await send(service, slug, { ...headers, prefer: 'wait=0' })
    assertDuplicate(short, first)
    assert.equal(short.json().status, 'in progress')
    call.answer()
    assertDuplicate(await waiting, first)
    assert.equal((await waiting).json().status, 'succeeded')
    const late = await send(service, slug, { ...headers, prefer: 'wait=30' })
    assertDuplicate(late, first)
    assert.equal(late.json().status, 'succeeded', 'it has ended long ago')
    assert.equal(late.headers.get('preference-applied'), 'wait=30')
  })

  it('is no replay, and no retry', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const first = startedBy(await send(service, flow.slug, { 'idempotency-key': 'a' }))
    await service.waitForRun(first)
    for (let n = 0; n < 2; n++) startedBy(await service.post(`/api/v1/runs/${first}/replay`))
    assert.equal((await runIds(service, flow.id)).length, 3)
    assertDuplicate(await send(service, flow.slug, { 'idempotency-key': 'a' }), first)
  })

  it('has to be signed like any other', async (t) => {
    const service = await shared(t)
    const secret = 'a-secret-of-some-length'
    const { slug } = await service.createFlow(
      anythingFlow({ auth: 'Signature', signature_scheme: 'GitHub', signing_secret: secret })
    )
    const sign = (body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const signed = { 'x-github-delivery': 'guid', 'x-hub-signature-256': sign('{}') }
    const first = startedBy(await send(service, slug, signed))
    assertDuplicate(await send(service, slug, signed), first)
    const forged = { ...signed, 'x-hub-signature-256': sign('{"other":1}') }
    problemOf(await send(service, slug, forged), 401, 'signature_invalid')
  })
})

describe('an Idempotency-Key', () => {
  it('with another body is a mistake of the sender, and starts nothing', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const headers = { 'idempotency-key': 'a' }
    const first = startedBy(await send(service, flow.slug, headers, '{"order":1}'))
    const { detail } = problemOf(
      await send(service, flow.slug, headers, '{"order":2}'),
      422,
      'idempotency_key_reused'
    )
    assert.ok(detail.includes(first), detail)
    assertDuplicate(await send(service, flow.slug, headers, '{"order":1}'), first)
    assert.deepEqual(await runIds(service, flow.id), [first])
    // A delivery id of a sender says nothing of the body: some write the time of the attempt into it.
    const github = { 'x-github-delivery': 'a' }
    const second = startedBy(await send(service, flow.slug, github, '{"order":1}'))
    assertDuplicate(await send(service, flow.slug, github, '{"order":2}'), second)
  })

  it('that is empty or too long is refused, any other text is taken', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    for (const key of ['', 'x'.repeat(256), 'x'.repeat(8_000)]) {
      const answer = await send(service, flow.slug, { 'idempotency-key': key })
      assert.match(problemOf(answer, 400, 'idempotency_key_invalid').detail, /1 to 255 characters/)
    }
    assert.deepEqual(await runIds(service, flow.id), [])
    for (const key of [
      'x'.repeat(255),
      '"8e03978e"',
      "'; DROP TABLE runs",
      'ÿ',
      '__proto__',
      '{id}',
      '\t.'
    ]) {
      const first = startedBy(await send(service, flow.slug, { 'idempotency-key': key }))
      assertDuplicate(await send(service, flow.slug, { 'idempotency-key': key }), first)
    }
  })
})

it('what the API says of duplicates', async (t) => {
  const service = await shared(t)
  const { paths } = (await service.get('/api/v1/openapi.json')).json<{ paths: Record<string, unknown> }>()
  const { post } = paths['/api/v1/webhook/{flow}'] as {
    post: {
      parameters: { in: string; name: string; required?: boolean; schema: { maxLength?: number } }[]
      responses: Record<string, { headers?: Record<string, unknown> }>
    }
  }
  const key = post.parameters.find(({ name }) => name === 'Idempotency-Key')
  assert.deepEqual([key?.in, key?.required ?? false, key?.schema.maxLength], ['header', false, 255])
  assert.deepEqual(Object.keys(post.responses['202']!.headers ?? {}), ['Idempotent-Replayed'])
})

describe('deduplicate_by', () => {
  it('names a delivery by its payload', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ deduplicate_by: '{id}' }))
    const event = (id: unknown, attempt: number) => JSON.stringify({ id, attempt })
    for (const [id, twin] of [
      ['evt_1', 'evt_1'],
      [7, '7'],
      [{ a: 1 }, { a: 1 }]
    ]) {
      const first = startedBy(await service.webhook(slug, event(id, 1)))
      assertDuplicate(await service.webhook(slug, event(twin, 2)), first)
    }
    startedBy(await service.webhook(slug, event('evt_2', 1)))
    const large = startedBy(await service.webhook(slug, '{"id":12345678901234567890}'))
    assertDuplicate(await service.webhook(slug, '{"id":12345678901234567890}'), large)
    startedBy(await service.webhook(slug, '{"id":12345678901234567891}'))
  })

  it('names it by the flow and the time as well, and by no run', async (t) => {
    const service = await shared(t)
    const daily = '{$data.id} {$flow.slug} {$now:yyyy}'
    const { slug } = await service.createFlow(anythingFlow({ deduplicate_by: daily }))
    const first = startedBy(await service.webhook(slug, '{"id":1,"at":"nine"}'))
    assertDuplicate(await service.webhook(slug, '{"id":1,"at":"ten"}'), first)
    startedBy(await service.webhook(slug, '{"id":2}'))
    for (const [template, code] of [
      ['{id} {$run.id}', 'invalid_field'],
      ['{id} {$nodes.parser-1.parsed_text}', 'reference_not_upstream']
    ] as const) {
      const refused = await service.post('/api/v1/flows', anythingFlow({ deduplicate_by: template }))
      assert.equal(problemOf(refused, 422, 'flow_invalid').errors![0]!.code, code, refused.text)
    }
  })

  it('names lists by their items, and whatever is sent by all of it', async (t) => {
    const service = await shared(t)
    for (const [deduplicate_by, sent, again] of [
      ['{0.id}', '[{"id":1},{"id":2}]', '[{"id":1}]'],
      ['{$data}', '[1, 2]', '[1,2]'],
      ['{$data}', '"a"', '"a"'],
      ['{$data} {$flow.slug}', '7', '7']
    ] as const) {
      const { slug } = await service.createFlow(anythingFlow({ deduplicate_by }))
      const first = startedBy(await service.webhook(slug, sent))
      assertDuplicate(await service.webhook(slug, again), first)
      startedBy(await service.webhook(slug, '[{"id":3}]'))
    }
  })

  it('takes what it cannot name, each time', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ deduplicate_by: '{event.id}' }))
    for (const body of [
      '{}',
      '{"event":null}',
      '{"event":{"id":""}}',
      '[{"event":{"id":1}}]',
      '7',
      'text',
      ''
    ]) {
      for (let n = 0; n < 2; n++) startedBy(await service.webhook(slug, body))
    }
    const optional = await service.createFlow(anythingFlow({ deduplicate_by: 'event {id?}' }))
    for (const body of ['7', '8']) startedBy(await service.webhook(optional.slug, body))
  })

  it('stands beside the headers', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ deduplicate_by: '{source} {id}' }))
    const body = '{"source":"/shop","id":"1"}'
    const first = startedBy(await send(service, slug, { 'webhook-id': 'a' }, body))
    assertDuplicate(await send(service, slug, { 'webhook-id': 'b' }, body), first)
    assertDuplicate(await send(service, slug, { 'webhook-id': 'a' }, '{}'), first)
  })

  it('is checked when the flow is saved', async (t) => {
    const service = await shared(t)
    for (const [template, words] of [
      ['{id', /deduplicate_by/],
      ['always the same', /reads nothing of the payload/]
    ] as const) {
      const answer = await service.post('/api/v1/flows', anythingFlow({ deduplicate_by: template }))
      const { errors } = problemOf(answer, 422, 'flow_invalid')
      assert.equal(errors![0]!.field, 'deduplicate_by')
      assert.match(errors![0]!.message, words)
    }
  })
})
