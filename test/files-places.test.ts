import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { type Clock, systemClock } from '../src/clock.ts'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { startObjectStore } from './support/object-store.ts'
import { bytesIn, paperFlow, upload } from './support/paper-flows.ts'
import { sharedPostgres } from './support/postgres.ts'
import { type Service, startService } from './support/service.ts'

const DAY_MS = 86_400_000
const [RUNS_MS, FILES_MS, STRAYS_MS] = [60_000, 600_000, 6 * 3_600_000]

const postgres = sharedPostgres()

const PLACES: [name: string, (t: TestContext) => Promise<Record<string, string>>][] = [
  ['a folder', async () => ({})],
  ['PostgreSQL', async () => ({ DATABASE_URL: await postgres.database() })],
  ['an object store', (t) => startObjectStore(t)],
  [
    'an object store beside PostgreSQL',
    async (t) => ({ ...(await startObjectStore(t)), DATABASE_URL: await postgres.database() })
  ]
]

for (const [name, variables] of PLACES) {
  it(`files in ${name} are stored, read, counted and swept`, async (t) => {
    const env = { ...(await variables(t)), MILLRACE_RETENTION_DAYS: '7' }
    const { service, sweep, advance } = await startWithSweeps(t, env)
    await service.createFlow(paperFlow('read-paper', { slug: 'reads' }))
    const text = randomBytes(1_250_000).toString('hex')
    const large = await upload(service, text)
    const some = await service.get(`/api/v1/files/${large.file}`, {
      headers: { range: 'bytes=1048570-1048580' }
    })
    assert.deepEqual([some.status, some.text], [206, text.slice(1_048_570, 1_048_581)])
    assert.ok((await service.get(`/api/v1/files/${large.file}`)).text === text, 'all of it')
    const named = await upload(service, 'an invoice')
    const run = await service.run('reads', JSON.stringify(named))
    assert.equal(run.status, 'succeeded', JSON.stringify(run))
    assert.deepEqual(await figures(service), { files: 2, bytes: 2_500_010 })

    advance(DAY_MS + 1_000)
    await sweep(FILES_MS)
    problemOf(await service.get(`/api/v1/files/${large.file}`), 404, 'file_not_found')
    assert.equal((await service.get(`/api/v1/files/${named.file}`)).text, 'an invoice')
    assert.deepEqual(await figures(service), { files: 1, bytes: 10 })
    advance(8 * DAY_MS)
    await sweep(RUNS_MS)
    await sweep(FILES_MS)
    problemOf(await service.get(`/api/v1/files/${named.file}`), 404, 'file_not_found')
    assert.deepEqual(await figures(service), { files: 0, bytes: 0 })
    if (Object.keys(env).length === 1) assert.deepEqual(await bytesIn(service.home), [])
  })
}

describe('files of the embedded store', () => {
  it('are there for as long as a run that waits names them', async (t) => {
    const { service, sweep, advance } = await startWithSweeps(t, { MILLRACE_RETENTION_DAYS: '1' })
    const { id } = await service.createFlow(waitingFlow())
    const events = await service.events(id)
    const file = await upload(service, 'a contract')
    const runId = await service.start('waits', JSON.stringify(file))
    await events.until(({ event }) => event === 'run.waiting')
    events.close()
    advance(40 * DAY_MS)
    for (const what of [RUNS_MS, FILES_MS, STRAYS_MS]) await sweep(what)
    assert.equal((await service.get(`/api/v1/files/${file.file}`)).text, 'a contract')
    assert.equal((await service.post(`/api/v1/runs/${runId}/cancel`)).status, 200)
    await service.waitForRun(runId)
    advance(2 * DAY_MS)
    for (const what of [RUNS_MS, FILES_MS]) await sweep(what)
    problemOf(await service.get(`/api/v1/files/${file.file}`), 404, 'file_not_found')
    assert.deepEqual(await bytesIn(service.home), [])
  })
})

describe('an object store', () => {
  it('that cannot be used stops the start, and says what to do', async (t) => {
    const env = await startObjectStore(t)
    const rows: [change: Record<string, string>, says: RegExp][] = [
      [
        { AWS_SECRET_ACCESS_KEY: 'wrong' },
        /^MILLRACE_FILES: .* 403 \(SignatureDoesNotMatch\)\. Check AWS_ACCESS_KEY_ID/
      ],
      [
        { MILLRACE_FILES: env.MILLRACE_FILES!.replace('//mill/', '//none/') },
        /^MILLRACE_FILES: .* 404 \(NoSuchBucket\)\. Make the bucket, or correct its name/
      ]
    ]
    for (const [change, message] of rows)
      await assert.rejects(startService(t, { env: { ...env, ...change } }), {
        code: 'config_invalid',
        message
      })
  })
})

async function figures(service: ApiClient): Promise<{ files: number; bytes: number }> {
  const { text } = await service.get('/metrics')
  const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
  return { files: value('millrace_files'), bytes: value('millrace_file_bytes') }
}

/** Webhook → Wait for call. */
function waitingFlow() {
  return {
    name: 'Waits',
    slug: 'waits',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'call-1', type: 'wait-for-call', fields: { timeout: '90d' } }
    ],
    edges: [{ from: 'webhook-1.data', to: 'call-1.data' }]
  }
}

/** A service whose sweeps are a matter of calling for them, by how long they wait for each other. */
async function startWithSweeps(t: TestContext, env: Record<string, string>) {
  let shift = 0
  const due = new Map<number, Set<() => void>>()
  const planned = new Set<(ms: number) => void>()
  const real = systemClock()
  const clock: Clock = {
    ...real,
    now: () => Date.now() + shift,
    startTimer: (ms, then) => {
      if (![RUNS_MS, FILES_MS, STRAYS_MS].includes(ms)) return real.startTimer(ms, then)
      const all = due.get(ms) ?? new Set()
      due.set(ms, all.add(then))
      for (const hear of planned) hear(ms)
      return { stop: () => all.delete(then) }
    }
  }
  const service: Service = await startService(t, { env, clock, plugins: ['paper.ts'] })
  return {
    service,
    advance: (ms: number) => {
      shift += ms
    },
    /** Resolves when these sweeps are over: the next ones are planned then. */
    sweep: (ms: number) =>
      new Promise<void>((resolve) => {
        const now = [...due.get(ms)!]
        due.get(ms)!.clear()
        let left = now.length
        const hear = (plannedMs: number) => {
          if (plannedMs !== ms) return
          left -= 1
          if (left > 0) return
          planned.delete(hear)
          resolve()
        }
        planned.add(hear)
        for (const then of now) then()
      })
  }
}
