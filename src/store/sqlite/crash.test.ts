import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { Store } from '../store.ts'
import { nextLine, type StoreChild, startChild } from './child-process.test-kit.ts'
import { familyFaults } from './families.test-kit.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import { folderFor } from './sqlite-subject.test-kit.ts'

interface Promised {
  readonly accepted: Set<string>
  readonly ended: Set<string>
}

/** Kills the child after so many promises, at whatever it is doing then, and reads what it still had said. */
async function killAfter(child: StoreChild, count: number): Promise<Promised> {
  const promised = { accepted: new Set<string>(), ended: new Set<string>() }
  let left = count
  for await (const line of child.lines) {
    const [what, id] = line.split(' ')
    promised[what as keyof Promised].add(id!)
    left -= 1
    if (left === 0) child.process.kill('SIGKILL')
  }
  return promised
}

async function unfinished(store: Store): Promise<Set<string>> {
  const ids = new Set<string>()
  let after = 0
  for (;;) {
    const { runs, isLast } = await store.runs.queued('flow-a', after, { runs: 500, bytes: 1e6 })
    for (const run of runs) ids.add(run.id)
    if (isLast) return ids
    after = runs.at(-1)!.seq
  }
}

test('kill -9 under load loses nothing that was promised', async (t) => {
  const folder = await folderFor(t)
  for (let round = 0; round < 4; round++) {
    const { accepted, ended } = await killAfter(startChild(t, 'load', folder), randomInt(20, 2_000))
    const store = await openSqliteStore({ folder })
    const open = await unfinished(store)
    for (const id of accepted) {
      const run = await store.runs.get(id)
      assert.ok(run, `${id} was accepted and is lost`)
      assert.equal(run.outcome === null, open.has(id), `${id} is both open and ended, or neither`)
    }
    for (const id of ended) assert.ok((await store.runs.get(id))?.outcome, `${id} had ended`)
    await assertNumbersAreWhole(store)
    await store.close()
  }
})

test('kill -9 amid waits and children leaves none that nobody wakes', async (t) => {
  const folder = await folderFor(t)
  for (let round = 0; round < 2; round++) {
    const called = await killAfterCalls(startChild(t, 'families', folder), randomInt(5, 150))
    const store = await openSqliteStore({ folder })
    assert.deepEqual(familyFaults(folder), [])
    for (const id of called) {
      const run = (await store.runs.get(id))!
      assert.ok(run.journal.includes('"woken"'), `the call of ${id} was answered and is lost`)
      const standing = await store.runs.closeWait(run, 'wait-1', 2)
      assert.equal(standing.state, 'woken', `the wait of ${id}`)
    }
    await store.close()
  }
})

async function killAfterCalls(child: StoreChild, count: number): Promise<Set<string>> {
  const called = new Set<string>()
  for await (const line of child.lines) {
    called.add(line.split(' ')[1]!)
    if (called.size === count) child.process.kill('SIGKILL')
  }
  return called
}

/** Every number up to the newest belongs to exactly one change: no batch was kept in part. */
async function assertNumbersAreWhole(store: Store): Promise<void> {
  let last = 0
  for (;;) {
    const page = await store.runs.changes(['flow-a'], last, 1000)
    for (const change of page) assert.equal(change.no, ++last)
    if (page.length === 0) break
  }
  assert.equal(last, await store.runs.lastChange())
}

test('processes that were killed are counted, until one closes the store', async (t) => {
  const folder = await folderFor(t)
  for (let killed = 0; killed < 2; killed++) {
    const child = startChild(t, 'hold', folder)
    assert.equal(await nextLine(child), 'open')
    await child.kill()
  }
  const after = await openSqliteStore({ folder })
  assert.equal(after.uncleanEnds, 2)
  await after.close()
  const last = await openSqliteStore({ folder })
  assert.equal(last.uncleanEnds, 0)
  await last.close()
})
