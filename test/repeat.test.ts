import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { childrenOf, type Returned, run } from './support/child-flows.ts'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'
import { temporaryFolder } from './support/stage.ts'

const outputs = (steps: RunBody['steps'], node: string) => steps.find((step) => step.node === node)?.outputs

const ADDING = { type: 'transform', fields: { expression: '{"n": n + 1}' } }

/** Webhook → Repeat (Transform: n + 1, and all that there was) → Return, whichever way it ends. */
function counting(fields: object, inside: { readonly type: string; readonly fields: object } = ADDING) {
  return {
    name: 'Counts',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'again', type: 'repeat', fields },
      { id: 'add', parent: 'again', ...inside },
      { id: 'answer', type: 'return' },
      { id: 'late', type: 'parser', fields: { mode: 'Stringify' } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'again.data' },
      { from: 'again.data', to: 'add.data' },
      { from: inside.type === 'parser' ? 'add.parsed_text' : 'add.data', to: 'again.next' },
      { from: 'again.data', to: 'answer.data' },
      { from: 'again.exhausted', to: 'late.data' }
    ]
  }
}

/** Each round calls outside with its data, and the answer is the data of the next. */
function polling(url: string, fields: object, more: object = {}) {
  return {
    ...counting(fields, { type: 'call', fields: { url } }),
    nodes: counting(fields, { type: 'call', fields: { url } }).nodes.map((node) =>
      node.id === 'again' ? { ...node, ...more } : node
    )
  }
}

describe('Repeat', () => {
  it('runs its inside until the condition holds, each round with what the last one gave', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(counting({ until: 'data.n >= 3 || index > 50' }))
    const { output, status, id, steps } = await run(service, slug, { n: 0 })
    assert.deepEqual([status, output], ['succeeded', { n: 3 }])
    assert.deepEqual(outputs(steps, 'again'), { data: { n: 3 } })
    const rounds = (await childrenOf(service, id)).toReversed()
    assert.deepEqual(
      rounds.map(({ trigger, status, parent }) => [trigger, status, parent?.node, parent?.index]),
      [0, 1, 2].map((index) => ['repeat', 'succeeded', 'again', index])
    )
    const second = await service.readRun(rounds[1]!.id)
    assert.deepEqual([second.input, outputs(second.steps, 'again')], [{ n: 1 }, { next: { n: 2 } }])
    problemOf(await service.post(`/api/v1/runs/${second.id}/replay`), 409, 'run_has_parent')
  })

  it('asks about the run, too: earlier nodes and the time, round by round', async (t) => {
    const service = await startService(t)
    const until =
      'compare(data.n, "is at least", nodes["webhook-1"].data.goal) && now > timestamp(run.created_at) && run.id != ""'
    const { slug } = await service.createFlow(counting({ until, most: 9 }))
    assert.deepEqual((await run(service, slug, { n: 0, goal: '4' })).output, { n: 4 })
    // Rounds that wait are asked about when they are over, in another turn of the step.
    const slow = { ...counting({ until, most: 9, pause: '1s' }), name: 'Slow' }
    const { slug: pausing } = await service.createFlow(slow)
    assert.deepEqual((await run(service, pausing, { n: 2, goal: 4 })).output, { n: 4 })
  })

  it('leaves by Exhausted after its rounds, and without a condition', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(counting({ until: 'false', most: 4 }))
    const { output, steps } = await run(service, slug, { n: 0 })
    assert.equal(output, null)
    assert.deepEqual(outputs(steps, 'again'), { exhausted: { n: 4 } })
    const never = await service.createFlow({ ...counting({ most: 2 }), name: 'Twice' })
    assert.deepEqual(outputs((await run(service, never.slug, { n: 5 })).steps, 'again'), {
      exhausted: { n: 7 }
    })
  })

  it('keeps the data where a round gives nothing, and tells which round failed and why', async (t) => {
    const service = await startService(t)
    const silent = { type: 'if-else', fields: { left: '{n}', operator: 'equals', right: '1' } }
    const flow = counting({ until: 'index == 2' }, silent)
    const edges = flow.edges.map((edge) =>
      edge.to === 'again.next' ? { from: 'add.true', to: 'again.next' } : edge
    )
    const { slug } = await service.createFlow({ ...flow, edges })
    assert.deepEqual((await run(service, slug, { n: 9 })).output, { n: 9 })
    const wrong = await service.createFlow({ ...counting({ until: 'data.missing == 1' }), name: 'Wrong' })
    const failed = await run(service, wrong.slug, { n: 0 })
    assert.deepEqual([failed.status, failed.error?.node], ['failed', 'again'])
    const broken = counting({}, { type: 'transform', fields: { expression: '$error("no more at " & n)' } })
    const stops = await service.createFlow({ ...broken, name: 'Stops' })
    const stopped = await run(service, stops.slug, { n: 7 })
    assert.equal(stopped.error?.code, 'round_failed')
    assert.match(stopped.error!.message, /Round 0 failed.*no more at 7/)
  })

  it('runs ten thousand rounds in one go', async (t) => {
    const service = await startService(t)
    const stringify = { type: 'parser', fields: { mode: 'Stringify' } }
    const { slug } = await service.createFlow(counting({ until: 'index == 9999', most: 10_000 }, stringify))
    const { output, steps } = await run(service, slug, 'as it is')
    assert.deepEqual([output, steps.find(({ node }) => node === 'again')?.attempts], ['as it is', 1])
  })

  it('calls outside round by round, goes on with the round that failed, and keeps the others', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(polling(outside.url(), { until: 'data.done' }))
    const id = await service.start(slug, { n: 0 })
    ;(await outside.next()).answer({ n: 1, done: false })
    await eventually(async () => (await service.readRun(id)).status, 'waiting')
    ;(await outside.next()).answer({}, 400)
    const failed = await service.waitForRun(id)
    assert.deepEqual([failed.status, failed.error?.code], ['failed', 'round_failed'])
    outside.answerAll(({ body }) => ({ body: { from: JSON.parse(body).n, done: true } }))
    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
    const again = (await service.waitForRun(id)) as Returned
    assert.deepEqual([again.status, again.output], ['succeeded', { from: 1, done: true }])
    assert.equal((await childrenOf(service, id)).length, 2)
    assert.equal(outside.calls.length, 3)
  })

  it('waits between rounds, in the store alone, and is cancelled with the round that goes on', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    outside.answerAll(() => ({ body: { done: false } }))
    const { slug } = await service.createFlow(polling(outside.url(), { until: 'data.done', pause: '3d' }))
    const id = await service.start(slug, { n: 0 })
    const paused = async () => {
      const { status, steps } = await service.readRun(id)
      return [status, steps.find(({ node }) => node === 'again')?.status, outside.calls.length]
    }
    await eventually(paused, ['waiting', 'waiting', 1])
    await service.post(`/api/v1/runs/${id}/cancel`)
    assert.equal((await service.waitForRun(id)).status, 'cancelled')
  })

  it('goes on after a restart with the round that was in flight, and after its pause', async (t) => {
    const home = await temporaryFolder(t)
    const before = await startService(t, { plugins: ['call.ts'], home })
    const outside = await startOutside(t)
    const { slug } = await before.createFlow(polling(outside.url(), { until: 'data.n == 3', pause: '0.1s' }))
    const id = await before.start(slug, { n: 0 })
    ;(await outside.next()).answer({ n: 1 })
    await outside.next()
    await before.stop()
    const after = await startService(t, { plugins: ['call.ts'], home })
    outside.answerAll(({ body }) => ({ body: { n: JSON.parse(body).n + 1 } }))
    const ended = (await after.waitForRun(id)) as Returned
    assert.deepEqual([ended.status, ended.output], ['succeeded', { n: 3 }])
    const rounds = (await childrenOf(after, id)).toReversed()
    assert.deepEqual(
      rounds.map(({ parent, status }) => [parent?.index, status]),
      [0, 1, 2].map((index) => [index, 'succeeded'])
    )
  })

  it('keeps nothing of the waits that are over in its journal, however many rounds there are', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    outside.answerAll(({ body }) => ({ body: { n: JSON.parse(body).n + 1 } }))
    const { slug } = await service.createFlow(polling(outside.url(), { until: 'data.n == 80' }))
    const id = await service.start(slug, { n: 0 })
    const ended = (await service.waitForRun(id)) as Returned
    assert.deepEqual(ended.output, { n: 80 })
    assert.equal(outside.calls.length, 80)
    const again = ended.steps.find(({ node }) => node === 'again') as unknown as { attempts: number }
    assert.equal(again.attempts, 1)
    const db = new DatabaseSync(join(service.home, 'millrace.db'), { readOnly: true })
    t.after(() => db.close())
    const entries = db.prepare(
      'SELECT count(*) AS count FROM journal j JOIN runs r ON r.seq = j.run_seq WHERE r.id = ?'
    )
    const { count } = entries.get(id) as { count: number }
    assert.ok(count < 100, `${count} entries of 240`)
  })

  it('says what is wrong with its fields and its wires', async (t) => {
    const service = await startService(t)
    const refused = async (flow: object, code: string) => {
      const answer = await service.post('/api/v1/flows', { context: '/', ...flow })
      assert.equal(answer.status, 422, answer.text)
      assert.ok(
        answer.json<{ errors: { code: string }[] }>().errors.some((each) => each.code === code),
        answer.text
      )
    }
    await refused(counting({ until: 'data.n >=' }), 'invalid_field')
    await refused(counting({ pause: 'soon' }), 'invalid_field')
    const flow = counting({})
    const wired = (from: string, to: string) => ({ ...flow, edges: [...flow.edges, { from, to }] })
    await refused(wired('again.data', 'again.data'), 'cycle')
    await refused(wired('again.index', 'answer.data'), 'wire_leaves_region')
    await refused(wired('again.exhausted', 'add.data'), 'wire_from_results')
    await refused(wired('webhook-1.data', 'again.next'), 'wire_to_result')
  })
})
