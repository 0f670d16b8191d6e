import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import type { RunBody } from './support/api-client.ts'
import { eventually } from './support/eventually.ts'
import { type Service, startService, temporaryFolder } from './support/service.ts'

const at = { position: { x: 0, y: 0 } }

/** Fails with what it was given. */
const failing = (slug: string, context = '/') => ({
  name: slug,
  slug,
  context,
  nodes: [
    { id: 'webhook-1', type: 'webhook', ...at, fields: {} },
    { id: 'stop-1', type: 'stop', ...at, fields: { message: 'No {what}', code: 'sold_out' } }
  ],
  edges: [{ from: 'webhook-1.data', to: 'stop-1.data' }]
})

const watching = (slug: string, flows: readonly string[] = [], context = '/') => ({
  name: slug,
  slug,
  context,
  nodes: [
    { id: 'failed-1', type: 'run-failed', ...at, fields: { flows } },
    { id: 'parser-1', type: 'parser', ...at, fields: { template: 'Flow {flow} failed: {error.message}' } }
  ],
  edges: [{ from: 'failed-1.data', to: 'parser-1.data' }]
})

interface Alert {
  readonly run_id: string
  readonly flow: string
  readonly error: { readonly node: string; readonly code: string; readonly message: string }
  readonly input: unknown
}

async function alertsOf(service: Service, slug: string): Promise<Alert[]> {
  const { runs } = (await service.get(`/api/v1/runs?flow_id=${slug}&limit=100`)).json<{ runs: RunBody[] }>()
  const whole = await Promise.all(runs.map(({ id }) => service.waitForRun(id)))
  return whole.map(({ input }) => input as unknown as Alert).reverse()
}

const runIds = async (service: Service, slug: string) =>
  (await alertsOf(service, slug)).map(({ run_id }) => run_id)

test('Run failed', async (t) => {
  const home = await temporaryFolder(t)
  const service = await startService(t, { home })
  for (const name of ['sales', 'stock']) await service.post('/api/v1/contexts', { name })
  await service.createFlow(failing('old'))
  const before = await service.run('old', '{"what":"luck"}')
  assert.equal(before.status, 'failed')
  const watch = await service.createFlow(watching('watch'))
  await service.createFlow(failing('bakery'))

  await t.test('starts a run with the failure, and every digit of what the run was given', async () => {
    const id = await service.start('bakery', '{"what":"bread","n":12345678901234567890}')
    const failed = await service.waitForRun(id)
    const [alert] = await eventually(
      () => alertsOf(service, 'watch'),
      (found) => found.length > 0
    )
    const { run_id, flow, error } = alert!
    assert.deepEqual([run_id, flow, error], [id, 'bakery', failed.error])
    assert.deepEqual([error.node, error.code], ['stop-1', 'sold_out'])
    const { runs } = (await service.get('/api/v1/runs?flow_id=watch')).json<{ runs: RunBody[] }>()
    const answer = await service.get(`/api/v1/runs/${runs[0]!.id}`)
    assert.match(answer.text, /"input":\{"what":"bread","n":12345678901234567890\}/)
    const run = answer.json<RunBody>()
    assert.deepEqual([run.status, run.trigger], ['succeeded', 'run-failed'])
    assert.deepEqual(run.steps[1]!.outputs, { parsed_text: `Flow bakery failed: ${failed.error!.message}` })
  })

  await t.test(
    'is not started for what failed before it was there, for tests, or for its own alerts',
    async () => {
      await service.post('/api/v1/flows/bakery/test', { input: { what: 'test' } })
      // Its own runs fail.
      const broken = watching('broken', ['bakery'])
      broken.nodes[1] = { ...broken.nodes[1]!, fields: { template: '{absent}' } } as never
      await service.createFlow(broken)
      const id = await service.start('bakery', '{"what":"milk"}')
      await eventually(() => runIds(service, 'broken'), [id])
      await eventually(
        () => runIds(service, 'watch'),
        (ids) => ids.at(-1) === id
      )
      // Whatever they would have started would stand before this one.
      const last = await service.start('bakery', '{"what":"tea"}')
      const ids = await eventually(
        () => runIds(service, 'watch'),
        (found) => found.at(-1) === last
      )
      assert.deepEqual([ids.length, ids.includes(before.id)], [3, false])
    }
  )

  await t.test('watches the flows that it names, in its context and below', async () => {
    await service.createFlow(watching('in-sales', [], '/sales'))
    await service.createFlow(watching('named', ['sold', 'bakery'], '/sales'))
    await service.createFlow(failing('sold', '/sales'))
    await service.createFlow(failing('kept', '/sales'))
    await service.createFlow(failing('stocked', '/stock'))
    const ids: Record<string, string> = {}
    for (const slug of ['stocked', 'bakery', 'sold', 'kept']) {
      ids[slug] = await service.start(slug, '{"what":"it"}')
      await service.waitForRun(ids[slug])
    }
    await eventually(() => runIds(service, 'in-sales'), [ids.sold!, ids.kept!])
    assert.deepEqual(await runIds(service, 'named'), [ids.sold])
  })

  await t.test(
    'tells of runs that failed before any step, and while the flow held what arrived',
    async () => {
      const count = (await runIds(service, 'watch')).length
      await service.post(`/api/v1/flows/${watch.id}/pause`, { mode: 'hold' })
      const held = await service.run('bakery', '{"what":"rain"}')
      assert.equal((await runIds(service, 'watch')).length, count)
      await service.post(`/api/v1/flows/${watch.id}/resume`)
      await eventually(
        () => runIds(service, 'watch'),
        (ids) => ids.at(-1) === held.id && ids.length === count + 1
      )
      await service.post(`/api/v1/flows/${watch.id}/pause`, { mode: 'refuse' })
      await service.run('bakery', '{"what":"snow"}')
      await service.post(`/api/v1/flows/${watch.id}/resume`)
      const next = await service.run('bakery', '{"what":"sun"}')
      await eventually(
        () => runIds(service, 'watch'),
        (ids) => ids.at(-1) === next.id && ids.length === count + 2
      )
    }
  )

  await t.test('tells of what failed when the process died right after, once', async () => {
    const flow = (await service.get('/api/v1/flows/bakery')).json<{ id: string }>()
    const known = await runIds(service, 'watch')
    await service.stop()
    const store = await openSqliteStore({ folder: home })
    const run = await store.runs.accept({
      id: 'died',
      flowId: flow.id,
      flowVersion: 1,
      trigger: 'webhook',
      session: 'default',
      createdAt: Date.now(),
      input: Buffer.from('not json'),
      request: null,
      replayOf: null,
      context: null
    })
    const error = JSON.stringify({ node: null, code: 'plan_failed', message: 'The flow cannot be prepared' })
    const outcome = { status: 'failed', startedAt: null, finishedAt: Date.now(), error, steps: '[]' } as const
    await store.runs.end(run, { ...outcome, messages: [], nodesWithOutput: [], usage: [] })
    await store.close()
    const again = await startService(t, { home })
    await eventually(() => runIds(again, 'watch'), [...known, 'died'])
    const [alert] = (await alertsOf(again, 'watch')).slice(-1)
    assert.deepEqual(alert!.input, { payload: 'not json' })
    await again.stop()
    const third = await startService(t, { home })
    const next = await third.start('bakery', '{"what":"more"}')
    await eventually(() => runIds(third, 'watch'), [...known, 'died', next])
  })
})
