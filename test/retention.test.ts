import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Clock, systemClock } from '../src/clock.ts'
import { problemOf } from './support/api-client.ts'
import { callFlow, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'

const DAY_MS = 86_400_000

describe('retention', () => {
  it('keeps the newest runs up to the number that is set', async (t) => {
    const { service, sweep } = await startWithSweep(t, { MILLRACE_RETENTION_RUNS: '3' })
    const flow = await service.createFlow(ordersFlow())
    const ids: string[] = []
    for (let n = 0; n < 8; n++) ids.unshift((await service.run(flow.slug, order(n))).id)
    await sweep()
    assert.deepEqual(await runIds(service), ids.slice(0, 3))
    problemOf(await service.get(`/api/v1/runs/${ids[3]}`), 404, 'run_not_found')
    const { messages } = (await service.get(`/api/v1/flows/${flow.id}/messages`)).json<{
      messages: { run_id: string }[]
    }>()
    assert.deepEqual(
      messages.map(({ run_id }) => run_id),
      ids.slice(0, 3).reverse(),
      'messages go with their run'
    )
    const output = await service.get(`/api/v1/flows/${flow.id}/nodes/parser-1/output`)
    assert.equal(output.json().run_id, ids[0])
  })

  it('deletes what is older than is set, but never a run that has not ended', async (t) => {
    const env = { MILLRACE_RETENTION_DAYS: '7' }
    const { service, sweep, advance } = await startWithSweep(t, env, ['call.ts'])
    const outside = await startOutside(t)
    const orders = await service.createFlow(ordersFlow())
    const calls = await service.createFlow(callFlow(outside.url()))
    await service.run(orders.slug, order(1))
    const open = await service.start(calls.slug)
    const call = await outside.next()
    advance(8 * DAY_MS)
    const young = (await service.run(orders.slug, order(2))).id
    await sweep()
    assert.deepEqual(await runIds(service), [young, open])
    call.answer()
    assert.equal((await service.waitForRun(open)).status, 'succeeded')
    await sweep()
    assert.deepEqual(await runIds(service), [young, open], 'its age counts from its end')
    advance(8 * DAY_MS)
    await sweep()
    assert.deepEqual(await runIds(service), [])
  })

  it('keeps everything where it is switched off', async (t) => {
    const env = { MILLRACE_RETENTION_DAYS: '0', MILLRACE_RETENTION_RUNS: '0' }
    const { service, advance, sweep } = await startWithSweep(t, env)
    await service.run('orders', order(1))
    advance(10_000 * DAY_MS)
    await sweep()
    assert.equal((await runIds(service)).length, 1)
  })
})

/** A service whose next sweep is a matter of calling for it. What is done each minute is done with it. */
async function startWithSweep(test: TestContext, env: Record<string, string>, plugins: string[] = []) {
  let shift = 0
  let due: (() => void)[] = []
  let planned = () => {}
  const real = systemClock()
  const clock: Clock = {
    ...real,
    now: () => Date.now() + shift,
    startTimer: (ms, then) => {
      if (ms !== 60_000) return real.startTimer(ms, then)
      due.push(then)
      planned()
      return { stop: () => {} }
    }
  }
  const service = await startService(test, { env, clock, plugins })
  return {
    service,
    advance: (ms: number) => {
      shift += ms
    },
    /** Resolves when all sweeps are over: the next ones are planned then. */
    sweep: () =>
      new Promise<void>((resolve) => {
        const begun = due
        due = []
        planned = () => {
          if (due.length === begun.length) resolve()
        }
        for (const begin of begun) begin()
      })
  }
}

async function runIds(service: Service): Promise<string[]> {
  const answer = await service.get('/api/v1/runs?limit=500')
  return answer.json<{ runs: { id: string }[] }>().runs.map(({ id }) => id)
}

function order(n: number): string {
  return JSON.stringify({ order_id: n, customer: 'Ann' })
}
