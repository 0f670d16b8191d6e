import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowBody, RunBody } from './support/api-client.ts'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

test('a watch that is put back starts nothing for what came meanwhile, also where no other flow has a trigger', async (t) => {
  const service = await startService(t, { env: { MILLRACE_EGRESS_ALLOW: '127.0.0.1' } })
  const outside = await startOutside(t)
  const list = [1]
  outside.answerAll(() => ({ body: list.map((id) => ({ id })) }))
  const parser = { id: 'parser-1', type: 'parser', fields: { template: '{id}' } }
  const watch = { id: 'watch-1', type: 'watch', fields: { every: '1s', url: outside.url('/') } }
  const watched = { nodes: [watch, parser], edges: [{ from: 'watch-1.data', to: 'parser-1.data' }] }
  let flow = await service.createFlow({ name: 'New', ...watched })
  const save = async (document: object) => {
    const body = { name: flow.name, slug: flow.slug, version: flow.version, ...document }
    const answer = await service.request('PUT', `/api/v1/flows/${flow.id}`, { body })
    assert.equal(answer.status, 200, answer.text)
    flow = answer.json<FlowBody>()
  }
  /** The second look begins when the first is over. */
  const looked = async () => {
    const before = outside.calls.length
    await eventually(
      () => outside.calls.length,
      (now) => now >= before + 2
    )
  }
  const started = async () => {
    const { runs } = (await service.get(`/api/v1/runs?flow_id=${flow.id}`)).json<{ runs: RunBody[] }>()
    return Promise.all(runs.map(async ({ id }) => (await service.waitForRun(id)).input))
  }
  await looked()
  list.push(2)
  await eventually(started, [{ id: 2 }])
  await save({ nodes: [parser], edges: [] })
  list.push(3)
  await save(watched)
  await looked()
  list.push(4)
  await eventually(
    async () => (await started()).length,
    (count) => count > 1
  )
  assert.deepEqual(await started(), [{ id: 4 }, { id: 2 }])
})
