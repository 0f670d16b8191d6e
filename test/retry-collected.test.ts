import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { callingOutside, childrenOf, type Returned } from './support/child-flows.ts'
import { eventually } from './support/eventually.ts'
import { type Outside, startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'
import type { Waiting } from './support/waiting-flows.ts'

/** Items whose value is in `bad` fail; the results are told by a Chat Output too. */
async function collecting(service: Service, outside: Outside, bad: Set<string>) {
  outside.answerAll(({ body }) => (bad.has(body) ? { status: 400 } : { body: { said: body } }))
  const flow = callingOutside(outside.url(), { failures: 'collect' })
  return service.createFlow({
    ...flow,
    nodes: [
      ...flow.nodes,
      { id: 'line', type: 'parser', fields: { mode: 'Stringify' } },
      { id: 'told', type: 'chat-output' },
      { id: 'before', type: 'parser', fields: { mode: 'Stringify' } }
    ],
    edges: [
      ...flow.edges,
      { from: 'each.errors', to: 'line.data' },
      { from: 'line.parsed_text', to: 'told.text' },
      { from: 'webhook-1.data', to: 'before.data' }
    ]
  })
}

const stepOf = ({ steps }: RunBody, node: string) => steps.find((step) => step.node === node)!

describe('a run that succeeded with items that failed', () => {
  it('runs those again, and what follows with the new results', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const bad = new Set(['2', '4'])
    const { slug, id: flowId } = await collecting(service, outside, bad)
    const id = await service.start(slug, [1, 2, 3, 4])
    const first = (await service.waitForRun(id)) as Returned
    assert.deepEqual([first.status, first.output], ['succeeded', [{ said: '1' }, null, { said: '3' }, null]])
    const kept = (await childrenOf(service, id)).filter(({ status }) => status === 'succeeded')

    bad.clear()
    const refused = await service.post(`/api/v1/runs/${id}/retry`, { items: [0] })
    problemOf(refused, 409, 'run_not_retryable')
    assert.equal((await service.post(`/api/v1/runs/${id}/retry`, { items: [3] })).status, 202)
    const one = (await service.waitForRun(id)) as Returned
    assert.deepEqual(
      [one.status, one.output],
      ['succeeded', [{ said: '1' }, null, { said: '3' }, { said: '4' }]]
    )
    assert.deepEqual([stepOf(one, 'each').attempts, stepOf(one, 'line').attempts], [2, 2])
    assert.deepEqual(stepOf(one, 'before'), stepOf(first, 'before'), 'what does not follow stays as it is')

    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
    const all = (await service.waitForRun(id)) as Returned
    assert.deepEqual(
      all.output,
      [1, 2, 3, 4].map((said) => ({ said: String(said) }))
    )
    assert.equal(outside.calls.length, 6)
    const children = await childrenOf(service, id)
    for (const item of kept)
      assert.deepEqual(children.find((each) => each.id === item.id)?.finished_at, item.finished_at)
    const { messages } = (await service.get(`/api/v1/flows/${flowId}/messages`)).json<{
      messages: { text: string }[]
    }>()
    assert.equal(messages.at(-1)?.text, '[]')
    problemOf(await service.post(`/api/v1/runs/${id}/retry`), 409, 'run_not_retryable')
  })

  it('calls what follows by another key: it is another request', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const bad = new Set(['2'])
    outside.answerAll(({ body }) => (bad.has(body) ? { status: 400 } : { body: {} }))
    const flow = callingOutside(outside.url(), { failures: 'collect' })
    const { slug } = await service.createFlow({
      ...flow,
      nodes: [...flow.nodes, { id: 'after', type: 'call', fields: { url: outside.url('/after') } }],
      edges: [...flow.edges, { from: 'each.results', to: 'after.data' }]
    })
    const id = await service.start(slug, [1, 2])
    await service.waitForRun(id)
    bad.clear()
    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
    assert.equal((await service.waitForRun(id)).status, 'succeeded')
    const keys = outside.calls.flatMap(({ body, headers }) =>
      body.startsWith('[') ? [headers['idempotency-key']] : []
    )
    assert.deepEqual(keys, [`${id}/after`, `${id}/after/1`])
  })

  it('waits for the items alone when it is cancelled meanwhile and retried', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(callingOutside(outside.url(), { failures: 'collect' }))
    const id = await service.start(slug, [1])
    const retry = async () => {
      assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
      return outside.next()
    }
    ;(await outside.next()).answer({}, 400)
    assert.equal((await service.waitForRun(id)).status, 'succeeded')
    await retry()
    assert.equal((await service.post(`/api/v1/runs/${id}/cancel`)).status, 200)
    assert.equal((await service.waitForRun(id)).status, 'cancelled')
    const call = await retry()
    await eventually(async () => (await service.readRun(id)).status, 'waiting')
    call.answer({ said: '1' })
    const ended = (await service.waitForRun(id)) as Returned
    assert.deepEqual([ended.output, stepOf(ended, 'answer').attempts], [[{ said: '1' }], 2])
  })

  it('asks for all pages again where what is asked for follows from the results', async (t) => {
    const env = { MILLRACE_EGRESS_ALLOW: '127.0.0.1' }
    const service = await startService(t, { plugins: ['call.ts'], env })
    const outside = await startOutside(t)
    let isDown = true
    outside.answerAll(({ path, body }) => {
      if (path === '/') return isDown && body === '2' ? { status: 400 } : { body: { said: body } }
      const isLast = path.endsWith('page=3')
      return { body: isLast ? [] : [`${path.at(-1)} of ${body}`] }
    })
    const flow = callingOutside(outside.url(), { failures: 'collect' })
    const fields = { method: 'POST', url: outside.url('/of'), pagination: 'Page number' }
    const { slug } = await service.createFlow({
      ...flow,
      nodes: [...flow.nodes, { id: 'pages', type: 'api-request', fields }],
      edges: [
        ...flow.edges.filter(({ to }) => to !== 'answer.data'),
        { from: 'each.results', to: 'pages.data' },
        { from: 'pages.body', to: 'answer.data' }
      ]
    })
    const id = await service.start(slug, [1, 2])
    const pagesOf = (results: unknown) => [1, 2].map((page) => `${page} of ${JSON.stringify(results)}`)
    const first = (await service.waitForRun(id)) as Returned
    assert.deepEqual(first.output, pagesOf([{ said: '1' }, null]))
    isDown = false
    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
    const again = (await service.waitForRun(id)) as Returned
    assert.deepEqual(again.output, pagesOf([{ said: '1' }, { said: '2' }]))
  })

  for (const onError of ['fail', 'output']) {
    it(`is not retried so where what follows has started runs of its own (on_error ${onError})`, async (t) => {
      const service = await startService(t, { plugins: ['call.ts'] })
      const outside = await startOutside(t)
      outside.answerAll(({ body }) => (body === '2' ? { status: 400 } : { body }))
      const flow = callingOutside(outside.url(), { failures: 'collect' })
      // The second one is given nothing, and fails where it stands for a failure.
      const fields = { expression: onError === 'fail' ? '$' : '$ = null ? $error("nothing") : $' }
      const { slug } = await service.createFlow({
        ...flow,
        nodes: [
          ...flow.nodes,
          { id: 'more', type: 'for-each', on_error: onError },
          { id: 'take', type: 'transform', parent: 'more', fields }
        ],
        edges: [
          ...flow.edges,
          { from: 'each.results', to: 'more.items' },
          { from: 'more.item', to: 'take.data' }
        ]
      })
      const id = await service.start(slug, [1, 2])
      const run = await service.waitForRun(id)
      assert.equal(run.status, 'succeeded')
      assert.equal(stepOf(run, 'more').status, onError === 'fail' ? 'succeeded' : 'failed')
      const problem = problemOf(await service.post(`/api/v1/runs/${id}/retry`), 409, 'run_not_retryable')
      assert.match(JSON.stringify(problem), /more/)
    })
  }

  it('is not retried so where the For each is pinned: none of its items has run', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const { id } = await service.createFlow(callingOutside('http://127.0.0.1:1', { failures: 'collect' }))
    const outputs = { results: [null], errors: [{ index: 0, code: 'x', message: 'y' }] }
    await service.request('PUT', `/api/v1/flows/${id}/pins/each`, { body: { outputs } })
    const run = (await service.post(`/api/v1/flows/${id}/test`, { input: [1] })).json<RunBody>()
    assert.equal(run.status, 'succeeded')
    problemOf(await service.post(`/api/v1/runs/${run.id}/retry`), 409, 'run_not_retryable')
  })

  it('asks people again about the new results', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const bad = new Set(['2'])
    outside.answerAll(({ body }) => (bad.has(body) ? { status: 400 } : { body }))
    const flow = callingOutside(outside.url(), { failures: 'collect' })
    const { slug, id: flowId } = await service.createFlow({
      ...flow,
      nodes: [...flow.nodes, { id: 'ask', type: 'approve', fields: { question: 'Send {$data}?' } }],
      edges: [
        ...flow.edges.filter(({ to }) => to !== 'answer.data'),
        { from: 'each.results', to: 'ask.data' },
        { from: 'ask.approve', to: 'answer.data' }
      ]
    })
    type Asked = { readonly id: string; readonly question: string }
    const open = async () =>
      (await service.get(`/api/v1/approvals?status=open&flow_id=${flowId}`)).json<{ approvals: Asked[] }>()
        .approvals
    const answered = async (question: string) => {
      await eventually(async () => (await open()).map((asked) => asked.question), [question])
      const [asked] = await open()
      assert.equal((await service.post(`/api/v1/approvals/${asked!.id}`, { choice: 'Approve' })).status, 200)
      return asked!.id
    }
    const id = await service.start(slug, [1, 2])
    const first = await answered('Send ["1",null]?')
    assert.equal((await service.waitForRun(id)).status, 'succeeded')
    bad.clear()
    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
    assert.notEqual(await answered('Send ["1","2"]?'), first)
    const run = (await service.waitForRun(id)) as Returned & { output: { data: unknown } }
    assert.deepEqual([run.status, run.output.data, stepOf(run, 'ask').attempts], ['succeeded', ['1', '2'], 2])
  })

  it('takes a call that comes before what follows waits for it anew', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = callingOutside(outside.url(), { failures: 'collect' })
    const { slug } = await service.createFlow({
      ...flow,
      nodes: [
        ...flow.nodes,
        { id: 'order', type: 'call', fields: { url: outside.url('/order') } },
        { id: 'paid', type: 'wait-for-call' }
      ],
      edges: [
        ...flow.edges.filter(({ to }) => to !== 'answer.data'),
        { from: 'each.results', to: 'order.data' },
        { from: 'order.data', to: 'paid.data' },
        { from: 'paid.data', to: 'answer.data' }
      ]
    })
    const id = await service.start(slug, [1])
    ;(await outside.next()).answer({}, 400)
    ;(await outside.next()).answer({})
    const waitingAt = async () =>
      String(((await service.readRun(id)) as Waiting).waiting?.[0]?.resume_url ?? '')
    await eventually(async () => (await waitingAt()).includes('paid'), true)
    const path = (await waitingAt()).slice(service.address.length)
    const pay = (sum: number) => service.request('POST', path, { body: { sum }, key: null })
    assert.equal((await pay(1)).status, 202)
    assert.equal((await service.waitForRun(id)).status, 'succeeded')

    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
    ;(await outside.next()).answer({})
    const order = await outside.next()
    assert.equal((await pay(2)).status, 202)
    order.answer({})
    const run = (await service.waitForRun(id)) as Returned
    assert.deepEqual([run.status, run.output], ['succeeded', { sum: 2 }])
  })

  it('has still answered its caller what it did', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const bad = new Set(['2'])
    outside.answerAll(({ body }) => (bad.has(body) ? { status: 400 } : { body: body.repeat(100_000) }))
    const flow = callingOutside(outside.url(), { failures: 'collect' })
    const [webhook, ...others] = flow.nodes
    const fields = { auth: 'None', respond: 'When the flow answers' }
    const { slug } = await service.createFlow({
      ...flow,
      nodes: [{ ...webhook!, fields }, ...others, { id: 'told', type: 'respond' }],
      edges: [...flow.edges, { from: 'each.results', to: 'told.data' }]
    })
    const send = () => service.webhook(slug, '[1,2]', { headers: { 'idempotency-key': 'k' } })
    const first = await send()
    assert.match(first.text, /1",null]$/)
    const id = first.headers.get('location')!.split('/').at(-1)!
    bad.clear()
    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
    const run = (await service.waitForRun(id)) as Returned & { output: string[] }
    assert.deepEqual(
      [run.status, run.output[1]?.length, stepOf(run, 'told').attempts],
      ['succeeded', 100_000, 2]
    )
    const again = await send()
    assert.deepEqual([again.headers.get('idempotent-replayed'), again.text === first.text], ['true', true])
  })
})
