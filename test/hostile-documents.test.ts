import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiClient, type FlowBody, problemOf } from './support/api-client.ts'
import { anythingFlow } from './support/documents.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

/** What it takes is some hundred milliseconds; the machine may be busy. */
const PROMPT_MS = 5_000

const members = (count: number, name = 'f') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, 1]))

async function savedDraft(service: ApiClient, flow: FlowBody, more: object) {
  const since = performance.now()
  const body = { revision: 0, nodes: [], edges: [], ...more }
  const answer = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body })
  assert.ok(performance.now() - since < PROMPT_MS)
  return answer
}

interface Told {
  readonly errors: readonly { readonly code: string; readonly path: string; readonly message: string }[]
}

describe('a draft', () => {
  it('of more members, fields or values than there may be is refused by that', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const node = (fields: object) => ({ nodes: [{ id: 'a', type: 'parser', fields }] })
    for (const more of [members(200_000), node(members(200_000))]) {
      const { detail } = problemOf(await savedDraft(service, flow, more), 413, 'body_too_large')
      assert.match(String(detail), /an object has more than 20000 members\. Send less/)
    }
    const many = await savedDraft(service, flow, { x: Array.from({ length: 1_000_001 }, () => 1) })
    assert.match(String(problemOf(many, 413, 'body_too_large').detail), /more than 1000000 values/)
    const wide: readonly [more: object, path: string][] = [
      [members(101), ''],
      [members(10_000), ''],
      [node(members(201)), '/nodes/0/fields'],
      [node(members(10_000)), '/nodes/0/fields'],
      [{ nodes: [{ id: 'a', ...members(300) }] }, '/nodes/0'],
      [{ edges: [members(101)] }, '/edges/0'],
      [{ notes: [members(101)] }, '/notes/0']
    ]
    for (const [more, path] of wide) {
      const answer = await savedDraft(service, flow, more)
      problemOf(answer, 422, 'flow_invalid')
      const { errors } = answer.json<Told>()
      assert.deepEqual(
        errors.map((fault) => fault.path),
        [path]
      )
      assert.match(errors[0]!.message, /Give at most (?:100|200)/)
    }
    const kept = await savedDraft(service, flow, { ...members(80), ...node(members(200)) })
    assert.equal(kept.status, 200, kept.text)
    assert.equal(kept.json<{ f79: number }>().f79, 1)
  })

  it('of 1,500 Schedules that never come is saved, read and compared in a moment', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const nodes = Array.from({ length: 1_500 }, (_, at) => ({
      id: `n${at}`,
      type: 'schedule',
      fields: { cron: `${at % 60} * * 31 2,4,6,9,11 *`, timezone: 'America/St_Johns' }
    }))
    const saved = await savedDraft(service, flow, { name: flow.name, nodes })
    assert.equal(saved.status, 200, saved.text)
    const codes = saved.json<Told>().errors.map(({ code }) => code)
    assert.deepEqual([...new Set(codes)], ['cron_never', 'duplicate_trigger', 'more_faults'])
    assert.match(saved.json<Told>().errors.at(-1)!.message, /^500 more faults are not listed/)
    for (const path of ['draft', 'draft/changes']) {
      const since = performance.now()
      const read = await service.get(`/api/v1/flows/${flow.id}/${path}`)
      assert.equal(read.status, 200, read.text)
      assert.equal(read.json<Told>().errors.length, 1_001)
      assert.ok(performance.now() - since < PROMPT_MS)
    }
  })
})

describe('the inputs of a node', () => {
  it('are told for as many fields as a node has, to a key that may read', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const { key } = await service.createKey({ rights: ['read'], flow: flow.id })
    const ask = (fields: object) =>
      service.request('POST', '/api/v1/components/webhook/inputs', { key, body: { fields } })
    problemOf(await ask(members(200_000)), 413, 'body_too_large')
    for (const count of [201, 10_000]) {
      const answer = await ask(members(count))
      problemOf(answer, 422, 'invalid_request')
      assert.ok(answer.text.length < 1_000, answer.text.slice(0, 1_000))
    }
    assert.equal((await ask(members(200))).json<Told>().errors.length, 200)
  })
})
