import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readAnswer } from './support/answer-reader.ts'
import { answerAfterCallFlow, streamedFlow } from './support/answering-flows.ts'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { startOutside } from './support/outside.ts'
import { pluginPaths } from './support/stage.ts'

const env = { MILLRACE_API_KEY: CHILD_KEY, MILLRACE_PLUGINS: pluginPaths(['call.ts', 'speak.ts']) }

it('a caller whose service dies gets the answer of the run that was accepted when it asks again', async (t) => {
  const first = await spawnService(t, { env })
  const client = await first.client(CHILD_KEY)
  const outside = await startOutside(t)
  const flow = answerAfterCallFlow(outside.url(), { status: '201' })
  const early = { id: 'early', type: 'respond', fields: { body: 'Early {n}' } }
  const after = await client.createFlow(flow)
  const before = await client.createFlow({
    ...flow,
    nodes: [flow.nodes[0], flow.nodes[1], early],
    edges: [
      { from: 'webhook-1.data', to: 'early.data' },
      { from: 'early.data', to: 'call-1.data' }
    ]
  })
  const headers = { 'idempotency-key': 'same' }
  // One is answered while its run goes on, the other dies before it could be.
  const told = await client.webhook(before.slug, '{"n":1}', { headers })
  assert.equal(told.text, 'Early 1')
  const lost = assert.rejects(client.webhook(after.slug, '{"n":2}', { headers }))
  await Promise.all([outside.next(), outside.next()])
  first.child.kill('SIGKILL')
  await Promise.all([lost, first.ended])

  const second = await spawnService(t, { env, home: first.home })
  const again = await second.client(CHILD_KEY)
  outside.answerAll(() => ({ body: { made: 2 } }))
  const same = await again.webhook(before.slug, '{"n":1}', { headers })
  assert.deepEqual(
    [same.status, same.text, same.headers.get('location')],
    [200, 'Early 1', told.headers.get('location')]
  )
  const made = await again.webhook(after.slug, '{"n":2}', { headers })
  assert.deepEqual(
    [made.status, made.text, made.headers.get('idempotent-replayed')],
    [201, '{"made":2}', 'true']
  )
  const { runs } = (await again.get(`/api/v1/runs?flow_id=${after.id}`)).json<{ runs: unknown[] }>()
  assert.equal(runs.length, 1)
})

it('a caller whose service dies in the midst of a streamed answer is cut off, and gets the whole when it asks again', async (t) => {
  const first = await spawnService(t, { env })
  const client = await first.client(CHILD_KEY)
  const outside = await startOutside(t)
  const { slug, id } = await client.createFlow(streamedFlow(outside.url()))
  const headers = { 'idempotency-key': 'same' }
  const asked = readAnswer(`${client.address}/api/v1/webhook/${slug}`, {
    headers: { ...headers, 'x-api-key': CHILD_KEY }
  })
  ;(await outside.next()).answer({ text: 'Good ' })
  const answer = await asked
  await answer.until('Good ')
  await outside.next()
  const cut = assert.rejects(answer.whole(), /aborted/)
  first.child.kill('SIGKILL')
  await Promise.all([cut, first.ended])

  const second = await spawnService(t, { env, home: first.home })
  const again = await second.client(CHILD_KEY)
  const same = again.webhook(slug, '{}', { headers })
  ;(await outside.next()).answer({ text: 'Good morning' })
  ;(await outside.next()).answer({ isLast: true })
  const { status, text, headers: sent } = await same
  assert.deepEqual([status, text, sent.get('idempotent-replayed')], [200, 'Good morning', 'true'])
  assert.equal(sent.get('location'), answer.headers.location)
  const { runs } = (await again.get(`/api/v1/runs?flow_id=${id}`)).json<{ runs: unknown[] }>()
  assert.equal(runs.length, 1)
})
