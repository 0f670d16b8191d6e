import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { nextLine, startChild } from './child-process.test-kit.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import { folderFor } from './sqlite-subject.test-kit.ts'

/**
 * A full disk, without the right to mount one: the child may not let a file grow past a limit, and the limit
 * is lifted from outside while it runs. The writes fail as they do on a disk: half done, in the middle of a
 * commit.
 */
const lifter = spawnSync('prlimit', ['--version']).status === 0
const skip = lifter ? false : 'prlimit, of util-linux, is not here'

test('a full disk refuses, keeps nothing by halves, and goes on when there is room', { skip }, async (t) => {
  const folder = await folderFor(t)
  const child = startChild(t, 'fill', folder, 2048)
  const accepted: string[] = []
  let line = await nextLine(child)
  for (; line.startsWith('accepted '); line = await nextLine(child)) accepted.push(line.split(' ')[1]!)
  assert.ok(accepted.length > 0)
  assert.match(line, /^refused 3 store_unwritable The store in .* cannot be written: the disk .*(Check|Make)/)
  assert.equal(await nextLine(child), 'told 1')

  const lifted = spawnSync('prlimit', ['--pid', String(child.process.pid), '--fsize=unlimited:unlimited'])
  assert.equal(lifted.status, 0, String(lifted.stderr))
  child.process.stdin!.write('room\n')
  // The numbers of the refused batch were taken back.
  assert.equal(await nextLine(child), `accepted after ${accepted.length + 1}`)
  if (child.process.exitCode === null) await once(child.process, 'exit')

  const store = await openSqliteStore({ folder })
  const { runs } = await store.runs.queued('flow-a', 0, { runs: 10_000, bytes: 1e9 })
  const kept = runs.map((run) => run.id)
  assert.deepEqual(kept, [...accepted, 'after'])
  await store.close()
})
