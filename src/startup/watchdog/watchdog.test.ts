import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { cleanUp } from '../../../test/support/clean-up.ts'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import { temporaryFolder } from '../../../test/support/service.ts'
import { acceptMany, sampleFlow } from '../../store/contract/subject.test-kit.ts'
import { openPostgresStore } from '../../store/postgres/open-postgres-store.ts'
import { databasePath } from '../../store/sqlite/file/database-file.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import type { StorePlace } from './note-hung-step.ts'
import type { WatchdogOptions } from './watchdog.ts'

const program = join(import.meta.dirname, 'watched-child.test-kit.ts')
const postgres = sharedPostgres()

/** Its plan has `b` in the second place. */
const FLOW = JSON.stringify({
  name: 'Orders',
  context: '/',
  nodes: ['b', 'a'].map((id) => ({ id, type: 'any', position: { x: 0, y: 0 }, fields: {} })),
  edges: [{ from: 'a.data', to: 'b.data' }]
})

/** How a watched process ended, what it said, and what was noted of it. */
async function watch(t: TestContext, store: Store, place: StorePlace, act: string) {
  cleanUp(t, () => store.close())
  await store.flows.create(sampleFlow({ id: 'flow-a', document: FLOW }))
  const runs = await acceptMany(store, 2)
  // A slow machine may take long to note something: that is not what is tested.
  const limits = { hangMs: 1_000, stopMs: 1_000, noteMs: 30_000 }
  const options: WatchdogOptions = { ...limits, isSilent: false, store: place, marks: null }
  const given = [act, JSON.stringify(options), JSON.stringify(runs.map(({ seq }) => seq))]
  const child = spawn(process.execPath, [program, ...given], { stdio: ['ignore', 'ignore', 'pipe'] })
  cleanUp(t, () => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  const noted = (await store.runs.hungSteps()).map(({ seq, node }) => [seq, node])
  return { code, signal, said, noted, run: runs[0]! }
}

async function watchEmbedded(t: TestContext, act: string) {
  const folder = await temporaryFolder(t)
  const place: StorePlace = { kind: 'embedded', path: databasePath(folder) }
  return watch(t, await openSqliteStore({ folder }), place, act)
}

describe('the watch over the service’s thread', { concurrency: 2 }, () => {
  for (const act of ['a step loops', 'a step loops after it has waited']) {
    it(`ends the process when ${act}, and names the step`, async (t) => {
      const { signal, said, noted, run } = await watchEmbedded(t, act)
      assert.equal(signal, 'SIGKILL', said)
      assert.deepEqual(noted, [[run.seq, 'b']])
      const { level, run_id, node, msg } = JSON.parse(said)
      assert.deepEqual([level, run_id, node], [60, run.id, 'b'])
      assert.match(
        msg,
        new RegExp(`did not answer any more, .* Step b of run ${run.id} held its thread for \\d`)
      )
    })
  }

  it('blames no step where it may have been another', async (t) => {
    const { signal, said, noted } = await watchEmbedded(t, 'one of two steps that wait loops')
    assert.equal(signal, 'SIGKILL', said)
    assert.deepEqual(noted, [])
    assert.match(said, /"level":60,.*did not answer any more, so its process is ended\. What was/)
  })

  it('names the step in PostgreSQL too', async (t) => {
    const url = await postgres.database()
    const store = await openPostgresStore({ processId: 'test', url, connections: 4 })
    const { signal, said, noted, run } = await watch(t, store, { kind: 'postgres', url }, 'a step loops')
    assert.equal(signal, 'SIGKILL', said)
    assert.deepEqual(noted, [[run.seq, 'b']])
  })

  it('ends the process when a stop takes too long', async (t) => {
    const { signal, said, noted } = await watchEmbedded(t, 'a stop takes too long')
    assert.equal(signal, 'SIGKILL', said)
    assert.match(said, /did not stop in time/)
    assert.deepEqual(noted, [])
  })

  it('lets the process be when it has its thread back in time', async (t) => {
    const { code, said } = await watchEmbedded(t, 'it has its thread back in time')
    assert.deepEqual([code, said], [0, ''])
  })
})
