import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Client } from 'pg'
import { cleanUp } from '../../../test/support/clean-up.ts'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import { sampleOutcome, sampleRun } from '../contract/subject.test-kit.ts'
import { openPostgresStore } from '../postgres/open-postgres-store.ts'
import { openStoreImport } from '../postgres/upkeep/import-store.ts'
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts'
import { folderFor } from '../sqlite/sqlite-subject.test-kit.ts'
import { openStoreExport } from '../sqlite/upkeep/export-store.ts'
import { type CopyReport, type CopyStep, copyStore } from './copy-store.ts'
import { familyAnswers, fillFamilies } from './filled-families.test-kit.ts'
import { fillStore } from './filled-store.test-kit.ts'
import { assertSameStores } from './same-stores.test-kit.ts'

const postgres = sharedPostgres()

// A thousand rows are copied at a time: a little more than one or two times that shows what many show.

describe('copying a store', () => {
  it('keeps everything, and every number', async (t) => {
    const folder = await filledFolder(t, 1_008)
    const url = await postgres.emptyDatabase()
    const steps: CopyStep[] = []
    const { parts, found } = await copy(folder, url, (step) => steps.push(step))
    assert.equal(found, 0)
    assert.equal(parts.get('runs')!.rows, 1_008)
    assert.equal(parts.get('open_runs')!.rows, 504)
    assert.ok(
      steps.some(({ doing, part, done, total }) => doing === 'checking' && part === 'runs' && done === total)
    )
    await assertSameStores(t, folder, url)
  })

  it('lets unfinished runs go on, and numbers new ones after all others', async (t) => {
    const folder = await filledFolder(t, 80)
    const url = await postgres.database()
    await copy(folder, url)
    const store = await openPostgresStore({ url, processId: 'after' })
    cleanUp(t, () => store.close())
    assert.equal(store.isNew, false)
    const last = await store.runs.lastChange()
    const claim = async () => {
      const flowIds = await store.queue.flowsWithWork()
      return store.queue.claim(flowIds.map((flowId) => ({ flowId, most: 100, limit: null })))
    }
    const before = await claim()
    assert.equal(before.length, 27, 'all that are open, and neither parked nor held')
    await store.flows.setPaused('flow-c', null, 5000)
    const claimed = [...before, ...(await claim())]
    const journals = Map.groupBy(claimed, ({ journal }) => journal.join())
    assert.deepEqual([...journals].map(([journal, runs]) => `${runs.length} × ${journal}`).sort(), [
      '10 × ',
      '10 × {"again":1}',
      '10 × {"begun":1}'
    ])
    const accepted = await store.runs.accept(sampleRun({ flowId: 'flow-a' }))
    assert.equal(accepted.seq, last + 1)
    const later = 2_000_000_100_000
    const due: number[] = []
    for (const flowId of await store.runs.flowsDue(later)) {
      due.push((await store.runs.takeDue(flowId, later, { runs: 100, bytes: 1e6 })).runs.length)
    }
    assert.equal(
      due.reduce((sum, runs) => sum + runs, 0),
      10
    )
  })

  it('keeps waits and children, and they go on', async (t) => {
    const folder = await folderFor(t)
    const before = await openSqliteStore({ folder })
    cleanUp(t, () => before.close())
    const filled = await fillFamilies(before)
    const expected = await familyAnswers(before, filled)
    await before.close()
    const url = await postgres.database()
    const { parts } = await copy(folder, url)
    assert.deepEqual([parts.get('waits')!.rows, parts.get('children')!.rows], [5, 9])
    const after = await openPostgresStore({ url, processId: 'after' })
    cleanUp(t, () => after.close())
    assert.deepEqual(await familyAnswers(after, filled), expected)
    const { parent, called, child } = filled
    const woken = await after.runs.wake({
      run: called,
      node: 'wait-1',
      at: 5_000,
      entry: '"woken"',
      answer: null
    })
    assert.equal(woken.won, true)
    await after.runs.end(child, sampleOutcome({ finishedAt: 6_000 }))
    assert.deepEqual((await after.runs.flowsDue(5_000)).sort(), ['flow-a', 'flow-d'])
    const due = await after.runs.takeDue('flow-b', 6_000, { runs: 10, bytes: 1e6 })
    assert.deepEqual(
      due.runs.map((run) => run.parent?.index),
      [1],
      'the next has its turn'
    )
    await after.runs.end(parent, sampleOutcome({ status: 'cancelled', finishedAt: 7_000 }))
    const dropped = await after.runs.takeDue('flow-b', 7_000, { runs: 10, bytes: 1e6 })
    assert.deepEqual(
      dropped.runs.map((run) => run.parent?.index),
      [2, 0],
      'the last, and the one that nobody waits for'
    )
  })

  it('goes on where it was stopped', async (t) => {
    const folder = await filledFolder(t, 2_008)
    const url = await postgres.database()
    let stops = 0
    let report: CopyReport | undefined
    for (const stopAt of [1, 900, 2_000, 'checking', undefined] as const) {
      const abort = new AbortController()
      const watch = ({ doing, part, done }: CopyStep) => {
        const isThere = typeof stopAt === 'number' ? part === 'runs' && done >= stopAt : doing === stopAt
        if (isThere) abort.abort(new Error('stopped'))
      }
      try {
        report = await copy(folder, url, watch, abort.signal)
      } catch (error) {
        assert.equal((error as Error).message, 'stopped')
        stops += 1
        await assert.rejects(openPostgresStore({ url, processId: 'early' }), /unfinished copy/)
      }
    }
    assert.equal(stops, 4)
    assert.ok(report!.found > 2_008, 'the last one found all of it')
    await assertSameStores(t, folder, url)
  })

  it('refuses a database that holds something else, and leaves it as it is', async (t) => {
    const folder = await filledFolder(t, 8)
    const url = await postgres.database()
    const other = await openPostgresStore({ url, processId: 'other' })
    cleanUp(t, () => other.close())
    await other.signIns.secret('theirs')
    await assert.rejects(copy(folder, url), { code: 'copy_refused', message: /holds session secret\./ })
    await other.processes.pulse({ id: 'p', role: 'web', host: 'here', pid: 7, version: '1' })
    await assert.rejects(copy(folder, url), /running on the database at .*\(web, process 7 on here\)/)
    assert.equal(await other.signIns.secret('mine'), 'theirs')
  })

  it('goes on only with the very store that it began with, or begins anew', async (t) => {
    const folder = await filledFolder(t, 1_008)
    const url = await postgres.database()
    const abort = new AbortController()
    const stopped = copy(
      folder,
      url,
      ({ part, done }) => part === 'runs' && done >= 1_000 && abort.abort(new Error('stopped')),
      abort.signal
    )
    await assert.rejects(stopped, /stopped/)
    const store = await openSqliteStore({ folder })
    await store.keys.touch(new Map([['k1', 4001]]))
    await store.close()
    await assert.rejects(copy(folder, url), /before it was used again.*--restart/)
    const target = await openStoreImport(url)
    await target.restart()
    await target.close()
    await copy(folder, url)
    await assertSameStores(t, folder, url)
  })

  it('notices that something else wrote to the copy', async (t) => {
    const folder = await filledFolder(t, 100)
    const url = await postgres.database()
    const tamper: Record<string, string> = {
      outcomes:
        "UPDATE millrace.outcomes SET steps = steps || ' ' WHERE seq = (SELECT min(seq) FROM millrace.outcomes)",
      runs: "UPDATE millrace.runs SET input = input || '\\x00' WHERE seq = 5",
      open_runs:
        "DELETE FROM millrace_queue.job WHERE id = (SELECT id FROM millrace_queue.job WHERE name LIKE 'flow/%' LIMIT 1)"
    }
    for (const [part, sql] of Object.entries(tamper)) {
      const source = openStoreExport(folder)
      const target = await openStoreImport(url)
      try {
        await target.restart()
        const meddling = {
          ...target,
          summarise: async (...given: Parameters<typeof target.summarise>) => {
            if (given[0].name === part) await runSql(url, sql)
            return target.summarise(...given)
          }
        }
        await assert.rejects(
          copyStore({ source, target: meddling, onProgress: () => {} }),
          new RegExp(`The copy of ${part} differs`)
        )
      } finally {
        source.close()
        await target.close()
      }
    }
  })

  it('needs a store, and one that nobody uses', async (t) => {
    const folder = await folderFor(t)
    assert.throws(() => openStoreExport(folder), { code: 'config_invalid' })
    const store = await openSqliteStore({ folder })
    t.after(() => store.close())
    assert.throws(() => openStoreExport(folder), { code: 'store_locked' })
  })
})

async function filledFolder(t: TestContext, runs: number): Promise<string> {
  const folder = await folderFor(t)
  const store = await openSqliteStore({ folder })
  await fillStore(store, runs)
  await store.close()
  return folder
}

async function copy(
  folder: string,
  url: string,
  onProgress: (step: CopyStep) => unknown = () => {},
  signal?: AbortSignal
): Promise<CopyReport> {
  const source = openStoreExport(folder)
  const target = await openStoreImport(url)
  try {
    return await copyStore({ source, target, onProgress, ...(signal && { signal }) })
  } finally {
    source.close()
    await target.close()
  }
}

async function runSql(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}
