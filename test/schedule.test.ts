import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { eventually } from './support/eventually.ts'
import { type Service, shiftedClock, startService, temporaryFolder } from './support/service.ts'

const flowOf = (slug: string, fields: object, more: object = {}) => ({
  name: slug,
  slug,
  nodes: [
    { id: 'schedule-1', type: 'schedule', position: { x: 0, y: 0 }, fields, ...more },
    {
      id: 'parser-1',
      type: 'parser',
      position: { x: 300, y: 0 },
      fields: { template: '{scheduled_at} in {timezone}{late?}' }
    }
  ],
  edges: [{ from: 'schedule-1.data', to: 'parser-1.data' }]
})

async function runsOf(service: Service, slug: string): Promise<RunBody[]> {
  return (await service.get(`/api/v1/runs?flow_id=${slug}&limit=100`)).json<{ runs: RunBody[] }>().runs
}

interface Tick {
  readonly scheduled_at: string
  readonly timezone: string
  readonly late?: boolean
}

async function ticksOf(service: Service, slug: string): Promise<Tick[]> {
  const runs = await runsOf(service, slug)
  const whole = await Promise.all(runs.map(({ id }) => service.waitForRun(id)))
  return whole.map((run) => run.input as unknown as Tick)
}

const HOUR = 3_600_000

test('a schedule', async (t) => {
  const home = await temporaryFolder(t)
  const first = await startService(t, { home })

  await t.test('starts a run when its time comes, with the time as its data', async () => {
    await first.createFlow(flowOf('secondly', { cron: '* * * * * *', timezone: 'Europe/Berlin' }))
    const [run] = await eventually(
      () => runsOf(first, 'secondly'),
      (runs) => runs.length > 0
    )
    const whole = await first.waitForRun(run!.id)
    assert.deepEqual([whole.status, whole.trigger], ['succeeded', 'schedule'])
    const { scheduled_at, ...rest } = whole.input as unknown as Tick
    assert.deepEqual(rest, { timezone: 'Europe/Berlin' })
    assert.match(scheduled_at, /T\d\d:\d\d:\d\d\.000Z$/)
    assert.deepEqual(whole.steps[1]!.outputs, { parsed_text: `${scheduled_at} in Europe/Berlin` })
  })

  await t.test('that cannot come, or in no zone, is refused where it is written', async () => {
    const refused = async (fields: object) => {
      const answer = await first.post('/api/v1/flows', flowOf('refused', fields))
      const { errors } = problemOf(answer, 422, 'flow_invalid')
      return errors!.map(({ code, path }) => `${code} ${path}`)
    }
    assert.deepEqual(await refused({ cron: '0 0 30 2 *' }), ['cron_never /nodes/0/fields/cron'])
    assert.deepEqual(await refused({ cron: '0 0 * *' }), ['invalid_cron /nodes/0/fields/cron'])
    assert.deepEqual(await refused({ timezone: 'Berlin' }), ['unknown_timezone /nodes/0/fields/timezone'])
  })

  await t.test('is not started while its flow is paused, nor where its node is disabled', async () => {
    await first.createFlow(flowOf('off', { cron: '* * * * * *' }, { disabled: true }))
    const { id } = await first.createFlow(flowOf('held', { cron: '* * * * * *' }))
    await first.post(`/api/v1/flows/${id}/pause`, { mode: 'refuse' })
    const nextSecond = async () => {
      const count = (await runsOf(first, 'secondly')).length
      await eventually(
        () => runsOf(first, 'secondly'),
        (runs) => runs.length > count
      )
    }
    // One may have been on its way.
    await nextSecond()
    const before = (await runsOf(first, 'held')).length
    await nextSecond()
    assert.deepEqual([(await runsOf(first, 'held')).length, (await runsOf(first, 'off')).length], [before, 0])
  })

  await t.test('a run by API starts there, with the input as its data', async () => {
    const input = { scheduled_at: 'now', timezone: 'here' }
    const run = (await first.post('/api/v1/run/off', { input })).json<RunBody>()
    assert.equal(run.status, 'succeeded')
    const whole = (await first.post('/api/v1/run/secondly', { input })).json<RunBody>()
    assert.deepEqual([whole.trigger, whole.steps[0]!.outputs], ['api', { data: input }])
  })

  await t.test('whose times passed while the service was down runs once, late, or not at all', async () => {
    await first.createFlow(flowOf('missed', { cron: '0 0 1 1 *' }))
    await first.createFlow(flowOf('left-out', { cron: '0 0 1 1 *', missed: 'Leave out' }))
    await first.stop()
    const { clock, advance } = shiftedClock()
    advance(2 * 365 * 24 * HOUR)
    const second = await startService(t, { home, clock })
    const [late] = await eventually(
      () => ticksOf(second, 'missed'),
      (ticks) => ticks.length > 0
    )
    const year = new Date(clock.now()).getUTCFullYear()
    assert.deepEqual(late, { scheduled_at: `${year}-01-01T00:00:00.000Z`, timezone: 'UTC', late: true })
    const ticks = await eventually(
      () => ticksOf(second, 'secondly'),
      (all) => all.some((tick) => tick.late === true)
    )
    assert.equal(ticks.filter((tick) => tick.late === true).length, 1)
    await second.stop()
    const third = await startService(t, { home, clock })
    assert.equal((await ticksOf(third, 'missed')).length, 1)
    assert.deepEqual(await ticksOf(third, 'left-out'), [])
    const all = (await ticksOf(third, 'secondly')).map((tick) => tick.scheduled_at)
    assert.equal(new Set(all).size, all.length, 'no time has two runs')
  })
})
